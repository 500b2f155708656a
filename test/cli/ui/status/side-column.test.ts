import { expect, it } from "vitest";
import { plainText, type StyledLine } from "../../../../src/cli/terminal/span.ts";
import { cells } from "../../../../src/cli/terminal/width.ts";
import { liveFrame } from "../../../../src/cli/ui/chat/live-frame.ts";
import { createLayouts } from "../../../../src/cli/ui/question/body-lines.ts";
import { besideLines, leastForSide, sideCells, sideOf } from "../../../../src/cli/ui/status/side-column.ts";
import type { View } from "../../../../src/cli/ui/view/view.ts";
import { reduce } from "../../../../src/cli/ui/view/view-state.ts";
import { waitingEdit } from "../../../support/fake-session.ts";
import { having, idle } from "../../../support/frames.ts";
import { playScenes, prompt, say } from "../../../support/scenes.ts";

const goals: View["goals"] = [
  { id: "g1", text: "read it", state: "done" },
  { id: "g2", text: "mend it", state: "active" },
  { id: "g3", text: "tell of it", state: "pending" },
];
const changed = [
  { subject: "a.ts", added: 1, removed: 0 },
  { subject: "b.ts", added: 2, removed: 2 },
  { subject: "a.ts", added: 3, removed: 1 },
];
const nothingSpent = { usage: undefined, spent: { input: 0, output: 0 } };
const whole = { title: "the talk", goals, changed, ...nothingSpent };

const blank = (rows: number): StyledLine[] => Array.from({ length: rows }, () => []);
const beside = (view: Parameters<typeof sideOf>[0], rows: number, folded = false, jobs = 0): string[] =>
  besideLines(blank(rows), sideOf(view, folded, jobs), 10).map((row) => plainText(row).trim().slice(2).trim());

it("tells title, plan and what calls changed, by files with the newest first", () => {
  expect(beside(whole, 8)).toEqual([
    "the talk",
    "Plan 1/3",
    "✔ read it",
    "▸ mend it",
    "□ tell of it",
    "2 files changed +6 −3",
    "a.ts +4 −1",
    "b.ts +2 −2",
  ]);
});

it("keeps a row of each where rows are few, and says how many it left out", () => {
  expect(beside(whole, 3)).toEqual(["the talk", "Plan 1/3 ✔▸□  mend it", "2 files changed +6 −3"]);
  expect(beside(whole, 5)).toEqual(["the talk", "Plan 1/3", "✔ read it", "… 2 more", "2 files changed +6 −3"]);
  expect(beside(whole, 1)).toEqual(["the talk"]);
});

it("has no plan that is folded or done, and nothing where there is a title alone", () => {
  expect(beside(whole, 2, true)).toEqual(["the talk", "2 files changed +6 −3"]);
  expect(sideOf({ ...whole, goals: [], changed: [] }, false, 0).sections).toEqual([]);
});

it("tells below these how many jobs run, and what the session took: share, tokens and cost", () => {
  const spent = {
    usage: { contextUsed: 64_000, contextWindow: 128_000 },
    spent: { input: 50_000, output: 720, cost: 0.21 },
  };
  expect(beside({ ...whole, ...spent }, 12, false, 2).slice(8, 10)).toEqual([
    "● 2 jobs",
    "50 % of 128k · ↑50k ↓720 = 0.210",
  ]);
  expect(beside({ ...whole, ...spent }, 3, true, 1)).toEqual(["the talk", "2 files changed +6 −3", "● 1 job"]);
  expect(beside({ ...whole, goals: [], changed: [] }, 3, false, 1)).toEqual(["the talk", "● 1 job", ""]);
  // What it took is told in the last row too: it alone is no reason for a column.
  expect(sideOf({ ...whole, ...spent, goals: [], changed: [] }, false, 0).sections).toEqual([]);
});

it("does not count earlier calls as counted", () => {
  expect(beside({ ...whole, changedLately: true }, 9)).toContain("2 files changed lately +6 −3");
  const entry = { role: "user" as const, text: "x" };
  const told = { type: "session_restored" as const, session: "s1", model: "m", workspace: "/w", mode: "ask" as const };
  const event = { ...told, turns: 1, messages: [entry], earlier: 3, v: 1, seq: 1, at: new Date(0).toISOString() };
  expect(reduce(idle.view, event as never).changedLately).toBe(true);
});

const context = { rows: 40, tick: 0, seconds: 0, now: 0, layouts: createLayouts({ brackets: true }) };
const frameAt = (chat: typeof idle, columns: number, more = {}) => liveFrame(chat, { ...context, columns, ...more });
const asked = having({ type: "approval_requested", calls: [waitingEdit("c1")] });
const full = { ...asked, view: { ...asked.view, ...whole } };

it.each([leastForSide, 160, 240])(
  "stands at the right of a question at %i columns, no row of which is wider than what is left",
  (columns) => {
    const { lines, screen } = frameAt(full, columns);
    expect(screen.columns).toBe(columns - sideCells);
    for (const line of lines) {
      expect(cells(plainText(line))).toBeLessThanOrEqual(columns);
      expect(plainText(line).slice(columns - sideCells + 1)).toMatch(/^│/u);
    }
    expect(lines.map(plainText).join("\n")).toContain("│ Plan 1/3");
  },
);

it("is not there in a narrower terminal, where config says off, nor where there is nothing to tell", () => {
  const none = frameAt(asked, 160);
  expect(none.screen.columns).toBe(160);
  expect(frameAt(full, leastForSide - 1).screen.columns).toBe(leastForSide - 1);
  expect(frameAt(full, 160, { sideColumn: "off" }).lines).toEqual(none.lines);
});

it("leaves the cursor in the input, and the plan's own row to it", () => {
  const resting = { ...idle, view: { ...idle.view, ...whole } };
  const { cursor, lines } = frameAt(resting, 160);
  expect(plainText(lines[cursor?.row ?? -1] ?? [])).toMatch(/^❯ /u);
  expect(lines.map(plainText).filter((row) => row.includes("Plan 1/3"))).toHaveLength(1);
});

const scenes = playScenes();

it("is there in a wide terminal once a call changed something, goes when it becomes narrow, and comes back with it", async () => {
  const pty = await scenes.start({ scene: "ask", size: [160, 50] });
  const shown = (one: typeof pty): boolean => one.screen().some((row) => /│ 1 file changed/u.test(row));
  await say(pty, "change it");
  await pty.waitFor("❯ n");
  expect(shown(pty)).toBe(false);
  pty.key("y");
  await pty.waitFor("MEDIUM write_file");
  await pty.waitFor(shown);
  pty.key("n");
  await pty.waitFor("All is decided.");
  await pty.waitFor(prompt);
  await pty.resized(100, 30);
  await pty.waitFor((one) => !shown(one) && one.screen().some((row) => row.includes(prompt)));
  await pty.resize(160, 50);
  await pty.waitFor(shown);
});
