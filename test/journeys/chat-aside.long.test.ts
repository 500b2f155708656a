import { describe, expect, it } from "vitest";
import { endMarked, freeRun, sessionOf, sleep, timesIn } from "../support/background-jobs.ts";
import { openPlace, type Place, type Window } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInTerminals } from "../support/needs.ts";
import type { Pty } from "../support/pty.ts";
import type { TmuxPty } from "../support/tmux.ts";
import { processesOf } from "../support/under-way.ts";

const onScreen = (pty: Pty): string => pty.screen().join("\n");
const shows = (pty: Pty, wanted: RegExp): Promise<void> => pty.waitFor((one) => wanted.test(onScreen(one)));
const jobRuns = /^full-auto · ● 1 job · /m;

async function began(place: Place, command: string, size: Window = { cols: 100, rows: 30 }): Promise<Pty> {
  const pty = place.chat(["chat", ...freeRun], size);
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("build\r");
  await expect.poll(() => processesOf(command)).toBeGreaterThan(0);
  return pty;
}

const lastHeard = (place: Place): string =>
  (place.server.requests.at(-1)?.body.messages ?? []).map(({ content }) => String(content)).join("\n");

describeInTerminals((terminal) => {
  it.each([
    ["ctrl-s", 60, 20],
    ["ctrl-b", 42, 10],
  ] as const)(
    "by %s at %d x %d: the call says so, what runs is a job, and its end is told to both",
    async (key, cols, rows) => {
      const command = "echo half; while [ ! -e done ]; do sleep 0.05; done; echo whole; exit 3";
      const place = await openPlace([asks("shell", { command }), says("It builds."), says("I see.")]);
      const pty = await began(place, command, { cols, rows, terminal });
      await shows(pty, /half/);
      // The key is named where there is room, once it has run for a while.
      await shows(pty, cols >= 60 ? /ctrl\+s background/ : /·\s+\d+\s+s\b/);
      // What it said may be on the screen a moment before it can be sent.
      do {
        // The first of it is tmux's own there.
        if (key === "ctrl-b" && "prefix" in pty) (pty as TmuxPty).prefix("ctrl-b");
        else pty.key(key);
        await shows(pty, /● 1 job|nothing runs that can/);
      } while (!jobRuns.test(onScreen(pty)));
      await pty.waitFor("It builds.");
      expect(place.heard(1, -1)).toMatch(
        /^half\n\(the person sent it to the background, where it runs on as c1; shell_output \{"id": "c1", "since": 5\} reads on\)$/u,
      );
      await place.write("done", "");
      await pty.waitFor((one) =>
        /c1 \(echo half; while\s.*has\s+ended:\s+exit\s+code\s+3;\s+its\s+last\s+words:\s+whole/su.test(
          one.scrollback().join("\n"),
        ),
      );
      await pty.waitFor((one) => !onScreen(one).includes("● 1 job"));
      pty.type("and?\r");
      await pty.waitFor("I see.");
      expect(timesIn(lastHeard(place), /The background job c1 \(.*\) has ended: exit code 3\./gu)).toBe(1);
      pty.key("ctrl-d");
      expect(await pty.exit).toEqual({ code: 0, signal: 0 });
    },
  );
});

describe("a command that is sent to the background", () => {
  it("leaves a draft as it is: there ctrl-b moves, and ctrl-s sends what runs", async () => {
    const command = `echo up; ${sleep(86_501)}`;
    const place = await openPlace([asks("shell", { command }), says("On.")]);
    const pty = await began(place, command);
    await shows(pty, /ctrl\+s background/);
    pty.type("ac");
    await shows(pty, /❯ ac/);
    pty.key("ctrl-b");
    pty.type("b");
    await shows(pty, /❯ abc/);
    expect(onScreen(pty)).not.toContain("● 1 job");
    pty.key("ctrl-s");
    await shows(pty, jobRuns);
    await shows(pty, /❯ abc/);
    await pty.waitFor("On.");
    expect(processesOf(sleep(86_501))).toBeGreaterThan(0);
    pty.key("ctrl-c");
    pty.key("ctrl-d");
    await pty.exit;
    expect(processesOf(sleep(86_501))).toBe(0);
  });

  it("says where nothing runs that could be, and begins nothing", async () => {
    const place = await openPlace([says("Hello.")]);
    const pty = place.chat(["chat", ...freeRun], { cols: 60, rows: 20 });
    await pty.waitFor("ask, or");
    pty.key("ctrl-s");
    await shows(pty, /nothing runs that can go on in the background/);
    pty.type("/bg\r");
    await shows(pty, /nothing runs that can go on in the background/);
    pty.key("ctrl-d");
    expect((await pty.exit).code).toBe(0);
    expect(place.server.requests).toHaveLength(0);
  });

  it("in lines: /background has it go on, and the turn with it", async () => {
    const command = `echo up; exec ${sleep(86_502)}`;
    const place = await openPlace([asks("shell", { command }), says("On."), says("Yes.")]);
    place.env["HOLDFAST_SCREEN_READER"] = "1";
    const pty = await began(place, command);
    pty.type("/background\r");
    await pty.waitFor("On.");
    pty.type("/jobs\r");
    await pty.waitFor("1 background job, 1 running");
    pty.type("/jobs stop c1\r");
    await pty.waitFor(() => processesOf(sleep(86_502)) === 0);
    pty.key("ctrl-d");
    await pty.exit;
    // It was stopped by a call, which told of it.
    expect(pty.scrollback().join("\n")).not.toMatch(/c1 \(.*has ended/su);
  });

  it("outlives a stop of the turn, and the time that a call has", async () => {
    const command = "echo up; while [ ! -e done ]; do sleep 0.05; done; exit 0";
    const place = await openPlace([
      asks("shell", { command }),
      asks("shell", { command: sleep(86_504) }),
      says("Later."),
    ]);
    const pty = await began(place, command);
    await shows(pty, /ctrl\+s background/);
    pty.key("ctrl-s");
    await expect.poll(() => processesOf(sleep(86_504))).toBeGreaterThan(0);
    pty.key("escape");
    await pty.waitFor(() => processesOf(sleep(86_504)) === 0);
    await shows(pty, jobRuns);
    await place.write("done", "");
    await pty.waitFor(/has\s+ended:\s+exit\s+code\s+0/u);
    pty.key("ctrl-d");
    await pty.exit;
  });

  it("is told as gone where the agent is killed, to both and once, and nothing of it runs", async () => {
    const command = `echo up; exec ${sleep(86_505)}`;
    const place = await openPlace([asks("shell", { command }), says("On."), says("I see."), says("Yes.")]);
    const pty = await began(place, command);
    await shows(pty, /ctrl\+s background/);
    pty.key("ctrl-s");
    await pty.waitFor("On.");
    await pty.kill("SIGKILL");
    await expect.poll(() => processesOf(sleep(86_505))).toBe(0);
    endMarked(sleep(86_505));
    const session = await sessionOf(place);
    const on = await place.json(["resume", session, "and now?"]);
    expect(on.of("notice").filter(({ code }) => code === "job_gone")).toHaveLength(1);
    expect(timesIn(lastHeard(place), /The background job c1 \(.*\) is gone/gu)).toBe(1);
    const again = await place.json(["resume", session, "sure?"]);
    expect(again.of("notice")).toEqual([]);
    expect(timesIn(lastHeard(place), /The background job c1 \(.*\) is gone/gu)).toBe(1);
  });
});
