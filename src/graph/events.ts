import type { CallEnd, Decider, ToolCallInfo } from "../core/call.ts";
import type { AskedForm, FormAnswer } from "../core/forms/asked-form.ts";
import type { Goals, GoalWork } from "../core/goals.ts";
import type { Json, JsonObject } from "../core/json.ts";
import type { Effect, Plan, RiskLevel } from "../core/tool.ts";
import type { Mode, Verdict } from "../policy/types.ts";
import type { NotShown } from "./calls/partial.ts";

/** One line of the transcript as a person reads it, for `session_restored`. */
export type TranscriptEntry =
  /** `steer`: said while the turn ran, and told at the step that follows it here. */
  | { role: "user"; id: string; text: string; steer?: true }
  | { role: "assistant"; id: string; text: string; calls: string[] }
  /** Of a call that was cancelled, which has no result that says what it was: `summary` one line of its plan, `counts` the lines it would have changed. */
  | {
      role: "call";
      session: string;
      call: ToolCallInfo;
      summary?: string;
      counts?: { added: number; removed: number };
    };

/** Whose call it is: one question asks about those of a session and of all that it drives. */
interface Addressed {
  session: string;
  callId: string;
  /** The name of the child that it is of. */
  agent?: string;
}

/** The news of a call against those of its session that the person approved before. `times`: the number of changes of the file. */
export type News =
  | { is: "same" | "same_words" | "same_program" | "first_command" }
  | { is: "same_file"; times: number }
  | { is: "other_file" | "first_folder" | "first_deletion" }
  | { is: "other_arguments" | "first_of_tool" };

export interface WaitingCall extends Addressed {
  toolName: string;
  arguments: JsonObject;
  risk: RiskLevel;
  digest: string;
  plan: Plan;
  /** The plan's diff does not show all: such a call is approved only with its digest (12 hex or more of it, as a flag). */
  partial?: NotShown;
  verdict: Verdict;
  /** The plan differs from the one published before: digests, and the old plan's diff where it is known. */
  changed?: { from: string; to: string; why: string; before?: Plan };
  /**
   * In a stored question that was read again after the call got another plan: what was long is left out of this one, and its
   * digest approves nothing. Never in an event.
   */
  replaced?: true;
  /** Arguments the person may edit. */
  editable?: string[];
  /** Its news against the calls of its session that the person approved before; absent where nothing can be said. */
  news?: News;
}

export type Change = NonNullable<WaitingCall["changed"]>;

export type RecoveryChoice = "retry" | "done" | "cancel";

export interface UnsettledCall extends Addressed {
  toolName: string;
  arguments: JsonObject;
  effect: Effect;
  /** ISO 8601. */
  startedAt: string;
  /** The known facts of its end, in words. */
  known: string;
  plan?: Plan;
  /** As in `WaitingCall`. */
  replaced?: true;
  choices: RecoveryChoice[];
}

export type TurnReason =
  | "done"
  | "awaiting_approval"
  | "awaiting_recovery"
  | "max_steps"
  | "max_cost"
  | "stuck"
  | "context_full"
  | "cancelled"
  | "failed";

export interface TokenFigures {
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  cost?: number;
}

/** The totals of a session that a call of the turn drives. */
export interface HelperTook extends TokenFigures {
  session: string;
  agent: string;
  steps: number;
}

/** A call between its first and last transition. */
export type CallDelta = Pick<ToolCallInfo, "callId" | "status" | "attempt"> & {
  digest?: string;
  by?: Decider;
  ended?: CallEnd;
};

