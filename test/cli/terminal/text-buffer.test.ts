import { describe, expect, it } from "vitest";
import { applyKey } from "../../../src/cli/terminal/edit-keys.ts";
import { graphemes } from "../../../src/cli/terminal/graphemes.ts";
import { createKeyParser } from "../../../src/cli/terminal/keys.ts";
import * as edit from "../../../src/cli/terminal/text-buffer.ts";
import { layout, moveDown, moveUp } from "../../../src/cli/terminal/text-layout.ts";
import { expandPastes } from "../../../src/cli/terminal/text-units.ts";
import { cells } from "../../../src/cli/terminal/width.ts";

const FAMILY = "👨‍👩‍👧‍👦";

/** A buffer of `text` in which `|` is the cursor. */
function at(text: string): edit.TextBuffer {
  const cursor = text.indexOf("|");
  return edit.moveTo(edit.setText(edit.emptyBuffer(), text.replace("|", "")), cursor);
}

function show(buffer: edit.TextBuffer): string {
  return `${buffer.text.slice(0, buffer.cursor)}|${buffer.text.slice(buffer.cursor)}`;
}

function typed(buffer: edit.TextBuffer, bytes: string, width = 40): edit.TextBuffer {
  return createKeyParser()
    .push(bytes, 0)
    .reduce((state, key) => applyKey(state, key, width) ?? state, buffer);
}

describe("editing", () => {
  it.each([
    ["inserts", "a|c", "b", "ab|c"],
    ["deletes a whole emoji family", `a${FAMILY}|b`, "\x7f", "a|b"],
    ["deletes a family forward", `a|${FAMILY}b`, "\x1b[3~", "a|b"],
    ["deletes a letter with its marks", "ne\u0301|", "\x7f", "n|"],
    ["moves over a flag", "🇩🇪|🇫🇷", "\x1b[C", "🇩🇪🇫🇷|"],
    ["moves by words", "one two-three| four", "\x1bb\x1bb", "one |two-three four"],
    ["moves right by words", "|one  two", "\x1bf\x1bf", "one  two|"],
    ["kills a shell word", "git commit --amend|", "\x17", "git commit |"],
    ["kills a word back", "a/b.c|", "\x1b\x7f", "a/b.|"],
    ["kills a word forward", "a| bc d", "\x1bd", "a| d"],
    ["kills to the line's end, then the line end", "a|bc\nd", "\x0b\x0b", "a|d"],
    ["kills to the line's start", "x\nabc|d", "\x15", "x\n|d"],
    ["yanks what was killed in a row as one", "one two|", "\x17\x17\x19", "one two|"],
    ["goes to the line's ends", "ab\ncd|ef\ngh", "\x01X\x05Y", "ab\nXcdefY|\ngh"],
    ["makes a line end by Ctrl-J", "a|", "\nb", "a\nb|"],
    ["makes a line end by Alt-Enter", "a|", "\x1b\rb", "a\nb|"],
    ["makes a line end by a backslash and Enter", "a\\|", "\r", "a\n|"],
    ["drops what could steer a terminal from a paste", "|", "\x1b[200~a\x1b[31mb\x07\x1b]0;t\x07c\x1b[201~", "abc|"],
    ["undoes a typed word at once", "|", "hello\x1f", "|"],
    ["undoes and redoes", "|", "one two\x1f\x1f\x1bz", "one|"],
  ])("%s", (_name, before, keys, after) => {
    expect(show(typed(at(before), keys))).toBe(after);
  });

  it("leaves Enter, Ctrl-C, Esc and the like to others", () => {
    for (const bytes of ["\r", "\x03", "\t", "\x1b[2~", "\x1b[Z"]) {
      const key = createKeyParser().push(bytes, 0)[0];
      expect(key === undefined ? "no key" : applyKey(at("ab|"), key, 40)).toBeUndefined();
    }
  });

  it("keeps the cursor between graphemes whatever is done", () => {
    const bits = [
      "a",
      FAMILY,
      "👍🏽",
      "\u0301",
      "🇩",
      "🇪",
      " ",
      "\n",
      "\x7f",
      "\x1b[D",
      "\x1b[C",
      "\x1b[A",
      "\x1b[B",
      "\x1bb",
      "\x1f",
      "\x17",
      "\x19",
      "\x1b[3~",
      "日",
      "\u200d",
    ];
    let seed = 11;
    let buffer = edit.emptyBuffer();
    for (let round = 0; round < 1000; round += 1) {
      if (round % 50 === 0) buffer = edit.emptyBuffer(["an old entry"]);
      seed = (seed * 1103515245 + 12345) % 2147483648;
      buffer = typed(buffer, bits[(seed >> 8) % bits.length] ?? "", 12);
      const before = graphemes(buffer.text.slice(0, buffer.cursor)).join("").length;
      expect(before).toBe(buffer.cursor);
      expect([
        ...graphemes(buffer.text.slice(0, buffer.cursor)),
        ...graphemes(buffer.text.slice(buffer.cursor)),
      ]).toEqual(graphemes(buffer.text));
      const { lines, cursor } = layout(buffer, 12);
      expect(cursor.row).toBeLessThan(lines.length);
      expect(lines.every((line) => cells(line) <= 12)).toBe(true);
      expect(cursor.col).toBeLessThanOrEqual(cells(lines[cursor.row] ?? ""));
    }
  });
});

