import { describe, expect, it } from "vitest";
import { count, leave, playScenes, prompt, resume, say } from "../../../support/scenes.ts";

const scenes = playScenes();

it("stops a running turn by Escape and says so", async () => {
  const pty = await scenes.start({ scene: "slow" });
  await say(pty, "go");
  await pty.waitFor("esc stops");
  pty.key("escape");
  await pty.waitFor("⚠ stopped");
  await leave(pty);
});

describe("an answer that is left in its middle", () => {
  const half = "The first half is said, and";

  it("stays on the screen when the chat is left by Ctrl-C twice or by /exit", async () => {
    for (const leaveBy of ["ctrl-c", "/exit"]) {
      const pty = await scenes.start({ scene: "half", clock: "still" });
      await say(pty, "go");
      await pty.waitFor(half);
      if (leaveBy === "/exit") await say(pty, leaveBy);
      else pty.key(leaveBy, leaveBy);
      expect(await pty.exit).toEqual({ code: 0, signal: 0 });
      expect({ answers: count(pty, half), working: count(pty, "working") }).toEqual({ answers: 1, working: 0 });
      expect(pty.scrollback().join("\n").trimEnd().endsWith(resume)).toBe(true);
    }
  });

  it("stays on the screen when another session is begun", async () => {
    const pty = await scenes.start({ scene: "half" });
    await say(pty, "go");
    await pty.waitFor(half);
    await say(pty, "/new");
    await pty.waitFor("session calm-heron-1a2b; the one before is saved as brisk-otter-4f2a");
    await pty.waitFor(prompt);
    expect(count(pty, half)).toBe(1);
    pty.key("ctrl-d");
    expect(await pty.exit).toEqual({ code: 0, signal: 0 });
    expect(count(pty, half)).toBe(1);
  });
});

it("a message sent while a new session is being made is that one's first", async () => {
  const pty = await scenes.start({ scene: "slow" });
  await say(pty, "/new");
  await pty.waitFor(prompt);
  await say(pty, "hello");
  await pty.waitFor(/session calm-heron-1a2b; the one before is saved as brisk-otter-4f2a\s+❯ hello/);
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});

it("says who took the session over before it ends", async () => {
  const pty = await scenes.start({ scene: "taken" });
  await say(pty, "go");
  expect(await pty.exit).toEqual({ code: 75, signal: 0 });
  const shown = pty.scrollback().join("\n");
  expect(shown).toContain("✖ session brisk-otter-4f2a was taken over by process 4711 since 2026-11-21T10:00:00.000Z");
  expect(shown).toContain("take it back: agent resume brisk-otter-4f2a --take-over");
  await leave(pty, 75);
});

it("gives the terminal back and says how to go on when its session breaks", async () => {
  const pty = await scenes.start({ scene: "crash" });
  await say(pty, "go");
  await pty.waitFor("the screen failed: the stream broke");
  await leave(pty, 70);
});
