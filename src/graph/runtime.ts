import { setMaxListeners } from "node:events";
import { isFinal } from "../core/call.ts";
import type { AskPerson } from "../core/forms/asked-form.ts";
import { activeGoal } from "../core/goals.ts";
import type { JsonObject } from "../core/json.ts";
import type { KeptOutputs } from "../core/kept-outputs.ts";
import type { KnownSecrets } from "../core/secrets/known-secrets.ts";
import { type StepId, stepText } from "../core/step-id.ts";
import type { PinnedRoots, SeenFiles, ToolContext } from "../core/tool.ts";
import type { Model, ToolChoice } from "../model/port.ts";
import type { CallFacts, Grant, GrantOffer, Mode, Policy } from "../policy/types.ts";
import type { Journal } from "../store/types.ts";
import type { Hooks } from "../tools/hooks/hooks.ts";
import type { TreeKeeper } from "../tools/shell/tree/tree-keeper.ts";
import type { ToolCatalogue } from "../tools/tool-catalogue.ts";
import type { JobLook } from "./calls/guarded-look.ts";
import type { LiveCalls } from "./calls/live-calls.ts";
import { madeFiles } from "./calls/made.ts";
import type { PathTurns } from "./calls/path-turns.ts";
import type { ParsedUse, PreparedCall } from "./calls/prepared-call.ts";
import type { ChildSessions } from "./child-sessions.ts";
import type { SessionGoals } from "./ended-calls.ts";
import type { AgentEventBody, Change } from "./events.ts";
import type { OpenPage } from "./open-page.ts";
import { outputOf } from "./output.ts";
import type { Ending } from "./state.ts";
import { askableModel } from "./talk/askable-model.ts";
import type { Check } from "./talk/checks.ts";
import { observationText } from "./talk/observation-text.ts";
import type { Renderer } from "./talk/render.ts";
import type { ImageShower } from "./talk/show-images.ts";
import type { LimitNames, TreeLimits } from "./tree-limits.ts";

/** All that the nodes of one session work with; made once when the session is opened, and never changed. */
export interface SessionRuntime {
  readonly sessionId: string;
  /** Absolute, symlinks resolved. */
  readonly workspace: string;
  /** Added to the boundary by the person, of this kind too; never stored. */
  readonly addDirs?: readonly string[];
  /** Both, each the one folder that it was when the session was opened. */
  readonly pins?: PinnedRoots;
  readonly journal: Journal;
  /** Of a fork: the last of the calls that came along. */
  readonly copiedTo?: string;
  readonly catalogue: ToolCatalogue;
  readonly renderer: Renderer;
  readonly images: ImageShower;
  readonly seen: SeenFiles;
  readonly goals: SessionGoals;
  /** Names of tools that calls of the session found. */
  foundTools(): ReadonlySet<string>;
  /** Its own, and those of the other sessions of its tree. */
  readonly artifacts: NonNullable<ToolContext["artifacts"]>;
  /** Keeps what commands may change; without it nothing that a command does can be taken back. */
  readonly tree?: TreeKeeper;
  readonly services: Readonly<Record<string, unknown>>;
  /** The person's secrets; undefined where none is set. */
  readonly secrets?: KnownSecrets | undefined;
  /** The page that is open; undefined where nobody brings one. */
  readonly page?: OpenPage | undefined;
  /** The id by which the tools know the person. */
  readonly uid?: string | undefined;
  readonly toolChoice: ToolChoice;
  /** Characters of an observation that the model gets, false for all, where the settings say it. */
  readonly maxObserve?: number | false | undefined;
  /** True if a talk that is too long for the model's window is cut by itself. */
  readonly compacts: boolean;
  /** Tools that end a turn are offered in any case. */
  readonly endTools: boolean;
  /** Turns that begin with a message of the graph's input alone end with JSON by it. */
  readonly outputSchema?: JsonObject | undefined;
  /** Milliseconds for a call whose tool says no time of its own. */
  readonly toolTimeoutMs?: number | undefined;
  /** Steps a run may take. */
  readonly maxSteps: number;
  /** The most that the replies of a run may cost, in the currency of the settings; there is no limit without it. */
  readonly maxCost?: number | undefined;
  /** The names by which the person knows these two limits. */
  readonly limitNames: Required<LimitNames>;
  /** Of the tree. */
  readonly paths: PathTurns;
  /** Of a child: the last step that it may ever take, where it was given one. */
  readonly lastStepEver?: number | undefined;
  /** Of a child: what its replies may ever cost, where that was said. */
  readonly costEver?: number | undefined;
  /** Of a child: it has another model than its parent's. */
  readonly hasOwnModel?: boolean;
  /** Of a child: the limits of its root's run. */
  limitsAbove?(): TreeLimits | undefined;
  /** Commands that are to pass after a turn has changed files. */
  readonly checks: readonly Check[];
  /** The person's programs that look at calls and at last words; none without it. */
  readonly hooks?: Hooks;
  /** Lists all that searches leave out beside what git ignores; without it folders are not asked what they say of themselves. */
  folderIgnore?(): Promise<readonly string[]>;
  /** Instructions of folders of which the person was told that they are left out. */
  readonly leftOutFolders: Set<string>;
  /** Calls of the step under way as they were last prepared in this process, by callId. */
  readonly prepared: Map<string, PreparedCall>;
  /** The arguments of those calls as they were last parsed in this process, by callId. */
  readonly parsed: Map<string, ParsedUse>;
  /** The last of what was looked at while jobs ran in the background, until it is told what changed since. */
  readonly jobLooks: JobLook[];
  /** The calls that are not over. */
  readonly live: LiveCalls;
  /** Tells the person of the ends of jobs that no call tells of. */
  readonly jobs: JobEnds;
  /** Of a child: its name, for which its tools were chosen. */
  readonly agent?: string;
  /** The person can have what runs in it go on in the background: it is the session on their screen. */
  readonly sendsAside: boolean;
  /** The sessions that its calls drive; a session that is one itself has none. */
  readonly children?: ChildSessions;
  clock(): number;
  /** Returns the function by which a call asks the person while it runs; undefined where nobody is there to answer. */
  askerOf?(callId: string): AskPerson | undefined;
  emit(body: AgentEventBody): void;
  reportDefect(error: unknown): void;
  systemPrompt(): Promise<string>;
  /** Rules and grants in force now, with the mode given. */
  policy(mode: Mode): Promise<Policy>;
  offers(facts: CallFacts, policy: Policy): GrantOffer[];
  addGrant(grant: Grant, isAgain: boolean): Promise<void>;
}

