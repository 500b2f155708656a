import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AgentLine } from "../../../src/cli/services/session-services.ts";
import type { Key } from "../../../src/cli/terminal/key.ts";
import { newAgentList, openedTalk } from "../../../src/cli/ui/agents/agents-state.ts";
import type { Chat, Effect } from "../../../src/cli/ui/chat/chat.ts";
import { press } from "../../../src/cli/ui/chat/chat-state.ts";
import type { Frame } from "../../../src/cli/ui/chat/live-frame.ts";
import { withPainted } from "../../../src/cli/ui/chat/out-of-sight.ts";
import { surfaceNames } from "../../../src/cli/ui/chat/surfaces.ts";
import { newReader } from "../../../src/cli/ui/full-view/reader-state.ts";
import { newGrantList } from "../../../src/cli/ui/grants/grants-state.ts";
import { newJobList } from "../../../src/cli/ui/jobs/jobs-state.ts";
import { newPalette } from "../../../src/cli/ui/palette/palette-state.ts";
import { newPicker, type Picker } from "../../../src/cli/ui/picker/picker-state.ts";
import { newRewinding, withTakeBack } from "../../../src/cli/ui/rewind/rewind-state.ts";
import { ruleOpening } from "../../../src/cli/ui/rule/rule-surface.ts";
import { newTalk } from "../../../src/cli/ui/talk/talk-state.ts";
import { newThemeList } from "../../../src/cli/ui/theme/theme-state.ts";
import type { Item } from "../../../src/cli/ui/view/view.ts";
import { changesOf } from "../../../src/files/diff/diff-text.ts";
import type { GrantOffer } from "../../../src/policy/types.ts";
import { fakeId, longPlan, planOf, waitingEdit } from "../../support/fake-session.ts";
import { draw, filling, having, idle, openIn } from "../../support/frames.ts";

