import { join, relative } from "node:path";
import type { core, output, ZodType } from "zod";
import type { JsonObject, Sha } from "../../core/json.ts";
import { type JsonNode, lineAt, plainValue } from "../../core/json-text.ts";
import { limits } from "../../core/limits.ts";
import type { SandboxChoice } from "../../core/sandbox-choice.ts";
import type { ToolSettings } from "../../core/tool-settings.ts";
import { repositoryRoot } from "../../files/project-root.ts";
import type { ModelEntry } from "../../model/model-entries.ts";
import type { ServerSettings } from "../../model/servers.ts";
import { readByHand, readPolicyFile, readProjectFile } from "../../policy/files/policy-file.ts";
import { isTrusted, type TrustState } from "../../policy/files/trust.ts";
import { PolicyProblem } from "../../policy/problem.ts";
import type { PolicyFileProblem } from "../../policy/types.ts";
import type { HookSettings } from "../../tools/hooks/hooks.ts";
import type { SearchSettings } from "../../tools/web/search-web.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { ThemeChoice } from "../terminal/theme.ts";
import type { ProjectSettings, UserSettings } from "./config-schema.ts";
import type { StatusPart } from "./status-parts.ts";

/** The user's own settings, the same in every folder. */
export interface Config {
  model?: string;
  contextWindow?: number;
  servers: Record<string, ServerSettings>;
  /** The most that a turn may cost, in the currency of the prices. */
  maxCost?: number;
  /** True if all that is too long for the model's window is cut by itself. */
  compact: boolean;
  /** Milliseconds for a call whose tool says no time of its own. */
  toolTimeoutMs?: number;
  /** Tools by which the model ends a turn are offered in every turn. */
  endTools: boolean;
  /** By `SERVER:NAME`, in which a `*` stands for any text. */
  models: Record<string, ModelEntry>;
  /** The number of days for which file contents are worth keeping for undo; `agent sessions prune` drops older ones. */
  retentionDays: number;
  /** Variables that commands get beside the usual ones. */
  shellEnv: string[];
  /** Folders before the PATH of commands, which may lie in a workspace. */
  shellPath: string[];
  sandbox: SandboxChoice;
  /** True if all that a session wrote itself may run in the sandbox, apart from the workspace, without a question. */
  autoSandbox: boolean;
  /** The places that sandboxed commands may write beside the workspace; absolute, or beginning with `~/`. */
  sandboxWrite: string[];
  /** The places in homes that sandboxed commands may read beside those that tool chains need, but for the guarded ones; as above. */
  sandboxRead: string[];
  /** The service that web_search asks. */
  search?: SearchSettings;
  /** Folders that belong to the boundary in every workspace, as they are written. */
  addDirs: string[];
  /** The means by which the chat calls the person back to a window that has no focus. */
  notify: "off" | "bell" | "osc";
  /** Colours of the screen. */
  theme: ThemeChoice;
  /** Small pictures in the transcript of a chat, where the terminal can. */
  previews: "auto" | "off";
  /** The parts that the last row of a chat shows behind the mode, the most important first; undefined: all that has room. */
  statusLine?: readonly StatusPart[];
  /** Plan and changed files beside the live part of a chat, where the terminal is wide. */
  sideColumn: "auto" | "off";
  /** The model names the sessions of chats. */
  titles: boolean;
  /** Files of the person's own tools, as they are written. */
  tools: string[];
  /** The settings that these tools find in `ctx.config`, by name. */
  toolSettings: ToolSettings;
  /** Servers that bring tools, by name, as they are written. */
  mcpServers: Readonly<Record<string, JsonObject>>;
  /** The person's id for tools that ask for it. */
  uid?: string;
  /** The model is told how its tools have done so far. */
  promptStats: boolean;
  /** `use`: tools are offered in the order of how often they were called. */
  toolOrder: "given" | "use";
  /** Helpers of one call that work at once. */
  maxChildren?: number;
  /** Programs of the person's that look at calls and at last words; undefined where there are none. */
  hooks?: HookSettings;
}

