import { expect, test } from "vitest";
import { tableRows } from "../../../src/cli/print/table.ts";
import { plainText } from "../../../src/cli/terminal/span.ts";

test("a table of very many rows is one, in the same columns", () => {
  const rows = Array.from({ length: 300_000 }, (_, at) => [{ text: String(at) }, { text: "x" }]);
  const lines = tableRows(rows, 80, "cut");
  expect([lines.length, plainText(lines[7] ?? []), plainText(lines.at(-1) ?? [])]).toEqual([
    300_000,
    "7       x",
    "299999  x",
  ]);
});
