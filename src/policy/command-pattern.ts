/**
 * Patterns for command lines, until a shell parser judges each part by itself: the words of the pattern must be the first
 * words of the command; a last word `*` stands for any further words (none too), without it the command ends there.
 */
export interface CommandPattern {
  words: string[];
  open: boolean;
}

/** What ends, joins, redirects or hides a command: one of these, quoted or not, and it is not one simple command. */
const notSimple = /[;|&$`<>()\u0000-\u0008\u000a-\u001f\u007f]/u;
const breaks = /[;|&$`<>(){}\u0000-\u0008\u000a-\u001f\u007f]+/u;

/** Programs whose argument is another command: `bash *` would allow everything. */
const carriers = new Set(
  "sh bash dash zsh ksh fish env sudo doas xargs eval exec command builtin nohup time nice timeout source .".split(" "),
);
/** Carriers and words of the shell's grammar that stand before the command proper. */
const leaders = new Set([...carriers, "then", "do", "else", "if", "while", "until", "!"]);

const wordsOf = (text: string): string[] => text.split(/[ \t]+/u).filter((word) => word !== "");

/** @returns what is wrong with the pattern, in words, when it cannot be read. */
export function parseCommandPattern(pattern: string): CommandPattern | { wrong: string } {
  const words = wordsOf(pattern);
  if (words.length === 0) return { wrong: "the pattern is empty" };
  if (notSimple.test(pattern))
    return { wrong: "a pattern is one simple command: no ; | & $ ` < > ( ) and no line break in it" };
  const open = words.at(-1) === "*";
  const fixed = open ? words.slice(0, -1) : words;
  if (fixed.length === 0) return { wrong: "'*' alone would mean every command" };
  if (fixed.some((word) => word.includes("*")))
    return { wrong: "'*' may only stand by itself, as the last word (as in 'npm test *')" };
  return { words: fixed, open };
}

/** Whether an allow by this pattern would allow any command at all, e.g. `bash *`. */
export function allowsEverything(pattern: CommandPattern): boolean {
  return pattern.open && pattern.words.every((word) => carriers.has(baseName(word)) || word.startsWith("-"));
}

function fits(pattern: CommandPattern, words: string[]): boolean {
  if (!pattern.words.every((word, index) => word === words[index])) return false;
  return pattern.open || words.length === pattern.words.length;
}

/** For allow: the whole line is one simple command that begins, letter for letter, as the pattern says. */
export function coversCommand(pattern: CommandPattern, command: string): boolean {
  return !notSimple.test(command) && fits(pattern, wordsOf(command));
}

/**
 * For deny and ask: any piece of the line looks like the pattern, also behind quotes, a path, an assignment or a
 * program that runs another. A seat belt, not a wall: a shell has more ways to write a command than a pattern knows.
 */
export function touchesCommand(pattern: CommandPattern, command: string): boolean {
  return command.split(breaks).some((piece) => formsOf(piece).some((words) => fits(pattern, words)));
}

/** The piece as it stands, and from each place where a command could begin in it. */
function formsOf(piece: string): string[][] {
  const words = wordsOf(piece.replace(/["'\\]/gu, ""));
  const forms = [words, withBaseName(words)];
  for (let at = 0; at < words.length && mayStandBefore(words[at] ?? "", words[at - 1]); at += 1) {
    forms.push(withBaseName(words.slice(at + 1)));
  }
  return forms;
}

/** A leader, an assignment, a leader's option, or what may be that option's value. */
const mayStandBefore = (word: string, before: string | undefined): boolean =>
  leaders.has(baseName(word)) ||
  /^[A-Za-z_][A-Za-z0-9_]*=/u.test(word) ||
  (before !== undefined && (/^(-|\d+[smh]?$)/u.test(word) || before.startsWith("-")));

const withBaseName = (words: string[]): string[] => words.map((word, index) => (index === 0 ? baseName(word) : word));

const baseName = (word: string): string => word.slice(word.lastIndexOf("/") + 1);
