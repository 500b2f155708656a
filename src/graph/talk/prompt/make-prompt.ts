import { realpath } from "node:fs/promises";
import { platform, release } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Sha } from "../../../core/json.ts";
import type { Bounds } from "../../../core/tool.ts";
import type { ToolStats } from "../../../core/tool-stats.ts";
import { decide } from "../../../policy/decide.ts";
import type { CallFacts, Policy } from "../../../policy/types.ts";
import { largestMemory } from "../../../tools/memory/memory-file.ts";
import { isToldIn, memoryHeading } from "../../../tools/memory/memory-line.ts";
import { memoriesOf } from "../../../tools/memory/memory-section.ts";
import { lookedAt, rootAround } from "../../calls/call-facts.ts";
import {
  findInstructions,
  largestTotal,
  mostFiles,
  type PromptFile,
  type ReadVerdict,
  type Room,
  readForPrompt,
} from "./instructions.ts";
import { systemPrompt, type ToldSecrets } from "./system-prompt.ts";
import { gitFacts } from "./workspace-facts.ts";

export interface PromptSources extends Bounds {
  /** The user's CONTEXT.md. */
  memories: string;
  /** Further instruction files, relative to the project's root. */
  instructions: readonly string[];
  /** Of those that count only with the text that the person trusted its hash; undefined for one that had none. */
  bound?: Readonly<Record<string, Sha | undefined>>;
  /** The policy that reading a file is judged by; without it only the places that are protected everywhere are left out. */
  policy?: Policy;
  /** ISO date. */
  date: string;
  platform: string;
  lang?: string;
  /** The record of the tools that are offered, where it is sent to the model. */
  stats?: readonly ToolStats[];
  secrets?: ToldSecrets;
}

/** A system prompt, and what of the surroundings is in it. */
export interface Prompt {
  text: string;
  /** A line for each thing that went into it by itself, or was left out. */
  sources: string[];
  /** Characters of what was read from files: the project's instructions, and what is remembered. */
  sizes: { files: number; memories: number };
  /** All of them in one line for the person; undefined where no file is concerned. */
  told?: string;
}

const unruled: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] } };

/** The system prompt for work in a folder, from what lies there now. Each file passes the door that read_file does. */
export async function gatherPrompt(sources: PromptSources): Promise<Prompt> {
  const { workspace, date, platform, lang, stats, secrets, policy = unruled } = sources;
  const git = await gitFacts(workspace);
  const facts = git.kind === "repository" ? git.facts : undefined;
  const room = { files: mostFiles, bytes: largestTotal };
  const [memories, notes] = await readMemories(sources.memories, workspace, room, policy);
  const instructions = await findInstructions({
    root: facts?.root ?? workspace,
    cwd: workspace,
    extra: sources.instructions,
    bound: sources.bound ?? {},
    room,
    judge: readVerdict(workspace, policy),
  });
  const text = systemPrompt({
    workspace,
    addDirs: sources.addDirs ?? [],
    date,
    platform,
    instructions,
    ...(facts === undefined ? {} : { git: facts }),
    ...(memories === undefined ? {} : { memories }),
    ...(notes === undefined ? {} : { notes }),
    ...(lang === undefined ? {} : { lang }),
    ...(stats === undefined ? {} : { stats }),
    ...(secrets === undefined ? {} : { secrets }),
  });
  const files = [...instructions, memories, notes].filter((file) => file !== undefined);
  const more = facts === undefined ? [] : [`git branch ${facts.branch}`];
  const foreign = git.kind === "foreign" ? ["left out: the repository around it, which belongs to another user"] : [];
  const lines = [...files.map(lineOf), ...more, ...foreign];
  const lengthOf = (read: readonly (PromptFile | undefined)[]): number =>
    read.reduce((sum, file) => sum + (file?.text?.length ?? 0), 0);
  const sizes = { files: lengthOf(instructions), memories: lengthOf([memories, notes]) };
  return { text, sources: lines, sizes, ...(files.length === 0 ? {} : { told: toldOf(files, more) }) };
}

/** The text of `gatherPrompt`. */
export const makePrompt = async (sources: PromptSources): Promise<string> => (await gatherPrompt(sources)).text;