/** Words to the person on the ends of jobs: those that earlier processes left behind, that came to their own ends, that ended with the session. */
interface JobEnds {
  /** This attempt of a call is recovered: a job of it does not come to its own end. */
  recover(callId: string, attempt: number): void;
  isRecovered(callId: string, attempt: number | undefined): boolean;
  sayFound(): Promise<void>;
  keep(...output: Parameters<Journal["keepOutput"]>): Promise<void>;
  /** Each end that was seen is kept by then, but for what cannot be. */
  keepAll(): Promise<void>;
  /** @param end ends all that works in the session */
  endWith(end: () => Promise<void>): Promise<void>;
}

/** Reason of a run's signal when the process is about to leave: what runs is ended, the turn is not. */
export class Leaving extends Error {
  override readonly name = "Leaving";
}

/** Tells whether the work of the signal is to go on in a later process. */
export const isLeft = (signal: AbortSignal): boolean => signal.aborted && signal.reason instanceof Leaving;

/** One run of the graph, as who drives it wants it. */
export interface Run {
  /** A fresh one for each run; aborted with `Leaving` where the turn is to go on later, with anything else where it ends. */
  readonly signal: AbortSignal;
  /** The turn is to end at its next observation. */
  readonly ending: Ending | null;
  /** The last step that this run may take. */
  readonly lastStep: number;
  /** Of this run with all that its calls drive, or of its root's. */
  readonly limits?: TreeLimits;
  /** As the person has chosen them by now: they may choose anew while a run is under way. */
  readonly settings: () => Settings;
  /** The graph itself writes down how the turn ended; else who drives it does. */
  readonly writesEnd?: boolean;
}

export interface Settings {
  readonly model: Model;
  readonly mode: Mode;
}

/** The session that a node works with, and the run that it is part of. */
export interface Runtime extends SessionRuntime {
  readonly signal: AbortSignal;
  readonly leaving: boolean;
  readonly ending: Ending | null;
  readonly lastStep: number;
  readonly limits: TreeLimits | undefined;
  readonly model: Model;
  readonly mode: Mode;
  /** Calls whose published digest the node replaces; it goes into the graph's state with what the node returns. */
  readonly changes: Map<string, Change>;
}