/** The settings that hold for work in one folder: the user's settings and the few that a project may make. */
export interface WorkspaceConfig {
  lang?: "en" | "zh";
  maxSteps: number;
  instructions: string[];
  /** Those of them that the project names, with the hash of the text that the person trusted. */
  boundInstructions: Record<string, Sha | undefined>;
  /** All that settings name as instructions, trusted or not. */
  namedInstructions: string[];
  /** Patterns in the manner of .gitignore: ls, glob and grep leave out what they name. */
  ignore: string[];
  /** Characters of an observation that the model gets, false for all; 30,000 where nobody says. */
  maxObserve?: number | false;
  /** Commands that are to pass after a turn has changed such files: the user's, then the project's. */
  checks: Check[];
  /** The settings that the project's own tools find in `ctx.config`, by name: no other tool does. */
  projectToolSettings: ToolSettings;
  /** The settings that name agents and sets of tools: the user's, and the project's. */
  agentSettings: { user: AgentSettings; project: AgentSettings };
  /** The project's settings name hooks, of which none is ever run. */
  hasHooks: boolean;
  /** Of the project, each in words: it counts once the person trusts the workspace. */
  waiting: string[];
}

/** Steps a turn may take where nobody says otherwise. */
export const defaultMaxSteps = 50;

const defaultRetentionDays = 30;

/** @throws PolicyProblem naming file and line of each thing that is wrong. */
async function userSettings(file: string): Promise<UserSettings> {
  const text = await readPolicyFile(file);
  return text === undefined ? {} : parseSettings(text, file, (await schemas()).userConfig);
}

const schemas = () => import("./config-schema.ts");

function parseSettings<T extends ZodType>(text: string, file: string, schema: T): output<T> {
  const root = readByHand(text, file);
  const parsed = schema.safeParse(plainValue(root));
  if (parsed.success) return parsed.data;
  throw new PolicyProblem(parsed.error.issues.flatMap((issue) => problemsOf(issue, root, file)));
}

/** A key that nobody knows is named at its own line, all else where it stands. */
function problemsOf(issue: core.$ZodIssue, root: JsonNode, file: string): PolicyFileProblem[] {
  const at = (path: readonly PropertyKey[], message: string): PolicyFileProblem => {
    const name = path.length === 0 ? "" : `${JSON.stringify(path.map(String).join("."))}: `;
    return { file, line: lineAt(root, path), message: `${name}${message}` };
  };
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => at([...issue.path, key], cellWords().unknownKey));
  if (issue.code === "invalid_key") return issue.issues.map(({ message }) => at(issue.path, saidAgain(message)));
  return [at(issue.path, saidAgain(issue.message))];
}

/** The user's config.json. */
export async function loadConfig(file: string): Promise<Config> {
  const user = await userSettings(file);
  return {
    ...(user.model === undefined ? {} : { model: user.model }),
    ...(user.contextWindow === undefined ? {} : { contextWindow: user.contextWindow }),
    servers: serversOf(user),
    models: user.models ?? {},
    ...withoutUndefined({ maxCost: user.maxCost, toolTimeoutMs: user.toolTimeoutMs }),
    compact: user.compact ?? true,
    endTools: user.endTools ?? false,
    retentionDays: user.retentionDays ?? defaultRetentionDays,
    shellEnv: user.shellEnv ?? [],
    shellPath: user.shellPath ?? [],
    sandbox: user.sandbox ?? "auto",
    autoSandbox: user.autoSandbox ?? false,
    sandboxWrite: user.sandboxWrite ?? [],
    sandboxRead: user.sandboxRead ?? [],
    ...withoutUndefined({ search: searchOf(user.search) }),
    addDirs: user.addDirs ?? [],
    ...ofScreen(user),
    titles: user.titles ?? false,
    ...withoutUndefined({ uid: user.uid }),
    ...withoutUndefined({ maxChildren: user.maxChildren }),
    ...withoutUndefined({ hooks: hooksIn(user) }),
    ...ofTools(user),
  };
}

