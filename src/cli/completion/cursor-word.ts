import type { CommandWords } from "./command-words.ts";

/** The word under the cursor. */
export interface CursorWord {
  /** The beginning of the word. */
  current: string;
  /** Commands that were typed, the innermost last; the whole program first. */
  path: CommandWords[];
  /** Arguments before it. */
  operands: string[];
  /** A flag, or the value of the flag of this name; else an argument. */
  what: { flag: true } | { option: string } | { argument: true };
  /** The last value of each flag that was typed before it. */
  values: Record<string, string>;
}

/** @param words what was typed behind `agent`, the last of them the word under the cursor. */
export function askedAt(program: CommandWords, words: readonly string[]): CursorWord {
  const end = words.indexOf("--");
  const before = words.slice(0, end < 0 ? -1 : Math.min(end, words.length - 1));
  const asked: CursorWord = {
    current: words.at(-1) ?? "",
    path: [program],
    operands: [],
    what: { argument: true },
    values: {},
  };
  for (let at = 0; at < before.length; at += 1) {
    const word = before[at] ?? "";
    const command = asked.path.at(-1) ?? program;
    const option = command.options.find(({ flags }) => flags.includes(word));
    if (option?.takes === true) {
      at += 1;
      if (at === words.length - 1) return { ...asked, what: { option: option.name } };
      asked.values[option.name] = words[at] ?? "";
    } else if (!word.startsWith("-")) take(asked, command, word);
  }
  return last(asked, before.length < words.length - 1 ? words.slice(end + 1, -1) : undefined);
}

/** @param behind the words between a `--` and the last one, where there is a `--`. */
function last(asked: CursorWord, behind: readonly string[] | undefined): CursorWord {
  if (behind !== undefined) return { ...asked, operands: [...asked.operands, ...behind] };
  return asked.current.startsWith("-") ? { ...asked, what: { flag: true } } : asked;
}

function take(asked: CursorWord, command: CommandWords, word: string): void {
  const inner = asked.operands.length === 0 ? command.commands.find(({ name }) => name === word) : undefined;
  if (inner === undefined) asked.operands.push(word);
  else asked.path.push(inner);
}

/** The characters at which bash parts words of its own accord. */
const parts = /^[=:@]+$/;

/** Bash gives `script:a` as three words. @returns the words whole, and what of the last one bash does not replace. */
export function joined(words: readonly string[]): { words: string[]; kept: string } {
  const whole: string[] = [];
  words.forEach((word, at) => {
    const glued = at > 0 && (parts.test(word) || parts.test(words[at - 1] ?? ""));
    if (glued && whole.length > 0) whole.push(`${whole.pop()}${word}`);
    else whole.push(word);
  });
  const last = whole.at(-1) ?? "";
  return { words: whole, kept: /^.*[=:@]/s.exec(last)?.[0] ?? "" };
}

/** A word as it was typed, without its quotes and backslashes. Nothing in it is expanded. */
export function unquoted(typed: string): string {
  let text = "";
  let quote = "";
  for (let at = 0; at < typed.length; at += 1) {
    const char = typed[at] ?? "";
    if (quote === "" && (char === "'" || char === '"')) quote = char;
    else if (char === quote) quote = "";
    else if (char === "\\" && quote !== "'" && at + 1 < typed.length) {
      at += 1;
      text += typed[at];
    } else text += char;
  }
  return text;
}
