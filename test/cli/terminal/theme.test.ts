import { describe, expect, it } from "vitest";
import { backgroundOfReply, contrast, type Rgb } from "../../../src/cli/terminal/background.ts";
import { toAnsi } from "../../../src/cli/terminal/colors.ts";
import type { Color, Ground, StyledLine } from "../../../src/cli/terminal/span.ts";
import { COLOR_NAMES } from "../../../src/cli/terminal/span.ts";
import { type Theme, type ThemeName, themeOf } from "../../../src/cli/terminal/theme.ts";
import { themeColors } from "../../../src/cli/terminal/theme-colors.ts";

const support = { color: true, styles: true, dumb: false };
const drawn = (line: StyledLine, theme: Theme): string => toAnsi(line, support, theme);

/** The colours of a text as a terminal shows it, by its codes: 24 bits, or a place in the palette of 256. */
function shown(line: StyledLine, theme: Theme): { text?: Rgb; ground?: Rgb } {
  const codes = drawn(line, theme);
  const found: { text?: Rgb; ground?: Rgb } = {};
  for (const [, layer, rgb, index] of codes.matchAll(/(38|48);(?:2;(\d+;\d+;\d+)|5;(\d+))/g)) {
    const color = rgb === undefined ? paletteColor(Number(index)) : (rgb.split(";").map(Number) as unknown as Rgb);
    found[layer === "38" ? "text" : "ground"] = color;
  }
  return found;
}

/** Beyond the sixteen, the palette of 256 is the same everywhere. */
function paletteColor(index: number): Rgb {
  if (index >= 232) return [8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10];
  const at = index - 16;
  const level = (step: number): number => (step === 0 ? 0 : 55 + step * 40);
  return [level(Math.floor(at / 36)), level(Math.floor(at / 6) % 6), level(at % 6)];
}

const papers = { dark: [0x28, 0x2c, 0x34], light: [0xfd, 0xf6, 0xe3] } as const satisfies Record<string, Rgb>;
const themes = (["dark", "light"] as const).flatMap((name) =>
  (["true", 256] as const).map((depth) => ({ name, depth })),
);

describe.each(themes)("in the theme $name with $depth colours", (theme) => {
  const { colors, grounds } = themeColors[theme.name];
  const tones = (Object.keys(colors) as Color[]).filter((one) => !(COLOR_NAMES as readonly string[]).includes(one));

  it("all text has a contrast of 4.5 and more on its tint", () => {
    for (const background of Object.keys(grounds) as Ground[]) {
      for (const color of [undefined, ...tones]) {
        const { text, ground } = shown([{ text: "x", background, ...(color === undefined ? {} : { color }) }], theme);
        const found = text !== undefined && ground !== undefined ? contrast(text, ground) : 0;
        expect(found, `${color} on ${background}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
  it("all text has it on the background of a terminal, too", () => {
    const invisible = theme.name === "dark" ? "black" : "none";
    for (const color of (Object.keys(colors) as Color[]).filter((one) => one !== invisible && one !== "text")) {
      const { text = papers[theme.name] } = shown([{ text: "x", color }], theme);
      expect(contrast(text, papers[theme.name]), color).toBeGreaterThanOrEqual(4.5);
    }
  });
  it("changed words stand out from their row, and rows from each other", () => {
    const ground = (background: Ground) => JSON.stringify(shown([{ text: "x", background }], theme).ground);
    const found = (["added", "removed", "addedWord", "removedWord"] as const).map(ground);
    expect(new Set(found).size).toBe(4);
  });
});

describe("the other themes", () => {
  const line: StyledLine = [
    { text: "+", background: "added", color: "addedSign" },
    { text: "new", background: "addedWord", color: "keyword" },
    { text: "old", background: "removedWord" },
    { text: " rest", background: "removed", color: "string" },
    { text: "kept", color: "keyword" },
    { text: "bar", background: "blue", color: "white" },
  ];
  it("ansi-16 has the terminal's own colours, and lines in the colour of their change", () => {
    expect(drawn(line, { name: "ansi-16", depth: 16 })).toBe(
      "\x1b[32m+\x1b[0m\x1b[30;42mnew\x1b[0m\x1b[97;41mold\x1b[0m\x1b[31m rest\x1b[0m\x1b[35mkept\x1b[0m\x1b[37;44mbar\x1b[0m",
    );
  });
  it("none has no colour", () => expect(drawn(line, { name: "none", depth: 16 })).toBe("+newold restkeptbar"));
});

describe("the theme", () => {
  const white: Rgb = [255, 255, 255];
  it.each<[string, string, Rgb | undefined, Record<string, string>, string]>([
    ["is dark where nothing is known", "auto", undefined, { COLORTERM: "truecolor" }, "dark true"],
    ["goes by what the terminal says", "auto", white, { COLORTERM: "24bit" }, "light true"],
    ["goes by that before COLORFGBG", "auto", [0, 43, 54], { COLORFGBG: "0;15" }, "dark 256"],
    ["goes by COLORFGBG where the terminal is silent", "auto", undefined, { COLORFGBG: "0;default;15" }, "light 256"],
    ["is dark for a dark COLORFGBG", "auto", undefined, { COLORFGBG: "15;8" }, "dark 256"],
    ["takes no notice of a COLORFGBG that says nothing", "auto", undefined, { COLORFGBG: "0;default" }, "dark 256"],
    ["is what the person says", "light", [0, 0, 0], {}, "light 256"],
    ["has 16 colours where the terminal has no more", "light", white, { TERM: "linux" }, "ansi-16 16"],
    ["has 16 colours for whoever wants them", "ansi-16", undefined, { COLORTERM: "truecolor" }, "ansi-16 16"],
    ["may be none", "none", undefined, {}, "none 16"],
  ])("%s", (_, choice, background, env, wanted) => {
    const { name, depth } = themeOf(choice as ThemeName, { TERM: "xterm-256color", ...env }, true, background);
    expect(`${name} ${depth}`).toBe(wanted);
  });
  it("is none without colours, whatever the person says", () => {
    expect(themeOf("light", {}, false).name).toBe("none");
  });
});

it.each<[string, Rgb | undefined]>([
  ["\x1b]11;rgb:ffff/8080/0000\x1b\\", [255, 128, 0]],
  ["\x1b]11;rgb:f/8/0\x07", [255, 136, 0]],
  ["\x1b]11;rgba:1e/1e/2e/ff\x07", [30, 30, 46]],
  ["\x1b]10;rgb:ffff/ffff/ffff\x07", undefined],
  ["\x1b]11;#ffffff\x07", undefined],
  ["\x1b[?62;c", undefined],
])("the answer %j says %j", (reply, color) => expect(backgroundOfReply(reply)).toEqual(color));
