import { expect, test } from "vitest";
import { type Graphics, graphicsOf } from "../../../src/cli/terminal/graphics.ts";
import { mostPictureBytes, pictureSequence, pictureSize } from "../../../src/cli/terminal/picture.ts";
import { plainText } from "../../../src/cli/terminal/span.ts";
import { previewRows } from "../../../src/cli/ui/transcript/previews.ts";
import { makePng } from "../../support/pictures.ts";

const xterm = "xterm-256color";

const terminals: [Graphics | undefined, Record<string, string>][] = [
  ["kitty", { TERM: "xterm-kitty", KITTY_WINDOW_ID: "1" }],
  ["kitty", { TERM: "xterm-kitty" }],
  ["kitty", { TERM: xterm, KITTY_WINDOW_ID: "1" }],
  ["kitty", { TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }],
  ["kitty", { TERM: xterm, TERM_PROGRAM: "ghostty" }],
  ["iterm2", { TERM: xterm, TERM_PROGRAM: "iTerm.app", LC_TERMINAL: "iTerm2" }],
  ["iterm2", { TERM: xterm, LC_TERMINAL: "iTerm2" }],
  ["iterm2", { TERM: xterm, TERM_PROGRAM: "WezTerm" }],
  ["iterm2", { TERM: xterm, TERM_PROGRAM: "iTerm.app", NO_COLOR: "1" }],
  [undefined, { TERM: xterm }],
  [undefined, {}],
  [undefined, { TERM: "dumb", TERM_PROGRAM: "iTerm.app" }],
  [undefined, { TERM: xterm, TERM_PROGRAM: "Apple_Terminal" }],
  [undefined, { TERM: xterm, TERM_PROGRAM: "constructor" }],
  // a terminal that was started in one that can
  [undefined, { TERM: xterm, TERM_PROGRAM: "vscode", KITTY_WINDOW_ID: "1", LC_TERMINAL: "iTerm2" }],
  // another program stands between
  [undefined, { TERM: "tmux-256color", TERM_PROGRAM: "tmux", TMUX: "/tmp/tmux", LC_TERMINAL: "iTerm2" }],
  [undefined, { TERM: "screen-256color", KITTY_WINDOW_ID: "1" }],
  [undefined, { TERM: "xterm-kitty", TMUX: "/tmp/tmux" }],
  [undefined, { TERM: xterm, TERM_PROGRAM: "iTerm.app", STY: "1.pts" }],
  [undefined, { TERM: "xterm-kitty", ZELLIJ: "0" }],
];

test("a terminal shows pictures if its own environment says that it is one of those that do", () => {
  expect(terminals.map(([, env]) => graphicsOf(env))).toEqual(terminals.map(([graphics]) => graphics));
});

const window = { columns: 100, rows: 30 };
const noise = (width: number, height: number): Buffer => {
  let seed = 1;
  const next = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed >> 12) & 255;
  };
  return makePng(width, height, { paint: () => [next(), next(), next(), 255] });
};

test("kitty gets a picture in pieces of 4,096 characters, in rows that were made for it, and is to answer nothing", () => {
  const png = noise(60, 40);
  const sequence = pictureSequence({ png, width: 600, height: 200 }, "kitty", window) ?? "";
  const base64 = png.toString("base64");
  const keys = [...sequence.matchAll(/\x1b_G([^;]*);([A-Za-z0-9+/=]*)\x1b\\/g)];
  expect(keys.map(([, key]) => key)).toEqual(["a=T,f=100,t=d,C=1,c=60,r=10,q=2,m=1", "q=2,m=1", "q=2,m=0"]);
  expect(keys.map(([, , data = ""]) => data.length).slice(0, -1)).toEqual([4_096, 4_096]);
  expect(keys.map(([, , data]) => data).join("")).toBe(base64);
  const around = sequence.replace(/\x1b_G[^\x1b]*\x1b\\/g, "<>");
  expect(around).toBe(`${"\n".repeat(10)}\x1b[10A\r\x1b[2C\x1b7<><><>\x1b8\x1b[10B\r`);
});

test("iTerm2 gets it in one sequence, without a name", () => {
  const png = makePng(30, 20);
  expect(pictureSequence({ png, width: 30, height: 20 }, "iterm2", window)).toBe(
    `\n\x1b[1A\r\x1b[2C\x1b7\x1b]1337;File=inline=1;size=${png.length};width=3;height=1;preserveAspectRatio=1:${png.toString("base64")}\x07\x1b8\x1b[1B\r`,
  );
});

test("a picture is never larger than it is, than ten rows, than a third of the window, or wider than the window", () => {
  expect(pictureSize({ width: 300, height: 100 }, window)).toEqual({ columns: 30, rows: 5 });
  expect(pictureSize({ width: 1_568, height: 1_568 }, window)).toEqual({ columns: 20, rows: 10 });
  expect(pictureSize({ width: 1_568, height: 1_568 }, { columns: 60, rows: 20 })).toEqual({ columns: 12, rows: 6 });
  expect(pictureSize({ width: 1_568, height: 10 }, { columns: 40, rows: 30 })).toEqual({ columns: 36, rows: 1 });
  expect(pictureSize({ width: 1, height: 1_568 }, window)).toEqual({ columns: 1, rows: 10 });
});

test("what is no PNG, too large or has no room is not drawn", () => {
  const png = makePng(30, 20);
  const sides = { width: 30, height: 20 };
  const large = Buffer.concat([png, Buffer.alloc(mostPictureBytes)]);
  for (const graphics of ["kitty", "iterm2"] as const) {
    expect(pictureSequence({ png: large, ...sides }, graphics, window)).toBeUndefined();
    expect(pictureSequence({ png: Buffer.from("GIF89a\x1b\\"), ...sides }, graphics, window)).toBeUndefined();
    expect(pictureSequence({ png, width: Number.NaN, height: 1 }, graphics, window)).toBeUndefined();
    expect(pictureSequence({ png, ...sides }, graphics, { columns: 100, rows: 8 })).toBeUndefined();
    expect(pictureSequence({ png, ...sides }, graphics, { columns: 11, rows: 30 })).toBeUndefined();
  }
});

test("a picture's name is in the line above it, harmless, and not in the sequence", () => {
  const name = "a\x1b]52;c;aGk=\x07\x1b_Ga=d\x1b\\\u009b2J.png";
  const picture = { png: makePng(30, 20), width: 30, height: 20 };
  for (const graphics of ["kitty", "iterm2"] as const) {
    const drawn = previewRows({ name, picture }, graphics, window);
    expect(drawn?.rows.map(plainText)).toEqual(["  a␛]52;c;aGk=␇␛_Ga=d␛\\‹U+009B›2J.png · 30x20"]);
    expect(drawn?.sequence).toBe(pictureSequence(picture, graphics, window));
  }
});
