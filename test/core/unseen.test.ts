import { expect, it } from "vitest";
import { showsNothing } from "../../src/core/unseen.ts";

it.each([
  "",
  " \t\r\n",
  "\u00a0\u3000\u202f\u2003",
  "\u200b\u200c\u200d\u2060\ufeff",
  "\u00ad\u034f\u115f\u3164\uffa0",
  "\u2800",
  "\u0000\u001b\u0085",
  "\u2028\u2029",
  "\ufe0f\u{e0100}\u{e0041}",
])("%j shows nothing", (text) => expect(showsNothing(text)).toBe(true));

it.each(["a", " . ", "\u200bé", "0", "中", "👍\ufe0f", "\u0301", "\u0600", "\ue0b0", "\ufffd", "#\ufe0f\u20e3"])(
  "%j shows something",
  (text) => expect(showsNothing(text)).toBe(false),
);

it("is quick on blanks without end", () => {
  expect(showsNothing(" \u200b".repeat(2_000_000))).toBe(true);
});
