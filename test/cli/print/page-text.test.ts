import { expect, it } from "vitest";
import { pageBlock, pageLine } from "../../../src/cli/print/page-text.ts";

it("shows what is hidden by its number, and loses nothing but how lines end", () => {
  expect(pageBlock("a\r\n\tb\rc\u001b[31md\u009b2J\u0000\u007f\n")).toBe(
    "a\n\tb‹U+000D›c‹U+001B›[31md‹U+009B›2J‹U+0000›‹U+007F›\n",
  );
  expect(pageLine("a\nb\r\nc\td")).toBe("a‹U+000A›b‹U+000D›‹U+000A›c d");
  expect(pageBlock("a\u202eb\u200bc\ud800 \u{1f468}\u200d\u{1f469} é ␛")).toBe(
    "a‹U+202E›b‹U+200B›c‹U+D800› \u{1f468}\u200d\u{1f469} é ␛",
  );
});
