import { expect, it } from "vitest";
import { fence } from "../../src/core/fence.ts";
import { jsonLine } from "../../src/core/json-line.ts";
import { everyCharacter, isUnseen } from "../support/unseen.ts";

it("a line of JSON has no character that is not seen, and reads as what it was made of", () => {
  const passed: string[] = [];
  for (const one of everyCharacter()) {
    const line = jsonLine(`a${one}b`).slice(0, -1);
    const isWrong = JSON.parse(line) !== `a${one}b` || (isUnseen(one) && line.includes(one));
    if (isWrong) passed.push(one.codePointAt(0)?.toString(16) ?? "");
  }
  expect(passed).toEqual([]);
});

/** Scripts and emoji need joiners and selectors, which carry little; half a character becomes U+FFFD on its way to the model. */
const isKept = (one: string): boolean =>
  ["\t", "\n", "\u200c", "\u200d"].includes(one) || /[\ufe00-\ufe0f]|\p{Surrogate}/u.test(one);

it("what is quoted in a prompt has no character that a person does not see, but for those that scripts need", () => {
  const passed: string[] = [];
  for (const one of everyCharacter())
    if (isUnseen(one) && !isKept(one) && fence(`a${one}b`, 1_000).text.includes(one))
      passed.push(one.codePointAt(0)?.toString(16) ?? "");
  expect(passed).toEqual([]);
});
