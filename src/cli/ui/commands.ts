import type { Mode } from "./view.ts";

export interface Command {
  name: string;
  aliases: readonly string[];
  /** What follows the name, for the help. */
  argument: string;
  text: string;
}

export const commands: readonly Command[] = [
  { name: "help", aliases: ["?"], argument: "", text: "this list, and the keys" },
  { name: "model", aliases: [], argument: "SPEC", text: "show or change the model" },
  { name: "mode", aliases: [], argument: "MODE", text: "show or change the mode: ask, accept-edits, read-only" },
  { name: "diff", aliases: [], argument: "", text: "all that this session changed" },
  {
    name: "undo",
    aliases: [],
    argument: "CALL",
    text: "take back a call's changes, or all of the last turn that has any",
  },
  { name: "new", aliases: ["clear"], argument: "", text: "start a new session; this one stays saved" },
  { name: "sessions", aliases: [], argument: "ID", text: "list the sessions, or go over to one" },
  { name: "exit", aliases: ["quit"], argument: "", text: "leave; the session stays saved" },
];

/** Modes that Shift+Tab goes round. `full-auto` is given by flag only. */
export const modeCycle = ["ask", "accept-edits", "read-only"] as const satisfies readonly Mode[];

export const nextMode = (mode: Mode): Mode => {
  const at = (modeCycle as readonly Mode[]).indexOf(mode);
  return modeCycle[(at + 1) % modeCycle.length] ?? "ask";
};

export type Typed =
  | { kind: "message"; text: string }
  | { kind: "command"; name: string; argument: string }
  | { kind: "unknown"; name: string }
  | { kind: "nothing" };

/** What a submitted line is. A path such as `/etc/hosts` is a message; `//help` is the message `/help`. */
export function parseTyped(line: string): Typed {
  const text = line.trim();
  if (text === "") return { kind: "nothing" };
  if (text.startsWith("//")) return { kind: "message", text: text.slice(1) };
  const match = /^\/([a-z?][a-z-]*)?(?:\s+([\s\S]*))?$/.exec(text);
  if (match === null) return { kind: "message", text };
  const word = match[1] ?? "help";
  const command = commands.find((one) => one.name === word || one.aliases.includes(word));
  if (command === undefined) return { kind: "unknown", name: word };
  return { kind: "command", name: command.name, argument: (match[2] ?? "").trim() };
}

/** Names that complete what was typed after the slash; one that is written out comes before those that go on from it. */
export function completeCommand(prefix: string): string[] {
  const names = commands.map((one) => one.name).filter((name) => name.startsWith(prefix));
  return names.includes(prefix) ? [prefix, ...names.filter((name) => name !== prefix)] : names;
}

const keys: readonly [string, string][] = [
  ["enter", "send (while the agent works: queue)"],
  ["shift+enter, alt+enter", "new line; ctrl+j and a \\ at the end of the line too"],
  ["@", "complete a file name"],
  ["up, down", "earlier messages"],
  ["shift+tab", "mode: ask, accept-edits, read-only"],
  ["esc", "stop the running turn"],
  ["ctrl+c", "clear the draft, else stop the turn; twice leaves"],
  ["ctrl+d", "leave, when the draft is empty"],
];

/** Cells of the column of names, so wide that two blanks part it from the words. */
const columnCells = 23;

/** The commands, a line each. */
export function commandHelp(): string {
  const lines = commands.map((one) => {
    const names = [one.name, ...one.aliases].map((name) => `/${name}`).join(", ");
    return `  ${`${names}${one.argument === "" ? "" : ` [${one.argument}]`}`.padEnd(columnCells)} ${one.text}`;
  });
  return ["commands", ...lines].join("\n");
}

/** The text of `/help`. */
export const helpText = (): string =>
  [commandHelp(), "", "keys", ...keys.map(([key, text]) => `  ${key.padEnd(columnCells)} ${text}`)].join("\n");
