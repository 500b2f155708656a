import { isTotpName } from "./secret-names.ts";
import { readTotpKey } from "./totp.ts";

const fewest = 6;
const most = 4_096;
/** So few letters alone, or digits, are a word or a number that other texts have too. */
const wordLength = 10;
const numberLength = 8;

/** Words with something about them, that people take for passwords and programs for examples. */
const common =
  /^(?:(?:my|the|your|new|test|super|top)?[-_ ]?(?:pass(?:word|wd|phrase)?|secret|token|apikey|api[-_]key|admin|root|user|guest|login|welcome|letmein|qwert[yz]\w{0,6}|changeme|change[-_]me|dragon|monkey|master|default|example|hello|iloveyou|localhost|undefined|function|production|development)[-_ ]?\d{0,4}[!.?]{0,2}|(?:abc|a1b2c3|1q2w3e|qaz)\w{0,6}|true|false|null)$/i;

/** Why a value cannot be kept as a secret; undefined where it can. Nothing of the value is told. */
export function wrongSecretValue(name: string, value: string): string | undefined {
  if (isTotpName(name))
    return readTotpKey(value) === undefined
      ? `${name} is to hold the key of a second factor: base32, as the page shows it, or its otpauth://totp/ address`
      : undefined;
  const length = [...value].length;
  const spoils = "every place that has the same text would be masked";
  if (length < fewest) return `it has fewer than ${fewest} characters: ${spoils}`;
  if (Buffer.byteLength(value) > most) return `it has more than ${most} bytes`;
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(value)) return "it has control characters in it";
  if (value.trim() !== value) return "it begins or ends with blanks or an empty line";
  if (/^\p{L}+$/u.test(value) && length <= wordLength)
    return `it is ${length} letters and nothing else, so it may be a word: ${spoils}`;
  if (/^\d+$/.test(value) && length < numberLength)
    return `it is a number of ${length} digits, which other texts have too: ${spoils}`;
  if (new Set(value).size <= 2 || common.test(value)) return `it is a common value: ${spoils}`;
  return undefined;
}
