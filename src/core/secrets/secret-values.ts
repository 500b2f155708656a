import { isTotpName } from "./secret-names.ts";
import { isTelling } from "./secret-parts.ts";
import { readTotpKey } from "./totp.ts";

const fewest = 6;
const most = 4_096;
/** So few letters alone, or digits, are a word or a number that other texts have too. */
const wordLength = 10;
const numberLength = 8;

/** Words with something about them, that people take for passwords and programs for examples. */
const common =
  /^(?:(?:my|the|your|new|test|super|top)?[-_ ]?(?:pass(?:word|wd|phrase)?|secret|token|apikey|api[-_]key|admin|root|user|guest|login|welcome|letmein|qwert[yz]\w{0,6}|changeme|change[-_]me|dragon|monkey|master|default|example|hello|iloveyou|localhost|undefined|function|production|development)[-_ ]?\d{0,4}[!.?]{0,2}|(?:abc|a1b2c3|1q2w3e|qaz)\w{0,6}|true|false|null)$/i;

/** Returns the reason that a value cannot be kept as a secret; undefined where it can. Nothing of the value is told. */
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
  const plain = plainKind(value);
  if (plain !== undefined) return `it is ${plain}, which other texts have too: ${spoils}`;
  if (repeats(value)) return "it repeats itself";
  return undefined;
}

const date =
  /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ][\d:.]+Z?)?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])|\d{1,2}:\d{2}:\d{2})$/;
const host =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[?[\da-f]*:[\da-f]*:[\da-f:]*\]?|localhost|(?:[a-z][a-z\d-]{0,20}\.)+[a-z]{2,10})(?::\d{1,5})?$/;
/** A name of letters, with the end that says what a file holds; so that `hunter2/x` is none. */
const pathPart = /^(?:\.{0,2}|~|[.@]?(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)(?:[-_](?:[a-z]+|[A-Z]+))?(?:\.[a-z]{1,5}\d?)*)$/;

/** Names the kind of text, one that anybody may write, that a value is and nothing else. */
function plainKind(value: string): string | undefined {
  if (date.test(value)) return "a date or a time";
  if (host.test(value)) return "a host";
  if (isBareAddress(value)) return "an address without a secret in it";
  const isPath = /[/.]|^[a-z]{3,}_[a-z]{3,}$/.test(value) && value.split("/").every((part) => pathPart.test(part));
  return isPath ? "a path or the name of a file" : undefined;
}

/** One without password, query, or a part that is long and no word. */
function isBareAddress(value: string): boolean {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(value)) return false;
  const { password, search, hash, username, pathname } = URL.canParse(value)
    ? new URL(value)
    : {
        password: "",
        search: "",
        hash: "",
        username: "",
        pathname: value.includes("@") ? "" : value.slice(value.indexOf("//")),
      };
  const isPlain = password === "" && username === "" && search === "" && hash === "";
  return isPlain && pathname.split("/").every((part) => part.length < longestPart && !isTelling(part, fewest * 2));
}

const longestPart = 24;

/** So many places of a text may be the beginning of a value by then; more would be followed at once. */
const mostBegun = 8;
/** Shorter beginnings are in any text. */
const shortestBegun = 8;

/** Tells whether some beginning of it ends as it begins, again and again. */
function repeats(value: string): boolean {
  const fails = [0];
  const begun = [0];
  for (let at = 1; at < value.length; at += 1) {
    const length = longestBegun(value, at, fails);
    fails.push(length);
    begun.push(length === 0 ? 0 : (begun[length - 1] ?? 0) + (length >= shortestBegun ? 1 : 0));
  }
  return begun.some((count) => count > mostBegun);
}

/** Counts the characters of its beginning that a value has said again where it was read up to there. @param fails the same of the places before */
function longestBegun(value: string, at: number, fails: readonly number[]): number {
  let length = fails[at - 1] ?? 0;
  while (length > 0 && value[at] !== value[length]) length = fails[length - 1] ?? 0;
  return value[at] === value[length] ? length + 1 : length;
}
