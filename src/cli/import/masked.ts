import { withoutEnd } from "../../core/linear-text.ts";

/** Words in a name whose value is a secret, in options, settings, variables and headers; the last ones only by themselves. */
const secretWord =
  /key|token|secret|passw|passphrase|pwd|auth(?!or(?!i[sz]))|cred|cookie|session|signature|bearer|(?:admin|db|my|pg|proxy|root|smtp|sql|ssh|user)pass(?![a-z])|(?<![a-z])(?:jwt|otp|pass|pat|pin|pw|sig)(?![a-z])/i;

const isSecretName = (name: string): boolean => secretWord.test(name.replace(/([a-z])(?=[A-Z])/g, "$1-"));

/** Up to the next blank that stands in no quotes. */
const value = String.raw`(?:"[^"]*"?|'[^']*'?|[^\s"']+)+`;

type Mask = (text: string) => string;

/** Makes a mask of texts that may be secrets, by their place or their form; `$1` stays. */
function by(source: string, flags: string): Mask {
  const form = new RegExp(source, flags);
  return (text) => text.replace(form, (_, kept: string | undefined) => `${kept ?? ""}…`);
}

type IsNone = (before: string, name: string, after: string) => boolean;

/** The same where the name in it is one of a secret; `isNone` looks at what stands before and behind it. */
function named(source: string, isNone: IsNone = () => false): Mask {
  const form = new RegExp(source, "giu");
  return (text) =>
    text.replace(form, (all: string, start: string, name: string, sign: string, after: string, at: number) =>
      isSecretName(name) && !isNone(text.slice(Math.max(0, at - 100), at), name, after)
        ? `${start}${name}${sign}…`
        : all,
    );
}

/** A port behind a host, or a script of a package manager (`npm run auth:login`). */
const isPlainColon = (before: string, name: string, after: string): boolean =>
  (/^\d{1,5}(?![\w.-])/u.test(after) && (before.endsWith("//") || name.includes("."))) ||
  (/\b(?:npm|pnpm|yarn|bun) (?:run(?:-script)? )?[\w:-]*$/u.test(before) &&
    /^[a-z][a-z:-]*(?:\*?\)?$|\s)/u.test(after));

/** Each begins where a name, a word or an address does, so that no text is gone through for each of its characters. */
const masks: readonly Mask[] = [
  // A variable that is set for a command, also as `-eNAME=`.
  by(String.raw`((?:^|[\s;&|("'\x60])[A-Za-z_]\w*=)${value}`, "gu"),
  by(String.raw`((?:^|\s)(?:-[A-Za-z]{0,4}e|--(?:env|build-arg)=)[A-Za-z_]\w*=)${value}`, "gu"),
  named(String.raw`(?<![\w.-])()([\w.-]+)(["']?\s{0,4}=\s{0,4})(${value})`),
  named(String.raw`(?<![\w.-])()([\w.-]+)(["']?\s{0,4}:\s{0,4})((?!\*|//)[^\n]+)`, isPlainColon),
  named(String.raw`((?:^|[\s("'])--?)([\w-]+)(\s+)((?!\*)${value})`),
  by(String.raw`(\b(?:mariadb|mysql\w*|sshpass)\b(?=[^\n]{0,256}\s-p)[^\n]{0,256}?\s-p\s?)(?!\*)${value}`, "gu"),
  by(String.raw`((?:^|[\s"'])(?:bearer|basic)\s+)(?!\*)[^\s]{6,}`, "giu"),
  by(String.raw`((?:^|[\s"':])bearer\s+)(?!\*)${value}`, "giu"),
  by(String.raw`((?:^|\s)(?:-[uU]|--(?:proxy-)?user)[\s=]*)["']?[^\s:]{1,128}:(?!\*)${value}`, "gu"),
  by(String.raw`((?:^|\s)["']?)(?!(?:file|git|jsr|npm|workspace):)[\w.-]{1,64}:(?!/)\S{1,256}@`, "gu"),
  (text) => text.split(/(\s+)/u).map(inAddress).join(""),
  by(String.raw`(\?)(?=\S{0,128}[\d=])[\w.~%+/=&:-]{6,}`, "gu"),
  by(String.raw`(\?)[\w~%+-]{16,}`, "gu"),
  // Tokens by their form, and what is too long and mixed to be a word.
  by(
    String.raw`()\b(?:sk|pk|rk)[-_][\w-]{12,}|\b(?:gh[pousr]|glpat|github_pat|xox[a-z]|npm|hf|gsk|shpat|dop_v1|lin_api|ntn|figd|pypi|xai|tvly|pplx)[-_][\w-]{12,}|\bA(?:KI|SI)A[0-9A-Z]{12,}|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w.-]+`,
    "gu",
  ),
  by(String.raw`()(?<![\w/.+-])(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[\w+-]{32,}(?![\w/.-])`, "gu"),
];

