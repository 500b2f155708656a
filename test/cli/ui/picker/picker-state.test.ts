import { describe, expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { pickerFrame } from "../../../../src/cli/ui/picker/picker-frame.ts";
import {
  newPicker,
  type Picker,
  type PickerEffect,
  pickerKey,
  shownRows,
  withSessions,
} from "../../../../src/cli/ui/picker/picker-state.ts";
import { text } from "../../../support/frames.ts";
import { keyBytes } from "../../../support/pty.ts";

const plain = { ctrl: false, alt: false, shift: false } as const;

function keyOf(name: string): Key {
  if (name.startsWith("ctrl-")) return { ...plain, name: "char", text: name.slice(5), ctrl: true };
  if ([...name].length === 1) return { ...plain, name: "char", text: name };
  keyBytes(name); // throws for a name that is no key
  return { ...plain, name: name as Key["name"] };
}

const row = (id: string, state = "idle") => ({ id, title: `title of ${id}`, workspace: "/w", state, updatedAt: 0 });
const look = () => ({ words: "idle", waits: false, filesChanged: 0 });
const open = (rows: Picker["rows"], present?: string): Picker => newPicker({ rows, look, present, all: false });

const four = open([row("a"), row("b", "awaiting_approval"), row("c", "running"), row("d", "awaiting_approval")], "a");

/** The list after these keys, and what they asked for. */
function pressed(picker: Picker, ...keys: string[]): { picker: Picker; effects: PickerEffect[] } {
  const effects: PickerEffect[] = [];
  let now = picker;
  for (const key of keys) {
    const step = pickerKey(now, keyOf(key), 3);
    now = step.picker;
    if (step.effect !== undefined) effects.push(step.effect);
  }
  return { picker: now, effects };
}

const at = (...keys: string[]): string | undefined => pressed(four, ...keys).picker.at;

describe("the list of sessions", () => {
  it("begins at the newest that waits, else at the newest that the person is not in", () => {
    expect(four.at).toBe("b");
    expect(open([row("a"), row("b")], "a").at).toBe("b");
    expect(open([row("a"), row("b")]).at).toBe("a");
    expect(open([row("a")], "a").at).toBe("a");
    expect(open([]).at).toBeUndefined();
  });

  it("moves by arrows, by letters and by pages, and stays inside", () => {
    expect([
      at("down"),
      at("j"),
      at("k"),
      at("up", "up"),
      at("pagedown"),
      at("G"),
      at("G", "pageup"),
      at("G", "g"),
    ]).toEqual(["c", "c", "a", "a", "d", "d", "a", "a"]);
  });

  it("enter goes on with the session; with the present one it only goes back; one in use is said so", () => {
    expect(pressed(four, "enter").effects).toEqual([{ do: "choose", id: "b" }]);
    expect(pressed(four, "k", "enter").effects).toEqual([{ do: "back" }]);
    const { picker, effects } = pressed(four, "j", "enter");
    expect([picker.note, effects]).toEqual(["another process works in this session", []]);
  });

  it("filters by words in any order; esc takes the filter back first, and then the list", () => {
    const filtered = pressed(four, "/", "D", " ", "t", "i");
    expect(shownRows(filtered.picker).map(({ id }) => id)).toEqual(["d"]);
    expect(pressed(filtered.picker, "enter").effects).toEqual([{ do: "choose", id: "d" }]);
    const back = pressed(filtered.picker, "escape");
    expect([back.picker.filtering, shownRows(back.picker).length, back.effects]).toEqual([false, 4, []]);
    expect(pressed(back.picker, "escape").effects).toEqual([{ do: "back" }]);
  });

  it("letters are typed into the filter and do nothing else there", () => {
    const { picker, effects } = pressed(four, "/", "x", "y", "r", "q", "enter");
    expect([picker.filter.text, picker.removing, effects]).toEqual(["xyrq", false, []]);
  });

  it("gives another title; none for nothing, and esc leaves the old one", () => {
    expect(pressed(four, "r", "!", "enter").effects).toEqual([{ do: "retitle", id: "b", title: "title of b!" }]);
    expect(pressed(four, "r", "ctrl-u", "enter")).toMatchObject({
      picker: { note: expect.stringContaining("title") },
      effects: [],
    });
    const left = pressed(four, "r", "!", "escape");
    expect([left.picker.naming, left.effects]).toEqual([undefined, []]);
  });

  it("removes by y alone, once it was asked; never the present one, nor one in use", () => {
    expect(pressed(four, "x", "y").effects).toEqual([{ do: "remove", id: "b" }]);
    for (const key of ["n", "enter", "escape", "Y", "ctrl-y"]) {
      const { picker, effects } = pressed(four, "x", key);
      expect([picker.removing, picker.note, effects]).toEqual([false, "it was kept", []]);
    }
    expect(pressed(four, "y", "k", "x", "y").effects).toEqual([]);
    expect(pressed(four, "j", "x", "y").effects).toEqual([]);
  });

  it("asks for the sessions of all folders, and back; ctrl+c leaves from wherever", () => {
    expect(pressed(four, "a").effects).toEqual([{ do: "list", all: true }]);
    expect(pressed({ ...four, all: true }, "a").effects).toEqual([{ do: "list", all: false }]);
    for (const before of [[], ["/"], ["r"], ["x"]])
      expect(pressed(four, ...before, "ctrl-c").effects).toEqual([{ do: "back" }]);
  });

  it("keeps its place in a list anew; where the session is gone, its neighbour has it", () => {
    const rows = four.rows.filter(({ id }) => id !== "b");
    expect(withSessions(four, { rows, look, all: false }).at).toBe("c");
    expect(withSessions({ ...four, at: "d" }, { rows, look, all: false }).at).toBe("d");
    expect(withSessions(four, { rows: [], look, all: false }).at).toBeUndefined();
  });

  it("decides nothing that cannot be seen", () => {
    for (const key of ["enter", "x", "r"]) expect(pickerKey(four, keyOf(key), 0)).toEqual({ picker: four });
    expect(pickerKey(four, keyOf("escape"), 0).effect).toEqual({ do: "back" });
  });

  it("looks at the sessions on the screen and at no other, and draws nothing raw", () => {
    const looked = new Set<string>();
    const many = Array.from({ length: 5_000 }, (_, index) => ({ ...row(`id-${index}`), title: `\u001b[2J${index}` }));
    const picker = newPicker({
      rows: many,
      look: (id) => {
        looked.add(id);
        return { words: "waits for you: \u001b]0;x\u0007", waits: true, filesChanged: 0 };
      },
      present: undefined,
      all: true,
    });
    const frame = pickerFrame(picker, { columns: 60, rows: 20, now: 0, workspace: "/w" });
    expect([frame.lines.length, frame.geometry.window, looked.size]).toEqual([20, 9, 9]);
    expect(text(frame.lines)).not.toMatch(/[\u001b\u0007]/);
  });
});
