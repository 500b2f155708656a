import type { BaseMessage } from "@langchain/core/messages";
import type { Decider, ToolCallInfo } from "../../core/call.ts";
import type { Commit, Key, Keys, Must, PackedBytes, RowRef, Write } from "../commit.ts";
import { resolved } from "../commit.ts";
import type { WholeTables } from "../engine.ts";
import { wellFormed } from "../plain-codec.ts";
import type { Spending } from "../rows.ts";
import type { JobEndColumns, MirroredCall, SessionColumns, TableName, Tables } from "../tables.ts";
import { eventOf, linked } from "./call-events.ts";
import type { Messages } from "./messages.ts";
import type { SessionRows } from "./session-rows.ts";

/** The parts that a draft is made from. */
export interface DraftParts {
  readonly session: string;
  readonly thread: number;
  readonly rows: SessionRows;
  readonly messages: Messages;
  readonly clock: () => number;
}

/** A commit in the making: what is written already is seen by what is written after it. Pure but for what it reads. */
export class Draft {
  readonly session: string;
  readonly rows: SessionRows;
  readonly clock: () => number;
  readonly #thread: number;
  readonly #messages: Messages;
  readonly #must: Must[] = [];
  readonly #writes: Write[] = [];
  readonly #calls = new Map<string, MirroredCall>();
  readonly #settles: ((keys: Keys) => void)[] = [];
  #kept: Commit["kept"] = { at: 0, contents: [] };
  #answers: readonly WholeTables["answer"][] | undefined;
  #jobEnds: readonly JobEndColumns[] | undefined;
  #lastEvent: Parameters<typeof linked>[1] | "stored" = "stored";

  constructor({ session, thread, rows, messages, clock }: DraftParts) {
    this.session = session;
    this.rows = rows;
    this.clock = clock;
    this.#thread = thread;
    this.#messages = messages;
  }

  get commit(): Commit {
    return { must: this.#must, rows: this.#writes, kept: this.#kept };
  }

  /** Once it is committed. */
  settle(keys: Keys): void {
    this.rows.apply(this.#writes, keys);
    for (const settle of this.#settles) settle(keys);
  }

  /** A row as it was read has to be the one that is stored. */
  must<T extends TableName>(table: T, at: Partial<Tables[T]>, is: Partial<Tables[T]> | "absent"): void {
    this.#must.push({ table, at, is } as Must);
  }

  insert<T extends TableName>(table: T, row: Tables<Key>[T]): RowRef {
    this.#writes.push({ do: "insert", table, row } as Write);
    return { row: this.#writes.length - 1 };
  }

  replace<T extends TableName>(table: T, row: Tables<Key>[T]): void {
    this.#writes.push({ do: "replace", table, row } as Write);
  }

  patch<T extends TableName>(table: T, at: Partial<Tables<Key>[T]>, set: Partial<Tables<Key>[T]>): void {
    this.#writes.push({ do: "patch", table, at, set } as Write);
  }

  keep(contents: readonly PackedBytes[]): void {
    this.#kept = { at: this.clock(), contents };
  }

  /** @param after the message before it in the list, undefined at its start; "unknown" where only a checkpoint will tell */
  message(message: BaseMessage, after: BaseMessage | "unknown" | undefined): RowRef {
    const row = this.#messages.columnsOf(this.#thread, message, after);
    const key = this.insert("message", row);
    this.#settles.push((keys) =>
      this.#messages.stored(this.#thread, message, { key: resolved(key as Key, keys), parent: row.parent }),
    );
    return key;
  }

  call(id: string): MirroredCall | undefined {
    return this.#calls.get(id) ?? this.rows.call(id);
  }

  /** @param was the row that it is a change of: that one has to be what is stored */
  patchCall(was: MirroredCall, set: Partial<Tables["tool_call"]>): void {
    const { id, status, attempt, digest } = was;
    if (!this.#calls.has(id)) this.must("tool_call", { id }, { status, attempt, digest });
    this.patch("tool_call", { id }, set);
    const { plan: _plan, ...mirrored } = set;
    this.#calls.set(id, { ...was, ...mirrored });
  }

  answers(): readonly WholeTables["answer"][] {
    return this.#answers ?? this.rows.all("answer");
  }

  addAnswer(row: WholeTables["answer"]): void {
    this.must("answer", { seq: row.seq }, "absent");
    this.insert("answer", row);
    this.#answers = [...this.answers(), row];
  }

  patchAnswer(was: WholeTables["answer"], set: Partial<WholeTables["answer"]>): void {
    if (this.rows.all("answer").includes(was)) this.must("answer", { seq: was.seq }, { spent: was.spent });
    this.patch("answer", { seq: was.seq }, set);
    this.#answers = this.answers().map((row) => (row.seq === was.seq ? { ...row, ...set } : row));
  }

  jobEnds(): readonly JobEndColumns[] {
    return this.#jobEnds ?? this.rows.all("job_end");
  }

  addJobEnd(end: Omit<JobEndColumns, "seq">): void {
    const seq = Math.max(0, ...this.jobEnds().map((one) => one.seq)) + 1;
    this.must("job_end", { seq }, "absent");
    this.insert("job_end", { seq, ...end });
    this.#jobEnds = [...this.jobEnds(), { seq, ...end }];
  }

  /** @param judge who asks the question that the move publishes */
  event(call: Key, before: ToolCallInfo | undefined, after: ToolCallInfo, judge?: Decider): void {
    const last = this.#lastEvent === "stored" ? this.rows.lastEvent() : this.#lastEvent;
    const row = linked(this.session, last, eventOf(before, after, this.clock(), judge));
    this.insert("tool_call_event", { call, ...row });
    this.#lastEvent = row;
  }

  /** Something happened in the session, and what a reply took is added to what all took. */
  touch(usage = { inputTokens: 0, outputTokens: 0 }, more: Partial<SessionColumns> = {}): void {
    const { input_tokens = 0, output_tokens = 0 } = this.rows.stored.session() ?? {};
    const counted = {
      input_tokens: input_tokens + usage.inputTokens,
      output_tokens: output_tokens + usage.outputTokens,
    };
    this.patch("session", {}, { updated: this.clock(), ...counted, ...more });
  }

  spent(turn: number | undefined, spending: Spending): void {
    const { inputTokens = 0, cachedTokens = 0, outputTokens = 0, cost, model } = spending;
    this.insert("spent", {
      ...{ turn: turn ?? null, at: this.clock(), model: model ?? null },
      ...{ input: inputTokens, cached: cachedTokens, output: outputTokens, cost: cost ?? null },
    });
  }
}

export const textOrNull = (text: string | undefined): string | null => (text === undefined ? null : wellFormed(text));
