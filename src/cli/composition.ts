import { statSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { createRequire } from "node:module";
import { platform, release } from "node:os";
import { dirname, resolve } from "node:path";
import type { Tool } from "../core/tool.ts";
import { type Mode, modelSpecs, noModelText, parseModelSpec } from "../graph/choices.ts";
import type { ToolRow } from "../graph/talk/describe-tools.ts";
import type { Model, ScriptedAnswer, ScriptedTurn } from "../model/port.ts";
import type { PolicyRow } from "../policy/check.ts";
import type { TrustState } from "../policy/files/trust.ts";
import type { GrantBook, Policy, PolicyCheckLine } from "../policy/types.ts";
import type { History } from "../records/history.ts";
import type { FileDiff } from "../records/session-diff.ts";
import type { Agent } from "../session/create-agent.ts";
import type { SessionRow, Store } from "../store/types.ts";
import { logDefect } from "./defects.ts";
import { findSession } from "./find-session.ts";
import type { Flags } from "./flags.ts";
import type { Io } from "./io.ts";
import { atTerminal } from "./io.ts";
import { once } from "./once.ts";
import { CliProblem } from "./problem.ts";
import { type Config, loadConfig, loadWorkspaceConfig, type WorkspaceConfig } from "./settings/config.ts";
import { checkHome } from "./settings/home.ts";
import { type Places, placesOf } from "./settings/places.ts";
import { modelOf, workspaceOf } from "./starting-point.ts";

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
  /** Whether anything has opened it. */
  hasStore(): boolean;
  agent(): Promise<Agent>;
  openModel(spec: string): Promise<Model>;
  /** What the script of the model in use says the person answers next, if it is a scripted one. */
  answerFor(toolName: string, callId: string): ScriptedAnswer | undefined;
  /** Settings for work in this folder. @throws CliProblem where its files are malformed. */
  local(workspace: string): Promise<WorkspaceConfig>;
  tools(workspace: string): Promise<Tool[]>;
  prompt(workspace: string): Promise<string>;
  policy(at: { session: string; workspace: string; mode: Mode }): Promise<Policy>;
  check(tool: Tool, args: unknown, policy: Policy): Promise<PolicyCheckLine>;
  /** Rules and grants as `agent policy list` shows them: with `--session` that one's, else those of all sessions. */
  policyRows(): Promise<PolicyRow[]>;
  grants(): Promise<GrantBook>;
  describeTools(): Promise<ToolRow[]>;
  /** Which program grep uses. @throws when it cannot be found. */
  searchProgram(): Promise<string>;
  /** Loads what the first message will need, while nobody waits for it. */
  warmUp(): Promise<unknown>;
  version(): string;
  /** Files and folders that complete what was typed behind `@`, relative to the workspace, best first. */
  completeFile(workspace: string, prefix: string): Promise<string[]>;
  /** All that a session changed, a unified diff for each file; [] for one that is not stored yet. */
  sessionDiff(id: string): Promise<FileDiff[]>;
  /** What the embedded tour consists of. */
  demo(): Promise<DemoParts>;
  history(journal: Parameters<typeof import("../records/history.ts").historyOf>[0]): Promise<History>;
  trust(): Promise<TrustState>;
  confirmTrust(digest: string): Promise<TrustState>;
  /** @throws CliProblem: unknown or ambiguous. */
  findSession(idOrPrefix: string): Promise<SessionRow>;
  close(): void;
}

export type { ScriptedAnswer, ScriptedTurn };

export interface DemoParts {
  files: Record<string, string>;
  prompt: string;
}

type Parts = Pick<
  Composition,
  "store" | "hasStore" | "openModel" | "answerFor" | "local" | "tools" | "prompt" | "policy" | "grants" | "close"
>;

export async function compose(io: Io, flags: Flags): Promise<Composition> {
  const places = placesOf(io.env);
  checkHome(places, Boolean(io.env["AGENT_HOME"]));
  if (flags.allow.length > 0) await checkAllow(flags.allow);
  const workspace = await workspaceOf(io, flags);
  const config = await loadConfig(places.config);
  const base = { io, flags, places, config, workspace, mode: flags.mode ?? "ask", model: modelOf(io, flags, config) };
  const parts = makeParts(base);
  return { ...base, ...parts, ...readers(base, parts), agent: once(() => makeAgent(base, parts)) };
}

/** A rule that was typed is usage; rules in files are configuration. */
async function checkAllow(rules: readonly string[]): Promise<void> {
  const parsed = (await import("../policy/files/rules.ts")).parseAllowFlags(rules);
  if ("rules" in parsed) return;
  throw new CliProblem("usage", parsed.problems.map(({ message }) => `--allow: ${message}`).join("\n"));
}

type Base = Pick<Composition, "io" | "flags" | "places" | "config" | "workspace" | "mode" | "model">;

/** What commands and the agent are both made of. */
function makeParts({ io, flags, places, config }: Base): Parts {
  let opened: Store | undefined;
  let model: Model | undefined;
  const makeModel = modelOpener(io, config);
  const grants = once(async () => (await import("../policy/files/grant-book.ts")).openGrantBook(places.grants));
  const local = workspaceConfigs(places);
  return {
    store: once(async () => {
      opened = await (await import("../store/open-store.ts")).openStore({ file: places.database });
      return opened;
    }),
    hasStore: () => opened !== undefined,
    openModel: async (spec) => {
      model = await makeModel(spec);
      return model;
    },
    answerFor: (toolName, callId) => model?.answerFor?.(toolName, callId),
    tools: async (workspace) => {
      const { createDefaultTools } = await import("../tools/create-default-tools.ts");
      return createDefaultTools({
        workspace,
        memoryFile: places.memories,
        ignore: async (at) => (await local(at)).ignore,
      });
    },
    local,
    prompt: async (workspace) => {
      const [{ makePrompt }, settings] = await Promise.all([
        import("../graph/talk/prompt/make-prompt.ts"),
        local(workspace),
      ]);
      const lang = flags.lang ?? settings.lang;
      return makePrompt({
        workspace,
        memories: places.memories,
        instructions: settings.instructions,
        date: new Date().toISOString().slice(0, 10),
        platform: `${platform()} ${release()}`,
        ...(lang === undefined ? {} : { lang }),
      });
    },
    policy: policyLoader(places, flags, grants),
    grants,
    close: () => opened?.close(),
  };
}

