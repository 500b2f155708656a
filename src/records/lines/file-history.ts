import { setImmediate as nextTurn } from "node:timers/promises";
import { type Decider, isFinal, type ToolCallInfo } from "../../core/call.ts";
import { type Sha, sha256 } from "../../core/json.ts";
import { StoreFailure } from "../../store/problems.ts";
import type { FileChangeRow, JournalReading, Store } from "../../store/types.ts";

/** One change that a recorded call made in a file: what is needed of each of them, and how the rest is read. */
export interface FileStep {
  readonly session: string;
  readonly callId: string;
  readonly toolName: string;
  /** The one that let it be done. */
  readonly by?: Decider;
  readonly digest?: string;
  /** The time when it came to its end, in milliseconds since the epoch. */
  readonly at: number;
  /** Absolute: where the file lay then. */
  readonly real: string;
  readonly before: Sha | null;
  readonly after: Sha | null;
  /** All that the call changed, this too. */
  readonly all: readonly FileChangeRow[];
  told(): StepTold;
  /** Bytes that its session keeps. */
  bytesOf(sha: Sha): Uint8Array | undefined;
}

export interface StepTold {
  /** One line of its plan, where it had one. */
  readonly summary?: string;
  /** Of its session, from 1; none of a command that the person gave outside of one. */
  readonly turn?: number;
  /** The models whose replies that turn has; none where that was not kept. */
  readonly models: readonly string[];
}

export interface AllChanges {
  /** Oldest first. */
  steps: FileStep[];
  /** Sessions whose records are damaged: nothing is known of them. */
  unread: string[];
}

type Reading = Pick<Store, "sessions" | "readJournal">;

/**
 * All changes of files that the store has a record of; whatever else the process does waits for one session at most. A call of a forked session counts where
 * it was made: in the older one.
 */
export async function allChanges(store: Reading): Promise<AllChanges> {
  const found = new Map<string, FileStep>();
  const unread: string[] = [];
  for (const { id } of store.sessions.list().toSorted((one, other) => one.createdAt - other.createdAt)) {
    await nextTurn();
    try {
      for (const [key, step] of stepsOf(store, id)) if (!found.has(key)) found.set(key, step);
    } catch (error) {
      if (!(error instanceof StoreFailure && error.kind === "corrupt")) throw error;
      unread.push(id);
    }
  }
  return { steps: [...found.values()].toSorted((one, other) => one.at - other.at), unread };
}

/** Each with what tells it from all others, where a fork has it too. */
function stepsOf(store: Reading, session: string): [string, FileStep][] {
  const journal = store.readJournal(session);
  const byCall = new Map<string, FileChangeRow[]>();
  for (const row of journal.fileChanges()) byCall.set(row.callId, [...(byCall.get(row.callId) ?? []), row]);
  return [...byCall].flatMap(([callId, all]) => {
    const call = journal.call(callId);
    return call === undefined
      ? []
      : all.filter(({ before, after }) => before !== after).map((row) => stepOf(store, session, call, row, all));
  });
}

function stepOf(
  store: Reading,
  session: string,
  call: ToolCallInfo,
  { real, before, after }: FileChangeRow,
  all: readonly FileChangeRow[],
): [string, FileStep] {
  const { callId, toolName, modelCallId, times } = call;
  const step: FileStep = {
    ...{ session, callId, toolName, real, before, after, all, at: endOf(call) },
    ...("by" in call && call.by !== undefined ? { by: call.by } : {}),
    ...(call.digest === undefined ? {} : { digest: call.digest }),
    told: () => toldOf(store.readJournal(session), callId),
    bytesOf: (sha) => store.readJournal(session).bytesOf(sha),
  };
  return [[modelCallId, times.proposed, times.started, real, before, after].join(" "), step];
}

function toldOf(journal: JournalReading, callId: string): StepTold {
  const summary = journal.planOf(callId)?.summary;
  const turn = journal
    .steps()
    .find(({ id, calls }) => calls > 0 && journal.callsOf(id).some((call) => call.callId === callId))?.id.turn;
  return {
    models: turn === undefined ? [] : journal.modelsOf(turn),
    ...(summary === undefined ? {} : { summary }),
    ...(turn === undefined ? {} : { turn }),
  };
}

/** Of one that has not come to its end, when it was begun. */
const endOf = (call: ToolCallInfo): number =>
  (isFinal(call) ? call.times.settled : undefined) ?? call.times.started ?? call.times.proposed;

/**
 * Lists the changes of one file, newest first, under the names that it had: where a call moved it, or somebody else did and left its bytes as they
 * were, the changes under the name before come along.
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

/** Finds the content that a call that made the file took away elsewhere: the same bytes. */
const movedIn = ({ after, all }: FileStep): Sha | null =>
  all.some((other) => other.after === null && other.before === after) ? after : null;

/** Tells whether the file lay there before, as this step left it: it is not there any more, and nobody else has it. */
function isMove(
  step: FileStep,
  sha: Sha | null,
  names: ReadonlySet<string>,
  isThere: (path: string) => boolean,
  first: FileStep | undefined,
): boolean {
  if (step.after !== sha || names.has(step.real)) return false;
  const taken = first?.all.some(({ real, after }) => real === step.real && after === null) === true;
  return taken || !isThere(step.real);
}