/** The table of docs/keys.md: the contract, and what is tested here. */
const rows = readFileSync(new URL("../../../docs/keys.md", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| ") && line.includes("`"))
  .map((line) => line.split("|").slice(1, -1));
const keysIn = (cell = ""): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, key = ""]) => key);
const views = rows.map(([name = "", moves, opens, decides]) => ({
  name: name.trim().replace(/ \(.*\)$/, ""),
  moves: keysIn(moves),
  opens: keysIn(opens),
  decides: keysIn(decides),
  othersKeep: moves?.includes("any other key") === true,
}));

const named = ["enter", "escape", "tab", "up", "down", "left", "right", "home", "end", "pageup", "pagedown"] as const;
const printable = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at));
const everyKey = [...named, "space", "backspace", "delete", "insert", ...printable];

const plain = { ctrl: false, alt: false, shift: false } as const;
const keyOf = (name: string): Key =>
  name === "space" || [...name].length === 1
    ? { ...plain, name: "char", text: name === "space" ? " " : name }
    : { ...plain, name: name as Key["name"] };

interface Probe {
  chat: Chat;
  columns: number;
  rows: number;
  now: number;
}

/** The screen was drawn, and looked at for ten seconds. */
function seen({ chat, columns, rows, now }: Probe): Probe {
  const { geometry } = draw(chat, columns, rows).screen;
  return { chat: withPainted(chat, geometry, now), columns, rows, now: now + 10_000 };
}

/** The same with its screen: drawn once for all the keys that are pressed there. */
function looked(probe: Probe): Probe & { screen: Frame["screen"] } {
  const known = drawnFor.get(probe);
  if (known !== undefined) return known;
  const place = seen(probe);
  const made = { ...place, screen: draw(place.chat, place.columns, place.rows).screen };
  drawnFor.set(probe, made);
  return made;
}
const drawnFor = new WeakMap<Probe, Probe & { screen: Frame["screen"] }>();

function after(probe: Probe, ...keys: (string | Key)[]): Probe & { effects: Effect[] } {
  let [place, effects]: [Probe, Effect[]] = [probe, []];
  for (const key of keys) {
    const { chat, columns, rows, now, screen } = looked(place);
    const step = press(chat, typeof key === "string" ? keyOf(key) : key, screen, now);
    place = { chat: step.chat, columns, rows, now };
    effects = step.effects;
  }
  return { ...place, effects };
}

const at = (chat: Chat, columns = 100, rows = 30): Probe => ({ chat, columns, rows, now: 0 });

const grant = (scope: "session" | "project") => ({
  scope,
  grant: { scope, tool: "edit_file", paths: ["src/**"], why: "w" },
  text: "allow edit_file",
  where: "grants.json",
});
const made: GrantOffer = { ...grant("session"), grant: { scope: "session", tool: "shell", made: true, why: "w" } };
const short = waitingEdit("c1", { grants: [grant("session"), grant("project"), made], mode: "accept-edits" });
const long = waitingEdit("c2", { digest: "d2", plan: longPlan(120) });
const third = waitingEdit("c3", { digest: "d3" });
const asking = having({ type: "approval_requested", calls: [short, long, third] });
const verdict = { ...short.verdict, why: "a reason of many words ".repeat(60) };
const askingWhy = having({ type: "approval_requested", calls: [{ ...short, verdict }, third] });
const lost = having({
  type: "recovery_requested",
  calls: [
    {
      session: fakeId,
      callId: "c9",
      toolName: "shell",
      arguments: { command: "make" },
      effect: "once",
      startedAt: "2026-11-21T09:00:00Z",
      known: "it was started",
      choices: ["retry", "done", "cancel"],
    },
  ],
});

const text = (word: string): string => Array.from({ length: 60 }, (_, line) => `${word} ${line % 9}\n`).join("");
const reading: Chat = {
  ...idle,
  open: {
    ...idle.open,
    reader: {
      title: "changed",
      changes: ["a.ts", "b.ts"].flatMap((path) => changesOf(planOf(path, text("old"), text("new")))),
      reader: newReader(),
    },
  },
};
const sessions: Picker["rows"] = Array.from({ length: 60 }, (_, index) => ({
  id: `s${index}`,
  title: `title ${index}`,
  workspace: "/w",
  state: "idle",
  updatedAt: 0,
}));
const look = () => ({ words: "done", waits: false, filesChanged: 0 });
const picking: Chat = {
  ...idle,
  open: { ...idle.open, picker: newPicker({ rows: sessions, look, present: "s9", all: false }) },
};
const jobs = Array.from({ length: 60 }, (_, at) => ({
  ref: { session: "s", call: `c${at}` },
  command: `sleep ${at}`,
  runs: true,
  startedAt: 0,
  said: text("said"),
}));
const beside: Chat = { ...idle, open: { ...idle.open, jobs: newJobList(jobs, 0) } };
const grants = Array.from({ length: 60 }, (_, at) => ({ text: `allow  shell ${at}`, grant: `g-${at}` }));
const themes: Chat = { ...idle, open: { ...idle.open, theme: newThemeList("dark") } };
const granted: Chat = { ...idle, open: { ...idle.open, grants: newGrantList(grants) } };
const entries = Array.from({ length: 60 }, (_, at) => ({
  ...{ name: `/command-${at}`, text: `does ${at}` },
  does: { command: "status", argument: "", leads: false },
}));
const choosing: Chat = { ...idle, open: { ...idle.open, palette: newPalette(entries) } };
const offer = { line: "", times: 3, text: text("rule"), file: "policy.json", write: async () => undefined };
const rule = ruleOpening(offer, "/w").first({ now: 0, present: "s" }).state;
const offered: Chat = { ...idle, open: { ...idle.open, rule: { ...rule, seen: { rows: [[0, 100]], columns: 100 } } } };
const agents: AgentLine[] = Array.from({ length: 60 }, (_, at) => ({
  ...{ session: `s@explore-1-x-${at}`, agent: `explorer ${at}`, call: "c1", task: `look at ${at}` },
  ...{ state: "running", steps: 2, inputTokens: 900, outputTokens: 40, filesChanged: 0, mark: "" },
}));
const helping: Chat = { ...idle, open: { ...idle.open, agents: newAgentList(agents, 0) } };
const spoken: Item[] = [{ kind: "assistant", text: text("said").replaceAll("\n", "\n\n"), continued: false }];
const talking: Chat = {
  ...helping,
  open: { ...helping.open, agents: openedTalk(newAgentList(agents, 0), "s@explore-1-x-0", spoken) },
};
const whole: Chat = { ...idle, open: { ...idle.open, talk: { title: "a title", talk: newTalk("s", spoken, true) } } };
const points = Array.from({ length: 60 }, (_, turn) => ({
  turn,
  text: `say ${turn}`,
  files: ["/w/a"],
  calls: [`c${turn}`],
}));
const going: Chat = { ...idle, open: { ...idle.open, rewind: newRewinding(points) } };
const chosen = after(at(going), "enter");
const known: Probe = {
  ...chosen,
  chat: {
    ...chosen.chat,
    open: {
      ...chosen.chat.open,
      rewind: chosen.chat.open.rewind && withTakeBack(chosen.chat.open.rewind, 0, { calls: ["c0"], left: [] }),
    },
  },
};

/** Each view in a few places, so that every key of it has somewhere to go. */
const probes: Record<string, Probe[]> = {
  "the question": [
    at(asking),
    after(at(asking), "down", "down"),
    after(at(asking), "tab"),
    after(at(asking), "tab", "space", "space"),
  ],
  "why it is asked": [
    after(at(asking), "?"),
    after(at(askingWhy, 60, 20), "?"),
    after(at(askingWhy, 60, 20), "?", "down", "down"),
  ],
  "its change on the whole screen": [
    after(at(asking, 200), "d"),
    after(at(asking, 200), "tab", "d", "space", "l"),
    after(at(asking, 200), "tab", "d", "j", "j"),
    after(at(asking, 200), "tab", "d", "l", "l"),
  ],
  "the list of questions": [after(at(asking), "l", "down")],
  "a call whose end was not seen": [at(lost), after(at(lost), "down")],
  "what a server asks": [at(filling()), at(filling(), 42, 10), after(at(filling(), 42, 10), "down", "down")],
  "what goes to it": [
    at(filling(7)),
    at(filling(7), 42, 10),
    after(at(filling(7), 42, 10), "down", "down"),
    after(at(filling(7), 42, 10), "end"),
  ],
  "the session's changes": [
    at(reading, 200),
    after(at(reading, 200), "space", "space", "space"),
    after(at(reading, 200), "]", "J"),
    after(at(reading, 200), "space", "l", "l"),
  ],
  "the list of sessions": [at(picking), after(at(picking), "space", "j")],
  "removing a session": [after(at(picking), "x")],
  "rules and grants": [at(granted), after(at(granted), "pagedown", "k")],
  "revoking a grant": [after(at(granted), "x")],
  "the colours": [at(themes), after(at(themes), "down")],
  "the jobs": [at(beside), after(at(beside), "pageup", "k")],
  "what a job said": [after(at(beside), "enter"), after(at(beside), "enter", "pageup", "k")],
  "ending a job": [after(at(beside), "x")],
  "a suggested rule": [at(offered), after(at(offered), "space", "j")],
  "the helpers": [at(helping), after(at(helping), "pagedown", "j")],
  "the talk of a helper": [
    after(at(talking), "pageup", "k"),
    after(at(talking), "g"),
    after(at(talking), "g", "j", "l", "l"),
  ],
  "the talk": [after(at(whole), "pageup", "k"), after(at(whole), "g"), after(at(whole), "g", "j", "l", "l")],
  "stopping a helper": [after(at(helping), "x")],
  "the palette": [at(choosing), after(at(choosing), "pagedown", "up")],
  "earlier messages": [at(going), after(at(going), "pageup", "k")],
  "what going on from one does": [known, after(known, "j")],
};

const deciding: ReadonlySet<Effect["do"]> = new Set([
  "answer",
  "recover",
  "fill",
  "rewind",
  "remove",
  "stop_job",
  "revoke_grant",
  "write_rule",
  "stop_agent",
]);
const decides = (effects: readonly Effect[]): boolean => effects.some((effect) => deciding.has(effect.do));

/** What stands on the screen, without what is only said about a key. */
const placeOf = ({
  open: {
    dialog,
    recovery: menu,
    form,
    reader: read,
    picker,
    jobs: list,
    grants: inForce,
    theme: colours,
    agents: helpers,
    talk,
    rule: suggested,
    rewind: rewinding,
  },
  aside,
}: Chat): string =>
  JSON.stringify({
    dialog: dialog && { ...dialog, ...unsaid, reader: { ...dialog.reader, note: "" } },
    menu: menu && { ...menu, ...unsaid },
    form: form && { ...form, ...unsaid, seenAt: 0, turned: true },
    reader: read && { ...read.reader, note: "" },
    picker: picker && { ...picker, rows: 0, note: "" },
    list: list && { ...list, jobs: 0, note: "" },
    inForce: inForce && { ...inForce, rows: 0, note: "" },
    colours,
    scroll: suggested?.scroll,
    helpers: helpers && {
      ...{ ...helpers, agents: 0, note: "" },
      talk: helpers.talk && { ...helpers.talk, items: 0, reader: { ...helpers.talk.reader, note: "" } },
    },
    talk: talk && { ...talk.talk, items: 0, reader: { ...talk.talk.reader, note: "" } },
    rewinding: rewinding && { ...rewinding, points: 0, enteredAt: 0 },
    aside,
  });
const unsaid = { note: "", went: 0, paintedAt: 0, lastKeyAt: 0, armed: true, toUnseen: false, seen: 0, whole: 0 };

describe("the table of keys", () => {
  it("names every view, and each of its keys once in each", () => {
    expect(views.map(({ name }) => name)).toEqual(Object.keys(probes));
    for (const { moves, opens, decides: own } of views) {
      const all = [...moves, ...opens, ...own];
      expect(all.filter((key) => !everyKey.includes(key))).toEqual([]);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it("has a view of every surface that is registered", () => {
    const open = Object.values(probes).flatMap((places) => places.flatMap(({ chat }) => openIn(chat)));
    expect(new Set(open)).toEqual(new Set(surfaceNames));
  });

  it("has no key that moves in any view and decides in any", () => {
    const moving = new Set(views.flatMap(({ moves }) => moves));
    const both = new Set(views.flatMap((view) => view.decides).filter((key) => moving.has(key)));
    // Esc goes back, and denies where there is nothing to go back to: it has a rule of its own.
    expect([...both]).toEqual(["escape"]);
  });

  describe.each(views)("$name", ({ name, moves, opens, decides: own, othersKeep }) => {
    const places = (probes[name] ?? []).map(seen);
    const pressed = (key: string | Key) => places.map((place) => ({ place, step: after(place, key) }));

    it("decides by its own keys and by no other, Ctrl and Alt included", () => {
      expect(places.length).toBeGreaterThan(0);
      const found = everyKey.filter((key) => pressed(key).some(({ step }) => decides(step.effects)));
      expect(new Set(found)).toEqual(new Set(own));
      for (const key of everyKey.filter((one) => /^[a-z]$/.test(one)).map(keyOf))
        for (const held of [{ ctrl: true }, { alt: true }])
          expect(pressed({ ...key, ...held }).some(({ step }) => decides(step.effects))).toBe(false);
      const paste: Key = { ...plain, name: "paste", text: "y\nyes\n" };
      expect(pressed(paste).some(({ step }) => decides(step.effects))).toBe(false);
    });

    // Where any other key goes back there is no key that goes nowhere.
    if (othersKeep) return;
    it("goes somewhere by the keys that the table says, and by no others", () => {
      const goes = (key: string): boolean =>
        pressed(key).some(({ place, step }) => step.effects.length > 0 || placeOf(step.chat) !== placeOf(place.chat));
      const found = everyKey.filter((key) => !own.includes(key) && goes(key));
      expect(new Set(found)).toEqual(new Set([...moves, ...opens]));
    });
  });
});
