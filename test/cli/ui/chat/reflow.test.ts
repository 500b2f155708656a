import headless from "@xterm/headless";
import { expect, it } from "vitest";
import { keptOnScreen } from "../../../../src/cli/ui/chat/reflow.ts";

/** What a terminal shows of these bytes, and where its cursor stands. */
async function shownOf(text: string) {
  const term = new headless.Terminal({ cols: 10, rows: 4, allowProposedApi: true });
  await new Promise<void>((resolve) => term.write(text, resolve));
  const { active } = term.buffer;
  const rows = [0, 1, 2, 3].map((row) => active.getLine(row)?.translateToString(true));
  return { rows, cursor: [active.cursorY, active.cursorX] };
}

/** What comes out of the stream, and the stream. */
function stream() {
  const out: string[] = [];
  const stdout = { rows: 4, columns: 10, isTTY: true, write: (text: string) => out.push(text) > 0 };
  return { out, stdout, kept: keptOnScreen(stdout as unknown as NodeJS.WriteStream) };
}

it.each([
  ["from the first row of a full screen", "one\r\ntwo\r\nthree\r\nfour\x1b[3A\r"],
  ["from the middle of a row", "one\r\ntwo\r\nthree\x1b[1A\x1b[2G"],
  ["from the last row", "one\r\ntwo\r\nthree\r\nfour\r"],
])("erases all below %s row by row, with the same to be seen", async (_name, before) => {
  const { out, kept } = stream();
  kept.write(`${before}\x1b[Jnew`);
  expect(out.join("")).not.toContain("\x1b[J");
  expect(await shownOf(out.join(""))).toEqual(await shownOf(`${before}\x1b[Jnew`));
});

it("is the terminal in all else", () => {
  const { out, kept, stdout } = stream();
  kept.write("plain \x1b[2Jtext");
  stdout.columns = 42;
  expect({ out, columns: kept.columns, rows: kept.rows, isTTY: kept.isTTY }).toEqual({
    out: ["plain \x1b[2Jtext"],
    columns: 42,
    rows: 4,
    isTTY: true,
  });
});
