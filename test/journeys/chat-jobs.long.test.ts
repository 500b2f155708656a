import { expect, it } from "vitest";
import { freeRun } from "../support/background-jobs.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { processesOf } from "../support/under-way.ts";

const background = (command: string) => asks("shell", { command, background: true });
const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));

/** A job that says a word and stays, known by its seconds. */
const stays = (seconds: number): string => `echo listening on ${seconds}; sleep ${seconds}`;

async function served(place: Place, size: { cols: number; rows: number }): Promise<Pty> {
  const pty = place.chat(["chat", ...freeRun], size);
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("serve");
  await pty.waitFor("serve");
  pty.key("enter");
  await pty.waitFor("Serving.");
  return pty;
}

it("lists the jobs, shows what one said and ends it by x and y, and then says how it ended", async () => {
  const place = await openPlace([background(stays(4391)), says("Serving."), says("I see.")], {});
  const pty = await served(place, { cols: 60, rows: 20 });
  await shows(pty, /^full-auto · ● 1 job · /m);
  expect(processesOf("sleep 4391")).toBeGreaterThan(0);
  pty.type("/jobs\r");
  await shows(pty, /1 background job, 1 running\n❯ c1 {2}echo listening on 4391.*runs/);
  pty.key("enter");
  await shows(pty, /^echo listening on 4391; sleep 4391\nlistening on 4391\n/);
  pty.key("escape");
  await shows(pty, /x ends it/);
  pty.type("x");
  await shows(pty, /end it\? y ends it/);
  expect(processesOf("sleep 4391")).toBeGreaterThan(0);
  pty.type("y");
  await pty.waitFor(/stop_job|Stop job/);
  await pty.waitFor(() => processesOf("sleep 4391") === 0);
  pty.type("/jobs\r");
  await shows(pty, /1 background job, 0 running\n❯ c1/);
  pty.key("escape");
  await shows(pty, /ask, or/);
  await pty.waitFor((one) => !onScreen(one).includes("● 1 job"));
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});

it("tells them as lines where lines are all there is, and ends one by its name", async () => {
  const place = await openPlace([background(stays(4392)), says("Serving."), says("I see.")], {});
  place.env["HOLDFAST_SCREEN_READER"] = "1";
  const pty = await served(place, { cols: 100, rows: 40 });
  pty.type("/jobs stop c9\r");
  await pty.waitFor("there is no job c9: /jobs shows them");
  pty.type("/jobs\r");
  await pty.waitFor("1 background job, 1 running");
  await pty.waitFor("/jobs stop JOB ends one");
  pty.type("/jobs c1\r");
  await pty.waitFor(/sleep 4392: runs/);
  pty.type("/jobs c1 c2\r");
  await pty.waitFor("what is meant?");
  pty.type("/jobs stop c1\r");
  await pty.waitFor(() => processesOf("sleep 4392") === 0);
  await pty.waitFor(/stopped/);
  pty.type("/jobs stop c1\r");
  await pty.waitFor("job c1 runs no more");
  pty.key("ctrl-d");
  expect((await pty.exit).code).toBe(0);
});

it("that is killed while it ends one: resumed, it asks nothing, and the stop is told as what it came to, once", async () => {
  const place = await openPlace([background("node stays.cjs"), says("Serving."), says("I see.")], {});
  // It hears that it is to end, and does not: so the stop takes its time.
  const heard = 'process.on("SIGTERM", () => require("node:fs").writeFileSync("heard", ""));';
  await place.write("stays.cjs", `${heard}\nsetInterval(() => undefined, 4393);\n`);
  const pty = await served(place, { cols: 100, rows: 30 });
  pty.type("/jobs stop c1\r");
  await pty.waitFor(() => place.has("heard"), 20_000);
  process.kill(pty.pid, "SIGKILL");
  await pty.exit;
  await expect.poll(() => processesOf("node stays.cjs")).toBe(0);
  const id = /"id":"([^"]+)"/.exec((await place.run(["sessions", "list", "--json"])).stdout)?.[1] ?? "";
  const resumed = await place.json(["resume", id, "--json"]);
  expect(resumed.code).toBe(0);
  expect(resumed.events.map(({ type }) => type)).not.toContain("approval_requested");
  expect(resumed.events.map(({ type }) => type)).not.toContain("recovery_requested");
  const settled = resumed.events.flatMap((one) => (one.type === "tool_call" ? [one.call] : []));
  // To end what has ended changes nothing, so it is done again by itself.
  expect(settled.map(({ status }) => status)).toEqual(["interrupted", "pending", "executing", "success"]);
  const output = "(c1 does not run here)";
  expect(settled.at(-1)).toMatchObject({ callId: "c2", attempt: 2, result: { output } });
  expect(resumed.events).toContainEqual(expect.objectContaining({ type: "notice", code: "job_gone" }));
  const again = await place.json(["resume", id, "--json"]);
  expect(again.events.filter(({ type }) => type === "tool_call")).toEqual([]);
});
