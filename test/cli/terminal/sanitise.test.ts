import { describe, expect, it } from "vitest";
import { cleanText, hasHidden, sanitise, stripSequences } from "../../../src/cli/terminal/sanitise.ts";
import { everyCharacter, isUnseen } from "../../support/unseen.ts";

const lines = { keepNewlines: true };

describe("escape sequences are removed", () => {
  it.each([
    ["a colour", "a\x1b[31mb", "ab"],
    ["an 8-bit colour", "a\x9b31mb", "ab"],
    ["a cursor move with intermediate bytes", "a\x1b[0 qb", "ab"],
    ["a window title ended by BEL", "a\x1b]0;title\x07b", "ab"],
    ["a clipboard write ended by ST", "a\x1b]52;c;cm0gLXJm\x1b\\b", "ab"],
    ["an 8-bit OSC with an 8-bit end", "a\x9d8;;http://evil\x9cb", "ab"],
    ["a device control string", "a\x1bP+q544e\x1b\\b", "ab"],
    ["an application command", "a\x1b_Gf=32;AAAA\x1b\\b", "ab"],
    ["a privacy message", "a\x1b^x\x1b\\b", "ab"],
    ["a start of string", "a\x98x\x9cb", "ab"],
    ["a full reset", "a\x1bcb", "ab"],
    ["a charset", "a\x1b(0b", "ab"],
  ])("%s", (_name, text, clean) => {
    expect(sanitise(text)).toBe(clean);
    expect(hasHidden(text)).toBe(true);
  });
});

describe("what follows an unterminated sequence is not swallowed", () => {
  it.each([
    ["OSC", "ls\x1b]0; rm -rf ~", "ls␛]0; rm -rf ~"],
    ["8-bit OSC", "ls\x9d0; rm -rf ~", "ls‹U+009D›0; rm -rf ~"],
    ["OSC over a line end", "ls\x1b]0;\nrm -rf ~\x07", "ls␛]0;\nrm -rf ~␇"],
    ["CSI", "ls\x1b[31", "ls␛[31"],
    ["a lone ESC", "ls\x1b", "ls␛"],
    ["CSI in CSI", "\x1b[\x1b[31m31mx", "␛[31mx"],
  ])("%s", (_name, text, clean) => {
    expect(sanitise(text, lines)).toBe(clean);
    expect(hasHidden(text)).toBe(true);
  });
});

describe("what deceives the eye is shown", () => {
  it.each([
    ["a carriage return that overprints", "safe cmd\rrm -rf", "safe cmd␍rm -rf"],
    ["backspaces", "rm\b\bls", "rm␈␈ls"],
    ["BEL, NUL and DEL", "\x07\x00\x7f", "␇␀␡"],
    ["a C1 line end", "a\x85b", "a‹U+0085›b"],
    ["a right-to-left override", "a\u202egpj.exe", "a‹U+202E›gpj.exe"],
    ["an isolate", "\u2066x\u2069", "‹U+2066›x‹U+2069›"],
    ["zero width space and byte order mark", "a\u200bb\ufeffc", "a‹U+200B›b‹U+FEFF›c"],
    ["a joiner between letters", "a\u200db", "a‹U+200D›b"],
    ["a joiner after a mark of a letter that does not join", "a\u064e\u200db", "a\u064e‹U+200D›b"],
    ["a joiner after an emoji and before a letter", "👩\u200da", "👩‹U+200D›a"],
    ["a non-joiner between letters that do not join", "a\u200cb", "a‹U+200C›b"],
    ["a non-joiner with one letter that joins", "س\u200cb a\u200cس", "س‹U+200C›b a‹U+200C›س"],
    ["selectors of Mongolian after other letters", "a\u180bb\u180ec\u180f", "a‹U+180B›b‹U+180E›c‹U+180F›"],
    ["what is no selector, after a Mongolian letter", "ᠠ\x07ᠠ\u202eᠠ\u{e0041}", "ᠠ␇ᠠ‹U+202E›ᠠ‹U+E0041›"],
    ["a joiner after the mark of what is no letter", "س\uffff\u064e\u200d", "س‹U+FFFF›\u064e‹U+200D›"],
    ["selectors of ideographs after other letters", "a\ufe00b\ufe0dc\u{e01ef}", "a‹U+FE00›b‹U+FE0D›c‹U+E01EF›"],
    ["what is no selector, after an ideograph", "葛\u{e01f0}", "葛‹U+E01F0›"],
    ["tags of a flag that is none", "🏴\u{e0067}\u{e007f}", "🏴‹U+E0067›‹U+E007F›"],
    [
      "tags that stand away from a flag",
      "🏴-\u{e0067}\u{e0062}\u{e0065}\u{e007f}",
      "🏴-‹U+E0067›‹U+E0062›‹U+E0065›‹U+E007F›",
    ],
    ["too many tags of a flag", `🏴${"\u{e0067}".repeat(7)}\u{e007f}`, `🏴${"‹U+E0067›".repeat(7)}‹U+E007F›`],
    ["a flag without its end", `🏴${"\u{e0067}".repeat(3)}`, `🏴${"‹U+E0067›".repeat(3)}`],
    ["a blank among the tags of a flag", "🏴\u{e0020}\u{e007f}", "🏴‹U+E0020›‹U+E007F›"],
    [
      "what is no tag, after a flag",
      "🏴\u{e0067}\u{e0062}\u{e0065}\u{e007f}\u{e0080}",
      "🏴\u{e0067}\u{e0062}\u{e0065}\u{e007f}‹U+E0080›",
    ],
    ["tag characters", "hi\u{e0041}\u{e0042}", "hi‹U+E0041›‹U+E0042›"],
    [
      "tag characters after a flag that has its end",
      "🏴\u{e0067}\u{e0062}\u{e0065}\u{e007f}\u{e0041}",
      "🏴\u{e0067}\u{e0062}\u{e0065}\u{e007f}‹U+E0041›",
    ],
    ["a variation selector after a letter", "a\ufe01b\u{e0101}", "a‹U+FE01›b‹U+E0101›"],
    ["a run of variation selectors after an emoji", "❤\ufe0f\ufe0f", "❤\ufe0f‹U+FE0F›"],
    ["a Hangul filler and a Braille blank", "\u3164\u2800", "‹U+3164›‹U+2800›"],
    ["line and paragraph separators", "a\u2028b\u2029", "a‹U+2028›b‹U+2029›"],
    ["lone surrogates", "a\ud83db\udc00", "a‹U+D83D›b‹U+DC00›"],
    ["marks past the eighth", `e${"\u0301".repeat(100)}x`, `e${"\u0301".repeat(8)}‹+92 marks›x`],
  ])("%s", (_name, text, clean) => {
    expect(sanitise(text)).toBe(clean);
    expect(hasHidden(text)).toBe(true);
  });
});

