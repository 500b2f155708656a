import type { Words } from "./options.ts";

/** Of these a shell, the loader or a program takes what to run, or how. */
const obeyed =
  /^(?:.*PATH|.*OPTS|.*OPTIONS|.*FLAGS|.*PRELOAD|.*PAGER|.*EDITOR|.*SHELL|.*HOME|.*PWD|.*_proxy|IFS|ENV|PS\d|TMPDIR|(?:BASH|LD|DYLD|GIT|NODE|PYTHON|PIP|PERL|RUBY|JAVA|LESS|XDG|npm|NPM|MAKE|SSH|GREP|LS|PROMPT|GLOB|POSIX|TERM|READLINE|RIPGREP|JQ|TAR|GZIP|AWK|MALLOC|GLIBC|GCONV|LOC)\w*)$/iu;
/** Names by which a program learns the language, and with it the charset that it reads its text in. */
const languages = /^(?:LC_[A-Z]+|LANG)$/u;
/** In other charsets than these a sign may swallow the one behind it, a backslash or a backtick, and the line be another one than was judged. */
const readAsHere = /^(?:C|POSIX|UTF-8|[A-Za-z]+(?:_[A-Za-z\d]+)?\.(?:utf|UTF)-?8(?:@[a-z]+)?)?$/u;

/** Tells whether a shell that has the variable reads a line as it was judged. */
export const isReadAsHere = (name: string, value: string): boolean => !languages.test(name) || readAsHere.test(value);

/** Variables that say how text is to look, and nothing else, in each program that only reads. */
const looks: readonly { names: RegExp; values?: RegExp; why: string }[] = [
  {
    names: languages,
    values: readAsHere,
    why: "a language whose signs are read as here",
  },
  { names: /^TZ$/u, why: "a zone: the file of one tells nothing but times" },
  { names: /^(?:NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLORTERM)$/u, why: "whether there are colours" },
  { names: /^(?:GREP_COLORS?|LS_COLORS)$/u, why: "which colours" },
  { names: /^(?:COLUMNS|LINES)$/u, why: "how wide, and how long" },
  { names: /^(?:(?:D[FU]_|LS_)?BLOCK_SIZE|BLOCKSIZE)$/u, why: "what sizes are counted in, for ls, du and df" },
  { names: /^(?:TIME_STYLE|QUOTING_STYLE)$/u, why: "how times and names are written, for ls, du and stat" },
  { names: /^CI$/u, why: "that nobody looks on" },
  {
    names: /^TERM$/u,
    values: /^(?:dumb|ansi|linux|vt\d+|(?:xterm|screen|tmux)(?:-(?:16|256)?color)?)$/u,
    why: "a terminal of the system's; another one may be a file's",
  },
];
/** Variables whose value bash works out as a number, running the commands in it. */
const workedOut = /^(?:RANDOM|SRANDOM|SECONDS|OPTIND|HISTCMD|LINENO|EPOCH\w*|GROUPS|DIRSTACK)$/u;
const small = /^[a-z][a-z0-9_]*$/u;
/** Programs that take orders from names in small letters. */
const smallOrders = /^(?:.*_proxy|(?:npm|pnpm|yarn|pip|corepack|bun|uv|cargo|rustup)_.*)$/u;

/** A variable and what it is given; without a value, that is not known. */
interface Setting {
  name: string;
  value?: string;
}

/** Tells whether no program takes the variable as more than a word, or it is the line's own. */
export function isPlainSetting({ name, value }: Setting): boolean {
  const look = looks.find(({ names }) => names.test(name));
  if (look !== undefined) return look.values === undefined || (value !== undefined && look.values.test(value));
  return /^[A-Za-z]\w*$/u.test(name) && !obeyed.test(name) && !workedOut.test(name);
}

/** Tells whether it is known of each program that it does not take its orders from the variable: it is given what the line sets. */
export const isPlainGiven = (setting: Setting): boolean =>
  isPlainSetting(setting) && (isSmall(setting.name) || looks.some(({ names }) => names.test(setting.name)));

const isSmall = (name: string): boolean => small.test(name) && !smallOrders.test(name);
/** Names that nothing but the line gives a value: bash has none of them, and no command gets them. */
export const isOwnVariable = (name: string): boolean => isSmall(name);

const isOwnName = (name: string | null, given: Pick<Setting, "value">): boolean =>
  name !== null && (name === "_" || isSmall(name) || isPlainSetting({ name, ...given }));

/**
 * Tells whether `read` or `unset` changes variables of the line's own alone: without PATH, bash runs what lies in the folder that it is in.
 * @param given what they have then: what `read` gives them is not known
 */
export function changesOwnVariables(words: Words, given: Pick<Setting, "value"> = {}): boolean {
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === null) return false;
    // What is a value, and so no name, of `read`; `unset` knows none of these options.
    if (/^-[rse]*[dnNptu]$/u.test(word)) rest.shift();
    else if (!/^-(?:[rsevfa]*|[rse]*[dnNptu].+|-)$/su.test(word) && !isOwnName(word, given)) return false;
  }
  return true;
}

/**
 * Tells whether `set` only gives the line words, or changes how its shell goes on, stops or tells what it does: with `-k` a word that it passes on
 * is a setting, and what runs beside it under `-m` is no part of its group any more.
 */
export function setsPlainly(words: Words): boolean {
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === null) return false;
    if (/^(?:--?|[^-+].*|)$/su.test(word)) return true;
    if (!/^(?:-[eufxvnCE]*(?:o[eufxvnCE]*)?|\+[eufxvnCEHm]*(?:o[eufxvnCE]*)?)$/u.test(word)) return false;
    if (word.includes("o") && !/^(?:pipefail|errexit|nounset|noglob|xtrace)$/u.test(rest.shift() ?? "")) return false;
  }
  return true;
}