async function makeAgent({ places, flags }: Base, parts: Parts): Promise<Agent> {
  const [{ createAgent }, grants] = await Promise.all([import("../session/create-agent.ts"), parts.grants()]);
  return createAgent({
    openStore: parts.store,
    openTools: async (session) => ({
      tools: await parts.tools(session.workspace),
      services: {},
      close: () => undefined,
    }),
    openModel: parts.openModel,
    loadPolicy: parts.policy,
    grants,
    grantFile: places.grants,
    systemPrompt: (at) => parts.prompt(at.workspace),
    clock: Date.now,
    reportDefect: (error) => void logDefect(places.logs, error),
    maxSteps: async (at) => flags.maxSteps ?? (await parts.local(at)).maxSteps,
    maxObserve: async (at) => (await parts.local(at)).maxObserve,
    ...(flags.toolChoice === undefined ? {} : { toolChoice: flags.toolChoice }),
  });
}

/** What commands read beside the agent. */
function readers(
  { places, flags, workspace, mode }: Base,
  parts: Parts,
): Omit<Composition, keyof Base | keyof Parts | "agent"> {
  const history = () => import("../records/history.ts");
  const trust = () => import("../policy/files/trust.ts");
  const find = async (id: string) => {
    const { sessions } = await parts.store();
    return findSession((name) => sessions.match(name), id);
  };
  return {
    policyRows: async () => {
      const { listRules } = await import("../policy/check.ts");
      const session = flags.session === undefined ? undefined : (await find(flags.session)).id;
      const policy = await parts.policy({ session: session ?? "", workspace, mode });
      if (session !== undefined) return listRules(policy);
      const ofSessions = (await (await parts.grants()).all()).filter((grant) => grant.scope === "session");
      return listRules(policy, [...policy.grants, ...ofSessions]);
    },
    describeTools: async () =>
      (await import("../graph/talk/describe-tools.ts")).describeTools(await parts.tools(workspace), workspace),
    searchProgram: async () => (await import("@vscode/ripgrep")).rgPath,
    warmUp: () => Promise.all([import("../session/open-session.ts"), import("../model/chat-completions.ts")]),
    version: readVersion,
    completeFile: async (at, prefix) => (await import("./complete-file.ts")).completeFile(at, prefix),
    sessionDiff: async (id) => {
      const [store, { sessionDiff }] = await Promise.all([parts.store(), import("../records/session-diff.ts")]);
      const row = store.sessions.get(id);
      return row === undefined ? [] : sessionDiff(store.readJournal(id), row.workspace);
    },
    demo: openDemoParts,
    history: async (journal) => (await history()).historyOf(journal),
    check: async (tool, args, at) =>
      (await import("../graph/calls/check-proposed.ts")).checkProposed(tool, args, at, workspace),
    trust: async () => (await trust()).trustState(places.trust, workspace),
    confirmTrust: async (digest) => (await trust()).trust(places.trust, workspace, digest, Date.now()),
    findSession: find,
  };
}

/** From package.json, which lies two folders above, of the source as of what is built from it. */
function readVersion(): string {
  const { version } = createRequire(import.meta.url)("../../package.json") as { version: string };
  return version;
}

async function openDemoParts(): Promise<DemoParts> {
  const { demoProject, demoPrompt } = await import("../model/demo-project.ts");
  return { files: demoProject(), prompt: demoPrompt };
}

/** Each folder's settings are read once a process. */
function workspaceConfigs(places: Places): (workspace: string) => Promise<WorkspaceConfig> {
  const loaded = new Map<string, Promise<WorkspaceConfig>>();
  return (workspace) => {
    const known = loaded.get(workspace) ?? loadWorkspaceConfig(places.config, workspace);
    loaded.set(workspace, known);
    return known;
  };
}

function modelOpener(io: Io, config: Config) {
  return async (spec: string): Promise<Model> => {
    if (parseModelSpec(spec) === undefined)
      throw new CliProblem("configuration", noModelText(spec), { hint: modelSpecs });
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
  // Asked before each call, so without a turn of the event loop: it is one small local file.
  const stampOf = (file: string) => {
    const found = statSync(file, { throwIfNoEntry: false });
    return found === undefined ? "none" : `${found.ino}:${found.mtimeMs}:${found.size}`;
  };
  const roots = once(() => Promise.all([...new Set([places.configDir, places.dataDir])].map(realOrAsIs)));
  return async (at: { session: string; workspace: string; mode: Mode }): Promise<Policy> => {
    const key = `${at.session}\n${at.workspace}`;
    const stamp = stampOf(places.grants);
    const known = loaded.get(key);
    if (known?.stamp === stamp) return { ...known.policy, mode: at.mode };
    if (known !== undefined) {
      const policy = { ...known.policy, grants: await (await grants()).inForce(at.session, at.workspace) };
      loaded.set(key, { policy, stamp });
      return { ...policy, mode: at.mode };
    }
    const [{ loadPolicy }, { trustState }] = await Promise.all([
      import("../policy/files/load.ts"),
      import("../policy/files/trust.ts"),
    ]);
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
