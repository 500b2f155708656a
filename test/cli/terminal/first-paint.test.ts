import { EventEmitter } from "node:events";
import headless from "@xterm/headless";
import { expect, test } from "vitest";
import { firstPaint } from "../../../src/cli/terminal/first-paint.ts";

/** A painted prompt; what it writes goes to `write`. */
function paintedAt(write: (text: string) => void, banner?: readonly string[]) {
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: () => undefined,
    resume: () => undefined,
  });
  const stdout = { isTTY: true, columns: 80, write };
  const options = { stdin, stdout, env: { TERM: "xterm-256color" }, onInterrupt: () => undefined };
  const early = firstPaint(banner === undefined ? options : { ...options, banner });
  if (early === undefined) throw new Error("nothing was painted");
  return { stdin, early };
}

/** A painted prompt at which this was typed, a chunk at a time. */
function typedAt(...chunks: string[]) {
  const { stdin, early } = paintedAt(() => undefined);
  for (const chunk of chunks) stdin.emit("data", Buffer.from(chunk));
  return early;
}

const left = (early: ReturnType<typeof typedAt>): string =>
  Buffer.concat(early.take().map(({ bytes }) => bytes)).toString();

test.each([
  [["hello\r"], "hello", ""],
  [["he", "llo", "\rand ", "more\r"], "hello", "and more\r"],
  [["what is 1 + 1? (say \\ it)\r\u001b[A"], "what is 1 + 1? (say \\ it)", "\u001b[A"],
])("of %j the message is taken and the rest is left", (chunks, message, rest) => {
  const early = typedAt(...chunks);
  expect(early.takeLine()).toBe(message);
  expect(left(early)).toBe(rest);
});

test.each([
  ["without Enter", "hello"],
  ["that is empty", "\r"],
  ["of a blank", " \r"],
  ["that begins or ends with a blank, which the input cuts off", " hello \r"],
  ["that is a command", "/help\r"],
  ["with a file to complete", "read @a\r"],
  ["that goes on behind a backslash", "hello\\\rworld\r"],
  ["with an edit", "hellp\u007fo\r"],
  ["with a key of its own", "hello\u001b[D\r"],
  ["in other letters", "grüezi\r"],
  ["that was pasted", "\u001b[200~hello\r\u001b[201~\r"],
])("a line %s is left whole to the input", (_, typed) => {
  const early = typedAt(typed);
  expect(early.takeLine()).toBeUndefined();
  expect(left(early)).toBe(typed);
});

test("one message is taken, the next one is the input's", () => {
  const early = typedAt("one\rtwo\r");
  expect([early.takeLine(), left(early), left(early)]).toEqual(["one", "two\r", ""]);
});

test.each([
  ["in its first row", 0],
  ["further down", 2],
])("what a chat that was killed left on the screen %s is gone, and what stands above stays", async (_, above) => {
  const term = new headless.Terminal({ cols: 80, rows: 12, allowProposedApi: true });
  const written = (text: string): Promise<void> => new Promise((resolve) => term.write(text, resolve));
  const rows = (): string[] =>
    Array.from({ length: 12 }, (_, row) => term.buffer.active.getLine(row)?.translateToString().trimEnd() ?? "");
  const said = Array.from({ length: above }, (_, row) => `said ${row}`);
  const frame = Array.from({ length: 6 }, (_, row) => `| row ${row} of a frame that was longer than what comes`);
  await written(`${[...said, ...frame].join("\r\n")}\x1b[${above + 1};1H`);
  const parts: string[] = [];
  const { early } = paintedAt((text) => parts.push(text), ["holdfast", "a model"]);
  await written(parts.join(""));
  const banner = [...said, "holdfast", "a model"];
  const blank = (count: number): string[] => Array.from({ length: count }, () => "");
  expect(rows()).toEqual([...banner, "❯", ...blank(9 - above)]);
  await written(early.erase);
  expect([rows(), term.buffer.active.cursorX]).toEqual([[...banner, ...blank(10 - above)], 0]);
});
