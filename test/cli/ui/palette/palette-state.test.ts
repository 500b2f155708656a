import { expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { newPalette, type Palette, paletteKey, shownEntries } from "../../../../src/cli/ui/palette/palette-state.ts";

const plain = { ctrl: false, alt: false, shift: false } as const;
const char = (text: string): Key => ({ ...plain, name: "char", text });
const named = (name: "enter" | "escape" | "down" | "pagedown"): Key => ({ ...plain, name });

const runs = (command: string) => ({ command, argument: "", leads: false });
const palette = newPalette([
  { name: "/model", text: "change the model", does: { write: "/model " } },
  { name: "/status", text: "how it stands", does: runs("status") },
  { name: "/mode", text: "show the mode", does: runs("mode") },
  { name: "Mend the parser of modes", text: "session s1", does: runs("sessions") },
]);

const typed = (text: string, from: Palette = palette): Palette =>
  [...text].reduce((before, letter) => paletteKey(before, char(letter), 10).palette ?? before, from);
const namesOf = (one: Palette): string[] => shownEntries(one).map(({ name }) => name);

it("narrows by every word that is typed, names that begin so first", () => {
  expect(namesOf(typed("mode"))).toEqual(["/model", "/mode", "Mend the parser of modes"]);
  expect(namesOf(typed("PARSER mend"))).toEqual(["Mend the parser of modes"]);
  expect(namesOf(typed("stands"))).toEqual(["/status"]);
  expect(namesOf(typed("nothing of it"))).toEqual([]);
});

it("takes what is pointed at: a command is run, one that wants more is written", () => {
  expect(paletteKey(typed("stat"), named("enter"), 10)).toEqual({
    palette: undefined,
    effect: { do: "run_chosen", command: "status", argument: "", leads: false },
  });
  expect(paletteKey(typed("mod"), named("enter"), 10).effect).toEqual({ do: "write_chosen", text: "/model " });
  const below = paletteKey(typed("mod"), named("down"), 10).palette ?? palette;
  expect(paletteKey(below, named("enter"), 10).effect).toMatchObject({ command: "mode" });
  expect(paletteKey(typed("x", below), named("enter"), 10)).toMatchObject({ palette: { at: 0 } });
});

it("takes nothing where no entry is on the screen, nor by a paste with its line break", () => {
  expect(paletteKey(typed("stat"), named("enter"), 0).effect).toBeUndefined();
  expect(paletteKey(palette, { ...plain, name: "paste", text: "status\n" }, 10)).toMatchObject({
    palette: { at: 0 },
  });
  expect(paletteKey(palette, { ...plain, name: "paste", text: "status\n" }, 10).effect).toBeUndefined();
});

it("goes back one step by Esc: first what was typed, then the list", () => {
  const back = paletteKey(typed("stat"), named("escape"), 10).palette;
  expect(back && namesOf(back)).toEqual(namesOf(palette));
  expect(paletteKey(palette, named("escape"), 10)).toEqual({ palette: undefined });
});

it("stays within the list, whatever moves", () => {
  const far = paletteKey(palette, named("pagedown"), 100).palette;
  expect(far?.at).toBe(3);
  expect(paletteKey(typed("nothing of it"), named("down"), 10).palette?.at).toBe(0);
});
