import { type CallStatus, isFinal } from "../../core/call.ts";
import { type Keys, resolved, type Write } from "../commit.ts";
import { type RowSource, type WholeTables, wholeOrders } from "../engine.ts";
import type { EventColumns, MirroredCall } from "../tables.ts";

type WholeName = keyof WholeTables;
type AnyRow = Record<string, unknown>;

const isWhole = (table: string): table is WholeName => Object.hasOwn(wholeOrders, table);

// Keeps store 9.
/**
 * A session's rows in memory: each table is loaded when it is first asked for, and from then on patched by what is committed. What only
 * the lease's holder changes is here; what is settled, only grows or is large is read where it lies (`stored`). No row is changed in place.
 */
export class SessionRows {
  readonly stored: RowSource;
  readonly #isCurrent: () => boolean;
  #whole = new Map<WholeName, readonly AnyRow[]>();
  #calls: MirroredCalls;
  #lastEvent: Pick<EventColumns, "seq" | "hash"> | "none" | undefined;

  /** @param isCurrent whether what was loaded before still is what is stored; asked before each read */
  constructor(stored: RowSource, isCurrent: () => boolean) {
    this.stored = stored;
    this.#isCurrent = isCurrent;
    this.#calls = new MirroredCalls(stored);
  }

  /** All rows of a table, in their order. */
  all<T extends WholeName>(table: T): readonly WholeTables[T][] {
    this.#look();
    const known = this.#whole.get(table) ?? (this.stored.whole(table) as unknown as AnyRow[]);
    this.#whole.set(table, known);
    return known as unknown as readonly WholeTables[T][];
  }

  step(id: string): WholeTables["step"] | undefined {
    return this.all("step").findLast((step) => step.id === id);
  }

  /** The key of each call, in their order. */
  callNames(): ReadonlyMap<string, number> {
    this.#look();
    return this.#calls.names();
  }

  call(id: string): MirroredCall | undefined {
    this.#look();
    return this.#calls.call(id);
  }

  callsOf(step: WholeTables["step"] | undefined): readonly MirroredCall[] {
    this.#look();
    return step === undefined ? [] : this.#calls.ofStep(step.first_call, step.last_call);
  }

  openCalls(): readonly MirroredCall[] {
    this.#look();
    return this.#calls.open();
  }

  /** The end of the chain of events; undefined where it has not begun. */
  lastEvent(): Pick<EventColumns, "seq" | "hash"> | undefined {
    this.#look();
    this.#lastEvent ??= this.stored.lastEvent() ?? "none";
    return this.#lastEvent === "none" ? undefined : this.#lastEvent;
  }

  /** After a commit, and before anything else is read. */
  apply(writes: readonly Write[], keys: Keys): void {
    this.#calls.apply(writes, keys);
    for (const write of writes) {
      if (write.table === "tool_call_event" && write.do === "insert") this.#lastEvent = write.row;
      if (isWhole(write.table)) this.#write(write.table, write, keys);
    }
  }

  /** Forgets all that was read: the next read is made anew. */
  forget(): void {
    this.#whole = new Map();
    this.#calls = new MirroredCalls(this.stored);
    this.#lastEvent = undefined;
  }

  #look(): void {
    if (!this.#isCurrent()) this.forget();
  }

  #write(table: WholeName, write: Write, keys: Keys): void {
    const rows = this.#whole.get(table);
    if (rows === undefined) return;
    const changed =
      write.do === "patch"
        ? rows.map((row) => (isAt(row, write.at) ? { ...row, ...plain(write.set, keys) } : row))
        : [...rows, plain(write.row, keys)];
    this.#whole.set(table, inOrder(changed, wholeOrders[table]));
  }
}

const isAt = (row: AnyRow, at: object): boolean => Object.entries(at).every(([column, value]) => row[column] === value);

const plain = (row: object, keys: Keys): AnyRow =>
  Object.fromEntries(Object.entries(row).map(([column, value]) => [column, resolved(value as unknown, keys)]));

/** Numbers or texts; what was written last is last already, but for a turn that is put before others. */
function inOrder(rows: AnyRow[], column: string): AnyRow[] {
  const [before, last] = [rows.at(-2)?.[column], rows.at(-1)?.[column]];
  const isLast = before === undefined || (before as number) <= (last as number);
  return isLast ? rows : rows.toSorted((one, other) => ((one[column] as number) < (other[column] as number) ? -1 : 1));
}

type CallWrite = Extract<Write, { table: "tool_call" }>;

const isSettled = ({ status }: Pick<MirroredCall, "status">): boolean => isFinal({ status: status as CallStatus });

/** The step under way, the one before it, whose results are rendered next, and one that is looked back at. */
const mostSteps = 3;

interface StepCalls {
  first: number;
  last: number;
  calls: readonly MirroredCall[];
}

/**
 * The calls of a session: the names of all of them, those that may still change, and those of the steps that were asked for last. A settled
 * call never changes, so any other is read where it lies.
 */
class MirroredCalls {
  readonly #source: RowSource;
  #names: Map<string, number> | undefined;
  #open: Map<string, MirroredCall> | undefined;
  /** The newest last. */
  #steps: readonly StepCalls[] = [];

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
    const known = this.#steps.find((step) => step.first === first && step.last === last);
    if (known !== undefined) return known.calls;
    const calls = this.#source.calls({ first, last });
    this.#steps = [...this.#steps.slice(1 - mostSteps), { first, last, calls }];
    return calls;
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
    const open = this.#open?.get(id);
    if (open !== undefined) return open;
    for (const { calls } of this.#steps) {
      const call = calls.find((one) => one.id === id);
      if (call !== undefined) return call;
    }
    return undefined;
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
    this.#steps = this.#steps.map((step) =>
      step.first <= now.key && now.key <= step.last
        ? { ...step, calls: step.calls.map((call) => (call.key === now.key ? now : call)) }
        : step,
    );
  }
}