/** Of a word that has an address what this carries beside its host and path, and parts of these that nobody chose as words. */
function inAddress(word: string): string {
  const begin = addressIn(word);
  if (begin === undefined) return word;
  const whole = withoutEnd(word, "\"')");
  const address = whole.slice(begin);
  const end = address.search(/[?#]/u);
  const [place, rest] = end < 0 ? [address, ""] : [address.slice(0, end), `${address.charAt(end)}…`];
  const shown = withoutUser(place).replace(/[\w%~+-]+/gu, (part) => (isMixed(part) ? "…" : part));
  return `${whole.slice(0, begin)}${shown}${rest}${word.slice(whole.length)}`;
}

/** Finds the index at which an address begins: behind its scheme, or where a rule or a command names a host. */
function addressIn(word: string): number | undefined {
  const scheme = word.indexOf("://");
  if (scheme >= 0) return scheme + 3;
  const start = /^(?:\w+\()?["'(]*(?:domain:)?/u.exec(word)?.[0] ?? "";
  return start.endsWith("domain:") || /^[\w-]+(?:\.[\w-]+)+[:/]/u.test(word.slice(start.length))
    ? start.length
    : undefined;
}

/** Hides the user of an address: all that stands before the last @, whatever signs it has, but where it is a path (`/@scope`, `/name@1.2.3`). */
function withoutUser(place: string): string {
  const end = place.lastIndexOf("@");
  const user = place.slice(0, Math.max(0, end));
  const isBeforeHost = /^(?:localhost|(?:[\w-]+\.)+[a-z]{2,}|\d+(?:\.\d+){3})(?![\w.-])/iu.test(place.slice(end + 1));
  const isPath = user.includes("/") && !/:(?!\d{1,5}(?:\/|$))/u.test(user) && (user.endsWith("/") || !isBeforeHost);
  const isUser = user !== "" && !isPath;
  return isUser ? `…${place.slice(end)}` : place;
}

/** Tells whether a part of an address is too mixed, or too long, to be a word that somebody chose. */
const isMixed = (part: string): boolean =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-/iu.test(part) ||
  (part.length >= 16 && (part.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/gu) ?? []).length >= 4) ||
  part.split(/[-_]/u).some((word) => {
    const [digit, lower, upper] = [/\d/u, /[a-z]/u, /[A-Z]/u].map((kind) => kind.test(word));
    const least = digit && lower && upper ? 8 : digit && (lower || upper) ? 12 : lower && upper ? 20 : 24;
    return word.length >= least;
  });

/** Characters; what is longer nobody reads, and is neither looked at nor shown. */
const mostText = 4_000;

/** A text of settings with an ellipsis in the place of each thing that may be a secret. */
export const withoutSecrets = (text: string): string =>
  masks.reduce((made, mask) => mask(made), text.length > mostText ? `${text.slice(0, mostText)}…` : text);
