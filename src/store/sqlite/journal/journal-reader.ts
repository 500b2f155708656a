import { join } from "node:path";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { Decider, ToolCallInfo } from "../../../core/call.ts";
import type { ChildNote } from "../../../core/child.ts";
import type { JsonObject, Sha } from "../../../core/json.ts";
import { parseStep, type StepId, stepText } from "../../../core/step-id.ts";
import type { FilePlan, Plan } from "../../../core/tool.ts";
import { type Pack, packFolder, readPack } from "../../../files/bytes/pack-file.ts";
import { type CallRow, type StoredDigest, unpackCall, unpackDigest } from "../../journal/call-row.ts";
import { doneFromText, planFromText } from "../../journal/plan-row.ts";
import { fromText, toText } from "../../plain-codec.ts";
import type {
  AnswerRow,
  CallEvent,
  CallStanding,
  Compaction,
  FileChangeRow,
  HeardCall,
  JournalReading,
  LostJob,
  SessionState,
  Spent,
  SteerRow,
  StoredReply,
  TurnRow,
} from "../../types.ts";
import type { MessageShelf } from "../checkpoints/message-shelf.ts";
import type { Database } from "../database.ts";
import { brokenSession, storeFailure } from "../failures.ts";
import { readEvents } from "./call-events.ts";
import { readCompactions } from "./compactions.ts";
import { readKept } from "./kept-bytes.ts";
import { jobsOf, jobsThatAre, type KeptOutput, readOutput } from "./kept-output.ts";
import { readLostJobs } from "./lost-jobs.ts";
import { spentIn, spentInTree } from "./spent.ts";
import { readSteers } from "./steers.ts";
import { inTreeOf } from "./tree.ts";

type TurnColumns = {
  turn: number;
  message: number;
  text: string | null;
  state: TurnRow["state"];
  reason: string | null;
};
type HeardColumns = Pick<CallRow, "tool" | "actor" | "plan" | "verdict" | "decided"> & { settled: number };
type AnswerColumns = {
  digest: StoredDigest;
  decision: AnswerRow["decision"];
  reason: string | null;
  arguments: string | null;
  grant_text: string | null;
  at: number;
  grant_kept: number | null;
};

const calls = "SELECT c.* FROM tool_call c";

/** What the journal knows of one session; needs no lease. */
export class JournalReader implements JournalReading {
  readonly session: string;
  protected readonly db: Database;
  protected readonly shelf: MessageShelf;
  protected readonly thread: number;
  /** What was kept before commands ran. */
  readonly #pack: Pack;

  constructor(db: Database, shelf: MessageShelf, session: string, thread: number) {
    this.db = db;
    this.shelf = shelf;
    this.session = session;
    this.thread = thread;
    const packs = packFolder(db.file);
    this.#pack = readPack(packs && join(packs, session));
  }

