import { readdirSync, realpathSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { frontOf } from "../../core/skill.ts";
import { readThere } from "../../files/bytes/read-regular.ts";
import { mayHaveCommands, projectCommandName } from "../../policy/files/other-commands.ts";
import { isTrusted, type TrustState } from "../../policy/files/trust.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { commandFiles as words } from "../../words/en/command-files.ts";
import type { CommandForm } from "./command-template.ts";
import { otherWriter } from "./others-write.ts";

/** A command that a file brings: what is said by its name. */
export interface FileCommand {
  name: string;
  /** One line. */
  description: string;
  /** The place where it was read, as a person is told. */
  source: string;
  form: CommandForm;
  /** Its text, before anything stands in for its signs. */
  template: string;
}

export interface FoundCommands {
  commands: FileCommand[];
  /** `waits`: for trust. */
  leftOut: { name: string; source: string; why: string; waits?: true }[];
}

interface CommandPlaces {
  configDir: string;
  workspace: string;
  /** Asked only where the project may have commands. */
  trusted(): Promise<TrustState>;
  /** Tells whether the program has a command of that name: no file takes its place. */
  isOwn(name: string): boolean;
}

/** Bytes of a file of a command. */
const largestCommand = 64_000;

/**
 * The person's commands, then the project's as far as they are trusted with these very bytes, its own first. A name counts once, of the
 * first that has it: none of the project's takes the place of one of the person's, and none of any file that of the program's own.
 */
export async function findCommands({ configDir, workspace, trusted, isOwn }: CommandPlaces): Promise<FoundCommands> {
  const found: FoundCommands = { commands: [], leftOut: [] };
  const add = async (name: string, source: string, form: CommandForm, read: string | { wrong: string }) => {
    const why = whyNot(name, found.commands, isOwn);
    const made = typeof read === "string" ? await commandOf(read, form) : read;
    if (why !== undefined) found.leftOut.push({ name, source, why });
    else if ("wrong" in made) found.leftOut.push({ name, source, why: made.wrong });
    else found.commands.push({ name, source, form, ...made });
  };
  const folder = join(configDir, "commands");
  for (const path of filesBelow(folder))
    await add(
      path.slice(0, -ending.length).replaceAll("/", ":"),
      `commands/${path}`,
      "md",
      userText(join(folder, path)),
    );
  if (!mayHaveCommands(workspace)) return found;
  const state = await trusted();
  for (const { path, text } of inOrder(state)) {
    const name = projectCommandName(path) ?? "";
    if (isTrusted(state, path, text)) await add(name, path, path.endsWith(".toml") ? "toml" : "md", bounded(text));
    else if (state.state === "trusted") found.leftOut.push({ name, source: path, why: words().noText });
    else found.leftOut.push({ name, source: path, why: words().waits, waits: true });
  }
  return found;
}

/** Paths of a project's commands. */
export const commandPathsOf = (state: Pick<TrustState, "files">): string[] => inOrder(state).map(({ path }) => path);

/** Commands as a person reads of them before they trust them. */
export const countOfCommands = ({ length }: readonly unknown[]): string[] =>
  length === 0 ? [] : [cellWords().commands({ count: length })];

function inOrder({ files }: Pick<TrustState, "files">): TrustState["files"] {
  const all = files.filter(({ path }) => projectCommandName(path) !== undefined);
  const isOwn = ({ path }: { path: string }): boolean => path.startsWith(".holdfast/");
  return [...all.filter(isOwn), ...all.filter((file) => !isOwn(file))];
}

function whyNot(name: string, before: readonly FileCommand[], isOwn: (name: string) => boolean): string | undefined {
  if (!/^[a-z0-9][\w-]*(?::[a-z0-9][\w-]*)*$/iu.test(name) || name.length > 100) return words().nameShape;
  if (isOwn(name)) return words().isOurs;
  const first = before.find((one) => one.name === name);
  return first === undefined ? undefined : words().hasName({ source: first.source });
}

type Words = Pick<FileCommand, "description" | "template">;

async function commandOf(text: string, form: CommandForm): Promise<Words | { wrong: string }> {
  const read = form === "toml" ? await fromToml(text) : await fromMarkdown(text);
  if ("wrong" in read) return read;
  const { template, description } = read;
  if (template.trim() === "") return { wrong: words().isEmpty };
  const said = typeof description === "string" && description.trim() !== "" ? description : firstLine(template);
  return { template: template.trim(), description: oneLine(said) };
}

async function fromMarkdown(text: string): Promise<{ template: string; description: unknown } | { wrong: string }> {
  const parts = frontOf(text);
  if (parts === undefined) return { template: text, description: undefined };
  const { readYaml, withQuotes } = await import("./agent-file.ts");
  const read = await readYaml(parts.front, withQuotes);
  return "wrong" in read ? read : { template: parts.body, description: keyOf(read.value, "description") };
}

async function fromToml(text: string): Promise<{ template: string; description: unknown } | { wrong: string }> {
  const { readToml } = await import("./other-agent-file.ts");
  const read = await readToml(text);
  if ("wrong" in read) return read;
  const prompt = keyOf(read.head, "prompt");
  return typeof prompt === "string"
    ? { template: prompt, description: keyOf(read.head, "description") }
    : { wrong: words().noPrompt };
}

const keyOf = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;

const firstLine = (text: string): string => text.trim().split("\n")[0] ?? "";

function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{C}]+/gu, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}

const bounded = (text: string): string | { wrong: string } =>
  Buffer.byteLength(text) > largestCommand ? { wrong: tooLarge() } : text;

const tooLarge = (): string => words().tooLarge({ kilobytes: largestCommand / 1_000 });

const ending = ".md";
const maxDepth = 4;
const mostFiles = 200;

/** The person's files, relative to their folder, in their order. */
function filesBelow(folder: string, at = "", depth = 0): string[] {
  try {
    const entries = readdirSync(join(folder, at), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    return entries
      .flatMap((entry) => {
        const path = join(at, entry.name);
        if (entry.isDirectory()) return depth < maxDepth ? filesBelow(folder, path, depth + 1) : [];
        return basename(path).endsWith(ending) ? [relative(".", path)] : [];
      })
      .slice(0, mostFiles);
  } catch {
    return []; // not there, or no folder
  }
}

function userText(path: string): string | { wrong: string } {
  try {
    const real = realpathSync.native(path);
    const others = otherWriter(real);
    if (others !== undefined) return { wrong: `its file ${others}` };
    const read = readThere(real, ({ size, read }) =>
      size > largestCommand ? { wrong: tooLarge() } : read(0, size).toString("utf8"),
    );
    return read ?? { wrong: words().noFile };
  } catch {
    return { wrong: words().leadsNowhere };
  }
}
