import stringWidth from "string-width";
import { expect, test } from "vitest";

interface Slim {
  narrow: RegExp;
}

const { narrow } = (await import(new URL("../../scripts/build/slim.mjs", import.meta.url).href)) as Slim;

const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));

test("what is measured without the tables of Unicode is one cell by those tables, alone and beside its like", () => {
  const short = characters.filter((one) => narrow.test(one));
  expect(short.length).toBeGreaterThan(1000);
  expect(short.filter((one) => stringWidth(one) !== 1)).toEqual([]);
  expect(short.filter((one, at) => stringWidth(`${one}${short[short.length - 1 - at]}`) !== 2)).toEqual([]);
});

test("a mark that belongs to the character before it, an emoji and a wide character are left to the tables", () => {
  for (const text of ["e\u0301", "⚠\ufe0f", "🐙", "一", "\u200b", "\t", "a\n"]) expect(narrow.test(text)).toBe(false);
});
