import { expect, it } from "vitest";
import { isMarked } from "./under-way.ts";

it.each([
  ["sleep 70.12", true],
  ["sh -c echo on; sleep 70.12; :", true],
  ["rg -e(0|1)*Q7 .", true],
  ["sleep 70.123", false],
  ["oversleep 70.12", false],
  ["rg -e(0|1)*Q77 .", false],
  ["sleep 70.123; sleep 70.12", true],
])("a process is known by its mark, and not by one that the mark is a part of: %s", (line, isKnown) => {
  expect([isMarked(line, "sleep 70.12"), isMarked(line, "(0|1)*Q7")].includes(true)).toBe(isKnown);
});