/** Each event's hooks in their order, with the matcher of their group. */
function hooksIn({ hooks = {} }: UserSettings): HookSettings | undefined {
  const events = Object.entries(hooks).flatMap(([event, groups = []]) => {
    const all = groups.flatMap(({ matcher, hooks: own }) =>
      own.map(({ command, timeout }) => ({ matcher, command, timeout })),
    );
    return all.length === 0 ? [] : [[event, all] as const];
  });
  return events.length === 0 ? undefined : Object.fromEntries(events);
}

const ofScreen = (user: UserSettings): Pick<Config, "notify" | "theme" | "previews" | "sideColumn" | "statusLine"> => ({
  notify: user.notify ?? "bell",
  theme: user.theme ?? "auto",
  previews: user.previews ?? "auto",
  sideColumn: user.sideColumn ?? "auto",
  ...(user.statusLine && { statusLine: user.statusLine }),
});

const ofTools = (
  user: UserSettings,
): Pick<Config, "tools" | "toolSettings" | "promptStats" | "toolOrder" | "mcpServers"> => ({
  tools: user.tools ?? [],
  mcpServers: (user.mcpServers ?? {}) as Record<string, JsonObject>,
  toolSettings: user.toolSettings ?? {},
  promptStats: user.promptStats ?? false,
  toolOrder: user.toolOrder ?? "given",
});

/** `baseUrl` is that of openai, unless `servers` says it there. */
function serversOf({ servers = {}, baseUrl }: UserSettings): Config["servers"] {
  const { openai, ...others } = servers;
  const at = openai?.baseUrl ?? baseUrl;
  return openai === undefined && at === undefined ? others : { ...others, openai: { ...openai, baseUrl: at } };
}

const searchOf = (found: UserSettings["search"]): SearchSettings | undefined =>
  found && { provider: found.provider, ...withoutUndefined({ url: found.url, keyEnv: found.keyEnv }) };

/** The file of a project's settings, relative to the workspace. */
const projectPath = ".holdfast/config.json";

/**
 * Loads the settings of the user's config.json and the project's `.holdfast/config.json` for work in this folder. A project may only lower
 * `maxSteps` and `maxObserve`; it names no model, endpoint, key or mode: such a key is an error. Before the person has trusted the
 * workspace with these very bytes nothing of it counts but its language.
 * @param trusted finds whether the person trusts the workspace now; asked only where the project has settings.
 */
export async function loadWorkspaceConfig(
  file: string,
  workspace: string,
  trusted: () => Promise<TrustState>,
): Promise<WorkspaceConfig> {
  const user = await userSettings(file);
  const { found, counts, state } = await projectSettings(workspace, trusted);
  const project: ProjectSettings = counts ? found : withoutUndefined({ lang: found.lang });
  return {
    ...withoutUndefined({ lang: project.lang ?? user.lang }),
    maxSteps: lowest(user.maxSteps ?? defaultMaxSteps, project.maxSteps) ?? defaultMaxSteps,
    instructions: [...(user.instructions ?? []), ...(project.instructions ?? [])],
    boundInstructions: boundOf(workspace, project.instructions, user.instructions, counts ? state : undefined),
    namedInstructions: [...(user.instructions ?? []), ...(found.instructions ?? [])],
    ignore: [...(user.ignore ?? []), ...(project.ignore ?? [])],
    ...withoutUndefined({ maxObserve: observeOf(user.maxObserve, project.maxObserve) }),
    checks: [...(user.checks ?? []), ...(project.checks ?? [])],
    projectToolSettings: project.toolSettings ?? {},
    agentSettings: { user: agentsOf(user), project: agentsOf(project) },
    hasHooks: found.hooks !== undefined,
    waiting: counts ? [] : waitingOf(found),
  };
}

