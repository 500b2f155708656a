import { join } from "node:path";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ToolCallInfo } from "../../core/call.ts";
import type { ChildNote } from "../../core/child.ts";
import type { JsonObject, Sha } from "../../core/json.ts";
import { parseStep, type StepId, stepText } from "../../core/step-id.ts";
import type { FilePlan, Plan } from "../../core/tool.ts";
import { type Pack, packFolder, readPack } from "../../files/bytes/pack-file.ts";
import type { Compaction } from "../compaction.ts";
import { fromText } from "../plain-codec.ts";
import type { HookRunColumns, JobEndColumns, MirroredCall, SteerColumns, TurnColumns } from "../tables.ts";
import type {
  AnswerRow,
  CallEvent,
  CallStanding,
  ChangeInTree,
  FileChangeRow,
  HeardCall,
  HookRun,
  JobEnd,
  JournalReading,
  SessionState,
  Spent,
  SteerRow,
  StoredReply,
  ToldFile,
  TurnRow,
} from "../types.ts";
import { eventIn } from "./call-events.ts";
import { planFromText, readableCall, unpackDigest } from "./call-row.ts";
import { compactionIn } from "./compactions.ts";
import { hookRunIn } from "./hook-runs.ts";
import type { Messages } from "./messages.ts";
import { childrenOf, doneOf } from "./moves.ts";
import { unpack } from "./packed-bytes.ts";
import { answerIn, changedInTree, changedOnce, heardCallIn } from "./readable-rows.ts";
import type { SessionRows } from "./session-rows.ts";
import { toldFileIn } from "./told-files.ts";

/** The parts that a journal is read from. */
export interface ReadingParts {
  readonly session: string;
  readonly thread: number;
  readonly rows: SessionRows;
  readonly messages: Messages;
}

/** The reader of the journal of one session, over its rows; needs no lease. */
export class JournalReader implements JournalReading {
  readonly session: string;
  protected readonly thread: number;
  protected readonly rows: SessionRows;
  protected readonly messages: Messages;
  /** The bytes that were kept before commands ran. */
  readonly #pack: Pack;
  /** A row never changes, so each is unpacked once. */
  readonly #unpacked = new WeakMap<MirroredCall, ToolCallInfo>();
  readonly #hookRuns = new WeakMap<HookRunColumns, HookRun>();
  /** Asked of each message that is rendered. */
  #hooks: { rows: readonly unknown[]; runs: readonly HookRun[] } = { rows: [], runs: [] };
  #jobs: { rows: readonly JobEndColumns[]; ends: readonly JobEnd[] } = { rows: [], ends: [] };
  #told: { rows: readonly unknown[]; files: readonly ToldFile[] } = { rows: [], files: [] };

  constructor({ session, thread, rows, messages }: ReadingParts) {
    this.session = session;
    this.thread = thread;
    this.rows = rows;
    this.messages = messages;
    const packs = packFolder(rows.stored.file);
    this.#pack = readPack(packs && join(packs, session));
  }

