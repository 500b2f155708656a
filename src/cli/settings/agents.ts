import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { type AgentDefinition, isAgentName } from "../../core/agent-definition.ts";
import { errnoOf } from "../../core/errno.ts";
import { shownName } from "../../core/shown-path.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { isOtherAgent, otherAgentFiles } from "../../policy/files/other-agents.ts";
import { isTrusted, type TrustState } from "../../policy/files/trust.ts";
import { agentFiles as words } from "../../words/en/agent-files.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import type { AgentFile } from "./agent-file.ts";
import type { ProjectSettings, UserSettings } from "./config-schema.ts";

/** Named agents that count for work in one folder, and what is left out, each with why. */
export interface FoundAgents {
  agents: AgentDefinition[];
  leftOut: LeftOutAgent[];
  /** The keys in files of other programs that are not heeded here, of those files that count. */
  unused: { source: string; keys: readonly string[] }[];
}

/** `untold`: whoever asks for agents is told, and not each session: it waits for trust, or another program has it too. */
export interface LeftOutAgent {
  name: string;
  why: string;
  untold?: true;
}

type Settings = Pick<UserSettings & ProjectSettings, "agents" | "toolkits">;
type Origin = "user" | "project";

/** The folder of a project's agents, relative to the workspace. */
const projectAgentFolder = ".holdfast/agents";

interface AgentPlaces {
  user: Settings;
  /** Of the project, where it is trusted. */
  project: Settings;
  configDir: string;
  workspace: string;
  /** Asked only where the project has files of agents. */
  trusted(): Promise<TrustState>;
}

/**
 * The agents of the person's settings and files, then the project's as far as they are trusted with these very bytes. A name counts
 * once, of the first that has it: none of the project's takes the place of one of the person's.
 */
export async function findAgents({ user, project, configDir, workspace, trusted }: AgentPlaces): Promise<FoundAgents> {
  const found = new Found();
  const toolkits = { ...project.toolkits, ...user.toolkits };
  for (const [name, given] of Object.entries(user.agents ?? {}))
    found.add(name, given, { origin: "user", source: "config.json", toolkits: user.toolkits ?? {} });
  for (const name of await namesIn(join(configDir, "agents"))) {
    const text = await textOf(join(configDir, "agents", name)).catch((error: Error) => ({ wrong: error.message }));
    await found.addFile(name, text, { origin: "user", source: `agents/${name}`, toolkits: user.toolkits ?? {} });
  }
  for (const [name, given] of Object.entries(project.agents ?? {}))
    found.add(name, given, { origin: "project", source: ".holdfast/config.json", toolkits });
  const files = await projectAgentFiles(workspace);
  const state = files.length === 0 ? undefined : await trusted();
  for (const path of files) {
    const text = state?.files.find((file) => file.path === path)?.text;
    const isKnown = state !== undefined && text !== undefined && isTrusted(state, path, text);
    const from = { origin: "project", source: path, toolkits } as const;
    if (!isKnown) found.leftOut.push({ name: path, ...whyNot(state) });
    else if (isOtherAgent(path)) await found.addOther(path, text, from);
    else await found.addFile(basename(path), text, from);
  }
  return found;
}

/** One that is trusted and is no text never counts, and each session is told. */
const whyNot = (state: TrustState | undefined): Omit<LeftOutAgent, "name"> =>
  state?.state === "trusted" ? { why: words().noText } : { why: words().waits, untold: true };

interface From {
  origin: Origin;
  source: string;
  toolkits: Readonly<Record<string, readonly string[]>>;
}

class Found implements FoundAgents {
  readonly agents: AgentDefinition[] = [];
  readonly leftOut: LeftOutAgent[] = [];
  readonly unused: { source: string; keys: readonly string[] }[] = [];

  async addFile(file: string, text: string | { wrong: string }, from: From): Promise<void> {
    const { readAgentFile } = await import("./agent-file.ts");
    const read = typeof text === "string" ? await readAgentFile(text) : text;
    if ("wrong" in read) this.#leave(from.source, read.wrong);
    else this.add(basename(file, ".md"), read, from);
  }

