import { describe, expect, it } from "vitest";
import { ended, freeRun, job, sessionOf, sleep, timesIn, toldIn } from "../support/background-jobs.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { endless, processesOf } from "../support/under-way.ts";

describe("a background job that is ended with its process", () => {
  it("is told at the end of agent run, before the last line, and to the model with its next request alone", async () => {
    const place = await openPlace([
      job(`echo up; exec ${sleep(86_431)}`),
      says("It runs."),
      says("I see."),
      says("Yes."),
      asks("shell_output", { id: "c1" }),
      says("Gone."),
    ]);
    const ran = await place.json(["run", "serve", ...freeRun]);
    expect(processesOf(sleep(86_431))).toBe(0);
    expect(ran).toMatchObject({ code: 0 });
    const { events } = ran;
    expect(events.slice(-2)).toMatchObject([
      { type: "notice", code: "job_gone", text: expect.stringMatching(/c1 \(echo up.* was ended .*words: up$/u) },
      { type: "turn_ended", reason: "done", exitCode: 0 },
    ]);
    expect(ran.of("notice").filter(({ code }) => code === "job_gone")).toHaveLength(1);
    const on = await place.json(["resume", ran.session, "and now?"]);
    expect(on.of("notice").filter(({ code }) => code === "job_gone")).toEqual([]);
    expect(toldIn(place)).toBe(1);
    await place.json(["resume", ran.session, "sure?"]);
    expect(toldIn(place)).toBe(1);
    await place.json(["resume", ran.session, "what did it say?"]);
    expect(place.heard(-1, -1)).toBe("up\n(ended with its session: ended by SIGTERM)");
  });

  it("is told on stderr, and the answer stands alone on stdout", async () => {
    const place = await openPlace([job(`exec ${sleep(86_432)}`), says("It runs.")]);
    const { code, stdout, stderr } = await place.run(["run", "serve", ...freeRun]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "It runs.\n" });
    expect(timesIn(stderr, ended("c1", "exec sleep"))).toBe(1);
  });

  it("is not told of where it had ended by itself, or was stopped", async () => {
    const place = await openPlace([
      job("exit 3"),
      job(`exec ${sleep(86_433)}`),
      asks("shell_stop", { id: "c2" }),
      says("None runs."),
    ]);
    const ran = await place.json(["run", "serve", ...freeRun]);
    expect(ran.of("notice").filter(({ code }) => code === "job_gone")).toEqual([]);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("is told where %s ends a turn under way", async (signal, code) => {
    const place = await openPlace([job(`exec ${sleep(86_434)}`), endless, says("I see."), says("Yes.")]);
    const run = place.spawn(["run", "serve", ...freeRun, "--json"]);
    await expect.poll(() => place.server.requests.length, { interval: 10 }).toBe(2);
    run.child.kill(signal);
    const { stdout, code: exit } = await run.done;
    expect(exit).toBe(code);
    expect(timesIn(stdout, ended("c1", "exec sleep"))).toBe(1);
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(new RegExp(`"turn_ended".*"exitCode":${code}`, "u"));
    const on = await place.json(["resume", await sessionOf(place), "and now?"]);
    expect(on.of("notice").filter(({ code: one }) => one === "job_gone")).toEqual([]);
    expect(toldIn(place)).toBe(1);
  });
});
