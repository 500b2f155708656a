/** One place in a form: the byte strings of which one stands there. */
type Unit = readonly string[];

/** How a value may be written: a list of places, of which each is filled. Bytes, as Latin-1 text. */
export type Form = readonly Unit[];

const bytesOf = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const hexOf = (byte: number): string => byte.toString(16).padStart(2, "0");
const bothCases = (text: string): string[] => [...new Set([text.toLowerCase(), text.toUpperCase()])];

const names: Readonly<Record<string, string>> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot", "'": "apos" };
const letters: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t" };

/** As it is, with the escapes of JSON, of shells and Markdown, of addresses and of pages, in any mixture. */
const spelled = (value: string): Form =>
  [...value].map((sign) => (/[A-Za-z0-9]/.test(sign) ? letter(sign) : other(sign)));

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

/** What programs put between the digits of two bytes. */
const between = ["", " ", "  ", ":", "-", ",", "\n", "\n ", "\r\n", "\\x", "\\\\x", "0x", " 0x", ", 0x", ",0x"];

const inHex = (value: string): Form =>
  [...Buffer.from(value, "utf8")].map((byte, at): Unit => {
    const digits = bothCases(hexOf(byte));
    return at === 0 ? digits : between.flatMap((sign) => digits.map((two) => sign + two));
  });

/** What breaks base64 into lines. */
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
    if (core.length < shortestCore) return [];
    return [
      [...core].map((sign, at): Unit => {
        const written = others[sign] ?? [sign];
        return at === 0 ? written : breaks.flatMap((one) => written.map((form) => one + form));
      }),
    ];
  });
}

/** A shorter line of a longer value is mostly none of the secret in it. */
const shortestLine = 16;

/** A text may show a value of several lines line by line. */
const linesOf = (value: string): string[] =>
  value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line, _, { length }) => length > 1 && line.length >= shortestLine && !line.startsWith("-----"));

/** All forms in which a value is looked for: plain and escaped, in base64 and in hexadecimal. */
export const formsOfSecret = (value: string): Form[] =>
  [value, ...linesOf(value)].flatMap((part) => [spelled(part), inHex(part), ...inBase64(part)]);