  /** Of two programs' agents with one name the first counts, and all others before them. */
  async addOther(path: string, text: string, from: From): Promise<void> {
    const { readOtherAgent } = await import("./other-agent-file.ts");
    const read = await readOtherAgent(path, text);
    if ("wrong" in read) return this.#leave(path, read.wrong);
    const name = read.name ?? basename(path, extname(path));
    if (this.#has(name)) this.leftOut.push({ name: `${name} of ${path}`, why: words().hasName, untold: true });
    else if (this.add(name, read.agent, from) && read.unused.length > 0)
      this.unused.push({ source: path, keys: read.unused });
  }

  /** @returns whether it counts. */
  add(name: string, given: AgentFile, from: From): boolean {
    const { description, prompt, toolkit, model, maxSteps, maxCost } = given;
    const { origin, source, toolkits } = from;
    const tools = typeof toolkit === "string" ? kitOf(toolkits, toolkit) : toolkit;
    const why = this.#wrong(name, given, from);
    if (why !== undefined) {
      this.#leave(`${name} of ${source}`, why);
      return false;
    }
    // A project names no server: its agents have a model of the one that the person works with.
    const named = model === undefined || origin === "user" ? model : `:${model.replace(/^:/u, "")}`;
    this.agents.push({
      ...{ name, description: description.replaceAll(/[\s\p{C}]+/gu, " "), prompt, source },
      ...(tools === undefined ? {} : { tools }),
      ...(named === undefined ? {} : { model: named }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(maxCost === undefined ? {} : { maxCost }),
    });
    return true;
  }

  #wrong(
    name: string,
    { toolkit, model }: Pick<AgentFile, "toolkit" | "model">,
    { origin, toolkits }: From,
  ): string | undefined {
    if (!isAgentName(name)) return words().nameShape;
    if (this.#has(name)) return words().hasName;
    if (typeof toolkit === "string" && kitOf(toolkits, toolkit) === undefined) return words().noToolkit({ toolkit });
    const isSpec = model === undefined || origin === "project" || /^[\w.-]*:\S+$/u.test(model);
    return isSpec ? undefined : words().noModel({ model });
  }

  #has(name: string): boolean {
    return this.agents.some((agent) => agent.name === name);
  }

  #leave(name: string, why: string): void {
    this.leftOut.push({ name, why });
  }
}

const kitOf = (toolkits: From["toolkits"], name: string): readonly string[] | undefined =>
  Object.hasOwn(toolkits, name) ? toolkits[name] : undefined;

/** Makes a notice of the keys in files of other programs' agents that nothing here heeds, in one line. */
export function unusedKeysNotices({ unused }: Pick<FoundAgents, "unused">): { code: string; text: string }[] {
  if (unused.length === 0) return [];
  const told = unused.slice(0, mostTold).map(({ source, keys }) => `${shownName(source)}: ${keys.join(", ")}`);
  const more = unused.length > mostTold ? [words().moreFiles({ count: unused.length - mostTold })] : [];
  return [{ code: "agent_keys_unused", text: words().notHeeded({ files: [...told, ...more] }) }];
}

const mostTold = 8;

/** Agents as a person reads of them before they trust them. */
export const countOfAgents = ({ length }: readonly unknown[]): string[] =>
  length === 0 ? [] : [cellWords().agents({ count: length })];

/** The project's files of agents, relative to the workspace, its own first; whether they count is another matter. */
export async function projectAgentFiles(workspace: string): Promise<string[]> {
  const own = await namesIn(join(workspace, projectAgentFolder));
  const others = (await otherAgentFiles(await realpath(workspace))).slice(0, mostFiles);
  return [...own.map((name) => `${projectAgentFolder}/${name}`), ...others];
}

/** Tells whether a file of the project, by its path relative to the workspace, is one of an agent. */
export const isProjectAgent = (path: string): boolean =>
  (dirname(path) === projectAgentFolder && path.endsWith(".md")) || isOtherAgent(path);

/** Names of files of agents, in their order. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(errnoOf(error) ?? "")) return [];
    throw error;
  });
  return names
    .filter((name) => name.endsWith(".md"))
    .sort()
    .slice(0, mostFiles);
}

const mostFiles = 100;

async function textOf(path: string): Promise<string> {
  const { largestAgentFile } = await import("./agent-file.ts");
  const { handle, stats } = await openRegular(path, path);
  const bytes = await readBounded(handle, stats.size, largestAgentFile, path).finally(() => handle.close());
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
