/** The texts that may stand in one place: byte strings, as Latin-1 text. */
export type Unit = readonly string[];

/** A way to write a value: a row of places, of which each is filled. */
export interface Form {
  length: number;
  /** The same of two places in which the same may stand. */
  key(at: number): string;
  unit(at: number): Unit;
}

const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const hexOf = (byte: number): string => byte.toString(16).padStart(2, "0");
const bothCases = (text: string): string[] => [...new Set([text.toLowerCase(), text.toUpperCase()])];

const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
const letters: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t" };

/** As it is, with the escapes of JSON, of shells and Markdown, of addresses and of pages, in any mixture. */
export function spelled(value: string): Form {
  const signs = [...value];
  const signAt = (at: number): string => signs[at] ?? "";
  return {
    length: signs.length,
    key: (at) => `s${signAt(at)}`,
    unit: (at) => (/[A-Za-z0-9]/.test(signAt(at)) ? letter(signAt(at)) : other(signAt(at))),
  };
}

const inAddress = (sign: string): string => [...bytesOf(sign)].map((byte) => `%${hexOf(byte.charCodeAt(0))}`).join("");

const inJson = (sign: string): string[] => {
  const units = [...Array(sign.length).keys()].map((at) => hexOf(sign.charCodeAt(at)).padStart(4, "0"));
  return [...new Set([units, units.map((unit) => unit.toUpperCase())].map((one) => `\\u${one.join("\\u")}`))];
};

const letter = (sign: string): Unit => [bytesOf(sign), ...inJson(sign), ...bothCases(inAddress(sign))];

function other(sign: string): Unit {
  const plain = bytesOf(sign);
  const code = sign.codePointAt(0) ?? 0;
  const escaped = [plain, ...(letters[sign] === undefined ? [] : [letters[sign]])];
  const named = names[sign];
  return [
    ...letter(sign),
    ...inJson(sign).map((one) => `\\${one}`),
    ...["\\", "\\\\", "\\\\\\"].flatMap((slashes) => escaped.map((one) => slashes + one)),
    ...bothCases(inAddress(sign).replaceAll("%", "%25")),
    ...(sign === " " ? ["+"] : []),
    ...(sign === "\n" ? ["\r\n"] : []),
    ...[`&#${code};`, `&#0${code};`, `&#x${code.toString(16)};`, `&#x${code.toString(16).toUpperCase()};`],
    ...(named === undefined ? [] : [`&${named};`]),
  ];
}

/** The signs that programs put between the digits of two bytes. */
const between = ["", " ", "  ", ":", "-", ",", "\n", "\n ", "\r\n", "\\x", "\\\\x", "0x", " 0x", ", 0x", ",0x"];

function inHex(value: string): Form {
  const bytes = Buffer.from(value, "utf8");
  const digitsAt = (at: number): string => hexOf(bytes[at] ?? 0);
  return {
    length: bytes.length,
    key: (at) => `${at === 0 ? "H" : "h"}${digitsAt(at)}`,
    unit: (at) => {
      const digits = bothCases(digitsAt(at));
      return at === 0 ? digits : between.flatMap((sign) => digits.map((two) => sign + two));
    },
  };
}

/** The signs that break base64 into lines. */
const breaks = ["", "\n", "\r\n"];
const others: Readonly<Record<string, readonly string[]>> = {
  "+": ["+", "-", "%2B", "%2b"],
  "/": ["/", "_", "%2F", "%2f", "\\/"],
};
/** Shorter ones stand in other texts by chance. */
const shortestCore = 6;

/** Wherever among other bytes it began: without the signs at its two ends that hold bits of its neighbours. */
function inBase64(value: string): Form[] {
  const bytes = Buffer.from(value, "utf8");
  return [0, 1, 2].flatMap((before): Form[] => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const core = text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return core.length < shortestCore ? [] : [base64Form(core)];
  });
}

const base64Form = (core: string): Form => ({
  length: core.length,
  key: (at) => `${at === 0 ? "B" : "b"}${core.charAt(at)}`,
  unit: (at) => {
    const written = others[core.charAt(at)] ?? [core.charAt(at)];
    return at === 0 ? written : breaks.flatMap((one) => written.map((form) => one + form));
  },
});

/** All forms in which a text is looked for: plain and escaped, in base64 and in hexadecimal. The first is the plain one. */
export const formsOf = (text: string): [Form, ...Form[]] => [spelled(text), inHex(text), ...inBase64(text)];
