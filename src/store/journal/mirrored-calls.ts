import { type CallStatus, isFinal } from "../../core/call.ts";
import type { Keys, Write } from "../commit.ts";
import type { RowSource } from "../engine.ts";
import type { MirroredCall } from "../tables.ts";

type CallWrite = Extract<Write, { table: "tool_call" }>;

const isSettled = ({ status }: Pick<MirroredCall, "status">): boolean => isFinal({ status: status as CallStatus });

/**
 * The calls of a session: the names of all of them, those that may still change, and those of the step that was asked for last. A settled
 * call never changes, so any other is read where it lies.
 */
export class MirroredCalls {
  readonly #source: RowSource;
  #names: Map<string, number> | undefined;
  #open: Map<string, MirroredCall> | undefined;
  #step: { first: number; last: number; calls: readonly MirroredCall[] } | undefined;

  constructor(source: RowSource) {
    this.#source = source;
  }

  /** The key of each call, in their order. */
  names(): ReadonlyMap<string, number> {
    this.#names ??= new Map(this.#source.callNames().map(({ id, key }) => [id, key]));
    return this.#names;
  }

  open(): readonly MirroredCall[] {
    this.#open ??= new Map(this.#source.openCalls().map((call) => [call.id, call]));
    return [...this.#open.values()];
  }

  call(id: string): MirroredCall | undefined {
    return this.#known(id) ?? this.#source.call(id);
  }

  ofStep(first: number | null, last: number | null): readonly MirroredCall[] {
    if (first === null || last === null) return [];
    if (this.#step?.first !== first || this.#step.last !== last)
      this.#step = { first, last, calls: this.#source.calls({ first, last }) };
    return this.#step.calls;
  }

  /** After a commit. */
  apply(writes: readonly Write[], keys: Keys): void {
    for (const [index, write] of writes.entries()) {
      if (write.table !== "tool_call") continue;
      if (write.do === "patch") this.#patch(write);
      else this.#insert(write, keys[index] ?? 0);
    }
  }

  #known(id: string): MirroredCall | undefined {
    return this.#open?.get(id) ?? this.#step?.calls.find((call) => call.id === id);
  }

  #insert({ row: { plan: _plan, ...row } }: Exclude<CallWrite, { do: "patch" }>, key: number): void {
    this.#names?.set(row.id, key);
    if (!isSettled(row)) this.#open?.set(row.id, { ...row, key });
  }

  #patch({ at, set: { plan: _plan, ...set } }: Extract<CallWrite, { do: "patch" }>): void {
    const old = this.#known(at.id ?? "");
    if (old === undefined) return;
    const now = { ...old, ...set };
    if (isSettled(now)) this.#open?.delete(now.id);
    else this.#open?.set(now.id, now);
    if (this.#step !== undefined)
      this.#step = { ...this.#step, calls: this.#step.calls.map((call) => (call.key === now.key ? now : call)) };
  }
}
