import type { Color, Ground } from "./span.ts";

/** A colour twice: for terminals with 16 million colours, and its place in the palette of 256. */
export type Shade = readonly [hex: string, index: number];

/** A ground, and for terminals of 256 colours what all text on it takes where the other colours would not be legible. */
export interface GroundShade {
  shade: Shade;
  text256?: number;
}

export interface ThemeColors {
  colors: Readonly<Record<Color, Shade>>;
  grounds: Readonly<Record<Ground, GroundShade>>;
}

/** For backgrounds up to the brightness of #282c34. On each of its grounds text has a contrast of 4.5 and more, as a test works out. */
const dark: ThemeColors = {
  colors: {
    black: ["#000000", 16],
    red: ["#ff8a8a", 210],
    green: ["#8ee6a8", 114],
    yellow: ["#f0cf7a", 221],
    blue: ["#8fc1ff", 111],
    magenta: ["#dcb0ff", 183],
    cyan: ["#7fdbe6", 116],
    white: ["#e8eaed", 255],
    gray: ["#a2a9b5", 248],
    redBright: ["#ffa3a3", 217],
    greenBright: ["#a9f2be", 157],
    yellowBright: ["#ffe29a", 222],
    blueBright: ["#b0d4ff", 153],
    magentaBright: ["#e9ccff", 225],
    cyanBright: ["#a6ecf3", 159],
    whiteBright: ["#ffffff", 231],
    text: ["#e8eaed", 255],
    faint: ["#c0c6cf", 251],
    addedSign: ["#8ee6a8", 157],
    removedSign: ["#ffb3b3", 217],
    keyword: ["#e0c0ff", 219],
    string: ["#f3d9a4", 223],
    number: ["#ffc8a2", 223],
    comment: ["#c3c9d2", 252],
    title: ["#b0d4ff", 153],
    type: ["#9be7e4", 159],
    property: ["#cdd9ff", 189],
    meta: ["#d0c8d8", 188],
  },
  grounds: {
    added: { shade: ["#123524", 22] },
    removed: { shade: ["#3d1a20", 52] },
    addedWord: { shade: ["#1c5c38", 28], text256: 231 },
    removedWord: { shade: ["#74303a", 88] },
  },
};

/** For backgrounds from the brightness of #fdf6e3. */
const light: ThemeColors = {
  colors: {
    black: ["#000000", 16],
    red: ["#b3131f", 124],
    green: ["#0f6b30", 22],
    yellow: ["#7a5200", 94],
    blue: ["#0b4fb3", 25],
    magenta: ["#8a1f99", 90],
    cyan: ["#006170", 23],
    white: ["#5c636e", 241],
    gray: ["#5c636e", 241],
    redBright: ["#94121d", 88],
    greenBright: ["#0b5226", 22],
    yellowBright: ["#6b4700", 58],
    blueBright: ["#0a3a8c", 18],
    magentaBright: ["#6b1fa8", 54],
    cyanBright: ["#004f57", 23],
    whiteBright: ["#1f2328", 235],
    text: ["#1f2328", 235],
    faint: ["#4a515b", 238],
    addedSign: ["#0b5226", 22],
    removedSign: ["#94121d", 52],
    keyword: ["#6b1fa8", 54],
    string: ["#6e3600", 52],
    number: ["#7d2c00", 52],
    comment: ["#474d57", 238],
    title: ["#0a3a8c", 18],
    type: ["#004f57", 236],
    property: ["#173f6b", 17],
    meta: ["#4a4153", 238],
  },
  grounds: {
    added: { shade: ["#dcf7e2", 194] },
    removed: { shade: ["#ffe6e4", 224] },
    addedWord: { shade: ["#aeeabb", 157] },
    removedWord: { shade: ["#ffc4bf", 217] },
  },
};

export const themeColors: Readonly<Record<"dark" | "light", ThemeColors>> = { dark, light };
