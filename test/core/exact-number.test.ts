import { expect, it } from "vitest";
import { inexactWords } from "../../src/core/exact-number.ts";

it.each([
  "0",
  "-0",
  "-0.0e7",
  "12",
  "-12.50",
  "0.1",
  "0.30000000000000004",
  "1e3",
  "1E+21",
  "1.5e-7",
  "100000000000000000000000",
  "9007199254740992",
  "1.7976931348623157e308",
  "5e-324",
  '"9007199254740993"',
  '{"9007199254740993": "\\\\\\" 1e999", "a": [1, 2.5, -3]}',
  "true",
])("%s is kept as it is written", (json) => {
  expect(inexactWords(json)).toBeUndefined();
});

it.each([
  ["9007199254740993", "9007199254740992"],
  ["-12345678901234567890", "-12345678901234567000"],
  ["0.1000000000000000055511151231257827", "0.1"],
  ["3.14159265358979323846", "3.141592653589793"],
  ["1e400", "Infinity"],
  ["1e-400", "0"],
  ["123456789012345678901e-20", "1.2345678901234567"],
])("%s is not: it would become %s", (number, read) => {
  for (const json of [number, `{"a":[{"b":"\\"${number}"},${number}]}`, `[1, ${number} ]`])
    expect(inexactWords(json)).toBe(`not exact: the number ${number} would become ${read}; send it as a string`);
});

it("a number of a million digits is looked through at once, and not told whole", () => {
  const words = inexactWords("1".repeat(1_000_000)) ?? "";
  expect(words.length).toBeLessThan(200);
  expect(inexactWords(`"${"\\\\".repeat(500_000)}"`)).toBeUndefined();
});
