import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freeRun, sleep, toldIn } from "../support/background-jobs.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { processesOf } from "../support/under-way.ts";
import type { FaultyAgent } from "./bundle.ts";
import { type Ended, type FaultPlace, openFaultPlace } from "./place.ts";
import { sharedFaultyAgent } from "./shared-agent.ts";

let agent: FaultyAgent;

beforeAll(async () => {
  agent = await sharedFaultyAgent();
});

/** A test here is ended by this; an agent that hangs is killed before. */
const longest = 200_000;

const jobs = ["c1", "c2"];
const command = { name: "shell", arguments: { command: `exec ${sleep(86_452)}`, background: true } };
const both: Answer = asks("shell", { command: `exec ${sleep(86_451)}`, background: true }, { calls: [command] });

/** The jobs that the person is told of, in their order. */
const personTold = ({ events }: Ended): (string | undefined)[] =>
  events.flatMap((event) =>
    event.type === "notice" && event.code === "job_gone" ? [/job (c\d+) /u.exec(event.text)?.[1]] : [],
  );

async function openHere(first: Answer): Promise<{
  place: FaultPlace;
  run(argv: readonly string[], fault?: string, from?: string): Promise<Ended>;
}> {
  const place = await openFaultPlace(agent.program, ({ body }) =>
    body.messages.some(({ role }) => role === "assistant") ? says("Yes.") : (first as never),
  );
  onTestFinished(() => place.remove());
  return {
    place,
    run: (argv, fault, from) =>
      place.start([], {
        HOLDFAST_COMMAND: JSON.stringify(argv),
        ...(fault === undefined ? {} : { HOLDFAST_FAULT: fault }),
        ...(from === undefined ? {} : { HOLDFAST_FAULT_FROM: from }),
      }).done,
  };
}

/** From here on there is a transaction for each job that is kept as lost, and one for each of which the person was told. */
const ending = "before session closed";

describe("two jobs whose process is killed while it ends with them", () => {
  it.each([
    ["before the first is kept as lost", "transaction written#1", [], jobs],
    ["before the second is kept as lost", "transaction begun#2", [], jobs],
    ["while the second is kept as lost", "transaction written#2", [], jobs],
    // What was said in the instant of the death may not have been read: it is said again.
    ["before it is kept that the person was told", "transaction begun#3", ["c1"], jobs],
    ["before it is kept that the person was told of the second", "transaction written#4", jobs, ["c2"]],
    ["when it is kept that the person was told", "before lease released#1", jobs, []],
  ])(
    "%s: the next one tells the person and the model of what was not told, once",
    async (_, fault, before, after) => {
      const { place, run } = await openHere(both);
      const first = await run(["run", "serve", ...freeRun], `${fault}=kill`, ending);
      expect(first, first.stderr).toMatchObject({ struck: true, signal: "SIGKILL", hung: false });
      expect(personTold(first)).toEqual(before);
      await expect.poll(() => processesOf(sleep(86_451)) + processesOf(sleep(86_452))).toBe(0);
      const session = first.events[0]?.session ?? "";
      const next = await run(["resume", session, "and now?"]);
      expect([next.code, personTold(next)], next.stderr).toEqual([0, after]);
      expect(jobs.map((call) => toldIn(place, call))).toEqual([1, 1]);
      const last = await run(["resume", session, "sure?"]);
      expect([last.code, personTold(last)], last.stderr).toEqual([0, []]);
      expect(jobs.map((call) => toldIn(place, call))).toEqual([1, 1]);
    },
    longest,
  );

  it(
    "by a crash: the next one tells both, and where it is killed with nothing left to keep, no other does",
    async () => {
      const { place, run } = await openHere(both);
      const first = await run(["run", "serve", ...freeRun], "before session closed#1=kill");
      expect(first.signal, first.stderr).toBe("SIGKILL");
      const session = first.events[0]?.session ?? "";
      const second = await run(["resume", session], "before lease released#1=kill");
      expect([second.signal, personTold(second)], second.stderr).toEqual(["SIGKILL", jobs]);
      const third = await run(["resume", session, "and now?"]);
      expect([third.code, personTold(third)], third.stderr).toEqual([0, []]);
      expect(jobs.map((call) => toldIn(place, call))).toEqual([1, 1]);
    },
    longest,
  );
});