describe("honest text stays as it is", () => {
  it.each([
    "plain ASCII, naïve, Привет, 日本語, עברית, العربية",
    "👨‍👩‍👧‍👦 👍🏽 🏳️‍🌈 ❤️‍🔥 🇩🇪 ⚠️ 1️⃣ ☺︎",
    "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England",
    "e\u0301 n\u0303 a\u0323\u0302",
    "क्‍ष می‌خواهم",
    "葛\u{e0100}城 葛\u{e01ef} 葛\ufe00 葛\ufe0d",
    "ب\u064e\u200d ᠠ\u180b ᠠ\u180f",
    `${"far behind ".repeat(5)}🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}`,
    "two\nlines",
  ])("%s", (text) => {
    expect(sanitise(text, lines)).toBe(text);
    expect(hasHidden(text)).toBe(false);
  });
});

it("shows each character of Unicode that is not seen, and keeps each letter, digit and sign", () => {
  const seen: string[] = [];
  const passed: string[] = [];
  for (const one of everyCharacter()) {
    if (!isUnseen(one)) seen.push(/[\p{L}\p{N}\p{P}\p{S}]/u.test(one) ? one : "");
    else if (sanitise(`a${one}b`).includes(one)) passed.push(one.codePointAt(0)?.toString(16) ?? "");
  }
  expect(passed).toEqual([]);
  expect(sanitise(seen.join("")) === seen.join("")).toBe(true);
});

describe("line ends and tabs", () => {
  it("shows a line end in a name, so that it cannot forge a row", () => {
    expect(sanitise("a.ts\nb.ts\r\n")).toBe("a.ts␊b.ts␍␊");
  });
  it("reads CR LF as one line end in a text", () => {
    expect(sanitise("a\r\nb\rc", lines)).toBe("a\nb␍c");
    expect(hasHidden("a\r\n\tb\n")).toBe(false);
  });
  it("turns tabs into as many blanks as asked, or keeps them", () => {
    expect([sanitise("a\tb"), sanitise("a\tb", { tabWidth: 2 }), sanitise("a\tb", { tabWidth: 0 })]).toEqual([
      "a    b",
      "a  b",
      "a\tb",
    ]);
  });
  it("keeps sequences readable where the text will take effect", () => {
    expect(sanitise("ls \x1b]0;rm -rf ~\x07", { showSequences: true })).toBe("ls ␛]0;rm -rf ~␇");
    expect(sanitise("a\r\nb", { ...lines, showSequences: true })).toBe("a␍\nb");
  });
});

it("takes out sequences alone where that is asked for, and each of them", () => {
  expect(stripSequences("a\x1b[31mb\x1b]0;title\x07c\u202e\r\n")).toBe("abc\u202e\r\n");
});

it("cleans a text of several lines, whose line ends and blanks for tabs stay", () => {
  expect(cleanText("a\x1b[31m\r\n\tb\rc\u202e")).toBe("a\n    b␍c‹U+202E›");
});