describe("long pastes", () => {
  const long = Array.from({ length: 128 }, (_, index) => `line ${index}`).join("\n");

  it("stand as a marker that is expanded on submit", () => {
    const buffer = edit.insertText(edit.insertPaste(at("look: |"), long), " ok");
    expect(show(buffer)).toBe("look: [pasted 128 lines] ok|");
    expect(expandPastes(buffer)).toBe(`look: ${long} ok`);
    expect(edit.submitted(buffer).history).toEqual([`look: ${long} ok`]);
  });
  it("are moved over and deleted as one character, and come back by undo", () => {
    const buffer = edit.insertPaste(at("a|"), long);
    expect(show(edit.moveLeft(buffer))).toBe("a|[pasted 128 lines]");
    expect(show(edit.backspace(buffer))).toBe("a|");
    expect(expandPastes(edit.undo(edit.backspace(buffer)))).toBe(`a${long}`);
  });
  it("are numbered, and a second one may hold the first one's name", () => {
    const buffer = edit.insertPaste(edit.insertPaste(at("|"), long), `[pasted 128 lines]${"x".repeat(2000)}`);
    expect(buffer.text).toBe("[pasted 128 lines][pasted 2,018 characters #2]");
    expect(expandPastes(buffer)).toBe(`${long}[pasted 128 lines]${"x".repeat(2000)}`);
  });
  it("survive being killed and yanked", () => {
    const buffer = edit.yank(edit.killToLineStart(edit.insertPaste(at("|"), long)));
    expect(expandPastes(buffer)).toBe(long);
  });
  it("of ten lines stay as they are", () => {
    expect(edit.insertPaste(at("|"), "x\n".repeat(9)).text).toBe("x\n".repeat(9));
  });
});

describe("history", () => {
  it("goes back and forth and keeps the draft", () => {
    const start = typed(edit.emptyBuffer(["first", "second"]), "dra");
    const back = typed(start, "\x1b[A");
    expect(show(back)).toBe("second|");
    expect(show(typed(back, "\x1b[A\x1b[A"))).toBe("first|");
    expect(show(typed(back, "\x1b[A\x1b[B\x1b[B"))).toBe("dra|");
  });
  it("keeps a draft with a pasted block whole", () => {
    const draft = edit.insertPaste(edit.emptyBuffer(["old"]), "y\n".repeat(20));
    expect(expandPastes(edit.historyNext(edit.historyPrevious(draft)))).toBe("y\n".repeat(20));
  });
  it("does not repeat an entry and does not keep blanks", () => {
    const once = edit.submitted(edit.setText(edit.emptyBuffer(), "same"));
    expect(edit.submitted(edit.setText(once, "same")).history).toEqual(["same"]);
    expect(edit.submitted(edit.setText(once, "  \n")).history).toEqual(["same"]);
  });
});

describe("layout", () => {
  it("wraps between words and finds the cursor", () => {
    expect(layout(at("the quick brown |fox"), 10)).toEqual({
      lines: ["the quick ", "brown fox"],
      cursor: { row: 1, col: 6 },
    });
  });
  it("wraps a long word by cells, never through a wide character", () => {
    expect(layout(at("日本語日本|"), 5)).toEqual({ lines: ["日本", "語日", "本"], cursor: { row: 2, col: 2 } });
  });
  it("gives the cursor a row after a full one", () => {
    expect(layout(at("abcde|"), 5)).toEqual({ lines: ["abcde", ""], cursor: { row: 1, col: 0 } });
    expect(layout(at("|abcde"), 5)).toEqual({ lines: ["abcde"], cursor: { row: 0, col: 0 } });
  });
  it("shows what could deceive without changing the text", () => {
    const buffer = edit.setText(edit.emptyBuffer(), "a\u202eb\tc");
    expect(layout(buffer, 40).lines).toEqual(["a‹U+202E›b  c"]);
    expect(expandPastes(buffer)).toBe("a\u202eb\tc");
  });
  it("moves up and down over soft rows and keeps the column", () => {
    const buffer = at("aaaa bbbb\ncc\ndddd eeee|");
    const up = moveUp(buffer, 40);
    expect(up && show(up)).toBe("aaaa bbbb\ncc|\ndddd eeee");
    const twice = up && moveUp(up, 40);
    expect(twice && show(twice)).toBe("aaaa bbbb|\ncc\ndddd eeee");
    expect(twice && moveUp(twice, 40)).toBeUndefined();
    expect(moveDown(at("ab|cd efgh"), 5)).toMatchObject({ cursor: 7 });
  });
  it("lays out a long line without choking on it", () => {
    const buffer = edit.setText(edit.emptyBuffer(), "é👍 ".repeat(5000));
    expect(layout(buffer, 80).lines.every((line) => cells(line) <= 80)).toBe(true);
  });
});
