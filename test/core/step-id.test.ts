import { expect, test } from "vitest";
import { isSameStep, parseStep, stepText } from "../../src/core/step-id.ts";

test("a step is written and read back", () => {
  expect(stepText({ turn: 3, step: 12 })).toBe("3.12");
  expect(parseStep("3.12")).toEqual({ turn: 3, step: 12 });
  expect([
    isSameStep({ turn: 1, step: 2 }, parseStep("1.2")),
    isSameStep({ turn: 1, step: 2 }, parseStep("2.1")),
  ]).toEqual([true, false]);
});

test.each(["", "3", "3.", ".3", "3.x", "3.1.2", " 3.1"])("%j names no step", (text) => {
  expect(() => parseStep(text)).toThrow(TypeError);
});
