import { expect, it } from "vitest";
import { cleanLine, subjectOf } from "../../../src/cli/ui/safe-text.ts";

it("shows a name whole: of an escape sequence in it nothing vanishes, for it would be in the file's name", () => {
  expect(subjectOf({ file_path: "a.txt\u001b[0m" })).toBe("a.txt␛[0m");
  expect(cleanLine("weird \u001b[31mname\u202e.txt")).toBe("weird ␛[31mname‹U+202E›.txt");
});

it("makes one row of a text of several lines", () => {
  expect(cleanLine("one\r\n  two\nthree\n")).toBe("one two three");
});
