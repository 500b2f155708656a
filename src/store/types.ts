import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { ToolCallInfo } from "../core/call.ts";
import type { ChildNote } from "../core/child.ts";
import type { HookSaid } from "../core/hooks.ts";
import type { JsonObject, Sha } from "../core/json.ts";
import type { KeptJob } from "../core/kept-outputs.ts";
import type { StepId } from "../core/step-id.ts";
import type { FilePlan, Plan } from "../core/tool.ts";
import type { Compaction, NewCompaction } from "./compaction.ts";
import type {
  AnswerRow,
  CallEvent,
  CallFigures,
  CallFilter,
  CallMove,
  CallStanding,
  ChangeInTree,
  FileChangeRow,
  HeardCall,
  HookRun,
  HookUse,
  JobEnd,
  KeptFigure,
  NewRequest,
  NewTurn,
  NotedVerdict,
  RequestEnd,
  RequestRow,
  RequestWritten,
  SessionRow,
  SessionState,
  Spending,
  Spent,
  SteerRow,
  StoredReply,
  ToldFile,
  TurnRow,
  Withdrawn,
} from "./rows.ts";

export type { Compaction, NewCompaction } from "./compaction.ts";
export type { StoreFailureKind } from "./problems.ts";
export { DriverMissing, SessionBusy, StaleMove, StoreFailure } from "./problems.ts";
export type * from "./rows.ts";

/**
 * The durable record of one session: every write is one transaction that first checks the lease's fence, is retried
 * while the store is busy without blocking the event loop, and is committed (synchronous=FULL, but for replies and
 * moves of calls whose effect is `none`) when the promise resolves.
 */
export interface Journal {
  readonly session: string;
  /** A write waits for another process that keeps the store locked. */
  readonly isHeldUp: boolean;

  /**
   * The person's words, as a turn of state running (or queued) with its human message stored. Always FULL.
   * `title` names a session that has no title yet, in the same transaction.
   */
  addTurn(turn: NewTurn): Promise<TurnRow>;
  setTurn(turn: number, state: TurnRow["state"], reason?: string): Promise<void>;
  /** But those that were withdrawn. */
  turns(): TurnRow[];
  /** The human message of a turn, the same object that addTurn was given where this process gave it. */
  turnMessage(turn: number): BaseMessage;

  /** The person's words for the turn under way, as a turn's; told with `tellSteers`, or made a turn by `steerToTurn`. Always FULL. */
  addSteer(message: BaseMessage, keep?: readonly Uint8Array[]): Promise<void>;
  /** From now on all that wait belong to this step, and ends of jobs that were not told. @returns the words, in their order. Always FULL. */
  tellSteers(stepId: StepId): Promise<SteerRow[]>;
  /**
   * The first that waits becomes a turn of state queued, before those that were said after it; undefined where none waits. Always FULL.
   * @param before only where it was said before this queued turn
   */
  steerToTurn(before?: TurnRow["turn"]): Promise<TurnRow | undefined>;
  /** Those that wait and those that were told, in their order; what became a turn is among the turns. */
  steers(): SteerRow[];
  /**
   * Queued turns and words that wait for a step are taken back, all or none: the model is never told them, and no record has them as said.
   * @returns them in the order in which they were said. Always FULL.
   */
  withdrawWaiting(): Promise<Withdrawn[]>;

  /** The assistant message and its calls (each `pending`, or `error` where it can never run), in one transaction. */
  commitReply(reply: {
    stepId: StepId;
    /** The last message of the graph's state, after which this one comes; undefined at the very start. */
    after: BaseMessage | undefined;
    message: BaseMessage;
    calls: ToolCallInfo[];
    usage?: Spending;
  }): Promise<void>;
  /** Finds the reply that commitReply committed for this step, if it did: the model is not asked again. */
  findReply(stepId: StepId): { message: BaseMessage; calls: ToolCallInfo[] } | undefined;

