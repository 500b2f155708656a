import { describe, expect, it } from "vitest";
import { bodyOf, frontOf } from "../../src/core/skill.ts";

describe("the description that a file begins with", () => {
  it.each([
    ["two rules", "First.\n\n---\n\nSecond.\n\n---\n\nThird.\n"],
    ["a rule at its second line", "# Title\n---\nname: x\n---\nThird.\n"],
    ["blank lines before them", "\n---\nname: x\n---\nThird.\n"],
    ["rules after Windows line ends", "First.\r\n---\r\nSecond.\r\n---\r\n"],
    ["one rule that it begins with", "---\nFirst.\n"],
    ["a dash too many", "----\nname: x\n----\nFirst.\n"],
  ])("is none in a text with %s", (_, text) => {
    expect([frontOf(text), bodyOf(text)]).toEqual([undefined, text]);
  });

  it("ends with the first line of ---, and leaves the rules below it", () => {
    const body = "First.\n---\nSecond.\n---\n";
    for (const start of ["---\n", "\uFEFF---\n", "--- \r\n"])
      expect(frontOf(`${start}name: x --- y\n--- no\n---\n${body}`)).toEqual({
        front: "name: x --- y\n--- no\n",
        body,
      });
    expect(frontOf("---\n---\nFirst.")).toEqual({ front: "", body: "First." });
    expect(frontOf("---\na: b\n---")).toEqual({ front: "a: b\n", body: "" });
  });
});