export type AgentEventBody =
  /** The model has named the session. */
  | { type: "session_titled"; title: string }
  | {
      type: "session_started";
      model: string;
      workspace: string;
      mode: Mode;
      /** Of a helper: the goal of its parent's plan that it works for, and how. */
      works?: GoalWork;
    }
  | {
      type: "session_restored";
      model: string;
      workspace: string;
      mode: Mode;
      messages: TranscriptEntry[];
      /** Messages and calls before these; all are there where it is left out. */
      earlier?: number;
      title?: string;
      /** Of a child's call its whole address. */
      waiting: string[];
      interrupted: string[];
      /** Its process ended in the middle of a turn: how many of the turn's calls are done, of how many. */
      cutOff?: { done: number; calls: number };
      /** Calls of that turn were allowed by a mode that holds no longer: the mode is `ask`. */
      modeFellBack?: true;
      /** Files that are not as they were before the session. */
      filesChanged?: number;
      /** The session's plan, where it has one. */
      goals?: Goals;
      /** The files were put back to before this message of the person, and the talk is not yet: it is to be forked before that turn, as that session. */
      rewind?: { turn: number; fork: string; text: string };
      /** Tokens of the last request and its reply, where the server told them. */
      contextUsed?: number;
      contextWindow?: number;
    }
  /**
   * `steer`: it is for the turn under way. With `queued` it waits for the turn's next step, or for the turn's end, where it begins the
   * next one; without, it goes to the model now.
   */
  | { type: "user_message"; id: string; text: string; queued?: boolean; steer?: true }
  /** The person took back a message that waited: it is never told. */
  | { type: "message_withdrawn"; id: string }
  | { type: "text_delta"; id: string; text: string }
  | { type: "assistant_message"; id: string; text: string; calls: string[] }
  | { type: "tool_call"; call: ToolCallInfo | CallDelta }
  | {
      type: "tool_progress";
      callId: string;
      phase: "arguments" | "running";
      tip?: string;
      toolName?: string;
      partialArguments?: string;
      text?: string;
      figure?: number;
      /** From here on `Session.sendAside` has it go on in the background. */
      mayGoAside?: true;
    }
  | { type: "approval_requested"; calls: WaitingCall[] }
  | { type: "recovery_requested"; calls: UnsettledCall[] }
  /** While this call runs, what it speaks to asks the person; `form` names the question in the session's stream. */
  | { type: "form_requested"; callId: string; form: number; asked: AskedForm }
  /** It is asked no more. `sent`: names of what was sent. */
  | { type: "form_closed"; callId: string; form: number; action: FormAnswer["action"]; from: string; sent?: string[] }
  | {
      type: "decision";
      callId: string;
      decision: string;
      by: Decider["actor"];
      rule?: string;
      digest?: string;
      reason?: string;
      /** The session's from now on, where the answer set it. */
      mode?: Mode;
    }
  | {
      type: "usage";
      inputTokens: number;
      /** Of the input, what the server had in its cache. */
      cachedTokens?: number;
      outputTokens: number;
      /** Its cost, where the settings have the model's price. */
      cost?: number;
      contextUsed: number;
      contextWindow?: number;
    }
  /** The model sums up the talk, to make room: tokens of the next request, estimated. */
  | { type: "compaction_started"; id: string; by: "auto" | "person"; contextUsed: number }
  /** `upTo`: the last stored message that the summary stands for; where it failed, nothing was cut. */
  | {
      type: "compaction_done";
      id: string;
      ok: boolean;
      upTo: string;
      before: number;
      after: number;
      summary?: string;
      error?: string;
      /** The figures of its request, as far as the server told them. */
      usage?: TokenFigures;
    }
  | { type: "notice"; code: string; text: string }
  | { type: "error"; code: string; message: string; hint?: string }
  | {
      type: "turn_ended";
      reason: TurnReason;
      exitCode: number;
      text?: string;
      /** The JSON of the turn's last words, where it was to end with JSON by a schema, and did. */
      output?: Json;
      calls: { success: number; error: number; cancelled: number; interrupted: number };
      /** The figures of the replies of the turn, and of the session; the cost where prices are known. */
      usage?: TokenFigures;
      sessionUsage?: TokenFigures;
      /** The number of replies that the turn took, where its calls drove others; and the figures of those, who are not counted in `usage`. */
      steps?: number;
      helpers?: HelperTook[];
      /** The command that goes on with this session. */
      resume?: string;
    };

/** One line of the stream; `seq` from 1, without a gap in a process; `at` ISO 8601; of a helper's its parent and its name. */
export type AgentEvent = {
  v: 1;
  seq: number;
  at: string;
  session: string;
  parent?: string;
  agent?: string;
} & AgentEventBody;