  /** Replies as they lie in the store, in their order: for who looks for words in many of them, and reads few. */
  storedReplies(): StoredReply[];
  /** All steps that have a reply, in their order, with the number of their calls. */
  steps(): { id: StepId; calls: number }[];
  /** Returns the number of calls that the session has had: the next callId is `c${count + 1}`. */
  callCount(): number;
  call(callId: string): ToolCallInfo | undefined;
  /** The arguments that the model wrote for this call, where the person has changed them since. */
  askedArguments(callId: string): JsonObject | undefined;
  /** In the order of the message. */
  callsOf(stepId: StepId): ToolCallInfo[];
  /** Sums up the usage of the replies of this turn, or of the session with its title. */
  spent(turn?: number): Spent;
  /** The models whose replies the turn has, each once, in their order; none where that was not kept. */
  modelsOf(turn: number): string[];
  /** Sums up the usage of the replies of all turns, in all sessions of the tree. */
  spentInTree(): Spent;
  /** Counts the replies that are stored, in all sessions of the tree. */
  stepsInTree(): number;
  /** Of all calls of a turn, how they stand. */
  standingsOf(turn: number): CallStanding[];
  /** Calls not in a final state, all steps. */
  openCalls(): ToolCallInfo[];
  allCalls(): ToolCallInfo[];
  /** The calls of one tool that came to a success, each with its step, in their order. */
  succeeded(toolName: string): { call: ToolCallInfo; stepId: StepId }[];
  planOf(callId: string): Plan | undefined;
  /** Returns the last verdict of policy on this call, as `move` or `noteVerdicts` kept it. */
  verdictOf(callId: string): JsonObject | undefined;
  /**
   * Settled calls that policy judged as guarded, and those whose plan has hosts or the network, or no sandbox around a command: of all
   * sessions of the tree, for what one of them hears it may tell the others. In the order in which they ended.
   */
  heardCalls(): HeardCall[];
  /** Tells whether a message that was said, in any session of the tree, has this key of its `additional_kwargs` as true. */
  holdsMark(key: string): boolean;
  /** Lists the changes of calls in files, oldest first: the same as each call's plan and `doneOf` say, without their texts. */
  fileChanges(): FileChangeRow[];
  /**
   * The same of all sessions of the tree, in the order in which their calls began.
   * @param and `unseen`: also what calls were to change whose end was not seen, or is not yet
   */
  fileChangesInTree(and?: { unseen?: boolean }): ChangeInTree[];
  /** Lists the changes that moves noted as `done`, oldest first: they stand beside the call's plan and its end. */
  doneOf(callId: string): FilePlan[];
  /** All moves in one transaction, or none. @throws StaleMove, IllegalMove, SessionBusy (fence lost), StoreFailure. */
  move(moves: CallMove[], answer?: AnswerRow): Promise<void>;
  answersOf(callId: string): AnswerRow[];
  /**
   * A request of another process was heard, and nothing else was decided by it: an answer that is taken says so with its move. Always FULL.
   * @throws StaleMove where it was heard before
   */
  noteHeard(request: number, end: { became: RequestEnd; said?: string }): Promise<void>;
  /**
   * Notes the verdicts of policy on calls that it allowed and that stay `pending`, the effect that their plans have, and of those that are
   * given their plans, all in one transaction. This is no move and makes no event: the event of the call's start names who allowed it.
   * @throws StaleMove where one is not `pending`, and then nothing is written; SessionBusy, StoreFailure.
   */
  noteVerdicts(rows: readonly NotedVerdict[]): Promise<void>;
  /** These digests were shown to the person. */
  notePublished(calls: readonly { callId: string; digest: string }[]): Promise<void>;
  /** The grant of this call's answer is in the grants' file: from now on that file alone says whether it holds. */
  noteGrantKept(callId: string): Promise<void>;
  /** The digest of this call that was shown last. */
  publishedDigest(callId: string): string | undefined;
  /**
   * Keeps a process that a call is about to start. Outlives the death of this process; after a power cut the child is gone too.
   * @throws StaleMove where the call is not `executing`; SessionBusy, StoreFailure.
   */
  noteChild(callId: string, child: ChildNote): Promise<void>;
  /** The processes that a call started, of all its attempts, in their order. */
  childrenOf(callId: string): ChildNote[];
  /**
   * Keeps all that a call said, in the place of what was kept of it before; `job` where it goes, or went, on in the background. After the
   * call is settled too. A power cut may take it back, but for an end that is to be told. Of an earlier attempt than the call's last one
   * (`attempt`; default its last) only such an end is kept.
   * @throws StaleMove where there is no such call; SessionBusy, StoreFailure.
   */
  keepOutput(callId: string, bytes: Uint8Array, job?: KeptJob, attempt?: number): Promise<void>;
  /** Returns the output that `keepOutput` kept, while it is kept (`Store.prune`). @throws StoreFailure corrupt. */
  outputOf(callId: string): { bytes: Uint8Array; job?: "running" | "ended" } | undefined;
  /** Calls with a job in the background, whether it runs or has ended; in their order. */
  jobs(): string[];
  /** Calls with a job in the background that was not seen to end. */
  runningJobs(): string[];
  /** The person was told of this end of a job, by its `seq`: they are not told again. Always FULL. */
  noteJobTold(end: number): Promise<void>;
  /** The ends of jobs that no call told of, in the order of their calls and attempts: what the person and the model are told. */
  jobEnds(): readonly JobEnd[];
  /**
   * These are told to the model behind what came of this step, after those that were told before. A power cut may take it back, together
   * with the request that has them.
   */
  tellFiles(stepId: StepId, files: readonly Pick<ToldFile, "name" | "text">[]): Promise<void>;
  /** In the order in which they were told. */
  toldFiles(): readonly ToldFile[];
  /**
   * A hook is about to be run, which is done once for each use. Always FULL.
   * @returns its number @throws StaleMove where it was begun before; SessionBusy, StoreFailure.
   */
  beginHook(use: HookUse): Promise<number>;
  /** The process of a hook that is about to start. Outlives the death of this process. */
  noteHookChild(seq: number, child: ChildNote): Promise<void>;
  /** Notes the outcome of a hook. Always FULL. @throws StaleMove where that was written before */
  endHook(seq: number, said: HookSaid): Promise<void>;
  /** Runs of hooks, in their order. */
  hookRuns(): readonly HookRun[];
  /** Tells whether this process began the attempt that is `executing` now: false when an earlier one did. */
  startedHere(callId: string): boolean;
  events(): CallEvent[];
  /** The number of the last of them; 0 where there is none. */
  lastEvent(): number;
  /**
   * Returns the bytes that a move of this session kept, or that were kept before a command ran, while they are kept (`Store.prune`).
   * @throws StoreFailure corrupt where the bytes are no longer those.
   */
  bytesOf(sha: Sha): Uint8Array | undefined;

