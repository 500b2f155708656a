import type { Compaction } from "./compaction.ts";
import type { CallRow, StoredDigest } from "./journal/call-row.ts";
import type { AnswerRow, RequestEnd, SessionState, TurnRow } from "./rows.ts";

/**
 * The columns of a session's tables, as any engine stores them; `K` is what names a row of another table. The session's own
 * key is in none of them: an engine adds it.
 */
export interface Tables<K = number> {
  message: MessageColumns;
  session: SessionColumns;
  turn: TurnColumns<K>;
  step: StepColumns<K>;
  tool_call: CallColumns;
  tool_call_event: EventColumns<K>;
  answer: AnswerColumns<K>;
  steer: SteerColumns<K>;
  job_end: JobEndColumns;
  told_file: ToldFileColumns;
  hook_run: HookRunColumns;
  compaction: CompactionColumns;
  spent: SpentColumns;
  call_output: OutputColumns<K>;
  request: RequestColumns;
}
export type TableName = keyof Tables;

export interface MessageColumns {
  /** The message before it; null at the beginning of a list, 0 where it has no place yet. */
  parent: number | null;
  id: string | null;
  type: string;
  body: string;
}

export interface SessionColumns {
  state: SessionState;
  model: string;
  title: string;
  title_by: "person" | "model" | null;
  updated: number;
  input_tokens: number;
  output_tokens: number;
}

/** The request of another process to whoever drives the session: written without a lease, and heard once. */
export interface RequestColumns {
  /** Never given again. */
  key: number;
  kind: "answer" | "stop";
  call: string | null;
  digest: StoredDigest | null;
  decision: "approve" | "deny" | null;
  reason: string | null;
  /** Of the lease that a stop is for. */
  fence: number | null;
  pid: number;
  host: string;
  at: number;
  heard: number | null;
  became: RequestEnd | null;
  /** The reason, in words for the person. */
  said: string | null;
}

export interface TurnColumns<K = number> {
  turn: number;
  message: K;
  /** Only where the message says something else. */
  text: string | null;
  state: TurnRow["state"] | "withdrawn";
  reason: string | null;
}

export interface StepColumns<K = number> {
  id: string;
  message: K;
  /** The calls of a step are the rows from its first to its last. */
  first_call: K | null;
  last_call: K | null;
}

export type CallColumns = Omit<CallRow, "key" | "thread">;
/** A call as it is mirrored: its plan stays where it lies. */
export type MirroredCall = Omit<CallRow, "thread" | "plan">;

export interface EventColumns<K = number> {
  seq: number;
  call: K;
  was: string | null;
  became: string;
  attempt: number;
  at: number;
  actor: string | null;
  rule: string | null;
  digest: StoredDigest | null;
  reason: string | null;
  /** CallEnd as JSON. */
  ended: string | null;
  hash: Uint8Array;
}

export interface AnswerColumns<K = number> {
  seq: number;
  call: K;
  digest: StoredDigest;
  decision: AnswerRow["decision"];
  reason: string | null;
  arguments: string | null;
  grant_text: string | null;
  at: number;
  /** 1 once a start was made by it. */
  spent: number;
  grant_kept: number | null;
  given_by: AnswerRow["by"] | null;
}

export interface SteerColumns<K = number> {
  seq: number;
  message: K;
  step: string | null;
  /** The turn that it became; 0 where it was taken back. */
  turn: number | null;
}

export interface JobEndColumns {
  seq: number;
  call: string;
  /** Of the call, as the job was begun by it. */
  attempt: number;
  step: string | null;
  /** Null of one that was lost. */
  how: string | null;
  /** Null of one that an earlier version kept. */
  last: string | null;
  /** 1 once the person was told. */
  told: number;
  /** 1 where a call had told the model of it before `step`, whose request does not then; decided once, with `step`. */
  heard: number;
}

/** Instructions of a folder, told to the model behind what came of a step. */
export interface ToldFileColumns {
  seq: number;
  step: string;
  /** Relative to the workspace, as it is shown. */
  name: string;
  /** As it was told. */
  text: string;
}

/** A run of a hook of the person's: written before it begins, and again once its end was seen. */
export interface HookRunColumns {
  seq: number;
  step: string;
  event: string;
  /** A call; null of an event of the step itself. */
  call: string | null;
  attempt: number;
  hook: string;
  /** ChildNote as JSON. */
  child: string | null;
  /** HookSaid as JSON. */
  said: string | null;
}

export interface CompactionColumns {
  seq: number;
  at: number;
  actor: Compaction["by"];
  up_to: string;
  made_after: string;
  was: number;
  became: number;
  kept: number | null;
  summary: string | null;
  shown: string | null;
  undone: number | null;
}

export interface SpentColumns {
  /** Absent for what was no part of a turn. */
  turn: number | null;
  at: number;
  model: string | null;
  input: number;
  cached: number;
  output: number;
  cost: number | null;
}

/** The state of a job; its end, and who was told of it, stands in `job_end`. */
export type JobState = "running" | "ended";

export interface OutputColumns<K = number> {
  call: K;
  at: number;
  form: number;
  bytes: Uint8Array;
  job: JobState | null;
}
