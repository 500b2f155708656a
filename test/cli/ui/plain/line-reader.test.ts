import { describe, expect, it } from "vitest";
import type { Key } from "../../../../src/cli/terminal/key.ts";
import { createLineReader, type TypedLine } from "../../../../src/cli/ui/plain/line-reader.ts";

describe("the line reader", () => {
  const key = (name: Key["name"], text?: string): Key => ({
    name,
    ...(text === undefined ? {} : { text }),
    ctrl: false,
    alt: false,
    shift: false,
  });

  const reading = () => {
    const lines: TypedLine[] = [];
    const told: string[] = [];
    let echo = "";
    const reader = createLineReader(
      (text) => {
        echo += text;
      },
      {
        line: (line) => lines.push(line),
        stop: (one) => told.push(one),
        cleared: () => told.push("cleared"),
        leave: () => undefined,
      },
    );
    return { reader, lines, told, echo: () => echo };
  };

  it("knows which question was on the screen when a line was begun", () => {
    const { reader, lines } = reading();
    reader.key(key("char", "y"));
    reader.asked(false);
    reader.key(key("enter"));
    reader.key(key("char", "n"));
    reader.key(key("enter"));
    expect(lines).toEqual([
      { text: "y", begunAt: 0, isText: false },
      { text: "n", begunAt: 1, isText: false },
    ]);
  });

  it("makes one line of a paste of many, so that none of them is an answer", () => {
    const { reader, lines, echo } = reading();
    reader.key(key("paste", "yes\nyes\u001b[31m\n"));
    reader.key(key("enter"));
    expect(lines).toEqual([{ text: "yes yes\u001b[31m ", begunAt: 0, isText: false }]);
    expect(echo()).toBe("yes yes \n");
  });

  it.each([
    ["ctrl-c", { ...key("char", "c"), ctrl: true }],
    ["escape", key("escape")],
  ])("takes back what was typed by %s, which stops only on an empty line", (name, stop) => {
    const { reader, lines, told } = reading();
    for (const one of [key("char", "y"), stop, key("enter"), stop]) reader.key(one);
    expect({ lines, told }).toEqual({ lines: [{ text: "", begunAt: 0, isText: false }], told: ["cleared", name] });
  });

  it("rubs out what it echoed", () => {
    const { reader, lines, echo } = reading();
    for (const one of [key("char", "a"), key("char", "b"), key("backspace"), key("enter")]) reader.key(one);
    expect({ lines, echo: echo() }).toEqual({ lines: [{ text: "a", begunAt: 0, isText: false }], echo: "ab\b \b\n" });
  });
});
