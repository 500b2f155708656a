import { describe, expect, it } from "vitest";
import type { Key } from "../../../src/cli/terminal/key.ts";
import { createKeyParser } from "../../../src/cli/terminal/keys.ts";

/** `C-A-S-name:text` */
function say(key: Key): string {
  const flags = `${key.ctrl ? "C-" : ""}${key.alt ? "A-" : ""}${key.shift ? "S-" : ""}`;
  return `${flags}${key.name}${key.text === undefined ? "" : `:${key.text}`}`;
}

function keysOf(...chunks: (string | Buffer)[]): string[] {
  const parser = createKeyParser();
  const keys = chunks.flatMap((chunk) => parser.push(chunk, 0));
  return [...keys, ...parser.flush(100_000)].map(say);
}

const table: [string, string[]][] = [
  ["y\r", ["char:y", "enter"]],
  ["\x1b[B\r", ["down", "enter"]],
  ["\x03\x04\n\x1a\x00\x1f", ["C-char:c", "C-char:d", "C-char:j", "C-char:z", "C-char: ", "C-char:_"]],
  ["\x7f\x08\t", ["backspace", "backspace", "tab"]],
  ["\x1b[Z", ["S-tab"]],
  ["\x1bOA\x1bOB\x1bOF\x1bOP", ["up", "down", "end", "f1"]],
  ["\x1b[1;5C\x1b[1;3D\x1b[1;2A", ["C-right", "A-left", "S-up"]],
  ["\x1b[H\x1b[4~\x1b[5~\x1b[6~\x1b[3~\x1b[3;5~", ["home", "end", "pageup", "pagedown", "delete", "C-delete"]],
  ["\x1b[15~\x1b[24~\x1b[[A", ["f5", "f12", "f1"]],
  ["\x1bb\x1b\x7f\x1b\r", ["A-char:b", "A-backspace", "A-enter"]],
  ["\x1b\x1b[A", ["A-up"]],
  ["\x1b[13;2u\x1b[13;5u\x1b[27u", ["S-enter", "C-enter", "escape"]],
  ["\x1b[99;5u\x1b[97;3u\x1b[97:65;2u\x1b[106;5u", ["C-char:c", "A-char:a", "S-char:A", "C-char:j"]],
  ["\x1b[97;1:3u\x1b[97;1:1u", ["char:a"]],
  ["\x1b[57399u\x1b[57414u\x1b[57441;2u", ["char:0", "enter", "unknown:\x1b[57441;2u"]],
  ["\x1b[27;2;13~\x1b[27;5;99~", ["S-enter", "C-char:c"]],
  ["\x1b[99;9u", ["unknown:\x1b[99;9u"]],
  ["\x1b[I\x1b[O", ["focus-in", "focus-out"]],
  [
    "\x1b[?62;4c\x1b[24;80R\x1b[?1u\x1b[0n",
    ["reply:\x1b[?62;4c", "reply:\x1b[24;80R", "reply:\x1b[?1u", "reply:\x1b[0n"],
  ],
  ["\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\a", ["reply:\x1b]11;rgb:1e1e/1e1e/1e1e\x1b\\", "char:a"]],
  ["\x1bP>|xterm(380)\x1b\\\x1b]10;x\x07", ["reply:\x1bP>|xterm(380)\x1b\\", "reply:\x1b]10;x\x07"]],
  ["\x1b[<0;3;4M\x1b[M !!", ["unknown:\x1b[<0;3;4M", "unknown:\x1b[M !!"]],
  ["\x1b[200~a\r\nb\rc\x1b[31md\x1b[201~e", ["paste:a\nb\nc\x1b[31md", "char:e"]],
  ["\x1b[200~\x1b[201~", ["paste:"]],
  [
    "\x1b[200~a\x1b[O\nb\x1b]11;rgb:1e1e/1e1e/1e1e\x07c\x1b[201~d",
    ["focus-out", "reply:\x1b]11;rgb:1e1e/1e1e/1e1e\x07", "paste:a\nbc", "char:d"],
  ],
  ["\x1b[201~x", ["char:x"]],
  ["\x1b[31\rm", ["unknown:\x1b[31", "enter", "char:m"]],
  ["日本é", ["char:日", "char:本", "char:é"]],
];

