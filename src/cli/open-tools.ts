import { join } from "node:path";
import type { AgentDefinition } from "../core/agent-definition.ts";
import { reservedNames } from "../core/reserved-names.ts";
import type { KnownSecrets } from "../core/secrets/known-secrets.ts";
import type { Skill } from "../core/skill.ts";
import type { PinnedRoots, Tool } from "../core/tool.ts";
import { isInside } from "../files/boundary.ts";
import type { TrustState } from "../policy/files/trust.ts";
import type { Mode, Policy } from "../policy/types.ts";
import type { LeftOut, OwnTools, ToolOrigin } from "../tools/own/open-own-tools.ts";
import type { ShellSettings } from "../tools/shell/running/surroundings.ts";
import { told } from "../words/contract/told.ts";
import { setup } from "../words/en/setup.ts";
import type { Flags } from "./flags.ts";
import { hasServers } from "./has-servers.ts";
import type { Io } from "./io.ts";
import type { OpenedServers, ServerPlace } from "./mcp/open-servers.ts";
import { CliProblem } from "./problem.ts";
import type { SessionServers } from "./session-servers.ts";
import { type FoundAgents, findAgents } from "./settings/agents.ts";
import type { Config, WorkspaceConfig } from "./settings/config.ts";
import type { Places } from "./settings/places.ts";
import { type FoundSkills, findSkills } from "./settings/skills.ts";
import { type FoundToolFiles, findToolFiles, projectToolFiles, projectToolFolder } from "./settings/tool-files.ts";
import { hasSettings, type SettingsByOrigin, type SettledTools, unusedSettings } from "./unused-settings.ts";

/** The tools for work in one folder, opened for one use: they are ended with it. */
export interface OpenedTools {
  tools: Tool[];
  sourceOf(tool: Tool): string;
  leftOut: readonly LeftOut[];
  /** Settings of tools that have no effect, each in words. */
  unused: readonly string[];
  /** Those that helpers may be, and those that are left out. */
  agents: FoundAgents;
  /** Those that the model can read, and those that are left out. */
  skills: FoundSkills;
  /** Names that no other tool may be taken for, beside those of `tools`. */
  taken: readonly string[];
  /** Servers that are off, and why. */
  serversOff: OpenedServers["off"];
  /** The URL of the page that a browser among them shows; without it none is one. */
  page?: () => string | undefined;
  close(): Promise<void>;
}

