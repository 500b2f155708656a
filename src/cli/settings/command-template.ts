import { limits } from "../../core/limits.ts";
import { withoutEnd } from "../../core/linear-text.ts";
import type { AskedCall } from "../../graph/talk/asked-calls.ts";
import { fileCommands } from "../../words/contract/commands.ts";
import { commandFiles } from "../../words/en/command-files.ts";
import { unquoted } from "../image-names.ts";
import { LineQuotes } from "./line-quotes.ts";

/** The form in which the words of a command are written: Markdown (Claude Code, opencode and ours), or TOML as Gemini CLI has them. */
export type CommandForm = "md" | "toml";

type Part =
  | { kind: "text"; text: string }
  /** The text behind the command's name; `nth` of its words, from 1. */
  | { kind: "given"; nth?: number }
  | { kind: "run"; words: Part[] }
  /** `isSaid`: where there is no such file the words stand for themselves. */
  | { kind: "read"; path: Part[]; isSaid: boolean };

/** An expanded command: a message of the person, and the calls that it brings. */
export interface ExpandedCommand {
  text: string;
  calls: AskedCall[];
}

const signs: Readonly<Record<CommandForm, RegExp>> = {
  md: /!`(?<run>[^`\n]+)`|(?<=^|\s)@(?:"(?<quoted>(?:[^"\\\n]|\\.)+)"|(?<file>[^\s"]+))|(?<all>\$ARGUMENTS)|\$(?<nth>[1-9])/gmu,
  toml: /!\{(?<run>(?:[^{}\n]|\{\{args\}\}|\{[^{}\n]*\})+)\}|@\{(?<path>(?:[^{}\n]|\{\{args\}\})*)\}|(?<all>\{\{args\}\})/gu,
};

const given: Readonly<Record<CommandForm, RegExp>> = {
  md: /(?<all>\$ARGUMENTS)|\$(?<nth>[1-9])/gu,
  toml: /(?<all>\{\{args\}\})/gu,
};

/**
 * The words of a command, with what was typed behind its name. What it runs and reads become calls: nothing is run or read here. What was
 * typed is never taken for a part of the template; in a command line each of its words is quoted.
 * @param kindOf what lies at a path of the workspace
 * @throws Error where it would make more calls than are allowed, or a line would take what was typed for more than words
 */
export function expandTemplate(
  template: string,
  form: CommandForm,
  argument: string,
  kindOf: (path: string) => "file" | "folder" | undefined,
): ExpandedCommand {
  const words = wordsIn(argument);
  const parts = partsOf(template, form);
  const calls: AskedCall[] = [];
  const call = (one: AskedCall): void => {
    if (!calls.some((known) => JSON.stringify(known) === JSON.stringify(one))) calls.push(one);
    const { most } = limits.askedCalls;
    if (calls.length > most) throw new Error(commandFiles().tooManyCalls({ most }));
  };
  const plain = (part: Part): string =>
    part.kind === "text" ? part.text : part.kind === "given" ? givenAs(part, argument, words) : "";
  const said = parts.map((part) => {
    if (part.kind === "run") {
      const command = commandLine(part.words, argument, words).trim();
      call({ name: "shell", arguments: { command } });
      return fileCommands.runs({ command });
    }
    if (part.kind !== "read") return plain(part);
    const path = part.path.map(plain).join("").trim();
    const kind = kindOf(path);
    if (kind === undefined && part.isSaid) return `@${path}`;
    call(
      kind === "folder" ? { name: "ls", arguments: { path } } : { name: "read_file", arguments: { file_path: path } },
    );
    return fileCommands.reads({ path });
  });
  const isTaken = parts.some(hasGiven) || argument === "";
  return { text: `${said.join("").trim()}${isTaken ? "" : `\n\n${argument}`}`, calls };
}

/**
 * Makes a command line in which the typed text is as many words, whatever stands in it; between quotes that hold nothing else it is one.
 * @throws Error where a sign stands elsewhere in quotes, or where more than words could be made of it
 */
function commandLine(parts: readonly Part[], argument: string, words: readonly string[]): string {
  const quotes = new LineQuotes();
  let line = "";
  for (const [at, part] of parts.entries()) {
    if (part.kind === "text") {
      quotes.read(part.text);
      line += part.text;
      continue;
    }
    const behind = textOf(parts[at + 1]);
    if (part.kind !== "given") throw new Error(commandFiles().misplaced);
    if (quotes.opened !== undefined && behind?.startsWith(quotes.opened) === true) {
      line += inQuotes(givenAs(part, argument, words), quotes.opened);
    } else if (quotes.isPlain) {
      line += wordsBetween(line, part.nth === undefined ? words : words.slice(part.nth - 1, part.nth), behind);
      quotes.passWord();
    } else throw new Error(commandFiles().misplaced);
  }
  return line;
}

/** Undefined at the end of a line; of what is typed it is not known. */
const textOf = (part: Part | undefined): string | undefined =>
  part === undefined ? undefined : part.kind === "text" ? part.text : "";

/**
 * Quotes the words, bare only between blanks: a sign right beside it would make another thing of a bare word, as in `$HOME$1` and `$1>a`,
 * and one word of both sides if there is none.
 */
function wordsBetween(before: string, words: readonly string[], behind: string | undefined): string {
  const stands = /(?:^|\s)$/u.test(before) && (behind === undefined || /^\s/u.test(behind));
  const line = words.map(stands ? shellWord : quoted).join(" ");
  return line === "" && /\S$/u.test(before) && /^\S/u.test(behind ?? "") ? "''" : line;
}

const givenAs = ({ nth }: { nth?: number }, argument: string, words: readonly string[]): string =>
  nth === undefined ? argument : (words[nth - 1] ?? "");

const hasGiven = (part: Part): boolean =>
  part.kind === "given" ||
  (part.kind === "run" && part.words.some(hasGiven)) ||
  (part.kind === "read" && part.path.some(hasGiven));

function partsOf(template: string, form: CommandForm): Part[] {
  return split(template, signs[form], ({ run, quoted, file, path, all, nth }) => {
    if (run !== undefined) return [{ kind: "run", words: givenIn(run, form) }];
    if (path !== undefined) return [{ kind: "read", path: givenIn(path, form), isSaid: false }];
    if (quoted !== undefined) return [{ kind: "read", path: givenIn(unquoted(quoted), form), isSaid: true }];
    if (file === undefined) return [all === undefined ? { kind: "given", nth: Number(nth) } : { kind: "given" }];
    const name = withoutEnd(file, ".,;:!?)]}'");
    return [
      { kind: "read", path: givenIn(name, form), isSaid: true },
      { kind: "text", text: file.slice(name.length) },
    ];
  });
}

const givenIn = (text: string, form: CommandForm): Part[] =>
  split(text, given[form], ({ nth }) => [nth === undefined ? { kind: "given" } : { kind: "given", nth: Number(nth) }]);

function split(
  text: string,
  sign: RegExp,
  partsFor: (found: Readonly<Record<string, string | undefined>>) => Part[],
): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(sign)) {
    if (match.index > at) parts.push({ kind: "text", text: text.slice(at, match.index) });
    parts.push(...partsFor(match.groups ?? {}));
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) });
  return parts;
}

/** Splits the typed text into words; a text in quotes is one. */
const wordsIn = (argument: string): string[] =>
  [...argument.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/gu)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );

/** As one word of a command line, whatever stands in it; one like `A=b` could set something. */
const shellWord = (word: string): string => (/^(?:-[=\w@%+:,./-]*|[\w@%+:,./-]+)$/u.test(word) ? word : quoted(word));

const quoted = (word: string): string => `'${inQuotes(word, "'")}'`;

const inQuotes = (word: string, quote: '"' | "'"): string =>
  quote === "'" ? word.replaceAll("'", "'\\''") : word.replaceAll(/[\\"$`]/gu, "\\$&");