  turns(): TurnRow[] {
    return this.db
      .all<TurnColumns>("SELECT * FROM turn WHERE thread = ? AND state <> 'withdrawn' ORDER BY turn", this.thread)
      .map((row) => this.#turn(row));
  }

  /** @throws StoreFailure corrupt where the turn has no message. */
  turnMessage(turn: number): BaseMessage {
    const row = this.db.get<{ message: number }>(
      "SELECT message FROM turn WHERE thread = ? AND turn = ?",
      this.thread,
      turn,
    );
    if (row === undefined) throw new Error(`session ${this.session} has no turn ${turn}`);
    return this.#message(row.message);
  }

  steers(): SteerRow[] {
    return readSteers(this.db, this.shelf, this.thread);
  }

  findReply(stepId: StepId): { message: BaseMessage; calls: ToolCallInfo[] } | undefined {
    const step = this.db.get<{ message: number }>(
      "SELECT message FROM step WHERE thread = ? AND id = ?",
      this.thread,
      stepText(stepId),
    );
    return step === undefined ? undefined : { message: this.#message(step.message), calls: this.callsOf(stepId) };
  }

  steps(): { id: StepId; calls: number }[] {
    const sql =
      "SELECT id, coalesce(last_call - first_call + 1, 0) AS calls FROM step WHERE thread = ? ORDER BY message";
    return this.db
      .all<{ id: string; calls: number }>(sql, this.thread)
      .map(({ id, calls }) => ({ id: parseStep(id), calls }));
  }

  storedReplies(): StoredReply[] {
    const sql = `SELECT s.id, m.body, c.proposed FROM step s JOIN message m ON m.key = s.message
      LEFT JOIN tool_call c ON c.key = s.first_call WHERE s.thread = ? ORDER BY s.message`;
    return this.db
      .all<Omit<StoredReply, "id"> & { id: string }>(sql, this.thread)
      .map(({ id, ...rest }) => ({ id: parseStep(id), ...rest }));
  }

  compactions(): Compaction[] {
    return readCompactions(this.db, this.thread);
  }

  callCount(): number {
    const sql = "SELECT count(*) AS count FROM tool_call WHERE thread = ?";
    return this.db.get<{ count: number }>(sql, this.thread)?.count ?? 0;
  }

  call(callId: string): ToolCallInfo | undefined {
    const row = this.row(callId);
    return row === undefined ? undefined : this.#call(row);
  }

  askedArguments(callId: string): JsonObject | undefined {
    // Asked of each call of a session that is opened: only who was edited is looked for among the steps.
    const sql = `SELECT s.message FROM tool_call c CROSS JOIN step s ON s.thread = c.thread
      AND c.key BETWEEN s.first_call AND s.last_call WHERE c.thread = ? AND c.id = ?
      AND EXISTS (SELECT 1 FROM answer a WHERE a.thread = c.thread AND a.call = c.key AND a.decision = 'edit')`;
    const step = this.db.get<{ message: number }>(sql, this.thread, callId);
    const message = step === undefined ? undefined : this.#message(step.message);
    const asked = AIMessage.isInstance(message) ? message.tool_calls?.find(({ id }) => id === callId) : undefined;
    return asked?.args as JsonObject | undefined;
  }

  callsOf(stepId: StepId): ToolCallInfo[] {
    const sql = `${calls} JOIN step s ON c.key BETWEEN s.first_call AND s.last_call
      WHERE s.thread = ? AND s.id = ? ORDER BY c.key`;
    return this.db.all<CallRow>(sql, this.thread, stepText(stepId)).map((row) => this.#call(row));
  }

  spentInTree(): Spent {
    return spentInTree(this.db, this.thread);
  }

  spent(turn?: number): Spent {
    return spentIn(this.db, this.thread, turn);
  }

  standingsOf(turn: number): CallStanding[] {
    const sql = `SELECT c.tool AS toolName, c.status, c.error_code AS errorCode FROM tool_call c
      JOIN step s ON c.key BETWEEN s.first_call AND s.last_call WHERE s.thread = ? AND s.id GLOB ? ORDER BY c.key`;
    const rows = this.db.all<CallStanding & { errorCode: string | null }>(sql, this.thread, `${turn}.*`);
    return rows.map(({ errorCode, ...row }) => (errorCode === null ? row : { ...row, errorCode }));
  }

  openCalls(): ToolCallInfo[] {
    const sql = `${calls} WHERE c.thread = ? AND c.status NOT IN ('success', 'error', 'cancelled') ORDER BY c.key`;
    return this.db.all<CallRow>(sql, this.thread).map((row) => this.#call(row));
  }

  allCalls(): ToolCallInfo[] {
    return this.db
      .all<CallRow>(`${calls} WHERE c.thread = ? ORDER BY c.key`, this.thread)
      .map((row) => this.#call(row));
  }

  planOf(callId: string): Plan | undefined {
    const plan = this.row(callId)?.plan ?? null;
    return plan === null ? undefined : planFromText(plan);
  }

  verdictOf(callId: string): JsonObject | undefined {
    const verdict = this.row(callId)?.verdict ?? null;
    return verdict === null ? undefined : (fromText(verdict) as JsonObject);
  }

  heardCalls(): HeardCall[] {
    const sql = `SELECT tool, actor, plan, verdict, decided, settled FROM tool_call
      WHERE ${inTreeOf("thread")}
      AND (status = 'success' OR (status = 'error' AND (result IS NOT NULL OR packed IS NOT NULL)))
      AND (verdict LIKE '%"guarded"%'
        OR (effect <> 'file' AND (plan LIKE '%"hosts":[{%' OR plan LIKE '%"network":true%'
          OR (effect <> 'none' AND plan LIKE '%"sandbox":false%')))) ORDER BY settled, key`;
    const rows = this.db.all<HeardColumns>(sql, this.thread);
    return rows.map(({ tool, actor, plan, verdict, decided, settled }) => ({
      toolName: tool,
      settled,
      ...(actor === null ? {} : { by: { actor: actor as Decider["actor"] } }),
      ...(plan === null ? {} : { plan: planFromText(plan) }),
      ...(verdict === null ? {} : { verdict: fromText(verdict) as JsonObject }),
      ...(decided === null ? {} : { decided }),
    }));
  }

  fileChanges(): FileChangeRow[] {
    return readFileChanges(this.db, this.thread);
  }

  title(): { text: string; by?: "person" | "model" } {
    const sql = "SELECT title AS text, title_by AS by FROM session WHERE thread = ?";
    const row = this.db.get<{ text: string; by: "person" | "model" | null }>(sql, this.thread);
    return { text: row?.text ?? "", ...(row?.by == null ? {} : { by: row.by }) };
  }

  state(): SessionState {
    const sql = "SELECT state FROM session WHERE thread = ?";
    return this.db.get<{ state: SessionState }>(sql, this.thread)?.state ?? "idle";
  }

  doneOf(callId: string): FilePlan[] {
    const done = this.row(callId)?.done ?? null;
    return done === null ? [] : doneFromText(done);
  }

  childrenOf(callId: string): ChildNote[] {
    const children = this.row(callId)?.children ?? null;
    return children === null ? [] : (fromText(children) as unknown as ChildNote[]);
  }

  answersOf(callId: string): AnswerRow[] {
    const rows = this.db.all<AnswerColumns>(
      "SELECT a.* FROM answer a JOIN tool_call c ON c.key = a.call WHERE a.thread = ? AND c.id = ? ORDER BY a.seq",
      this.thread,
      callId,
    );
    return rows.map((row) => ({
      callId,
      digest: unpackDigest(row.digest),
      decision: row.decision,
      ...(row.reason === null ? {} : { reason: row.reason }),
      ...(row.arguments === null ? {} : { arguments: fromText(row.arguments) as JsonObject }),
      ...(row.grant_text === null ? {} : { grant: fromText(row.grant_text) as JsonObject }),
      at: row.at,
      ...(row.grant_kept == null ? {} : { grantKept: row.grant_kept }),
    }));
  }

  publishedDigest(callId: string): string | undefined {
    const sql = "SELECT shown FROM tool_call WHERE thread = ? AND id = ?";
    const row = this.db.get<{ shown: StoredDigest | null }>(sql, this.thread, callId);
    return row?.shown == null ? undefined : unpackDigest(row.shown);
  }

  /** Nobody who only reads has started anything. */
  startedHere(_callId: string): boolean {
    return false;
  }

  events(): CallEvent[] {
    return readEvents(this.db, this.thread);
  }

  bytesOf(sha: Sha): Uint8Array | undefined {
    return readKept(this.db, this.thread, sha) ?? this.#pack.read(sha);
  }

  outputOf(callId: string): KeptOutput | undefined {
    return readOutput(this.db, this.thread, callId);
  }

  jobs(): string[] {
    return jobsOf(this.db, this.thread);
  }

  runningJobs(): string[] {
    return jobsThatAre("running", this.db, this.thread);
  }

  untoldJobs(): string[] {
    return jobsThatAre("lost", this.db, this.thread);
  }

  lostJobs(): readonly LostJob[] {
    return readLostJobs(this.db, this.thread);
  }

  protected row(callId: string): CallRow | undefined {
    return this.db.get<CallRow>(`${calls} WHERE c.thread = ? AND c.id = ?`, this.thread, callId);
  }

  /**
   * A settled call that is damaged still tells its name and end, so that its conversation stays readable; one that is open
   * could be run. @throws StoreFailure corrupt for the latter.
   */
  #call(row: CallRow): ToolCallInfo {
    try {
      return unpackCall(row);
    } catch (error) {
      const settled = row.status === "success" || row.status === "error" || row.status === "cancelled";
      if (!settled) throw brokenSession(this.session, this.db.file, error);
      const result =
        row.status === "success" ? toText({ output: "[This result could not be read from the store]" }) : null;
      return unpackCall({ ...row, arguments: "{}", raw_arguments: row.arguments, result, packed: null, ended: null });
    }
  }

  #turn(row: TurnColumns): TurnRow {
    const message = this.#message(row.message);
    return {
      turn: row.turn,
      // Kept apart only where the message says something else.
      text: row.text ?? (typeof message.content === "string" ? message.content : ""),
      messageId: message.id ?? "",
      state: row.state,
      ...(row.reason === null ? {} : { reason: row.reason }),
    };
  }

  #message(key: number): BaseMessage {
    const message = this.shelf.read(this.thread, key);
    if (message === undefined)
      throw storeFailure("corrupt", this.db.file, `a message of session ${this.session} is gone`);
    return message;
  }
}

type Row = { id: string; real: string; before: string | null; after: string | null };

/**
 * What calls changed in files, oldest first: what was noted of each (`done`), then what the plan of a file effect says that came to its
 * end. The texts of plans are not read for it, so that a list of sessions can tell it.
 */
function readFileChanges(db: Database, thread: number): FileChangeRow[] {
  const columns = `c.key, c.id, f.value ->> '$.real' AS real, f.value ->> '$.before' AS before, f.value ->> '$.after' AS after`;
  const rows = db.all<Row>(
    `SELECT id, real, before, after FROM (
       SELECT ${columns}, 0 AS late, f.key AS place
         FROM tool_call c, json_each(c.done) f WHERE c.thread = ? AND c.done IS NOT NULL
       UNION ALL
       SELECT ${columns}, 1 AS late, f.key AS place
         FROM tool_call c, json_each(c.plan, '$.files') f
         WHERE c.thread = ? AND c.effect = 'file' AND c.status = 'success' AND c.plan IS NOT NULL)
     WHERE before IS NOT after ORDER BY key, late, place`,
    thread,
    thread,
  );
  const seen = new Set<string>();
  return rows.flatMap(({ id, real, before, after }) => {
    const known = JSON.stringify([id, real, before, after]);
    if (seen.has(known)) return [];
    seen.add(known);
    return [{ callId: id, real, before: before as Sha | null, after: after as Sha | null }];
  });
}