interface ToolNeeds {
  io: Io;
  flags: Flags;
  places: Places;
  config: Config;
  local(workspace: string): Promise<WorkspaceConfig>;
  addDirs(workspace: string): Promise<readonly string[]>;
  shell(workspace: string): ShellSettings;
  trusted(workspace: string): Promise<TrustState>;
  policy(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  servers: SessionServers;
  secrets(): Promise<KnownSecrets | undefined>;
  version(): string;
}

/** For which session tools are opened; for a look at them there is none. */
export interface ToolUse {
  session?: string | undefined;
  pins?: PinnedRoots | undefined;
}

/** @throws CliProblem of the configuration where two tools of the settings have one name. */
export async function openTools(needs: ToolNeeds, workspace: string, use: ToolUse = {}): Promise<OpenedTools> {
  const { pins, session } = use;
  const opened = await openLocal(needs, workspace, pins);
  if (!hasServers(needs, workspace)) return { ...opened, serversOff: [] };
  try {
    const { openServers } = await import("./mcp/open-servers.ts");
    const masked = session === undefined ? undefined : (await needs.secrets())?.masking.text;
    const taken = new Set([...opened.tools.map(({ name }) => name), ...opened.taken]);
    const servers = await openServers({ ...(await serverPlace(needs, workspace, session)), pins, masked }, taken);
    const forget = needs.servers.add(session, servers.servers);
    return {
      ...opened,
      tools: [...opened.tools, ...servers.tools],
      sourceOf: (tool) => servers.sourceOf(tool) ?? opened.sourceOf(tool),
      serversOff: servers.off,
      ...(servers.page === undefined ? {} : { page: servers.page }),
      close: async () => {
        forget();
        await Promise.all([servers.close(), opened.close()]);
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Settings of tools that have no effect here, each in words. Servers take none, and are not started for it. */
export async function settingsUnused(needs: ToolNeeds, workspace: string): Promise<readonly string[]> {
  const { projectToolSettings } = await needs.local(workspace);
  if (!hasSettings({ user: needs.config.toolSettings, project: projectToolSettings })) return [];
  const { unused, close } = await openLocal(needs, workspace);
  await close();
  return unused;
}

/** Returns the means by which servers are looked for, and started. */
export async function serverPlace(
  needs: Pick<ToolNeeds, "io" | "config" | "places" | "addDirs" | "shell" | "trusted" | "policy" | "version">,
  workspace: string,
  session = "",
): Promise<ServerPlace> {
  const { env, closed } = await processSpec(needs, workspace);
  return {
    named: needs.config.mcpServers,
    env: needs.io.env,
    workspace,
    roots: closed,
    path: env["PATH"],
    ownFolder: join(needs.places.shell, "servers"),
    trustFile: needs.places.servers,
    trusted: () => needs.trusted(workspace),
    serverEnv: env,
    logs: needs.places.logs,
    secrets: needs.places.secrets,
    version: needs.version(),
    traffic: async (host, tool) => {
      const { trafficVerdict } = await import("../policy/traffic.ts");
      return trafficVerdict(host, { tool, workspace }, await needs.policy({ session, workspace, mode: "ask" }));
    },
  };
}

type LocalTools = Omit<OpenedTools, "serversOff" | "page">;

/** The agent's own, and those of files. */
async function openLocal(needs: ToolNeeds, workspace: string, pins?: PinnedRoots): Promise<LocalTools> {
  const { config, places, io } = needs;
  const { agentSettings, projectToolSettings } = await needs.local(workspace);
  const trusted = () => needs.trusted(workspace);
  const agents = await findAgents({ ...agentSettings, configDir: places.configDir, workspace, trusted });
  const skills = await findSkills({
    ...{ configDir: places.configDir, home: io.env["HOME"] || undefined },
    ...{ workspace, trusted },
  });
  const { builtIn, taken } = await builtInTools(needs, workspace, { agents: agents.agents, skills: skills.skills });
  const settings = { user: config.toolSettings, project: projectToolSettings };
  const unusedOf = async (at: SettledTools) => (hasSettings(settings) ? await unusedSettings(settings, at) : []);
  const isPlain = config.tools.length === 0 && (await projectToolFiles(workspace)).length === 0;
  if (isPlain) {
    const plain = { tools: builtIn, sourceOf: () => "builtin" as const, taken, agents, skills };
    return { ...plain, unused: await unusedOf(plain), leftOut: [], close: async () => undefined };
  }
  const named = { named: config.tools, configDir: places.configDir, home: io.env["HOME"] || undefined };
  const found = await findToolFiles(named, workspace, trusted);
  const [{ openOwnTools }, { joinTools, TwoTools }] = await Promise.all([
    import("../tools/own/open-own-tools.ts"),
    import("../tools/own/join-tools.ts"),
  ]);
  const own = await openByOrigin(needs, workspace, { found, settings, openOwnTools, pins });
  try {
    const { tools, leftOut, sourceOf } = joinTools(builtIn, own.tools, taken);
    const all = [...found.leftOut, ...own.leftOut, ...leftOut];
    return {
      tools,
      sourceOf,
      leftOut: all,
      agents,
      skills,
      unused: await unusedOf({ tools, sourceOf, taken }),
      taken,
      close: own.close,
    };
  } catch (error) {
    await own.close();
    if (error instanceof TwoTools)
      throw new CliProblem("configuration", error.message, {
        hint: setup().renameHint({ config: places.config }),
        cause: error,
      });
    throw error;
  }
}

interface ToOpen {
  found: FoundToolFiles;
  settings: SettingsByOrigin;
  openOwnTools: typeof import("../tools/own/open-own-tools.ts").openOwnTools;
  pins: PinnedRoots | undefined;
}

/** The person's own tools and the project's share neither a process nor settings: neither answers for the other. */
async function openByOrigin(
  needs: ToolNeeds,
  workspace: string,
  { found, settings, openOwnTools, pins }: ToOpen,
): Promise<OwnTools> {
  const spec = await processSpec(needs, workspace);
  const isProjects = (path: string): boolean => isInside(join(workspace, projectToolFolder), path);
  const named = new Set(found.files.filter(({ origin }) => origin === "user").map(({ path }) => path));
  const isOf = (path: string, origin: ToolOrigin): boolean =>
    origin === "project" ? isProjects(path) : !isProjects(path) || named.has(path);
  const filesOf = (origin: ToolOrigin) => found.files.filter((file) => file.origin === origin);
  const bytesOf = (origin: ToolOrigin) => ({
    files: Object.fromEntries(Object.entries(found.bytes).filter(([path]) => isOf(path, origin))),
    open: origin === "user" ? found.open : [],
    closed: spec.closed,
  });
  const refuses = async () =>
    (await needs.trusted(workspace)).state === "untrusted" ? told.trustTakenBack : undefined;
  const open = (origin: ToolOrigin) =>
    openOwnTools(
      filesOf(origin),
      { ...spec, bytes: bytesOf(origin), settings: settings[origin], pins },
      origin === "project" ? refuses : undefined,
    );
  const [users, projects] = await Promise.all([open("user"), open("project")]);
  return {
    tools: [...users.tools, ...projects.tools],
    leftOut: [...users.leftOut, ...projects.leftOut],
    close: async () => void (await Promise.all([users.close(), projects.close()])),
  };
}

/** The agent's own; `taken`: names of those that cannot work here. */
async function builtInTools(
  { io, places, config, local, shell: settings }: ToolNeeds,
  workspace: string,
  { agents, skills }: { agents: readonly AgentDefinition[]; skills: readonly Skill[] },
) {
  const [
    { searchObstacle, ripgrepHint },
    { createDefaultTools },
    { createArtifactTools },
    { createAgentTool },
    { createEvaluateTool },
    { findSandbox },
    { endToolsBeside },
  ] = await Promise.all([
    import("../tools/search/ripgrep-program.ts"),
    import("../tools/create-default-tools.ts"),
    import("../tools/artifacts/artifact-tools.ts"),
    import("../tools/agents/agent-tool.ts"),
    import("../tools/agents/evaluate-tool.ts"),
    import("../tools/shell/running/sandbox.ts"),
    import("../tools/ending/end-tools.ts"),
  ]);
  const obstacle = await searchObstacle();
  if (obstacle !== undefined) throw new CliProblem("configuration", obstacle, { hint: ripgrepHint });
  const shell = settings(workspace);
  const defaults = createDefaultTools({
    workspace,
    memoryFile: places.memories,
    ignore: async (at) => (await local(at)).ignore,
    shell,
    web: { env: io.env, ...(config.search === undefined ? {} : { search: config.search }) },
  });
  const ending = endToolsBeside(defaults);
  const canSearch = defaults.some(({ name }) => name === "web_search");
  const tools = [
    ...defaults,
    ...createArtifactTools(),
    createAgentTool({
      ...{ agents, canSearch },
      ...(config.maxChildren === undefined ? {} : { maxChildren: config.maxChildren }),
    }),
    createEvaluateTool({ canSearch }),
    ...(skills.length === 0 ? [] : [await skillTool(skills)]),
    ...(config.endTools ? ending : []),
  ];
  const hasShell = shell.sandbox !== "required" || (await findSandbox()).works;
  return {
    builtIn: hasShell ? tools : tools.filter(({ name }) => !shellTools.has(name)),
    taken: [...tools, ...ending].map(({ name }) => name).concat(...reservedNames),
  };
}

async function skillTool(skills: readonly Skill[]): Promise<Tool> {
  const [{ createSkillTool }, { guardedReason }, { otherWriterIn }, { reasonText }] = await Promise.all([
    import("../tools/skills/skill-tool.ts"),
    import("../policy/protected.ts"),
    import("./settings/others-write.ts"),
    import("../words/contract/policy-reasons.ts"),
  ]);
  const closed = (real: string, folder: string): string | undefined => {
    const guarded = guardedReason(real, folder, "read");
    return guarded === undefined ? otherWriterIn(folder, real) : reasonText(guarded);
  };
  return createSkillTool({ skills, closed });
}

const shellTools = new Set(["shell", "shell_output", "shell_stop"]);

/** Returns the surroundings of a process of tools: those that commands get. */
async function processSpec(
  { addDirs, shell, config: { uid } }: Pick<ToolNeeds, "addDirs" | "shell" | "config">,
  workspace: string,
) {
  const [{ surroundingsOf }, { makeFolder }] = await Promise.all([
    import("../tools/shell/running/surroundings.ts"),
    import("../files/make-folder.ts"),
  ]);
  const roots = [workspace, ...(await addDirs(workspace))];
  const { env } = surroundingsOf(shell(workspace), roots, { network: true, sandbox: false });
  for (const name of ["TMPDIR", "XDG_CACHE_HOME"]) if (env[name] !== undefined) makeFolder(env[name]);
  return { workspace, env, uid, closed: roots };
}