  /** Cuts in what the model is shown, in their order; those that were taken back say so. */
  compactions(): Compaction[];
  /** Keeps a cut, and counts what its request took, of a turn where it was made in one; in one transaction. Always FULL. */
  addCompaction(made: NewCompaction, usage?: Spending & { turn?: number }): Promise<Compaction>;
  /** Counts what a request took of which nothing is kept, of a turn where it was made in one. Always FULL. */
  noteSpent(usage: Spending & { turn?: number }): Promise<void>;
  /** The person wants to have it as it was before. @returns false where it was taken back already. Always FULL. */
  undoCompaction(id: string): Promise<boolean>;

  /** As `setState` left it: a session whose process died is still `running` here. */
  state(): SessionState;
  setState(state: SessionState): Promise<void>;
  setModel(model: string): Promise<void>;
  /** The title, and whose words it is; the first prompt's where nobody is named. */
  title(): { text: string; by?: "person" | "model" };
  /**
   * Notes the outcome of a request for a title: its cost is counted, and the title kept, unless the person or an earlier one gave another.
   * @returns whether it was kept.
   */
  noteModelTitle(title: string | undefined, usage: Spending): Promise<boolean>;
}

/** The journal without a lease: reading only. */
export type JournalReading = Omit<
  Journal,
  | "isHeldUp"
  | "addTurn"
  | "addSteer"
  | "tellSteers"
  | "steerToTurn"
  | "withdrawWaiting"
  | "noteChild"
  | "keepOutput"
  | "noteJobTold"
  | "tellFiles"
  | "beginHook"
  | "noteHookChild"
  | "endHook"
  | "setTurn"
  | "commitReply"
  | "addCompaction"
  | "noteSpent"
  | "undoCompaction"
  | "move"
  | "notePublished"
  | "noteVerdicts"
  | "noteGrantKept"
  | "noteHeard"
  | "setState"
  | "setModel"
  | "noteModelTitle"
>;

export interface Lease {
  readonly session: string;
  readonly fence: number;
  /** Aborted, with the SessionBusy as reason, as soon as it is found that another process took the session over. */
  readonly lost: AbortSignal;
  release(): void;
}

export interface NewSession {
  id: string;
  workspace: string;
  model: string;
}

/** A session that a call drives: found again by the call and its place among those of that call, from 0. */
export interface ChildRow {
  readonly id: string;
  readonly parent: string;
  readonly call: string;
  readonly place: number;
  /** The spec that it was begun with. */
  readonly spec: JsonObject;
}

export interface Sessions {
  create(row: NewSession & { title: string; parent?: string }): Promise<void>;
  /** Tells whether there is such a session, whoever drives it. */
  has(id: string): boolean;
  get(id: string): SessionRow | undefined;
  /** Exact id first, else all root sessions whose id begins so. */
  match(idOrPrefix: string): SessionRow[];
  /** The person's name for it; needs no lease, and does not count as something that happened in it. */
  rename(id: string, title: string): Promise<void>;
  /** Those that calls of this session drive, or this call of it; in the order of their calls and places. */
  children(parent: string, call?: string): ChildRow[];
  /** Newest first. `workspace` limits it. */
  list(filter?: { workspace?: string }): SessionRow[];
  remove(id: string): Promise<void>;
}

