import { setImmediate as nextTurn } from "node:timers/promises";
import { isFinal, type ToolCallInfo } from "../../core/call.ts";
import { type Sha, sha256 } from "../../core/json.ts";
import type { FileChangeRow, JournalReading, Store } from "../../store/types.ts";
import { treeUnder } from "../session-tree.ts";

/** One change that a recorded call made in a file. */
export interface FileStep {
  readonly session: string;
  readonly call: ToolCallInfo;
  /** One line of its plan, where it had one. */
  readonly summary?: string;
  /** Of its session, from 1; none of a command that the person gave outside of one. */
  readonly turn?: number;
  /** The models whose replies that turn has; none where that was not kept. */
  readonly models: readonly string[];
  /** When it came to its end, in milliseconds since the epoch. */
  readonly at: number;
  /** Absolute: where the file lay then. */
  readonly real: string;
  readonly before: Sha | null;
  readonly after: Sha | null;
  /** What the call did with other files. */
  readonly beside: readonly FileChangeRow[];
  /** Bytes that its session keeps. */
  bytesOf(sha: Sha): Uint8Array | undefined;
}

type Reading = Pick<Store, "sessions" | "readJournal">;

/**
 * All changes of files that the store has a record of, oldest first; whatever else the process does waits for one session at most. A call of a forked session counts where
 * it was made.
 */
export async function allChanges(store: Reading): Promise<FileStep[]> {
  const found = new Map<string, FileStep>();
  for (const row of store.sessions.list().toReversed())
    for (const session of treeUnder(store, row.id)) {
      await nextTurn();
      for (const step of stepsOf(store.readJournal(session), session)) {
        const { call, real, before, after } = step;
        const key = [call.modelCallId, call.times.proposed, call.times.started, real, before, after].join(" ");
        if (!found.has(key)) found.set(key, step);
      }
    }
  return [...found.values()].toSorted((one, other) => one.at - other.at);
}

function stepsOf(journal: JournalReading, session: string): FileStep[] {
  const rows = journal.fileChanges().filter(({ before, after }) => before !== after);
  if (rows.length === 0) return [];
  const turns = turnsOf(journal);
  return rows.flatMap((row): FileStep[] => {
    const call = journal.call(row.callId);
    if (call === undefined) return [];
    const turn = turns.get(row.callId);
    const summary = journal.planOf(row.callId)?.summary;
    return [
      {
        ...{ session, call, real: row.real, before: row.before, after: row.after },
        ...(summary === undefined ? {} : { summary }),
        ...(turn === undefined ? {} : { turn }),
        models: turn === undefined ? [] : journal.modelsOf(turn),
        at: endOf(call),
        beside: rows.filter((other) => other.callId === row.callId && other.real !== row.real),
        bytesOf: (sha) => journal.bytesOf(sha),
      },
    ];
  });
}

/** Of one that has not come to its end, when it was begun. */
const endOf = (call: ToolCallInfo): number =>
  (isFinal(call) ? call.times.settled : undefined) ?? call.times.started ?? call.times.proposed;

function turnsOf(journal: JournalReading): Map<string, number> {
  const turns = new Map<string, number>();
  for (const { id, calls } of journal.steps())
    if (calls > 0) for (const { callId } of journal.callsOf(id)) turns.set(callId, id.turn);
  return turns;
}

/**
 * What was done in one file, newest first, under the names that it had: where a call moved it, or somebody else did and left its bytes as they were, what was
 * done under the name before comes along.
 * @param all oldest first
 * @param now the hash of what lies there; null where nothing does
 * @param isThere whether a file lies at a path now
 */
export function historyOf(
  real: string,
  all: readonly FileStep[],
  now: Sha | null,
  isThere: (path: string) => boolean,
): FileStep[] {
  const ordered = all.toReversed();
  const found: FileStep[] = [];
  const names = new Set<string>();
  let [name, left, sha]: [string, readonly FileStep[], Sha | null] = [real, ordered, now];
  for (;;) {
    names.add(name);
    const own = left.filter((step) => step.real === name);
    found.push(...own);
    const first = own.at(-1);
    if (first !== undefined) sha = first.before ?? movedIn(first);
    if (first !== undefined) left = left.slice(left.indexOf(first) + 1);
    const from =
      sha === null || sha === empty ? undefined : left.find((step) => isMove(step, sha, names, isThere, first));
    if (from === undefined) return found;
    name = from.real;
    left = left.slice(left.indexOf(from));
  }
}

/** Any file may be empty: that tells nothing. */
const empty = sha256("");

/** What a call that made the file took away elsewhere: the same bytes. */
const movedIn = ({ after, beside }: FileStep): Sha | null =>
  beside.some((other) => other.after === null && other.before === after) ? after : null;

/** Whether the file lay there before, as this step left it: it is not there any more, and nobody else has it. */
function isMove(
  step: FileStep,
  sha: Sha | null,
  names: ReadonlySet<string>,
  isThere: (path: string) => boolean,
  first: FileStep | undefined,
): boolean {
  if (step.after !== sha || names.has(step.real)) return false;
  const taken = first?.beside.some(({ real, after }) => real === step.real && after === null) === true;
  return taken || !isThere(step.real);
}
