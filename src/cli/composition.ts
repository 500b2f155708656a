import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type JsonObject, sha256 } from "../core/json.ts";
import type { KnownSecrets } from "../core/secrets/known-secrets.ts";
import type { Tool } from "../core/tool.ts";
import { byUse, type ToolStats } from "../core/tool-stats.ts";
import { isInside } from "../files/boundary.ts";
import type { Prompt } from "../graph/talk/prompt/make-prompt.ts";
import type { allModels } from "../model/all-models.ts";
import type { Model, ScriptedAnswer } from "../model/port.ts";
import { parseModelSpec } from "../model/spec.ts";
import type { TrustState } from "../policy/files/trust.ts";
import type { GrantBook, Mode, Policy } from "../policy/types.ts";
import type { AgentParts } from "../session/agent-parts.ts";
import type { Store } from "../store/types.ts";
import type { NamedBrowser } from "../tools/mcp/browser/look-at-page.ts";
import type { McpServer } from "../tools/mcp/server.ts";
import type { ShellSettings } from "../tools/shell/running/surroundings.ts";
import { cells as cellWords } from "../words/en/cells.ts";
import { notices } from "../words/en/notices.ts";
import { otherWords } from "../words/room.ts";
import { logDefect } from "./defects.ts";
import type { Flags } from "./flags.ts";
import { hooksFor } from "./hooks-for.ts";
import { atTerminal, type Io } from "./io.ts";
import { lazily } from "./lazily.ts";
import { checkServer, modelList, modelOpener } from "./model-opener.ts";
import { defaultModel, namedModel } from "./named-model.ts";
import type { OpenedTools, ToolUse } from "./open-tools.ts";
import { openTree } from "./open-tree.ts";
import { CliProblem } from "./problem.ts";
import { promptMaker } from "./prompt-maker.ts";
import { openSecrets } from "./secrets/open-secrets.ts";
import { SessionServers } from "./session-servers.ts";
import { unusedKeysNotices } from "./settings/agents.ts";
import { trustStates, workspaceConfigs } from "./settings/by-workspace.ts";
import { type Config, loadConfig, type WorkspaceConfig } from "./settings/config.ts";
import { checkHome } from "./settings/home.ts";
import { hookFiles } from "./settings/hook-files.ts";
import { realOrAsIs } from "./settings/own-places.ts";
import { type Places, personsFolder, placesOf } from "./settings/places.ts";
import { policyLoader } from "./settings/policy-loader.ts";
import { leftOutNotices } from "./settings/skills.ts";
import { startFolder, workspaceOf } from "./start-folder.ts";
import { type LabelBook, labelBook } from "./tool-labels.ts";
import type { Language } from "./ui/view/labels.ts";

