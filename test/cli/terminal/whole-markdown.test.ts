import { expect, it } from "vitest";
import { plainText } from "../../../src/cli/terminal/span.ts";
import { wholeMarkdown } from "../../../src/cli/terminal/whole-markdown.ts";

const drawn = (text: string): string[] => wholeMarkdown(text, 60).map((line) => plainText(line).trimEnd());

it("renders what has all its letters and digits", () => {
  const text = "# Mend **a**\n\n1. one\n2. `two` [docs](https://a.test)\n\n- [x] done\n\n```ts\nlet a = 1\n```";
  expect(drawn(text)).toEqual([
    ...["# Mend a", "", "1. one", "2. two docs (https://a.test)", "", "• [x] done", "", "  let a = 1"],
  ]);
});

it.each([
  ["cells beyond a table's last column", "| a |\n|---|\n| b | rm -rf / |"],
  ["what stands behind a fence's language", "```sh and then rm -rf /\nls\n```"],
  ["a link's title", '[docs](https://a.test "rm -rf /")'],
  ["a definition's title", '[docs]: https://a.test "rm -rf /"\n\n[docs]'],
  ["numbers that are counted anew", "1. one\n7. seven"],
])("shows %s as it is written", (_, text) => {
  expect(drawn(text).join("\n")).toContain(text.split("\n").find((line) => /rm|7/.test(line)));
});