describe("bytes become keys", () => {
  it.each(table)("%j", (bytes, keys) => {
    expect(keysOf(bytes)).toEqual(keys);
  });

  it.each(table)("%j, split at every byte", (bytes, keys) => {
    const buffer = Buffer.from(bytes);
    for (let at = 1; at < buffer.length; at += 1) {
      expect(keysOf(buffer.subarray(0, at), buffer.subarray(at))).toEqual(keys);
    }
    expect(keysOf(...Array.from(buffer, (byte) => Buffer.from([byte])))).toEqual(keys);
  });

  it("keeps an emoji family together", () => {
    expect(keysOf("a👨‍👩‍👧‍👦b")).toEqual(["char:a", "char:👨‍👩‍👧‍👦", "char:b"]);
  });

  it("survives bytes that are not UTF-8", () => {
    expect(keysOf(Buffer.from([0x61, 0xff, 0x9b, 0x62, 0xe6, 0x97]))).toEqual([
      "char:a",
      "char:\ufffd",
      "char:\ufffd",
      "char:b",
    ]);
  });

  it("never throws and never keeps control characters in text typed, whatever comes", () => {
    const bits = [
      "\x1b",
      "[",
      "O",
      "]",
      "200~",
      "201~",
      "1",
      ";",
      "5",
      "u",
      "~",
      "R",
      "\r",
      "é",
      "👍",
      "\x07",
      "\\",
      "M",
      "\x1b[200~",
    ];
    let seed = 3;
    for (let round = 0; round < 3000; round += 1) {
      const chunks = Array.from({ length: 8 }, () => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        return bits[seed % bits.length] ?? "";
      });
      for (const key of keysOf(...chunks)) if (key.startsWith("char:")) expect(key).not.toMatch(/[\x00-\x1f]/);
    }
  });
});

describe("pastes without marks", () => {
  it("takes several lines in one chunk as a paste, not as several submits", () => {
    expect(keysOf("foo\rbar")).toEqual(["paste:foo\nbar"]);
    expect(keysOf("foo\r\nbar\r\n")).toEqual(["paste:foo\nbar\n"]);
  });
  it("takes a word and Enter in one chunk as typed", () => {
    expect(keysOf("yes\r")).toEqual(["char:y", "char:e", "char:s", "enter"]);
    expect(keysOf("y\rn\r")).toEqual(["char:y", "enter", "char:n", "enter"]);
  });
  it("takes a very long chunk as a paste", () => {
    expect(keysOf("x".repeat(300))).toEqual([`paste:${"x".repeat(300)}`]);
  });
});

describe("time", () => {
  it("is Esc 50 ms after a lone ESC, not before", () => {
    const parser = createKeyParser();
    expect(parser.push("\x1b", 1000)).toEqual([]);
    expect(parser.deadline()).toBe(1050);
    expect(parser.flush(1049)).toEqual([]);
    expect(parser.flush(1050).map(say)).toEqual(["escape"]);
    expect(parser.deadline()).toBeUndefined();
  });
  it("is Esc and then a letter when the letter comes later", () => {
    const parser = createKeyParser();
    expect([...parser.push("\x1b", 0), ...parser.push("b", 60)].map(say)).toEqual(["escape", "char:b"]);
    expect([...parser.push("\x1b", 100), ...parser.push("b", 120)].map(say)).toEqual(["A-char:b"]);
  });
  it("drops a sequence that never ends as unknown, and goes on", () => {
    const parser = createKeyParser();
    parser.push("\x1b[1;", 0);
    expect(parser.flush(499)).toEqual([]);
    expect(parser.flush(500).map(say)).toEqual(["unknown:\x1b[1;"]);
    expect(parser.push("a", 501).map(say)).toEqual(["char:a"]);
  });
  it("takes no part of an answer on the background for typed keys, wherever it is cut and however late its rest comes", () => {
    for (const reply of ["\x1b]11;rgb:1e1e/20/ffff\x1b\\", "\x1b]11;rgb:0/0/0\x07"]) {
      for (let cut = 1; cut < reply.length; cut += 1) {
        for (const pause of [0, 60, 5_000]) {
          const parser = createKeyParser();
          const keys = [
            ...parser.push(reply.slice(0, cut), 0),
            ...parser.flush(pause),
            ...parser.push(`${reply.slice(cut)}ok`, pause),
          ];
          const typed = keys.filter(({ name }) => name === "char" || name === "enter").map(say);
          // A lone ESC is Esc, ESC and a letter is Alt with it, once nothing followed in time.
          expect(typed.filter((key) => key !== "A-char:]" && key !== "A-char:\\")).toEqual(["char:o", "char:k"]);
        }
      }
    }
  });
  it("delivers a paste whose end was lost after 30 s", () => {
    const parser = createKeyParser();
    parser.push("\x1b[200~half", 0);
    parser.push(" more", 10_000);
    expect(parser.flush(39_999)).toEqual([]);
    expect(parser.flush(40_000).map(say)).toEqual(["paste:half more"]);
    expect(parser.push("y", 40_001).map(say)).toEqual(["char:y"]);
  });
  it("delivers a huge paste in parts, nothing lost", () => {
    const parser = createKeyParser();
    const chunk = "0123456789abcdef".repeat(4096);
    const keys = [...parser.push("\x1b[200~", 0)];
    for (let count = 0; count < 100; count += 1) keys.push(...parser.push(chunk, 0));
    keys.push(...parser.push("\x1b[201~", 0));
    expect(keys.every((key) => key.name === "paste" && (key.text?.length ?? 0) <= 5_000_000)).toBe(true);
    expect(keys.map((key) => key.text).join("") === chunk.repeat(100)).toBe(true);
  });
});
