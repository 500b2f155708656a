import type { BaseMessage } from "@langchain/core/messages";
import { type Decider, IllegalMove, mayMove, type ToolCallInfo } from "../../../core/call.ts";
import type { ChildNote } from "../../../core/child.ts";
import { faultAtMoves, faultPoint } from "../../../core/fault-point.ts";
import { isSameStep, type StepId, stepText } from "../../../core/step-id.ts";
import type { Plan } from "../../../core/tool.ts";
import { movable, packCall, packDigest } from "../../journal/call-row.ts";
import { doneToText, planToText } from "../../journal/plan-row.ts";
import { toText, wellFormed } from "../../plain-codec.ts";
import {
  type AnswerRow,
  type CallMove,
  type Compaction,
  type Journal,
  type LostJob,
  type NewCompaction,
  type NewTurn,
  type SessionState,
  type Spending,
  StaleMove,
  type SteerRow,
  type TurnRow,
  type Withdrawn,
} from "../../types.ts";
import type { MessageShelf } from "../checkpoints/message-shelf.ts";
import type { Database, Durability } from "../database.ts";
import type { HeldLease, Leases } from "../sessions/leases.ts";
import { appendEvent, eventOf } from "./call-events.ts";
import { storeCompaction, takeBackCompaction } from "./compactions.ts";
import { JournalReader } from "./journal-reader.ts";
import { keepAll, pack, packAll } from "./kept-bytes.ts";
import { markPersonTold, writeOutput } from "./kept-output.ts";
import { addLostJob, markLostTold } from "./lost-jobs.ts";
import { noteSpent } from "./spent.ts";
import { makeTurn, markTold, storeSteer, withdraw } from "./steers.ts";
import { storeTurn } from "./turn-row.ts";

/** The journal of a session that this process drives. */
export class SessionJournal extends JournalReader implements Journal {
  readonly #lease: HeldLease;
  readonly #leases: Leases;
  readonly #clock: () => number;
  /** What `callsOf` last found, as of so many commits. */
  #lost: { commits: number; jobs: readonly LostJob[] } | undefined;
  #seen: { stepId: StepId; commits: number; calls: ToolCallInfo[] } | undefined;

  constructor(db: Database, shelf: MessageShelf, leases: Leases, lease: HeldLease, clock: () => number) {
    super(db, shelf, lease.session, lease.thread);
    this.#lease = lease;
    this.#leases = leases;
    this.#clock = clock;
  }