async function projectSettings(workspace: string, trusted: () => Promise<TrustState>) {
  const text = await readProjectFile(workspace, projectPath);
  if (text === undefined) return { found: {}, counts: true };
  const found = parseSettings(text, join(workspace, projectPath), (await schemas()).projectConfig);
  if (waitingOf(found).length === 0) return { found, counts: true };
  const state = await trusted();
  return { found, counts: isTrusted(state, projectPath, text), state };
}

/** Binds the instructions that the project names to their bytes; a file that the person names themselves is read as it is. */
function boundOf(
  workspace: string,
  named: readonly string[] = [],
  own: readonly string[] = [],
  state: TrustState | undefined,
): WorkspaceConfig["boundInstructions"] {
  const root = repositoryRoot(workspace) ?? workspace;
  const shaOf = (name: string) => state?.files.find(({ path }) => path === relative(workspace, join(root, name)))?.sha;
  return Object.fromEntries(named.filter((name) => !own.includes(name)).map((name) => [name, shaOf(name)]));
}

/**
 * Lists all that the project's settings, with the bytes of this state, would bring once they are trusted, in words.
 * @throws PolicyProblem where they are malformed.
 */
export async function settingsWaitingIn({ files, workspace }: TrustState): Promise<string[]> {
  const text = files.find(({ path }) => path === projectPath)?.text;
  if (text === undefined) return [];
  return waitingOf(parseSettings(text, join(workspace, projectPath), (await schemas()).projectConfig));
}

/** A project cannot have the model read more than the user says, nor more than is usual. */
function observeOf(user: number | false | undefined, project: number | false | undefined): number | false | undefined {
  if (typeof project !== "number") return user;
  return user === false ? project : lowest(user ?? limits.observation.most, project);
}

function lowest(...limits: (number | undefined)[]): number | undefined {
  const given = limits.filter((limit) => limit !== undefined);
  return given.length === 0 ? undefined : Math.min(...given);
}

function withoutUndefined<K extends string, V>(fields: Record<K, V | undefined>): Partial<Record<K, V>> {
  const given = Object.entries<V | undefined>(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Partial<Record<K, V>>;
}

type AgentSettings = Pick<ProjectSettings, "agents" | "toolkits">;

const agentsOf = ({ agents, toolkits }: AgentSettings): AgentSettings => ({
  ...(agents === undefined ? {} : { agents }),
  ...(toolkits === undefined ? {} : { toolkits }),
});

type Check = NonNullable<UserSettings["checks"]>[number];

/**
 * Lists the parts of a project's settings that wait for trust, as a person is told of them. Those that this version does not use in any
 * case are told as that.
 */
function waitingOf({ instructions, ignore, checks = [], ...more }: ProjectSettings): string[] {
  const { maxSteps, maxObserve, toolSettings = {}, agents = {}, toolkits = {} } = more;
  const listed = (name: string, values: readonly string[] | undefined) => {
    if (values === undefined || values.length === 0) return [];
    const named = values.slice(0, mostTold).map((value) => JSON.stringify(value.slice(0, 80)));
    return [
      `${name}: ${named.join(", ")}${values.length > mostTold ? ` ${cellWords().more({ count: values.length - mostTold })}` : ""}`,
    ];
  };
  const plain = Object.entries({ maxSteps, maxObserve }).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${value}`],
  );
  const commands = checks.map(({ command }) => command);
  return [
    ...listed("instructions", instructions),
    ...listed("ignore", ignore),
    ...listed("checks", commands),
    ...listed("toolSettings", Object.keys(toolSettings)),
    ...listed("agents", Object.keys(agents)),
    ...listed("toolkits", Object.keys(toolkits)),
    ...plain,
  ];
}

const mostTold = 3;
