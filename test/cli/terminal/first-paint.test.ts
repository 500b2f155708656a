import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { firstPaint } from "../../../src/cli/terminal/first-paint.ts";

/** A painted prompt at which this was typed, a chunk at a time. */
function typedAt(...chunks: string[]) {
  const stdin = Object.assign(new EventEmitter(), {
    isTTY: true,
    setRawMode: () => undefined,
    resume: () => undefined,
  });
  const stdout = { isTTY: true, columns: 80, write: () => true };
  const early = firstPaint({ stdin, stdout, env: { TERM: "xterm-256color" }, onInterrupt: () => undefined });
  if (early === undefined) throw new Error("nothing was painted");
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