/** The parts of a session that begins as another one was. */
export interface ForkSpec {
  from: string;
  /** The new session's id; its messages and their checkpoint are in this thread already. */
  id: string;
  /** Steps that come along, in their order. */
  steps: readonly StepId[];
  /** The ids of what was told while turns ran, as far as it comes along; and the hashes of pictures in what the person said. */
  steers: readonly string[];
  images?: readonly Sha[];
  /** The last turn that comes along, with all before it, and how it stands in the new session. */
  lastTurn: { turn: number; state: "running" | "done"; reason: string };
  /** The last call that comes along. */
  at: string | null;
  /** The states by which a copied call that is still open comes to its end; none for a settled one. Pure. */
  settle(call: ToolCallInfo, at: number): ToolCallInfo[];
}

/** The result of `verify`: damage, as the first place that is broken; a rewrite by the same user would not show. */
export interface Verified {
  session: string;
  calls: number;
  events: number;
  problem?: string;
}

/** The part of a call that the model reads, as its tool message in the graph's state has it. */
export interface Observation {
  content: ToolMessage["content"];
  status?: ToolMessage["status"];
}

/** The observation of a call of this thread's journal, always the same for a settled one; undefined where there is no such call. */
export type ObservationOf = (thread: string, callId: string) => Observation | undefined;

/** LangGraph's checkpointer over the store: the last checkpoint and the last of each turn are kept, or all (option). */
export interface CheckpointSaver extends BaseCheckpointSaver {
  /**
   * From now on a tool message that says what `lookup` says of its call is stored without these words, and filled with them
   * when it is loaded: the call's row has them already. Any other tool message is stored whole.
   * @param driven in the thread of this session they are looked up once somebody reads them: it is open for as long as its messages are used
   */
  fillObservations(lookup: ObservationOf, driven?: string): void;
}

/** The requests of other processes to those that drive sessions: rows that are written without a lease. */
export interface Requests {
  /** In a transaction of its own, FULL, which also looks whether there is what it is about. @throws Error where there is no such session. */
  add(request: NewRequest): Promise<RequestWritten>;
  get(key: number): RequestRow | undefined;
  /** Of all sessions of the tree, those that nobody has heard yet; in the order in which they were written. */
  unheard(root: string): RequestRow[];
  /** Another number once there may be more; NaN within a transaction. */
  version(): number;
  /** Tells whether a living process drives the session, as far as can be known here. */
  isDriven(session: string): boolean;
}

export interface Store {
  /** Absolute, or `:memory:`. */
  readonly file: string;
  readonly sessions: Sessions;
  readonly saver: CheckpointSaver;
  readonly requests: Requests;
  /**
   * A new session, its lease and the person's first words in one transaction: none is there without the others.
   * @throws Error where the id is taken; SessionBusy, StoreFailure.
   */
  begin(session: NewSession, first: NewTurn): Promise<{ lease: Lease; turn: TurnRow }>;
  /**
   * A child with its first words, which run, in one transaction under the lease that this store has of its root; `acquire` gives its own.
   * @throws Error where the id or the place is taken; SessionBusy where the root is not driven here, StoreFailure.
   */
  beginChild(child: ChildRow & Pick<NewSession, "workspace" | "model">, first: NewTurn): Promise<void>;
  /** @throws SessionBusy naming pid and since when, when a live process holds it; a child is had by whoever drives its root. */
  acquire(session: string, options?: { takeOver?: boolean }): Promise<Lease>;
  journal(lease: Lease): Journal;
  /** Sums up the usage of the replies of each session, by its id; with `since` (milliseconds since the epoch) of those from then on. */
  spent(since?: number): Map<string, Spent>;
  /** Counts the outcomes of the calls of all sessions. */
  callFigures(filter?: CallFilter): CallFigures[];
  /** Reading only, without a lease (`sessions show`). */
  readJournal(session: string): JournalReading;
  /** Counts the versions and the bytes that all sessions keep for undo; with `before` (milliseconds since the epoch) those kept before that time. */
  kept(before?: number): KeptFigure;
  /** Drops what was kept before that time and gives the room back to the disk where it can. @returns what it dropped. */
  prune(before: number): Promise<KeptFigure>;
  /**
   * Writes the file anew, so that nothing of what was removed is in it or in its log. @returns false where another process uses the
   * store or the disk is full: old copies may stay.
   */
  shrink(): boolean;
  /** A new session with the beginning of another one, in one transaction. @throws Error where the id is taken. */
  fork(spec: ForkSpec): Promise<void>;
  /** Finds the first problem of the database, by its own check, in words; undefined where it is whole. */
  damage(): string | undefined;
  /** The hash chain of a session's calls, each call's row against its last event, and whether all of it can be read. */
  verify(session: string): Verified;
  close(): void;
}
