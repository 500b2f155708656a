import { expect, test } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { type OfferedRule, ruleOpening, ruleSurface } from "../../../../src/cli/ui/rule/rule-surface.ts";
import type { ScreenPlace } from "../../../../src/cli/ui/surface/surface.ts";
import type { View } from "../../../../src/cli/ui/view/view.ts";

const char = (text: string, more: object = {}): Key =>
  ({ name: "char", text, ctrl: false, alt: false, shift: false, ...more }) as Key;
const named = (name: string): Key => ({ name, ctrl: false, alt: false, shift: false }) as Key;

const offerOf = (lines: number) => ({
  line: "allow shell: npm test",
  times: 3,
  text: Array.from({ length: lines }, (_, row) => `+ row ${row}`).join("\n"),
  file: "policy.json",
  write: async () => undefined,
});

/** A person at a screen of this size, who opened the rule at 0. It is drawn at once, and after each key. */
function person(lines: number, { columns, rows }: { columns: number; rows: number }) {
  const offer = offerOf(lines);
  let state: OfferedRule | undefined = ruleOpening(offer, "/w").first({ now: 0, present: "" }).state;
  const drawn = () => state && ruleSurface.whole(state, { columns, rows } as ScreenPlace);
  const paint = (now: number): void => {
    const geometry = drawn()?.geometry;
    if (state !== undefined && geometry !== undefined) state = ruleSurface.painted?.(state, geometry, now);
  };
  paint(0);
  return {
    offer,
    paint,
    hide(now: number) {
      state = state && ruleSurface.unseen?.(state, now);
    },
    text: () => (drawn()?.lines ?? []).map((line) => line.map(({ text }) => text).join("")),
    resize(to: { columns: number; rows: number }) {
      ({ columns, rows } = to);
    },
    /** @returns what it asks for; `left` where the person is back in the chat */
    press(key: Key, now: number, { paints = true } = {}) {
      const geometry = drawn()?.geometry ?? { total: 0, window: 0, columns };
      const step = ruleSurface.key(state as OfferedRule, key, { screen: { columns, geometry }, now, view: {} as View });
      state = step.state;
      if (paints) paint(now);
      return step.effect ?? (state === undefined ? "left" : undefined);
    },
  };
}
const wide = { columns: 80, rows: 24 };

test("what is shown is written by one key, once it could be read", () => {
  const here = person(3, wide);
  expect(here.text().slice(0, 4)).toEqual(["A rule for what you answered alike", "+ row 0", "+ row 1", "+ row 2"]);
  expect(here.press(char("y"), 100)).toBeUndefined();
  expect(here.text().at(-1)).toBe("read it first: then y writes it");
  // A key that is held down is none that was meant.
  for (let now = 130; now < 900; now += 30) expect(here.press(char("y"), now)).toBeUndefined();
  expect(here.press(char("y"), 1_700)).toEqual({ do: "write_rule", offer: here.offer });
});

test("nothing is written before all of it was on the screen, at the width that it has now", () => {
  const here = person(40, { columns: 80, rows: 12 });
  expect(here.press(char("y"), 1_000)).toBeUndefined();
  expect(here.text().at(-1)).toContain("not on the screen yet: lines 11-40");
  // The end alone was seen: what is between was not.
  here.press(named("end"), 2_000);
  expect(here.press(char("y"), 3_000)).toBeUndefined();
  expect(here.text().at(-1)).toContain("not on the screen yet: lines 11-30");
  here.press(named("home"), 4_000);
  for (let page = 0; page < 5; page++) here.press(named("pagedown"), 5_000 + page);
  here.resize({ columns: 6, rows: 12 });
  expect(here.press(char("y"), 6_000)).toBeUndefined();
  here.resize({ columns: 80, rows: 12 });
  here.press(named("home"), 7_000);
  for (let page = 0; page < 5; page++) here.press(named("pagedown"), 8_000 + page);
  expect(here.press(char("y"), 9_000)).toMatchObject({ do: "write_rule" });
});

test("a page that was turned before it was drawn was not on the screen", () => {
  const here = person(40, { columns: 80, rows: 12 });
  for (let page = 0; page < 5; page++) here.press(named("pagedown"), 2_000, { paints: false });
  here.paint(2_001);
  expect(here.press(char("y"), 3_000)).toBeUndefined();
  expect(here.text().at(-1)).toContain("not on the screen yet: lines 11-30");
});

test("a key that is repeated from what was in front before writes nothing, however late its first repeat comes", () => {
  const here = person(3, wide);
  for (let now = 660; now < 3_000; now += 30) expect(here.press(char("y"), now)).toBeUndefined();
  expect(here.press(char("y"), 3_800)).toMatchObject({ do: "write_rule" });
});

test("what was out of sight is written once all of it was on the screen anew", () => {
  const here = person(40, { columns: 80, rows: 12 });
  for (let page = 0; page < 5; page++) here.press(named("pagedown"), 2_000 + page);
  here.hide(3_000);
  expect(here.press(char("y"), 9_000, { paints: false })).toBeUndefined();
  here.paint(9_000);
  expect(here.press(char("y"), 9_700)).toBeUndefined();
  expect(here.press(char("y"), 11_000)).toBeUndefined();
  expect(here.text().at(-1)).toContain("not on the screen yet: lines 1-30");
  here.press(named("home"), 12_000);
  for (let page = 0; page < 5; page++) here.press(named("pagedown"), 13_000 + page);
  expect(here.press(char("y"), 14_000)).toMatchObject({ do: "write_rule" });
});

test("every way out writes nothing", () => {
  for (const key of [named("escape"), char("q"), char("c", { ctrl: true })])
    expect(person(3, wide).press(key, 2_000)).toBe("left");
  for (const key of [
    char("y", { ctrl: true }),
    char("y", { alt: true }),
    char("Y"),
    char("n"),
    named("enter"),
    char(" "),
  ])
    expect(person(3, wide).press(key, 2_000)).toBeUndefined();
  expect(person(3, { columns: 80, rows: 2 }).press(char("y"), 2_000)).toBeUndefined();
});
