import type { Words } from "./options.ts";

/** Of these a shell, the loader or a program takes what to run, or how. */
const obeyed =
  /^(?:.*PATH|.*OPTS|.*OPTIONS|.*FLAGS|.*PRELOAD|.*PAGER|.*EDITOR|.*SHELL|.*HOME|.*PWD|.*_proxy|IFS|ENV|PS\d|TMPDIR|(?:BASH|LD|DYLD|GIT|NODE|PYTHON|PIP|PERL|RUBY|JAVA|LESS|XDG|npm|NPM|MAKE|SSH|GREP|LS|PROMPT|GLOB|POSIX|TERM|READLINE|RIPGREP|JQ|TAR|GZIP|AWK|MALLOC|GLIBC|GCONV|LOC)\w*)$/iu;
/** How text is to look, and nothing else. */
const ofLooks = /^(?:LC_\w+|LANG|TZ|NO_COLOR|COLUMNS|FORCE_COLOR)$/u;
/** What is given to these bash works out as a number, and runs the commands in it. */
const workedOut = /^(?:RANDOM|SRANDOM|SECONDS|OPTIND|HISTCMD|LINENO|EPOCH\w*|GROUPS|DIRSTACK)$/u;
const small = /^[a-z][a-z0-9_]*$/u;
/** Programs that take orders from names in small letters. */
const smallOrders = /^(?:.*_proxy|(?:npm|pnpm|yarn|pip|corepack|bun|uv|cargo|rustup)_.*)$/u;

/** Names of variables that no program takes as more than a word, or that are the line's own. */
export const isPlainSetting = (name: string): boolean =>
  ofLooks.test(name) || (/^[A-Za-z]\w*$/u.test(name) && !obeyed.test(name) && !workedOut.test(name));

/** Names of which it is known of each program that it does not take its orders from them: it is given what the line sets. */
export const isPlainGiven = (name: string): boolean => ofLooks.test(name) || (isSmall(name) && isPlainSetting(name));

const isSmall = (name: string): boolean => small.test(name) && !smallOrders.test(name);
const isOwnName = (name: string | null): boolean =>
  name !== null && (name === "_" || isSmall(name) || isPlainSetting(name));

/** Whether `read` or `unset` changes variables of the line's own alone: without PATH, bash runs what lies in the folder that it is in. */
export function changesOwnVariables(words: Words): boolean {
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === null) return false;
    // What is a value, and so no name, of `read`; `unset` knows none of these options.
    if (/^-[rse]*[dnNptu]$/u.test(word)) rest.shift();
    else if (!/^-(?:[rsevfa]*|[rse]*[dnNptu].+|-)$/su.test(word) && !isOwnName(word)) return false;
  }
  return true;
}

/** Whether `set` only changes how the line's shell goes on, stops or tells what it does: with `-k` a word that it passes on is a setting. */
export function setsPlainly(words: Words): boolean {
  const end = words.indexOf("--");
  const options = end < 0 ? words : words.slice(0, end);
  return options.every(
    (word) => word !== null && /^(?:[-+][eufxvnCE]*o?|pipefail|errexit|nounset|noglob|xtrace)$/u.test(word),
  );
}
