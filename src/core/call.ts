import type { ErrorCode } from "./codes.ts";
import type { JsonObject } from "./json.ts";
import type { Effect, ImageRef, RiskLevel } from "./tool.ts";

/** `script`: what a scripted model says its person would answer, given where nobody sits. */
export type Actor = "person" | "script" | "policy" | "recovery";

/** The one that decided a call's last turn in life, and the rule or table row for it. */
export interface Decider {
  actor: Actor;
  rule?: string;
}

/** Returns the one that answered for a call, where an answer allowed it: such an approval is bound to what was shown, and spent once. */
export const answererOf = (by: Decider | undefined): Decider | undefined =>
  by?.actor === "person" || by?.actor === "script" ? { actor: by.actor } : undefined;

/** All in milliseconds since the epoch. */
export interface CallTimes {
  proposed: number;
  decided?: number;
  started?: number;
  settled?: number;
}

export interface CallResult {
  output: string;
  title?: string;
  display?: string;
  metadata?: JsonObject;
  longTermMemory?: string;
  outputOnce?: boolean;
  attachments?: string[];
  images?: ImageRef[];
}

/**
 * The reason that a call ended, or that its end is not known. `denied` by the person · `policy` says no · `stopped` with its turn · `superseded` by a
 * new message · `forked` away · `given_up` by the person in the recovery menu · `lapsed`: it can no longer be done as it was asked · `raced`: another
 * program's save won · `partly`: an earlier run of it had done a part · `overstepped`: it came to its end, and changed what nobody is let change
 * unasked · `unseen`: its process ended while it ran, or could not write its end down · `unclear`: it failed, or did not stop when told to, and what
 * it did is not known.
 */
export type EndReason =
  | "denied"
  | "policy"
  | "stopped"
  | "superseded"
  | "forked"
  | "given_up"
  | "lapsed"
  | "raced"
  | "partly"
  | "overstepped"
  | "unseen"
  | "unclear";

/** Data, never a sentence that other code reads: the words for it are made in one place (graph/talk/call-words.ts). */
export interface CallEnd {
  why: EndReason;
  /** The call was started and its end not seen, before it was called off: what became of it is not known. */
  unknown?: true;
  /** `unseen` only: the process goes on, but could not write the end down. */
  unwritten?: true;
  /** Whose words these are the reason tells: a rule's, a tool's error, what became of its processes. */
  note?: string;
  /** Files, as they were asked for, that were changed before the rest was not done. */
  files?: string[];
}

interface CallBase {
  /** Ours, unique in the session. */
  callId: string;
  /** The model's own, kept beside ours. */
  modelCallId: string;
  toolName: string;
  arguments: JsonObject;
  /** The arguments as the model wrote them, where they were not a JSON object. */
  rawArguments?: string;
  risk: RiskLevel;
  /** The effect that its tool declares, until a plan of the call is judged: then the effect of that plan. */
  effect: Effect;
  /** From 1; counted durably before the attempt is made. */
  attempt: number;
  /** Of a settled call: characters of its observation that the model gets, false for all, where that is not what is usual. */
  maxObserve?: number | false;
  times: CallTimes;
}

/**
 * Plain JSON by `status`: the state machine of one tool call (DESIGN section 3). `reason` is what the person wrote with a denial,
 * nothing else.
 */
export type ToolCallInfo =
  | (CallBase & { status: "pending"; digest?: string; by?: Decider })
  | (CallBase & { status: "awaiting_approval"; digest: string })
  | (CallBase & { status: "executing"; digest?: string; by?: Decider })
  | (CallBase & { status: "success"; digest?: string; by?: Decider; ended?: CallEnd; result: CallResult })
  | (CallBase & {
      status: "error";
      digest?: string;
      by?: Decider;
      ended?: CallEnd;
      result?: CallResult;
      errorMsg: string;
      errorCode: ErrorCode;
    })
  | (CallBase & { status: "cancelled"; digest?: string; by: Decider; ended: CallEnd; reason?: string })
  /** `result`: of one that came to its end and waits for the person's word on it. */
  | (CallBase & { status: "interrupted"; digest?: string; by?: Decider; ended: CallEnd; result?: CallResult });

export type CallStatus = ToolCallInfo["status"];
export type CallOf<S extends CallStatus> = Extract<ToolCallInfo, { status: S }>;

/** The one table of legal moves. A row without moves is final. */
export const callMoves = {
  pending: ["awaiting_approval", "executing", "error", "cancelled"],
  awaiting_approval: ["pending", "awaiting_approval", "cancelled"],
  executing: ["success", "error", "interrupted", "pending"],
  interrupted: ["pending", "success", "cancelled"],
  success: [],
  error: [],
  cancelled: [],
} as const satisfies Record<CallStatus, readonly CallStatus[]>;

export type NextOf<S extends CallStatus> = (typeof callMoves)[S][number];

/** The fields of a move: those that the new status has beyond those every call has. */
export type CallChange<T extends CallStatus> = Omit<CallOf<T>, keyof CallBase> &
  Partial<Pick<CallBase, "arguments" | "risk" | "effect" | "attempt">> & { times?: Partial<CallTimes> };

export class IllegalMove extends Error {
  override readonly name = "IllegalMove";
}

export const isFinal = (call: Pick<ToolCallInfo, "status">): boolean => callMoves[call.status].length === 0;

export const mayMove = (from: CallStatus, to: CallStatus): boolean =>
  (callMoves[from] as readonly CallStatus[]).includes(to);

// Keeps core 1.
/**
 * The call after one legal move. Pure. Fields that the new status does not name are dropped; digest and by stay unless the
 * change names them (a call that awaits approval has been decided by nobody), `ended` and `reason` never do: they tell of one end.
 * @throws IllegalMove when the table does not have the move (where the types could not say so).
 */
export function advance<S extends CallStatus, T extends NextOf<S>>(
  call: CallOf<S>,
  change: { status: T } & CallChange<T>,
): CallOf<T> {
  const from: CallStatus = call.status;
  const to: CallStatus = change.status;
  if (!mayMove(from, to)) throw new IllegalMove(`call ${call.callId} cannot go from ${from} to ${to}`);
  const { callId, modelCallId, toolName, rawArguments, risk, effect, attempt, digest, by } = call as ToolCallInfo & {
    by?: Decider;
  };
  const kept = { callId, modelCallId, toolName, arguments: call.arguments, rawArguments, risk, effect, attempt };
  const decided = to === "awaiting_approval" ? {} : { by };
  const next: Record<string, unknown> = {
    ...kept,
    digest,
    ...decided,
    ...change,
    times: { ...call.times, ...change.times },
  };
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined)) as unknown as CallOf<T>;
}

/** The person's own command line, typed behind `!`: what `shell` does, but for them. */
export const ownCommandName = "run_command";

/** The person's command that ends a background job: what `shell_stop` does, but for them. */
export const stopJobName = "stop_job";

/** The tool by which a model finds tools that are not described to it. */
export const toolSearchName = "search_tools";

/** The person's command that takes changes back. Its calls are told in words of their own. */
export const undoToolName = "undo_changes";