export function forRun(session: SessionRuntime, run: Run): Runtime {
  // Each call of a message listens to it, and there may be many.
  setMaxListeners(0, run.signal);
  return {
    ...session,
    signal: run.signal,
    ending: run.ending,
    lastStep: run.lastStep,
    limits: run.limits,
    changes: new Map(),
    renderer: {
      render: (messages, cuts) =>
        session.images.show(session.renderer.render(messages, cuts), run.settings().model.vision === true),
    },
    get leaving() {
      return isLeft(run.signal);
    },
    get model() {
      return run.settings().model;
    },
    get mode() {
      return run.settings().mode;
    },
  };
}

/** The context that one call's methods get. */
export function toolContext(runtime: Runtime, call: { callId: string; stepId: StepId }): ToolContext {
  const goal = activeGoal(runtime.goals.before(call.stepId));
  const { contextWindow } = runtime.model;
  const askPerson = runtime.askerOf?.(call.callId);
  const model = askPerson === undefined ? undefined : askableModel(runtime, call.stepId.turn);
  return {
    workspace: runtime.workspace,
    ...(runtime.addDirs === undefined ? {} : { addDirs: runtime.addDirs }),
    ...(runtime.pins === undefined ? {} : { pins: runtime.pins }),
    cwd: runtime.workspace,
    sessionId: runtime.sessionId,
    callId: call.callId,
    stepId: stepText(call.stepId),
    ...(runtime.uid === undefined ? {} : { uid: runtime.uid }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    signal: runtime.signal,
    ...(goal === undefined ? {} : { goal: goal.text, goalId: goal.id }),
    goals: () => runtime.goals.now(),
    artifacts: runtime.artifacts,
    ...(runtime.page?.url === undefined ? {} : { pageUrl: runtime.page.url }),
    config: {},
    services: runtime.services,
    seen: runtime.seen,
    outputs: keptOutputs(runtime),
    ...(runtime.secrets === undefined ? {} : { secrets: runtime.secrets.names }),
    ...(runtime.tree === undefined ? {} : { coverage: runtime.tree.look }),
    outputProblem: (text) => {
      const read = outputOf(runtime.journal, call.stepId.turn)?.read(text);
      return read?.ok === false ? read.wrong : undefined;
    },
    made: () => madeFiles(runtime),
    noteChild: (child) => runtime.journal.noteChild(call.callId, child),
    progress: (progress) => runtime.live.tell(call.callId, progress),
    ...(runtime.sendsAside && { mayGoAside: (over) => runtime.live.mayGoAside(call.callId, over) }),
    ...(askPerson === undefined ? {} : { askPerson }),
    ...(model === undefined ? {} : { askableModel: model }),
  };
}

/** Gives the outputs of a session's calls, whole: as they were kept, else as the call's result has them. */
const keptOutputs = ({
  journal,
  maxObserve,
  jobs,
}: Pick<SessionRuntime, "journal" | "maxObserve" | "jobs">): KeptOutputs => ({
  maxObserve,
  attemptOf: (callId) => journal.call(callId)?.attempt,
  isRecovered: (callId, attempt) => jobs.isRecovered(callId, attempt),
  async keep(callId, bytes, job, attempt) {
    await jobs.keep(callId, bytes, job, attempt);
  },
  of(callId) {
    const kept = journal.outputOf(callId);
    const call = journal.call(callId);
    // While it is open the output may be of an attempt before.
    if (kept !== undefined) return call !== undefined && isFinal(call) ? { ...kept, attempt: call.attempt } : kept;
    if (call?.status === "error") return { bytes: Buffer.from(observationText(call), "utf8") };
    return call?.status === "success" ? { bytes: Buffer.from(call.result.output, "utf8") } : undefined;
  },
});

/** Thrown out of a node when the process is leaving: the graph stays at that node, and a resumed session begins there. */
export class TurnLeft extends Error {
  override readonly name = "TurnLeft";
}

/** @throws TurnLeft where the process is leaving */
export function stayUnlessLeaving({ leaving }: { readonly leaving: boolean }): void {
  if (leaving) throw new TurnLeft();
}
