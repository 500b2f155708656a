/** The commands of the chat, in the order of /help: their names, each with the others that it is known by. */
const commandNames = {
  help: ["?"],
  model: [],
  mode: [],
  diff: [],
  undo: [],
  run: [],
  trust: [],
  suggest: [],
  new: ["clear"],
  sessions: ["resume", "threads"],
  compact: ["summarize"],
  rename: [],
  fork: [],
  copy: [],
  export: [],
  permissions: ["approvals"],
  status: ["cost", "usage"],
  context: ["tokens"],
  tools: [],
  background: ["bg"],
  jobs: ["bashes"],
  agents: ["helpers"],
  talk: ["transcript"],
  rewind: [],
  goals: ["plan", "todos"],
  page: ["browser"],
  init: [],
  theme: ["colors"],
  palette: ["commands"],
  exit: ["quit"],
} as const satisfies Record<string, readonly string[]>;

export type CommandName = keyof typeof commandNames;

/** In the order of /help. */
export const namesOfCommands = Object.keys(commandNames) as CommandName[];

export const aliasesOf = (name: CommandName): readonly string[] => commandNames[name];

/** The command that this is a name of, or another that it is known by. */
const commandOf = (word: string): CommandName | undefined =>
  namesOfCommands.find((name) => name === word || aliasesOf(name).includes(word));

/** Tells whether it is a name of any command. */
export const isCommand = (word: string): boolean => commandOf(word) !== undefined;

export type Typed =
  | { kind: "message"; text: string }
  | { kind: "command"; name: CommandName; argument: string }
  /** It may be a file's. `isText`: where no file has it, the line is a message. */
  | { kind: "unknown"; name: string; text: string; isText: boolean }
  | { kind: "nothing" };

/** The same, where nothing was said yet: a digit alone goes over to the session that is offered by it. */
export function parseFirst(line: string, offered: readonly string[]): Typed {
  const typed = parseTyped(line);
  const id = typed.kind === "message" && /^[1-9]$/.test(typed.text) ? offered[Number(typed.text) - 1] : undefined;
  return id === undefined ? typed : { kind: "command", name: "sessions", argument: id };
}

/** Reads a submitted line. A path such as `/etc/hosts` is a message; `//help` is the message `/help`, and `!!` begins one with `!`. */
export function parseTyped(line: string): Typed {
  const text = line.trim();
  if (text === "") return { kind: "nothing" };
  if (text.startsWith("//") || text.startsWith("!!")) return { kind: "message", text: text.slice(1) };
  if (text.startsWith("!")) return { kind: "command", name: "run", argument: text.slice(1).trim() };
  const match = /^\/(\?|\w[\w:.-]*)?(?:\s+([\s\S]*))?$/.exec(text);
  if (match === null) return { kind: "message", text };
  const word = match[1] ?? "help";
  const command = commandOf(word);
  if (command === undefined) return { kind: "unknown", name: word, text, isText: !/^[a-z][a-z-]*$/.test(word) };
  return { kind: "command", name: command, argument: (match[2] ?? "").trim() };
}