/** The parts of the program, wired here and nowhere else; each is made and loaded at its first use. */
export interface Composition {
  readonly io: Io;
  readonly flags: Flags;
  readonly places: Places;
  readonly config: Config;
  /** Absolute, symlinks resolved. */
  readonly workspace: string;
  /** Mode of this run; never stored. */
  readonly mode: Mode;
  readonly model: string;
  /** `isThere`: true if one reads all that happens on a screen, and can be asked while calls run. */
  readonly person: { isThere: boolean };
  store(): Promise<Store>;
  /** The same to look into alone: also where it cannot be written to. */
  reading(): Promise<Store>;
  /** Tells whether anything has opened it. */
  hasStore(): boolean;
  /** Returns the parts with which sessions are driven: the door of `services/` opens them, LangGraph's own server drives the graph itself. */
  agentParts(): Promise<AgentParts>;
  openModel(spec: string): Promise<Model>;
  /** The models that can be named, of the settings and of the servers, which are asked. @param inUse a spec; by default this run's */
  models(inUse?: string): ReturnType<typeof allModels>;
  /** Returns the person's next answer by the script of this model, if it is a scripted one that was opened. */
  answerFor(model: string, toolName: string, callId: string): ScriptedAnswer | undefined;
  /**
   * Folders that the person added to the boundary of work in this workspace, real; one that lies in it adds nothing.
   * @throws CliProblem where one of them cannot be taken.
   */
  addDirs(workspace: string): Promise<readonly string[]>;
  /** Settings for work in this folder. @throws CliProblem where its files are malformed. */
  local(workspace: string): Promise<WorkspaceConfig>;
  /** Opened for one use, and to be closed by it. @throws CliProblem where two tools of the settings have one name. */
  tools(workspace: string, use?: ToolUse): Promise<OpenedTools>;
  /** Settings of tools that have no effect in this folder, each in words. */
  unusedSettings(workspace: string): Promise<readonly string[]>;
  /** @param tools what is offered: how these have done is told where the settings say so. */
  prompt(workspace: string, tools?: readonly Pick<Tool, "name">[], added?: readonly string[]): Promise<Prompt>;
  /** The language that the person reads. */
  lang: Language;
  /** Returns the names that people read in the place of those of its tools, as far as those were opened for a session. */
  labels: LabelBook["of"];
  policy(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  /** Of the person, as they are now; undefined where none is set. @throws CliProblem as `openSecrets` */
  secrets(): Promise<KnownSecrets | undefined>;
  /** The browsers of a session that this process drives, and of its helpers, as far as they are open. */
  browsersOf(session: string): NamedBrowser[];
  /** The server of this name of a session that this process drives, as long as it is open. */
  serverOf(session: string, name: string): McpServer | undefined;
  grants(): Promise<GrantBook>;
  /** Tells whether the person trusts the files that the project brings, and their bytes then. */
  trusted(workspace: string): Promise<TrustState>;
  /** The person trusted what the project brings: settings and rules of this workspace are read anew. */
  readAnew(workspace: string): void;
  version(): string;
  /** The process was asked to end: nothing waits for long any more. */
  leave(): void;
  close(): void;
}

type Parts = Pick<
  Composition,
  | "store"
  | "reading"
  | "hasStore"
  | "openModel"
  | "models"
  | "answerFor"
  | "addDirs"
  | "local"
  | "tools"
  | "prompt"
  | "policy"
  | "secrets"
  | "browsersOf"
  | "serverOf"
  | "grants"
  | "unusedSettings"
  | "trusted"
  | "readAnew"
  | "leave"
  | "close"
>;

export async function compose(io: Io, flags: Flags): Promise<Composition> {
  const places = placesOf(io.env);
  checkHome(places, Boolean(io.env["AGENT_HOME"]), personsFolder(io.env));
  if (flags.allow.length > 0) await checkAllow(flags.allow);
  const workspace = await workspaceOf(io, flags);
  const config = await loadConfig(places.config);
  const asked = flags.model === undefined ? undefined : parseModelSpec(flags.model);
  if (asked?.kind === "server") checkServer(asked.server, io, config, "usage");
  const base = {
    io,
    flags,
    places,
    config,
    workspace,
    mode: flags.mode ?? "ask",
    model: namedModel(io, flags, config) ?? defaultModel,
    person: { isThere: false },
  };
  const parts = makeParts(base);
  const lang = flags.lang ?? (otherWords() === undefined ? "en" : "zh");
  const labels = labelBook(lang);
  const agentParts = () => makeAgentParts(base, parts, labels);
  return { ...base, ...parts, version: readVersion, lang, labels: labels.of, agentParts };
}

/** A rule that was typed is usage; rules in files are configuration. */
async function checkAllow(rules: readonly string[]): Promise<void> {
  const { parseAllowFlags } = await import("../policy/files/rules.ts");
  const parsed = await parseAllowFlags(rules);
  if ("rules" in parsed) return;
  throw new CliProblem("usage", parsed.problems.map(({ message }) => `--allow: ${message}`).join("\n"));
}

type Base = Pick<Composition, "io" | "flags" | "places" | "config" | "workspace" | "mode" | "model" | "person">;

/** Makes the parts of which commands and the agent both consist. */
function makeParts({ io, flags, places, config, workspace: startedIn }: Base): Parts {
  const leaving = new AbortController();
  let opened: Store | undefined;
  const models = new Map<string, Model>();
  const makeModel = modelOpener(io, flags, config);
  const grants = lazily(async () => (await import("../policy/files/grant-book.ts")).openGrantBook(places.grants));
  const trust = trustStates(places);
  const { trusted } = trust;
  const { local, forget } = workspaceConfigs(places, trusted);
  const home = io.env["HOME"] || undefined;
  const addDirs = addDirsOf({ io, flags, places, config, home });
  const { policy, reload } = policyLoader({
    places,
    flags,
    grants,
    home,
    addDirs,
    installFolder,
    autoSandbox: config.autoSandbox,
    tools: [...config.tools, ...hookFiles(config.hooks, home)],
    trusted,
    local,
  });
  const shell = (at: string) => shellSettings({ io, flags, places, config }, at);
  const secrets = openSecrets({ io, places, workspace: startedIn }, flags.unmaskedSecrets);
  const servers = new SessionServers();
  const found = { local, addDirs, shell, trusted, policy, secrets, servers };
  const needs = { io, flags, places, config, version: readVersion, ...found };
  const store = lazily(async () => {
    const at = { file: places.database, leaving: leaving.signal };
    opened = await (await import("../store/open-store.ts")).openStore(at);
    return opened;
  });
  return {
    store,
    reading: lazily(async () => {
      opened = await (await import("../store/open-store.ts")).orToRead(places.database, store);
      return opened;
    }),
    hasStore: () => opened !== undefined,
    openModel: async (spec) => {
      const model = await makeModel(spec);
      models.set(spec, model);
      return model;
    },
    models: (inUse) => modelList({ io, config }, inUse ?? namedModel(io, flags, config)),
    answerFor: (model, toolName, callId) => models.get(model)?.answerFor?.(toolName, callId),
    tools: async (workspace, use) => (await import("./open-tools.ts")).openTools(needs, workspace, use),
    unusedSettings: async (workspace) => (await import("./open-tools.ts")).settingsUnused(needs, workspace),
    addDirs,
    local,
    prompt: promptMaker({ places, flags, config, local, policy, addDirs, secrets, stats: () => statsIn(store) }),
    policy,
    secrets,
    browsersOf: servers.browsersOf,
    serverOf: servers.of,
    grants,
    trusted,
    readAnew: (workspace) => {
      trust.forget(workspace);
      forget(workspace);
      reload();
    },
    leave: () => leaving.abort(),
    close: () => opened?.close(),
  };
}

/** Returns the settings of commands in this folder; each folder has caches of its own, so that no project fills those of another. */
export function shellSettings(
  { io, flags, places, config }: Pick<Composition, "io" | "flags" | "places" | "config">,
  workspace: string,
): ShellSettings {
  const { shellEnv, shellPath, sandboxWrite, sandboxRead } = config;
  const home = io.env["HOME"] ?? "/";
  const inHome = (path: string): string => (path.startsWith("~/") ? join(home, path.slice(2)) : path);
  return {
    env: io.env,
    shellEnv,
    shellPath,
    scratch: join(places.shell, sha256(workspace).slice(0, 16)),
    secrets: true,
    sandbox: flags.sandbox ?? config.sandbox,
    sandboxWrite: sandboxWrite.map(inHome),
    sandboxRead: sandboxRead.map(inHome),
    hidden: [places.configDir, places.dataDir],
  };
}

async function makeAgentParts(
  { io, places, flags, config, person }: Base,
  parts: Parts,
  labels: LabelBook,
): Promise<AgentParts> {
  const grants = await parts.grants();
  return {
    openStore: parts.store,
    openTools: async (session) => {
      const opened = await parts.tools(session.workspace, { session: session.id, pins: session.pins });
      const { tools, leftOut, unused, agents, skills, serversOff, page, close } = opened;
      // Only the screen shows them.
      if (atTerminal(io)) await labels.note(session.workspace, opened);
      return {
        tools: config.toolOrder === "use" ? byUse(tools, await statsIn(parts.store)) : tools,
        services: {},
        ...(page === undefined ? {} : { page }),
        ...(await openTree(places, session, await parts.addDirs(session.workspace))),
        notices: [
          ...(await leftOutTools(leftOut)),
          ...unused.map((text) => ({ code: "tool_settings_unused", text })),
          ...agents.leftOut
            .filter(({ untold }) => untold !== true)
            .map(({ name, why }) => ({ code: "agent_left_out", text: notices().agentLeftOut({ name, why }) })),
          ...unusedKeysNotices(agents),
          ...leftOutNotices(skills.leftOut),
          ...serversOff.map(({ name, why }) => ({ code: "mcp_off", text: cellWords().serverOffNotice({ name, why }) })),
        ],
        close,
      };
    },
    openModel: parts.openModel,
    loadPolicy: parts.policy,
    grants: { book: grants, file: places.grants },
    systemPrompt: ({ workspace, tools, addDirs }) => parts.prompt(workspace, tools, addDirs),
    addDirs: parts.addDirs,
    secrets: parts.secrets,
    fillsForms: () => person.isThere,
    clock: Date.now,
    reportDefect: (error) => void logDefect(places.logs, error),
    uid: config.uid,
    maxCost: flags.maxCost ?? config.maxCost,
    limitNames: {
      ...(flags.maxSteps === undefined ? {} : { maxSteps: "--max-steps" }),
      ...(flags.maxCost === undefined ? {} : { maxCost: "--max-cost" }),
    },
    compact: config.compact,
    toolTimeoutMs: config.toolTimeoutMs,
    endTools: config.endTools,
    ...(await askedOutput(flags, io)),
    maxSteps: async (at) => flags.maxSteps ?? (await parts.local(at)).maxSteps,
    maxObserve: async (at) => (await parts.local(at)).maxObserve,
    hooks: (at) =>
      hooksFor(config.hooks, shellSettings({ io, flags, places, config }, at), async () => [
        at,
        ...(await parts.addDirs(at)),
      ]),
    folderIgnore: async (at) => (await parts.local(at)).ignore,
    checks: async (at) => (await parts.local(at)).checks,
    titles: config.titles && atTerminal(io) && flags.json !== true,
    ...(flags.toolChoice === undefined ? {} : { toolChoice: flags.toolChoice }),
  };
}

const statsIn = async (store: () => Promise<Store>): Promise<ToolStats[]> =>
  (await import("../records/statistics.ts")).statsOf(await store());

/** The form in which the answers of this run are asked for. */
async function askedOutput({ outputSchema }: Flags, io: Io): Promise<{ outputSchema?: JsonObject }> {
  if (outputSchema === undefined) return {};
  const { readOutputSchema } = await import("./settings/output-schema.ts");
  return { outputSchema: await readOutputSchema(outputSchema, startFolder(io)) };
}

/** Makes a notice of each tool that was left out. Those that wait for trust are told by another notice, in one line with all else that does. */
async function leftOutTools(leftOut: OpenedTools["leftOut"]) {
  if (leftOut.length === 0) return [];
  const { leftOutText } = await import("../tools/own/join-tools.ts");
  return leftOut.map((one) => ({ code: "tool_left_out", text: leftOutText(one) }));
}

/** From package.json, which lies two folders above, of the source as of what is built from it. */
function readVersion(): string {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  return version;
}

/** Looked at once a process. */
function addDirsOf({
  io,
  flags,
  places,
  config,
  home,
}: Pick<Base, "io" | "flags" | "places" | "config"> & { home: string | undefined }) {
  const found = lazily(async () => {
    const named = { flags: flags.addDir ?? [], config: config.addDirs };
    if (named.flags.length + named.config.length === 0) return [];
    const { addedFolders } = await import("./settings/add-dirs.ts");
    const own = [places.configDir, places.dataDir].map(realOrAsIs);
    return addedFolders({ ...named, configFile: places.config, cwd: io.cwd(), home, own });
  });
  return async (workspace: string) => (await found()).filter((folder) => !isInside(workspace, folder));
}

/** The folder of this program, of the source as of what is built from it: two folders above. */
const installFolder = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..");
