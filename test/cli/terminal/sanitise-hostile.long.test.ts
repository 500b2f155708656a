import { describe, expect, it } from "vitest";
import { sanitise } from "../../../src/cli/terminal/sanitise.ts";

describe("hostile text", () => {
  const hostile = [
    "\x9d",
    "\x1b]",
    "\x1b[",
    "\x1b[1;",
    "\x1bP",
    "\u0301",
    "\u200d",
    "\u{e0041}",
    "\ud83d",
    "🏴\u{e0041}",
    "\u202e",
  ];
  it.each(hostile)("a megabyte of %j is cleaned to something stable without control characters", (unit) => {
    const clean = sanitise(unit.repeat(1_000_000 / unit.length));
    expect(clean).not.toMatch(/[\x00-\x1f\x7f-\x9f\u202e\u{e0041}]|\p{Surrogate}/u);
    expect(sanitise(clean)).toBe(clean);
  });
  it("is clean after one pass whatever is put together", () => {
    const bits = [
      "\x1b",
      "[",
      "]",
      "0;",
      "\x07",
      "m",
      "\x9b",
      "\x9c",
      "P",
      "\\",
      "x",
      "\r",
      "\u200d",
      "👩",
      "\ufe0f",
      "\u0301",
    ];
    let seed = 7;
    for (let round = 0; round < 3000; round += 1) {
      let text = "";
      for (let length = 0; length < 12; length += 1) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        text += bits[seed % bits.length];
      }
      const clean = sanitise(text);
      expect(clean).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      expect(sanitise(clean)).toBe(clean);
    }
  });
});
