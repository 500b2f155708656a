import type { BaseMessage } from "@langchain/core/messages";
import type { CallEnd, CallStatus, Decider, ToolCallInfo } from "../core/call.ts";
import type { ChildNote } from "../core/child.ts";
import type { HookEvent, HookSaid } from "../core/hooks.ts";
import type { JsonObject, Sha } from "../core/json.ts";
import type { StepId } from "../core/step-id.ts";
import type { Effect, FilePlan, Plan, RiskLevel } from "../core/tool.ts";

/** The values that the journal and the sessions hand out and take: plain ones, each the record of one thing. */

export type SessionState = "idle" | "running" | "awaiting_approval" | "awaiting_recovery" | "broken";

export interface SessionRow {
  id: string;
  title: string;
  /** Absolute, symlinks resolved. */
  workspace: string;
  state: SessionState;
  model: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  updatedAt: number;
  inputTokens: number;
  outputTokens: number;
  parent?: string;
  /** The session it was forked from, and the last of its calls that came along. */
  forkedFrom?: { session: string; at?: string };
}

/** One turn: the person's prompt, committed before anything is done about it. */
export interface TurnRow {
  /** From 1 in the session. */
  turn: number;
  text: string;
  messageId: string;
  /** queued: typed while another turn ran. done: it ended, whatever the reason. */
  state: "queued" | "running" | "done";
  reason?: string;
}

/** A message of the person for the turn under way, committed before it is acknowledged. */
export interface SteerRow {
  text: string;
  messageId: string;
  /** The same object that addSteer was given where this process gave it. */
  message: BaseMessage;
  /** The step whose request has it first; undefined while it waits for one. */
  step?: StepId;
}

/** The end of a background job that no call told of. */
export interface JobEnd {
  /** Rising; another one for each. */
  seq: number;
  /** The call that had started it, and which attempt of that. */
  callId: string;
  attempt: number;
  /** The words for its own end, or `runsElsewhere` of core; undefined of one that ended with the process, or the session, that ran it. */
  how?: string;
  /** The last line of what it had said, in one line and cut; empty where it had said nothing, undefined where that was not kept. */
  last?: string;
  /** True once the person was told of it. */
  isTold: boolean;
  /** The step whose request tells the model of it; undefined until one does. */
  step?: StepId;
  /** True where a call had told the model of it before that step: its request does not then. */
  isHeard: boolean;
}

/** Instructions of a folder, as the model was told them. */
export interface ToldFile {
  /** The step whose calls had first to do with the folder: they are told behind what came of it. */
  step: StepId;
  /** Relative to the workspace, as it is shown. */
  name: string;
  /** Its lines, marked. */
  text: string;
}

/** The verdict of policy on a call that it allows; `arguments` where a hook of the person's has changed them. */
export interface NotedVerdict {
  callId: string;
  by: Decider;
  risk: RiskLevel;
  effect?: Effect;
  verdict: object;
  plan?: Plan;
  arguments?: JsonObject;
}

/** The occasion of a run of a hook: a call of that step at that attempt, or the step itself. */
export interface HookUse {
  step: StepId;
  event: HookEvent;
  callId?: string;
  attempt: number;
  /** The hook that was run. */
  hook: string;
}

/** One run of a hook of the person's. */
export interface HookRun extends HookUse {
  seq: number;
  /** The process that ran it. */
  child?: ChildNote;
  /** The outcome; undefined where its end was not seen. */
  said?: HookSaid;
}

/** A message that waited, and that the person took back before anyone was told it. */
export type Withdrawn = Pick<TurnRow, "messageId" | "text">;

/** The person's answer to one waiting call. */
export interface AnswerRow {
  callId: string;
  digest: string;
  decision: "approve" | "deny" | "edit" | "retry" | "done" | "cancel";
  reason?: string;
  arguments?: JsonObject;
  grant?: JsonObject;
  /** The time when the grant was kept (milliseconds since the epoch), as `noteGrantKept` wrote it down. */
  grantKept?: number;
  at: number;
  /** The giver of the answer; absent where that is not known: of rows before this was kept, and of programs that do not say. */
  by?: AnswerGiver;
  /** The key of the request by which another process gave it: heard in the same transaction. */
  request?: number;
}

/**
 * `person`: at the question, who saw it. `flag`: said beforehand, with the command. `script`: of a scripted model. `typed`: the call is the
 * person's own command, and typing it was the answer.
 */
export const answerGivers = ["person", "flag", "script", "typed"] as const;
export type AnswerGiver = (typeof answerGivers)[number];

/**
 * The outcome of a request of another process. Of an answer: `taken`, or why nothing was decided by it. Of a stop: `stopped`, or `idle`
 * where nothing ran, `kept` where the question waits on, `late` where the process that it was for had ended.
 */
export type RequestEnd =
  | "taken"
  | "stale"
  | "partial"
  | "person"
  | "not_waiting"
  | "invalid"
  | "stopped"
  | "kept"
  | "idle"
  | "late";