/** The text, after the person was told what went into it. */
export function tellPrompt(
  prompt: string | Prompt,
  emit: (notice: { type: "notice"; code: string; text: string }) => void,
): string {
  if (typeof prompt === "string") return prompt;
  if (prompt.told !== undefined) emit({ type: "notice", code: "instructions", text: prompt.told });
  return prompt.text;
}

/** Makes the judge of reading a file that goes to the model by itself. */
export function readVerdict(workspace: string, policy: Policy): ReadVerdict {
  const facts: CallFacts = { tool: "read_file", effect: "none", paths: [], commands: [], hosts: [], workspace };
  const root = rootAround(workspace);
  return (asked, real) => decide({ ...facts, paths: lookedAt([{ asked, real, access: "read" }], root) }, policy);
}

/**
 * Reads the person's own words in their file, then the agent's notes there. The user's own file may be a link to wherever they keep it. It lies
 * in a place that is sealed for calls, which is no obstacle here, and rules about paths of the workspace do not mean it.
 */
async function readMemories(
  file: string,
  workspace: string,
  room: Room,
  policy: Policy,
): Promise<[own?: PromptFile | undefined, notes?: PromptFile | undefined]> {
  if (file === "") return [];
  const folder = await realpath(dirname(file)).catch(() => dirname(file));
  const rules = policy.rules.filter(({ paths }) => paths?.every((path) => !path.startsWith("/")) !== true);
  const judge = readVerdict(folder, { ...policy, rules, sealed: { roots: [] } });
  const most = largestMemory;
  const [path, name] = [join(folder, basename(file)), basename(file)];
  const own = await readForPrompt({ path, name: `your ${name}`, room, judge, part: ownWords, most });
  // What keeps the file out of the prompt is said once.
  if (own?.why !== undefined) return [own];
  const part = (text: string) => notesOf(text, workspace);
  return [own, await readForPrompt({ path, name: `the agent's notes in ${name}`, room, judge, part, most })];
}

const lineOf = ({ name, bytes, cut, why }: PromptFile): string =>
  why === undefined ? `${name}, ${bytes} bytes${cut ? ", cut" : ""}` : `left out: ${name} (${why})`;

/** More names than this are only counted. */
const mostTold = 8;

function toldOf(files: readonly PromptFile[], more: readonly string[]): string {
  const listed = (names: string[]) =>
    names.length > mostTold
      ? `${names.slice(0, mostTold).join(", ")} and ${names.length - mostTold} more`
      : names.join(", ");
  const used = files.filter(({ why }) => why === undefined).map(({ name, cut }) => `${name}${cut ? " (cut)" : ""}`);
  const left = files.filter(({ why }) => why !== undefined).map(({ name, why }) => `${name} (${why})`);
  const head = used.length === 0 ? "no file of instructions is" : `${listed([...used, ...more])} went`;
  const rest = left.length === 0 ? "" : `; left out: ${listed(left)}`;
  return `${head} ${used.length === 0 ? "in" : "into"} the prompt${rest}`;
}

/** The prompt of an agent that nobody has configured: what lies in the workspace, and nothing of the user's own. */
export const makeDefaultPrompt = (workspace: string, clock: () => number, secrets?: ToldSecrets): Promise<Prompt> =>
  gatherPrompt({
    workspace,
    memories: "",
    instructions: [],
    date: new Date(clock()).toISOString().slice(0, 10),
    platform: `${platform()} ${release()}`,
    ...(secrets && { secrets }),
  });

/** Returns the part of a memory file that the person wrote: all but the agent's lines, for whatever workspace those are. Pure. */
function ownWords(text: string): string {
  const entries = memoriesOf(text);
  const saved = entries.filter(({ memory }) => memory.by === "agent");
  let own = text;
  for (const { start, end } of saved.toReversed()) own = own.slice(0, start) + own.slice(end);
  if (saved.length === 0 || saved.length < entries.length) return own;
  // A heading that only the agent's lines stood under says nothing any more.
  return own.replace(new RegExp(`^${memoryHeading}[ \\t\\r]*$`, "m"), "");
}

/** Returns the notes of the agent in a memory file that it is told in this workspace, a line each. Pure. */
const notesOf = (text: string, workspace: string): string =>
  memoriesOf(text)
    .filter(({ memory }) => memory.by === "agent" && isToldIn(memory, workspace))
    .map(({ memory }) => memory.fact)
    .join("\n");
