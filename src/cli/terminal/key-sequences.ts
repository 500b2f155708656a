import type { Key, KeyName } from "./key.ts";

const FINALS: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "unknown",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "tab",
  M: "enter",
};

const TILDES: Readonly<Record<number, KeyName>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
  11: "f1",
  12: "f2",
  13: "f3",
  14: "f4",
  15: "f5",
  17: "f6",
  18: "f7",
  19: "f8",
  20: "f9",
  21: "f10",
  23: "f11",
  24: "f12",
};

/** Kitty's own code points: keypad and keys that have no character. */
const KITTY: Readonly<Record<number, KeyName>> = {
  9: "tab",
  13: "enter",
  27: "escape",
  127: "backspace",
  57414: "enter",
  57417: "left",
  57418: "right",
  57419: "up",
  57420: "down",
  57421: "pageup",
  57422: "pagedown",
  57423: "home",
  57424: "end",
  57425: "insert",
  57426: "delete",
};

const KITTY_KEYPAD = "0123456789./*-+";
const KITTY_KEYPAD_FIRST = 57399;
const RELEASED = "3";

const SHIFT = 1;
const ALT = 2;
const CTRL = 4;
const SUPER = 8;
const HYPER = 16;
const META = 32;

const PLAIN = { ctrl: false, alt: false, shift: false };

export function plainKey(name: KeyName, text?: string): Key {
  return text === undefined ? { name, ...PLAIN } : { name, text, ...PLAIN };
}

/** The key of a one-byte control character, as raw mode delivers it. */
export function controlKey(char: string): Key {
  const code = char.charCodeAt(0);
  if (code === 0x0d) return plainKey("enter");
  if (code === 0x09) return plainKey("tab");
  if (code === 0x08 || code === 0x7f) return plainKey("backspace");
  if (code === 0) return { ...plainKey("char", " "), ctrl: true };
  const letter = String.fromCharCode(code < 0x1b ? code + 0x60 : code + 0x40);
  return { ...plainKey("char", letter), ctrl: true };
}

/**
 * The key that a complete CSI sequence stands for, `undefined` for a key's release.
 * `raw` is the sequence; the others are its parts after `ESC [`.
 */
export function csiKey(raw: string, params: string, between: string, final: string): Key | undefined {
  const unknown = plainKey("unknown", raw);
  if (between === "" && params === "" && (final === "I" || final === "O")) {
    return plainKey(final === "I" ? "focus-in" : "focus-out");
  }
  if (isReply(params, between, final)) return plainKey("reply", raw);
  if (between !== "" || /[<=>?]/.test(params)) return unknown;
  const fields = params.split(";").map((field) => field.split(":"));
  if (fields[1]?.[1] === RELEASED) return undefined;
  if (final === "u") return kittyKey(fields, raw);
  if (final !== "~") return withModifiers(FINALS[final], fields[1]?.[0], raw, final === "Z");
  const code = number(fields[0]?.[0]);
  if (code === 27) return characterKey(number(fields[2]?.[0]), undefined, number(fields[1]?.[0], 1), raw);
  return withModifiers(TILDES[code], fields[1]?.[0], raw);
}

/** The key of `ESC O x`, which some terminals send for arrows, Home, End, F1 to F4 and the keypad. */
export function ss3Key(final: string): Key {
  const name = FINALS[final];
  if (name !== undefined && final !== "Z") return plainKey(name);
  const keypad = "pqrstuvwxyklmnjo".indexOf(final);
  return keypad < 0 ? plainKey("unknown", `\x1bO${final}`) : plainKey("char", "0123456789+,-.*/"[keypad] ?? "");
}

function isReply(params: string, between: string, final: string): boolean {
  if (final === "c" || final === "n" || final === "t" || (final === "y" && between === "$")) return true;
  if (final === "u" && params.startsWith("?")) return true;
  return final === "R" && /^\??\d+;\d+(;\d+)?$/.test(params) && !/^1;[2-9]$/.test(params);
}

function kittyKey(fields: string[][], raw: string): Key {
  const modifiers = number(fields[1]?.[0], 1);
  const code = number(fields[0]?.[0]);
  const typed = fields[2]?.map((point) => character(number(point))).join("");
  return characterKey(code, typed || character(number(fields[0]?.[1])), modifiers, raw);
}

function characterKey(code: number, shifted: string | undefined, modifiers: number, raw: string): Key {
  const name = KITTY[code];
  if (name !== undefined) return withModifiers(name, String(modifiers), raw);
  const keypad = KITTY_KEYPAD[code - KITTY_KEYPAD_FIRST];
  const base = keypad ?? (code < 32 || (code >= 57344 && code <= 63743) ? "" : character(code));
  const held = modifiers - 1;
  if (base === "" || (held & (SUPER | HYPER)) !== 0) return plainKey("unknown", raw);
  const flags = toFlags(held);
  if (flags.ctrl) return { name: "char", text: base.toLowerCase(), ...flags };
  const text = flags.shift ? shifted || base.toUpperCase() : shifted || base;
  return { name: "char", text, ...flags };
}

function withModifiers(name: KeyName | undefined, modifiers: string | undefined, raw: string, shift = false): Key {
  const held = number(modifiers, 1) - 1;
  if (name === undefined || name === "unknown" || (held & (SUPER | HYPER)) !== 0) return plainKey("unknown", raw);
  const flags = toFlags(held);
  return { name, ...flags, shift: flags.shift || shift };
}

function toFlags(held: number): Pick<Key, "ctrl" | "alt" | "shift"> {
  return { ctrl: (held & CTRL) !== 0, alt: (held & (ALT | META)) !== 0, shift: (held & SHIFT) !== 0 };
}

function number(field: string | undefined, absent = 0): number {
  return field === undefined || field === "" ? absent : Number.parseInt(field, 10);
}

function character(code: number): string {
  const valid = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return valid ? String.fromCodePoint(code) : "";
}
