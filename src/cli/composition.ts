import { realpath, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { platform, release } from "node:os";
import { dirname, resolve } from "node:path";
import type { Agent, AgentParts } from "../graph/agent.ts";
import type { History } from "../graph/history.ts";
import type { Mode } from "../graph/choices.ts";
import type { Model, ScriptedAnswer } from "../model/port.ts";
import type { PolicyRow } from "../policy/check.ts";
import type { CallFacts, GrantBook, Policy, PolicyCheckLine } from "../policy/types.ts";
import type { TrustState } from "../policy/trust.ts";
import type { SessionRow, Store } from "../store/types.ts";
import type { JsonObject } from "../tools/contract/json.ts";
import type { Tool } from "../tools/contract/tool.ts";
import type { Flags } from "./flags.ts";
import type { Io } from "./io.ts";
import { atTerminal } from "./io.ts";
import { CliProblem } from "./problem.ts";
import { type Config, loadConfig } from "./settings/config.ts";
import { type Places, placesOf } from "./settings/places.ts";

/** The one place that sees all parts and wires them; heavy modules are loaded at their first use. */
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
  store(): Promise<Store>;
  agent(): Promise<Agent>;
  openModel(spec: string): Promise<Model>;
  /** What the script of the model in use says the person answers next, if it is a scripted one. */
  answerFor(toolName: string): ScriptedAnswer | undefined;
  tools(workspace: string): Promise<Tool[]>;
  prompt(workspace: string): Promise<string>;
  policy(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  check(tool: Tool, args: unknown, policy: Policy): Promise<PolicyCheckLine>;
  /** Rules and grants as `agent policy list` shows them. */
  policyRows(): Promise<PolicyRow[]>;
  grants(): Promise<GrantBook>;
  describeTools(): Promise<ToolRow[]>;
  /** Which program grep uses. @throws when it cannot be found. */
  searchProgram(): Promise<string>;
  version(): string;
  /** Files and folders that complete what was typed behind `@`, relative to the workspace, best first. */
  completeFile(workspace: string, prefix: string): Promise<string[]>;
  /** All that a session changed, as one text of unified diffs. */
  sessionDiff(id: string): Promise<string>;
  /** What the embedded tour consists of. */
  demo(): Promise<DemoParts>;
  history(journal: Parameters<typeof import("../graph/history.ts").historyOf>[0]): Promise<History>;
  trust(): Promise<TrustState>;
  confirmTrust(digest: string): Promise<TrustState>;
  /** @throws CliProblem: unknown or ambiguous. */
  findSession(idOrPrefix: string): Promise<SessionRow>;
  close(): void;
}

/** One line of `agent tools`. */
export interface ToolRow {
  name: string;
  source: string;
  risk: string;
  effect: string;
  description: string;
  schema: JsonObject;
  endsTurn: boolean;
  /** What its schema costs in each request, about. */
  tokens: number;
}

export type { ScriptedAnswer };

export interface DemoParts {
  files: Record<string, string>;
  prompt: string;
  notice: string;
}

/** The workspace that `-C` names, or the folder the command was started in. */
async function workspaceOf(io: Io, flags: Flags): Promise<string> {
  const asked = resolve(io.cwd(), flags.cwd ?? ".");
  const real = await realpath(asked).catch((cause: unknown) => {
    throw new CliProblem("usage", `there is no folder ${asked}`, { cause });
  });
  if (!(await stat(real)).isDirectory()) throw new CliProblem("usage", `${asked} is not a folder`);
  return real;
}

const defaultModel = "openai:gpt-5";

function modelOf(io: Io, flags: Flags, config: Config): string {
  const named = flags.model ?? (io.env["AGENT_MODEL"] || undefined) ?? config.model;
  if (named !== undefined) return named;
  const openai = io.env["OPENAI_MODEL"];
  return openai ? `openai:${openai}` : defaultModel;
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

export async function compose(io: Io, flags: Flags): Promise<Composition> {
  const places = placesOf(io.env);
  const workspace = await workspaceOf(io, flags);
  const config = await loadConfig(places.config, workspace);
  let opened: Store | undefined;
  const store = once(async (): Promise<Store> => {
    const { openStore } = await import("../store/open-store.ts");
    const made = await openStore({ file: places.database });
    opened = made;
    return made;
  });
  const grants = once(async () => (await import("../policy/grant-book.ts")).openGrantBook(places.grants));
  const policy = policyLoader(places, flags, grants);
  const makeModel = modelOpener(io, config);
  let model: Model | undefined;
  const openModel = async (spec: string): Promise<Model> => {
    model = await makeModel(spec);
    return model;
  };
  const tools = async (at: string): Promise<Tool[]> => {
    const { createDefaultTools } = await import("../tools/create-default-tools.ts");
    return createDefaultTools({ workspace: at, memoryFile: places.memories });
  };
  const prompt = promptMaker(places, flags, config);
  const mode = flags.mode ?? "ask";
  const composition: Composition = {
    io,
    flags,
    places,
    config,
    workspace,
    mode,
    model: modelOf(io, flags, config),
    store,
    openModel,
    answerFor: (toolName) => model?.answerFor?.(toolName),
    tools,
    prompt,
    policy,
    grants,
    agent: once(async () => {
      const [{ createAgent }, made, book] = await Promise.all([import("../graph/agent.ts"), tools(workspace), grants()]);
      const parts: AgentParts = {
        openStore: store,
        tools: () => made,
        openModel,
        loadPolicy: policy,
        grants: book,
        grantFile: places.grants,
        systemPrompt: (at) => prompt(at.workspace),
        clock: Date.now,
        maxSteps: flags.maxSteps ?? config.maxSteps,
        ...(flags.toolChoice === undefined ? {} : { toolChoice: flags.toolChoice }),
      };
      return createAgent(parts);
    }),
    policyRows: async () => {
      const { listRules } = await import("../policy/check.ts");
      return listRules(await policy({ session: flags.session ?? "", workspace, mode }));
    },
    describeTools: async () => describe(await tools(workspace), workspace),
    searchProgram: async () => (await import("@vscode/ripgrep")).rgPath,
    version: readVersion,
    completeFile,
    sessionDiff: async (id) => {
      const [{ diffOf }, at] = await Promise.all([import("../graph/history.ts"), store()]);
      return at.sessions.get(id) === undefined ? "" : diffOf(at.readJournal(id));
    },
    demo: openDemoParts,
    history: async (journal) => (await import("../graph/history.ts")).historyOf(journal),
    check: (tool, args, at) => checkOne(tool, args, at, workspace),
    trust: async () => (await import("../policy/trust.ts")).trustState(places.trust, workspace),
    confirmTrust: async (digest) => (await import("../policy/trust.ts")).trust(places.trust, workspace, digest, Date.now()),
    findSession: async (id) => findSession(await store(), id),
    close: () => opened?.close(),
  };
  return composition;
}

async function describe(tools: readonly Tool[], workspace: string): Promise<ToolRow[]> {
  const [{ toolSchema }, { createToolContext }, { riskOf }] = await Promise.all([
    import("../tools/schema.ts"),
    import("../tools/execute-tool.ts"),
    import("../policy/risk-table.ts"),
  ]);
  const ctx = createToolContext({ workspace });
  return Promise.all(
    tools.map(async (tool) => {
      const schema = await toolSchema(tool, ctx);
      return {
        name: tool.name,
        source: "builtin",
        risk: riskOf(tool.name, tool.risk).risk,
        effect: tool.effect ?? "once",
        description: schema.description,
        schema: schema.parameters,
        endsTurn: tool.endsTurn !== undefined && tool.endsTurn !== false,
        tokens: Math.ceil(JSON.stringify(schema).length / 4),
      };
    }),
  );
}

/** From package.json, which lies two folders above, of the source as of what is built from it. */
function readVersion(): string {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  return version;
}

const completions = 50;

async function completeFile(workspace: string, prefix: string): Promise<string[]> {
  const { default: glob } = await import("fast-glob");
  const escaped = glob.escapePath(prefix);
  const found = await glob([`${escaped}*`, `**/${escaped}*`], {
    cwd: workspace,
    ignore: ["**/.git/**", "**/node_modules/**"],
    markDirectories: true,
    onlyFiles: false,
    dot: prefix.includes("."),
    followSymbolicLinks: false,
    suppressErrors: true,
    deep: 8,
  });
  const best = (path: string) => (path.startsWith(prefix) ? 0 : 1);
  return found.sort((a, b) => best(a) - best(b) || a.length - b.length || (a < b ? -1 : 1)).slice(0, completions);
}

async function openDemoParts(): Promise<DemoParts> {
  const [{ demoProject, demoPrompt }, { demoNotice }] = await Promise.all([
    import("../model/demo-project.ts"),
    import("../model/demo-tour.ts"),
  ]);
  return { files: demoProject(), prompt: demoPrompt, notice: demoNotice };
}

function modelOpener(io: Io, config: Config) {
  return async (spec: string): Promise<Model> => {
    const { openModel } = await import("../model/open-model.ts");
    return openModel(spec, {
      env: io.env,
      cwd: io.cwd(),
      pace: atTerminal(io),
      ...(config.baseUrl === undefined ? {} : { baseUrl: config.baseUrl }),
      ...(config.contextWindow === undefined ? {} : { contextWindow: config.contextWindow }),
    });
  };
}

/** Rules are read once a process; grants whenever their file is another one than before. */
function policyLoader(places: Places, flags: Flags, grants: () => Promise<GrantBook>) {
  const loaded = new Map<string, { policy: Policy; stamp: string }>();
  const stampOf = (file: string) =>
    stat(file).then(
      (found) => `${found.ino}:${found.mtimeMs}:${found.size}`,
      () => "none",
    );
  const roots = once(() => Promise.all([...new Set([places.configDir, places.dataDir])].map(realOrAsIs)));
  return async (at: { session: string; workspace: string; mode: Mode }): Promise<Policy> => {
    const key = `${at.session}\n${at.workspace}`;
    const stamp = await stampOf(places.grants);
    const known = loaded.get(key);
    if (known?.stamp === stamp) return { ...known.policy, mode: at.mode };
    if (known !== undefined) {
      const policy = { ...known.policy, grants: await (await grants()).inForce(at.session, at.workspace) };
      loaded.set(key, { policy, stamp });
      return { ...policy, mode: at.mode };
    }
    const [{ loadPolicy }, { trustState }] = await Promise.all([import("../policy/load.ts"), import("../policy/trust.ts")]);
    const policy = await loadPolicy({
      ...at,
      userPolicyFile: places.policy,
      grantBook: await grants(),
      sealedRoots: await roots(),
      allow: flags.allow,
      trusted: await trustState(places.trust, at.workspace),
    });
    loaded.set(key, { policy, stamp });
    return policy;
  };
}

/** Real path by the nearest existing ancestor: a state folder that is yet to be made is sealed too. */
async function realOrAsIs(path: string): Promise<string> {
  const real = await realpath(path).catch(() => undefined);
  if (real !== undefined) return real;
  const parent = dirname(path);
  return parent === path ? path : resolve(await realOrAsIs(parent), path.slice(parent.length + 1));
}

function promptMaker(places: Places, flags: Flags, config: Config) {
  return async (workspace: string): Promise<string> => {
    const [{ gitFacts }, { findInstructions, readInstruction }, { systemPrompt }] = await Promise.all([
      import("../graph/prompt/workspace-facts.ts"),
      import("../graph/prompt/instructions.ts"),
      import("../graph/prompt/system-prompt.ts"),
    ]);
    const git = await gitFacts(workspace);
    const [instructions, memories] = await Promise.all([
      findInstructions(git?.root ?? workspace, workspace, config.instructions),
      readInstruction(places.memories),
    ]);
    const lang = flags.lang ?? config.lang;
    return systemPrompt({
      workspace,
      date: new Date().toISOString().slice(0, 10),
      platform: `${platform()} ${release()}`,
      instructions,
      ...(git === undefined ? {} : { git }),
      ...(memories === undefined ? {} : { memories }),
      ...(lang === undefined ? {} : { lang }),
    });
  };
}

async function checkOne(tool: Tool, raw: unknown, policy: Policy, workspace: string): Promise<PolicyCheckLine> {
  const [{ parseArguments }, { createToolContext }, { checkCall }, { ToolRefusal }] = await Promise.all([
    import("../tools/arguments.ts"),
    import("../tools/execute-tool.ts"),
    import("../policy/check.ts"),
    import("../tools/contract/codes.ts"),
  ]);
  const ctx = createToolContext({ workspace });
  const parsed = await parseArguments(tool, raw, ctx);
  if (!parsed.ok) return { error: parsed.message };
  try {
    const found = (await tool.facts?.(parsed.args, ctx)) ?? {};
    const facts: CallFacts = {
      tool: tool.name,
      effect: tool.effect ?? "once",
      ...(tool.risk === undefined ? {} : { risk: tool.risk }),
      ...(tool.confirm === undefined ? {} : { confirm: tool.confirm }),
      paths: found.paths ?? [],
      commands: found.commands ?? [],
      hosts: found.hosts ?? [],
      workspace,
    };
    return checkCall(facts, policy);
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    const risk = tool.risk ?? "medium";
    return { tool: tool.name, decision: "deny", risk, rule: { source: "sealed" }, why: error.message };
  }
}

function findSession(store: Store, idOrPrefix: string): SessionRow {
  const found = store.sessions.match(idOrPrefix);
  const [first] = found;
  if (first === undefined) {
    throw new CliProblem("usage", `there is no session ${JSON.stringify(idOrPrefix)}`, { hint: "agent sessions list --all shows those there are" });
  }
  if (found.length === 1) return first;
  const some = found.slice(0, 8).map((row) => row.id).join(", ");
  throw new CliProblem("usage", `${JSON.stringify(idOrPrefix)} fits ${found.length} sessions: ${some}`, { hint: "give more of the id" });
}