/** A request to whoever drives a session: an answer to one of its calls, or that a run is stopped. */
export type NewRequest =
  | {
      kind: "answer";
      session: string;
      call: string;
      /** Of the question that is answered. */
      digest: string;
      decision: "approve" | "deny";
      reason?: string;
    }
  | { kind: "stop"; session: string };

/** A request that was written, and what became of it once it was heard. */
export type RequestRow = NewRequest & {
  key: number;
  /** The process that wrote it, and when (milliseconds since the epoch). */
  by: { pid: number; host: string };
  at: number;
  /** Of a stop: the lease of the driver that it is for. */
  fence?: number;
  end?: { at: number; became: RequestEnd; said?: string };
};

/** The outcome of writing a request: not written where nobody is there to hear it, or another question waits by now, or none. */
export type RequestWritten =
  | { written: true; key: number; driven: boolean }
  | { written: false; became: "not_driven" | "not_waiting" | "stale"; said: string };

/** A settled call that told the model something, as far as it bears on what may leave the session or outlast it. */
export interface HeardCall {
  toolName: string;
  /** The one that let it run. */
  by?: Decider;
  plan?: Plan;
  verdict?: JsonObject;
  /** The time when it was let run, and that when it ended. */
  decided?: number;
  settled: number;
}

/** One file that a call changed. */
export interface FileChangeRow {
  callId: string;
  real: string;
  before: Sha | null;
  after: Sha | null;
}

/** The same, of any session of a tree. */
export type ChangeInTree = Omit<FileChangeRow, "callId"> & { session: string };

/** One transition: compare-and-set on (callId, status, attempt, digest) of `before`. */
export interface CallMove {
  before: ToolCallInfo;
  after: ToolCallInfo;
  /** Kept with the call from now on; null forgets it. */
  plan?: Plan | null;
  /** The verdict of policy on it, as plain data: kept with the call from now on, in the place of an earlier one. */
  verdict?: object;
  /** Files that the call has changed as planned, though it did not come to the end of its plan; kept whatever becomes of it. */
  done?: readonly FilePlan[];
  /** Spends the person's unspent approval of this digest, in the same transaction; without one the move is refused. */
  spend?: string;
  /** Evidence showed that nothing happened: the approval of this digest may be spent again. */
  unspend?: string;
  /** Whole contents of files, kept in the same transaction so that the effect that follows can be taken back. */
  keep?: readonly Uint8Array[];
  /** The one that asks or allows, by which rule: told by the move's event where the call's own fields do not show it as new. */
  judge?: Decider;
}

/** Contents of files that are kept for undo, and outputs of commands; `bytes` as they lie in the store. */
export type KeptFigure = { versions: number; bytes: number };

/**
 * A row of the append-only life of calls; `hash` covers the row and the hash before it. `by`, `rule`, `digest`, `reason` and `ended`
 * are named only where the move set them anew.
 */
export interface CallEvent {
  seq: number;
  callId: string;
  from: string | null;
  to: string;
  attempt: number;
  at: number;
  by?: string;
  rule?: string;
  digest?: string;
  reason?: string;
  /** The reason why the call ended, where its status does not tell. */
  ended?: CallEnd;
  hash: string;
}

export interface StoredReply {
  id: StepId;
  /** JSON in which the message's text stands, escaped as JSON.stringify does it. */
  body: string;
  /** The time when its first call was proposed, in milliseconds since the epoch; null where it has none. */
  proposed: number | null;
}

/** The person's words, with the message that stands for them in the conversation. */
export interface NewTurn {
  text: string;
  message: BaseMessage;
  /** It waits for the turns before it. */
  queued: boolean;
  /** For a session that has no title yet; and bytes that are kept with the message, in the same transaction. */
  title?: string;
  keep?: readonly Uint8Array[];
}

/** The fields of a call that tell its state. */
export interface CallStanding {
  toolName: string;
  status: CallStatus;
  errorCode?: string;
}

/** The outcomes of the calls of one tool. */
export interface CallFigures {
  tool: string;
  success: number;
  error: number;
  /** Denied, called off, or stopped while they ran. */
  cancelled: number;
  /** Their end was not seen. */
  interrupted: number;
  /** The time when the last of them began, or was asked for where none ever did; milliseconds since the epoch. */
  used: number;
  /** Milliseconds of each run whose start and end were seen. */
  runs: number[];
}

export interface CallFilter {
  /** Milliseconds since the epoch: calls that began from then on. */
  since?: number | undefined;
  tool?: string | undefined;
}

/** The usage of one reply of a model, as far as its server told it. */
export interface Spending {
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number | undefined;
  /** In the currency of the settings; absent where the price is not known. */
  cost?: number | undefined;
  /** Its spec. */
  model?: string | undefined;
}

/** The usage of several replies. */
export interface Spent {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** Of those whose cost is known; absent where it is of none. */
  cost?: number;
  /** Replies whose cost is not known. */
  unpriced: number;
}