  async addTurn(turn: NewTurn): Promise<TurnRow> {
    faultPoint("before user text saved");
    const packed = await packAll(turn.keep);
    const added = await this.#write("full", () => {
      keepAll(this.db, this.thread, packed, this.#clock());
      const stored = storeTurn(this.db, this.shelf, this.thread, turn);
      this.#touch();
      return stored;
    });
    faultPoint("after user text saved");
    added.settle();
    return added.row;
  }

  async setTurn(turn: number, state: TurnRow["state"], reason?: string): Promise<void> {
    await this.#write("full", () => {
      const sql = "UPDATE turn SET state = ?, reason = ? WHERE thread = ? AND turn = ?";
      const done = this.db.run(sql, state, reason === undefined ? null : wellFormed(reason), this.thread, turn);
      if (done.changes !== 1) throw new Error(`session ${this.session} has no turn ${turn}`);
    });
  }

  async addSteer(message: BaseMessage, contents: readonly Uint8Array[] = []): Promise<void> {
    faultPoint("before steer saved");
    const packed = await packAll(contents);
    const settle = await this.#write("full", () => {
      keepAll(this.db, this.thread, packed, this.#clock());
      const stored = storeSteer(this.db, this.shelf, this.thread, message);
      this.#touch();
      return stored;
    });
    faultPoint("after steer saved");
    settle();
  }

  async tellSteers(stepId: StepId): Promise<SteerRow[]> {
    faultPoint("before steers told");
    const told = await this.#write("full", () => {
      const waiting = this.steers().filter(({ step }) => step === undefined);
      markTold(this.db, this.thread, stepId);
      markLostTold(this.db, this.thread, stepId);
      return waiting;
    });
    faultPoint("after steers told");
    return told.map((one) => ({ ...one, step: stepId }));
  }

  async steerToTurn(before?: TurnRow["turn"]): Promise<TurnRow | undefined> {
    const turn = await this.#write("full", () => makeTurn(this.db, this.thread, before));
    return turn === undefined ? undefined : this.turns().find((row) => row.turn === turn);
  }

  async withdrawWaiting(): Promise<Withdrawn[]> {
    faultPoint("before messages withdrawn");
    const withdrawn = await this.#write("full", () => withdraw(this.db, this.shelf, this.thread));
    faultPoint("after messages withdrawn");
    return withdrawn;
  }

  async commitReply(reply: Parameters<Journal["commitReply"]>[0]): Promise<void> {
    const { stepId, after, message, usage } = reply;
    for (const call of reply.calls)
      if (call.status !== "pending" && call.status !== "error")
        throw new IllegalMove(`call ${call.callId} cannot begin as ${call.status}`);
    faultPoint("before reply committed");
    // With nothing but reads in it the model may be asked again, so a power cut may take it back; see Database.
    const onlyReads = reply.calls.length > 0 && reply.calls.every((call) => call.effect === "none");
    const stored = await this.#write(onlyReads ? "normal" : "full", () => {
      const known = this.db.get("SELECT 1 FROM step WHERE thread = ? AND id = ?", this.thread, stepText(stepId));
      if (known !== undefined) throw new StaleMove(`step ${stepText(stepId)} has its reply already`);
      const shelved = this.shelf.add(this.thread, message, after);
      const keys = reply.calls.map((call) => this.#propose(call));
      this.db.run(
        "INSERT INTO step (thread, id, message, first_call, last_call) VALUES (?, ?, ?, ?, ?)",
        ...[this.thread, stepText(stepId), shelved.key, keys[0] ?? null, keys.at(-1) ?? null],
      );
      this.#touch(usage);
      if (usage !== undefined) noteSpent(this.db, { thread: this.thread, turn: stepId.turn, at: this.#clock() }, usage);
      return shelved;
    });
    faultPoint("after reply committed");
    stored.settle();
  }

  async addCompaction(made: NewCompaction, usage?: Spending & { turn?: number }): Promise<Compaction> {
    faultPoint("before compaction committed");
    const at = this.#clock();
    const id = await this.#write("full", () => {
      if (usage !== undefined) this.#noteSpent(usage, at);
      return storeCompaction(this.db, this.thread, made, at);
    });
    faultPoint("after compaction committed");
    return { ...made, id, at };
  }

  noteSpent(usage: Spending & { turn?: number }): Promise<void> {
    return this.#write("full", () => this.#noteSpent(usage, this.#clock()));
  }

  undoCompaction(id: string): Promise<boolean> {
    return this.#write("full", () => takeBackCompaction(this.db, this.thread, id, this.#clock()));
  }

  async notePublished(calls: readonly { callId: string; digest: string }[]): Promise<void> {
    const sql = "UPDATE tool_call SET shown = ? WHERE thread = ? AND id = ? AND status = 'awaiting_approval'";
    await this.#write("full", () => {
      for (const { callId, digest } of calls) this.db.run(sql, packDigest(digest), this.thread, callId);
    });
  }

  async move(moves: CallMove[], answer?: AnswerRow): Promise<void> {
    for (const move of moves) checkLegal(move);
    // A read may run again, so a power cut may take its rows back; see Database.
    const lasting =
      answer !== undefined ||
      moves.some(({ before, after, spend }) => [before.effect, after.effect].some(lasts) || spend !== undefined);
    const packed = await packAll(moves.flatMap(({ keep = [] }) => keep));
    faultAtMoves("before", moves, answer);
    await this.#write(lasting ? "full" : "normal", () => {
      keepAll(this.db, this.thread, packed, this.#clock());
      if (answer !== undefined) this.#answer(answer);
      for (const move of moves) this.#move(move);
    });
    faultAtMoves("after", moves, answer);
  }

  async noteVerdicts(rows: Parameters<Journal["noteVerdicts"]>[0]): Promise<void> {
    if (rows.length === 0) return;
    // As with moves: what may run again may be judged again too.
    const onlyReads = rows.every(({ callId, effect }) => !lasts(effect ?? this.row(callId)?.effect));
    const sql = `UPDATE tool_call SET actor = ?, rule = ?, risk = ?, effect = coalesce(?, effect), verdict = ?
      WHERE thread = ? AND id = ? AND status = 'pending'`;
    await this.#write(onlyReads ? "normal" : "full", () => {
      for (const { callId, by, risk, effect = null, verdict } of rows) {
        const rule = by.rule === undefined ? null : wellFormed(by.rule);
        const { changes } = this.db.run(sql, by.actor, rule, risk, effect, toText(verdict), this.thread, callId);
        if (changes !== 1) throw new StaleMove(`call ${callId} is not pending: no verdict is due`);
      }
    });
  }

  async noteGrantKept(callId: string): Promise<void> {
    const sql = `UPDATE answer SET grant_kept = ? WHERE thread = ? AND grant_text IS NOT NULL AND grant_kept IS NULL
      AND call = (SELECT key FROM tool_call WHERE thread = ? AND id = ?)`;
    await this.#write("full", () => this.db.run(sql, this.#clock(), this.thread, this.thread, callId));
  }

  async noteChild(callId: string, child: ChildNote): Promise<void> {
    await this.#write("normal", () => {
      const children = [...this.childrenOf(callId), child];
      const sql = "UPDATE tool_call SET children = ? WHERE thread = ? AND id = ? AND status = 'executing'";
      const { changes } = this.db.run(sql, toText(children), this.thread, callId);
      if (changes !== 1) throw new StaleMove(`call ${callId} is not executing: it starts no process`);
    });
  }

  async keepOutput(callId: string, bytes: Uint8Array, job?: "running" | "ended" | "lost"): Promise<void> {
    const packed = await pack(bytes);
    // Of a lost one the person is told as soon as this is written.
    await this.#write(job === "lost" ? "full" : "normal", () => {
      writeOutput(this.db, this.thread, { callId, packed, job, at: this.#clock() });
      if (job === "lost") addLostJob(this.db, this.thread, callId);
    });
  }

  async noteJobTold(callId: string): Promise<void> {
    await this.#write("full", () => markPersonTold(this.db, this.thread, callId));
  }

  get isHeldUp(): boolean {
    return this.db.isHeldUp;
  }

  override startedHere(callId: string): boolean {
    const row = this.row(callId);
    return row?.status === "executing" && row.fence === this.#lease.fence;
  }

  /** Asked many times a step, and changed by nobody but this journal while it has the lease. */
  override callsOf(stepId: StepId): ToolCallInfo[] {
    const { commits } = this.db;
    if (this.#seen === undefined || !isSameStep(this.#seen.stepId, stepId) || this.#seen.commits !== commits)
      this.#seen = { stepId, commits, calls: super.callsOf(stepId) };
    return [...this.#seen.calls];
  }

  /** Asked for each message of each request, and changed by nobody but this journal while it has the lease. */
  override lostJobs(): readonly LostJob[] {
    const { commits } = this.db;
    if (this.#lost?.commits !== commits) this.#lost = { commits, jobs: super.lostJobs() };
    return this.#lost.jobs;
  }

  override call(callId: string): ToolCallInfo | undefined {
    const seen = this.#seen?.commits === this.db.commits ? this.#seen.calls : [];
    return seen.find((call) => call.callId === callId) ?? super.call(callId);
  }

  async setState(state: SessionState): Promise<void> {
    await this.#setSession("state", state);
  }

  async setModel(model: string): Promise<void> {
    await this.#setSession("model", model);
  }

  async noteModelTitle(title: string | undefined, usage: Spending): Promise<boolean> {
    return this.#write("full", () => {
      this.#noteSpent(usage, this.#clock());
      if (title === undefined) return false;
      const sql = "UPDATE session SET title = ?, title_by = 'model' WHERE thread = ? AND title_by IS NULL";
      return this.db.run(sql, wellFormed(title), this.thread).changes === 1;
    });
  }

  #write<T>(durability: Durability, work: () => T): Promise<T> {
    return this.db.write(durability, () => {
      this.#leases.check(this.#lease);
      return work();
    });
  }

  async #setSession(column: "state" | "model", value: string): Promise<void> {
    await this.#write("full", () => {
      const sql = `UPDATE session SET ${column} = ?, updated = ? WHERE thread = ?`;
      this.db.run(sql, wellFormed(value), this.#clock(), this.thread);
    });
  }

  #noteSpent({ turn, ...usage }: Spending & { turn?: number }, at: number): void {
    this.#touch(usage);
    noteSpent(this.db, { thread: this.thread, ...(turn === undefined ? {} : { turn }), at }, usage);
  }

  #touch(usage = { inputTokens: 0, outputTokens: 0 }): void {
    this.db.run(
      `UPDATE session SET updated = ?, input_tokens = input_tokens + ?, output_tokens = output_tokens + ?
       WHERE thread = ?`,
      ...[this.#clock(), usage.inputTokens, usage.outputTokens, this.thread],
    );
  }

  #propose(call: ToolCallInfo): number {
    if (this.row(call.callId) !== undefined) throw new StaleMove(`there is a call ${call.callId} already`);
    const columns = { thread: this.thread, ...packCall(call) };
    const names = Object.keys(columns);
    const sql = `INSERT INTO tool_call (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`;
    const { key } = this.db.run(sql, ...Object.values(columns));
    this.#record(key, undefined, call);
    return key;
  }

  #move({ before, after, plan, verdict, done, spend, unspend, judge }: CallMove): void {
    const packed = packCall(after);
    const own = Object.fromEntries(movable.map((name) => [name, packed[name]]));
    const noted = done === undefined || done.length === 0 ? [] : [...this.doneOf(before.callId), ...done];
    const columns = {
      ...own,
      ...packPlan(plan),
      ...(verdict === undefined ? {} : { verdict: toText(verdict) }),
      ...(noted.length === 0 ? {} : { done: doneToText(noted) }),
    };
    const sets = Object.keys(columns).map((name) => `${name} = ?`);
    // The fence tells who began this attempt, as long as it runs.
    const fence = after.status === "executing" ? this.#lease.fence : null;
    const digest = before.digest === undefined ? null : packDigest(before.digest);
    const moved = this.db.get<{ key: number }>(
      `UPDATE tool_call SET ${sets.join(", ")}, fence = ?
       WHERE thread = ? AND id = ? AND status = ? AND attempt = ? AND digest IS ? RETURNING key`,
      ...Object.values(columns),
      ...[fence, this.thread, before.callId, before.status, before.attempt, digest],
    );
    if (moved === undefined) throw this.#stale(before);
    const { key } = moved;
    if (spend !== undefined) this.#spend(key, before.callId, spend);
    if (unspend !== undefined) this.#unspend(key, before.callId, unspend);
    this.#record(key, before, after, judge);
  }

  #stale(before: ToolCallInfo): StaleMove {
    const now = this.call(before.callId);
    const is = now === undefined ? "is not there" : `is ${now.status} (attempt ${now.attempt})`;
    return new StaleMove(`call ${before.callId} was ${before.status} (attempt ${before.attempt}), but ${is}`);
  }

  #record(call: number, before: ToolCallInfo | undefined, after: ToolCallInfo, judge?: Decider): void {
    const event = eventOf(before, after, this.#clock(), judge);
    appendEvent(this.db, { session: this.session, thread: this.thread, call }, event);
  }

  /** An approval of a digest that is no longer the call's is refused: what was shown is what is approved. */
  #answer(answer: AnswerRow): void {
    const row = this.row(answer.callId);
    if (row === undefined) throw new StaleMove(`there is no call ${answer.callId} to answer`);
    const digest = packDigest(answer.digest);
    const same = this.db.get("SELECT 1 FROM tool_call WHERE key = ? AND digest IS ?", row.key, digest);
    if (answer.decision === "approve" && same === undefined)
      throw new StaleMove(`call ${answer.callId} no longer has the digest that was approved`);
    this.db.run(
      `INSERT INTO answer (thread, seq, call, digest, decision, reason, arguments, grant_text, at)
       VALUES (?, (SELECT count(*) + 1 FROM answer WHERE thread = ?), ?, ?, ?, ?, ?, ?, ?)`,
      ...[this.thread, this.thread, row.key, digest, answer.decision],
      ...[answer.reason === undefined ? null : wellFormed(answer.reason)],
      ...[answer.arguments === undefined ? null : toText(answer.arguments)],
      ...[answer.grant === undefined ? null : toText(answer.grant), answer.at],
    );
  }

  #spend(call: number, callId: string, digest: string): void {
    const spent = this.#setSpent(call, digest, 0, 1);
    if (spent !== 1) throw new IllegalMove(`call ${callId} has no unspent approval of the digest it would run with`);
  }

  #unspend(call: number, callId: string, digest: string): void {
    const freed = this.#setSpent(call, digest, 1, 0);
    if (freed !== 1) throw new IllegalMove(`call ${callId} has no spent approval of this digest`);
  }

  #setSpent(call: number, digest: string, from: number, to: number): number {
    return this.db.run(
      `UPDATE answer SET spent = ? WHERE thread = ? AND seq = (SELECT max(seq) FROM answer
         WHERE thread = ? AND call = ? AND digest IS ? AND spent = ? AND decision IN ('approve', 'retry'))`,
      ...[to, this.thread, this.thread, call, packDigest(digest), from],
    ).changes;
  }
}

/** No column where the plan stays as it is. */
function packPlan(plan: Plan | null | undefined): { plan?: string | null } {
  if (plan === undefined) return {};
  return { plan: plan === null ? null : planToText(plan) };
}

/** What may not be run again by itself. */
const lasts = (effect: string | undefined): boolean => effect !== "none";

/** A call's effect is that of its plan, and changes with it alone. @throws IllegalMove */
function checkLegal({ before, after, plan }: CallMove): void {
  const isAnother = before.effect !== after.effect && (plan === undefined || plan === null);
  if (before.callId !== after.callId || before.toolName !== after.toolName || isAnother)
    throw new IllegalMove(`call ${before.callId} cannot become another call`);
  if (!mayMove(before.status, after.status))
    throw new IllegalMove(`call ${before.callId} cannot go from ${before.status} to ${after.status}`);
}
