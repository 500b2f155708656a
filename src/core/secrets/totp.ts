import { createHmac } from "node:crypto";

/** The key of a second factor, as RFC 6238 has it. */
interface TotpKey {
  key: Buffer;
  algorithm: "sha1" | "sha256" | "sha512";
  digits: number;
  /** Seconds that a code stands. */
  period: number;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const plainOf = (text: string): string => text.replace(/[\s-]/g, "").replace(/=+$/, "").toUpperCase();

/** @returns undefined for what is no base32 */
function base32(text: string): Buffer | undefined {
  const plain = plainOf(text);
  if (plain === "" || [...plain].some((letter) => !alphabet.includes(letter))) return undefined;
  const bytes: number[] = [];
  let [held, bits] = [0, 0];
  for (const letter of plain) {
    held = ((held << 5) | alphabet.indexOf(letter)) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  return Buffer.from(bytes);
}

const addressOf = (text: string): URL | undefined =>
  /^otpauth:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;

/** The base32 of a key, in large and in small letters, and in groups of four, as pages show it. */
export function totpKeyTexts(given: string): string[] {
  const text = given.trim();
  const plain = plainOf(addressOf(text)?.searchParams.get("secret") ?? text);
  return [plain, plain.replace(/.{4}(?=.)/g, "$& ")].flatMap((one) => [one, one.toLowerCase()]);
}

/** Of base32, as pages show it, or an `otpauth://totp/` address, as their pictures hold it; undefined where it is neither. */
export function readTotpKey(given: string): TotpKey | undefined {
  const text = given.trim();
  const url = addressOf(text);
  if (url !== undefined && url.host.toLowerCase() !== "totp") return undefined;
  const said = (name: string, usual: string): string => url?.searchParams.get(name) ?? usual;
  const key = base32(url === undefined ? text : said("secret", ""));
  const algorithm = said("algorithm", "SHA1").toLowerCase().replace("-", "");
  const [digits, period] = [Number(said("digits", "6")), Number(said("period", "30"))];
  if (key === undefined || key.length < 5) return undefined;
  if (algorithm !== "sha1" && algorithm !== "sha256" && algorithm !== "sha512") return undefined;
  if (![6, 7, 8].includes(digits) || !Number.isInteger(period) || period < 1 || period > 300) return undefined;
  return { key, algorithm, digits, period };
}

/** The code of that moment. @param at milliseconds since the epoch */
export function totpAt({ key, algorithm, digits, period }: TotpKey, at: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 1000 / period)));
  const mac = createHmac(algorithm, key).update(counter).digest();
  const from = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(from) & 0x7fffffff) % 10 ** digits).padStart(digits, "0");
}