  turns(): TurnRow[] {
    return this.rows
      .all("turn")
      .filter(({ state }) => state !== "withdrawn")
      .map((row) => this.#turn(row));
  }

  /** @throws StoreFailure corrupt where the turn has no message. */
  turnMessage(turn: number): BaseMessage {
    const row = this.rows.all("turn").find((one) => one.turn === turn);
    if (row === undefined) throw new Error(`session ${this.session} has no turn ${turn}`);
    return this.#message(row.message);
  }

  /** All that did not become turns. */
  steers(): SteerRow[] {
    const rows = this.rows.all("steer").filter(({ turn }) => turn === null);
    return rows.flatMap((row) => this.steer(row));
  }

  findReply(stepId: StepId): { message: BaseMessage; calls: ToolCallInfo[] } | undefined {
    const step = this.rows.step(stepText(stepId));
    return step === undefined ? undefined : { message: this.#message(step.message), calls: this.callsOf(stepId) };
  }

  steps(): { id: StepId; calls: number }[] {
    return this.rows.all("step").map(({ id, first_call, last_call }) => ({
      id: parseStep(id),
      calls: first_call === null || last_call === null ? 0 : last_call - first_call + 1,
    }));
  }

  storedReplies(): StoredReply[] {
    return this.rows.stored.replies().map(({ id, ...rest }) => ({ id: parseStep(id), ...rest }));
  }

  compactions(): Compaction[] {
    return this.rows.all("compaction").map(compactionIn);
  }

  callCount(): number {
    return this.rows.callNames().size;
  }

  call(callId: string): ToolCallInfo | undefined {
    const row = this.rows.call(callId);
    return row === undefined ? undefined : this.#call(row);
  }

  askedArguments(callId: string): JsonObject | undefined {
    // Asked of each call of a session that is opened: only whose arguments became others is looked for among the steps.
    const edits = this.rows.all("answer").filter(({ decision }) => decision === "edit");
    const isAsked = edits.length > 0 || this.hookRuns().length > 0;
    const key = isAsked ? this.rows.callNames().get(callId) : undefined;
    const isHooked = this.hookRuns().some((run) => run.callId === callId && run.said?.input !== undefined);
    if (key === undefined || !(isHooked || edits.some(({ call }) => call === key))) return undefined;
    const step = this.rows.all("step").find((one) => (one.first_call ?? key + 1) <= key && key <= (one.last_call ?? 0));
    const message = step === undefined ? undefined : this.#message(step.message);
    const asked = AIMessage.isInstance(message) ? message.tool_calls?.find(({ id }) => id === callId) : undefined;
    return asked?.args as JsonObject | undefined;
  }

  callsOf(stepId: StepId): ToolCallInfo[] {
    return this.rows.callsOf(this.rows.step(stepText(stepId))).map((row) => this.#call(row));
  }

  spentInTree(): Spent {
    return this.rows.stored.spentInTree();
  }

  stepsInTree(): number {
    return this.rows.all("step").length + this.rows.stored.stepsOfOthers();
  }

  spent(turn?: number): Spent {
    return this.rows.stored.spent(turn);
  }

  modelsOf(turn: number): string[] {
    return this.rows.stored.modelsOf(turn);
  }

  standingsOf(turn: number): CallStanding[] {
    const steps = this.rows.all("step").filter(({ id }) => id.startsWith(`${turn}.`));
    return steps
      .flatMap(({ first_call: first, last_call: last }) =>
        first === null || last === null ? [] : this.rows.stored.standings({ first, last }),
      )
      .map(({ tool, status, error_code }) => ({
        toolName: tool,
        status: status as CallStanding["status"],
        ...(error_code === null ? {} : { errorCode: error_code }),
      }));
  }

  openCalls(): ToolCallInfo[] {
    return this.rows.openCalls().map((row) => this.#call(row));
  }

  allCalls(): ToolCallInfo[] {
    return this.rows.stored.calls().map((row) => this.#call(row));
  }

  succeeded(toolName: string): { call: ToolCallInfo; stepId: StepId }[] {
    const rows = this.rows.stored.succeeded(toolName);
    if (rows.length === 0) return [];
    const steps = this.rows.all("step");
    return rows.flatMap((row) => {
      const step = steps.find(
        ({ first_call, last_call }) => (first_call ?? row.key + 1) <= row.key && row.key <= (last_call ?? 0),
      );
      return step === undefined ? [] : [{ call: this.#call(row), stepId: parseStep(step.id) }];
    });
  }

  planOf(callId: string): Plan | undefined {
    const plan = this.rows.stored.planOf(callId) ?? null;
    return plan === null ? undefined : planFromText(plan);
  }

  verdictOf(callId: string): JsonObject | undefined {
    const verdict = this.rows.call(callId)?.verdict ?? null;
    return verdict === null ? undefined : (fromText(verdict) as JsonObject);
  }

  heardCalls(): HeardCall[] {
    return this.rows.stored.heardCalls().map(heardCallIn);
  }

  holdsMark(key: string): boolean {
    return this.rows.stored.holdsMark(key);
  }

  fileChanges(): FileChangeRow[] {
    return changedOnce(this.rows.stored.fileChanges());
  }

  fileChangesInTree({ unseen = false }: { unseen?: boolean } = {}): ChangeInTree[] {
    return changedInTree(this.rows.stored.fileChangesInTree(unseen));
  }

  title(): { text: string; by?: "person" | "model" } {
    const { title = "", title_by = null } = this.rows.stored.session() ?? {};
    return { text: title, ...(title_by === null ? {} : { by: title_by }) };
  }

  state(): SessionState {
    return this.rows.stored.session()?.state ?? "idle";
  }

  doneOf(callId: string): FilePlan[] {
    const row = this.rows.call(callId);
    return row === undefined ? [] : doneOf(row);
  }

  childrenOf(callId: string): ChildNote[] {
    const row = this.rows.call(callId);
    return row === undefined ? [] : childrenOf(row);
  }

  answersOf(callId: string): AnswerRow[] {
    const rows = this.rows.all("answer");
    const key = rows.length === 0 ? undefined : this.rows.callNames().get(callId);
    return rows.filter(({ call }) => call === key).map((row) => answerIn(callId, row));
  }

  publishedDigest(callId: string): string | undefined {
    const shown = this.rows.call(callId)?.shown ?? null;
    return shown === null ? undefined : unpackDigest(shown);
  }

  /** Nobody who only reads has started anything. */
  startedHere(_callId: string): boolean {
    return false;
  }

  events(): CallEvent[] {
    return this.rows.stored.events().map(eventIn);
  }

  lastEvent(): number {
    return this.rows.lastEvent()?.seq ?? 0;
  }

  bytesOf(sha: Sha): Uint8Array | undefined {
    return this.rows.stored.kept(sha) ?? this.#pack.read(sha);
  }

  /** @throws StoreFailure corrupt where it cannot be unpacked. */
  outputOf(callId: string): { bytes: Uint8Array; job?: "running" | "ended" } | undefined {
    const row = this.rows.stored.output(callId);
    if (row === undefined) return undefined;
    const bytes = unpack(row);
    if (bytes === undefined) throw this.rows.stored.damaged(`the output of call ${callId}`);
    return row.job === null ? { bytes } : { bytes, job: row.job };
  }

  jobs(): string[] {
    return this.rows.stored.jobs().map(({ id }) => id);
  }

  runningJobs(): string[] {
    return this.rows.stored.jobs().flatMap(({ id, job }) => (job === "running" ? [id] : []));
  }

  jobEnds(): readonly JobEnd[] {
    const rows = this.rows.all("job_end");
    if (rows !== this.#jobs.rows) this.#jobs = { rows, ends: this.#jobEndsIn(rows) };
    return this.#jobs.ends;
  }

  hookRuns(): readonly HookRun[] {
    const rows = this.rows.all("hook_run");
    if (rows !== this.#hooks.rows) this.#hooks = { rows, runs: rows.map((row) => this.#hookRun(row)) };
    return this.#hooks.runs;
  }

  toldFiles(): readonly ToldFile[] {
    const rows = this.rows.all("told_file");
    if (rows !== this.#told.rows) this.#told = { rows, files: rows.map(toldFileIn) };
    return this.#told.files;
  }

  /** A message whose row is lost is left out: the checkpoint's own check says so. */
  protected steer({ message: key, step }: SteerColumns): SteerRow[] {
    const message = this.messages.read(this.thread, key);
    if (message === undefined) return [];
    const text = typeof message.content === "string" ? message.content : "";
    return [{ messageId: message.id ?? "", text, message, ...(step === null ? {} : { step: parseStep(step) }) }];
  }

  #jobEndsIn(rows: readonly JobEndColumns[]): readonly JobEnd[] {
    const places = this.rows.callNames();
    return rows
      .filter(({ call }) => places.has(call))
      .toSorted(
        (one, other) =>
          (places.get(one.call) ?? 0) - (places.get(other.call) ?? 0) ||
          one.attempt - other.attempt ||
          one.seq - other.seq,
      )
      .map(({ seq, call, attempt, step, how, last, told, heard }) => ({
        ...{ seq, callId: call, attempt, isTold: told === 1, isHeard: heard === 1 },
        ...(how === null ? {} : { how }),
        ...(last === null ? {} : { last }),
        ...(step === null ? {} : { step: parseStep(step) }),
      }));
  }

  #hookRun(row: HookRunColumns): HookRun {
    const known = this.#hookRuns.get(row) ?? hookRunIn(row);
    this.#hookRuns.set(row, known);
    return known;
  }

  #call(row: MirroredCall): ToolCallInfo {
    const known = this.#unpacked.get(row) ?? readableCall(row, this.rows.stored);
    this.#unpacked.set(row, known);
    return known;
  }

  #turn(row: TurnColumns): TurnRow {
    const message = this.#message(row.message);
    return {
      turn: row.turn,
      // Kept apart only where the message says something else.
      text: row.text ?? (typeof message.content === "string" ? message.content : ""),
      messageId: message.id ?? "",
      state: row.state as TurnRow["state"],
      ...(row.reason === null ? {} : { reason: row.reason }),
    };
  }

  #message(key: number): BaseMessage {
    const message = this.messages.read(this.thread, key);
    if (message === undefined) throw this.rows.stored.damaged(`a message of session ${this.session} is gone`);
    return message;
  }
}
