import { isFinal, type ToolCallInfo } from "../core/call.ts";
import { childName } from "../core/child-session.ts";
import { StoreFailure } from "../store/problems.ts";
import type {
  ChildRow,
  FileChangeRow,
  JournalReading,
  SessionRow,
  SessionState,
  Store,
  TurnRow,
} from "../store/types.ts";

/** A call that needs the person's word. */
export interface OpenCall {
  /** Its own, or one that calls of it drive. */
  session: string;
  callId: string;
  /** The name of the child that it is of. */
  agent?: string;
  toolName: string;
  /** One line of its plan. */
  summary: string;
}

/** The progress of a session, beside its state: for lists, and for whoever opens it again. */
export interface SessionProgress {
  /** The process ended in the middle of a turn: how many of the turn's calls are done, of how many. */
  cutOff?: { done: number; calls: number };
  /** The reason why the last turn stopped where it can be gone on with: max_steps, failed, context_full, forked. */
  stopped?: string;
  /** Calls that wait for an answer; of a row also those of its children. */
  waitsFor: OpenCall[];
  /** Calls whose end was not seen, and that bytes on disk cannot settle. */
  unseen: OpenCall[];
  /** Messages of the person that the model has not had yet. */
  unheard: number;
  /** Files that are not as they were before the session; of a row also by what its children did. */
  filesChanged: number;
}

type Readable = Pick<
  JournalReading,
  "session" | "turns" | "steers" | "openCalls" | "standingsOf" | "planOf" | "fileChanges" | "state"
>;

/** The name by which the person knows a child. */
export const agentOf = ({ spec }: Pick<ChildRow, "spec">): string => childName(spec);

/** As it is by itself, without those that its calls drive. @param driven a process works in the session now */
export const standingOf = (journal: Readable, driven: boolean): SessionProgress => ({
  ...standsWithoutFiles(journal, driven),
  filesChanged: changedFiles(journal.fileChanges()).length,
});

function standsWithoutFiles(journal: Readable, driven: boolean): Omit<SessionProgress, "filesChanged"> {
  const turns = journal.turns();
  const turn = turns.findLast(({ state }) => state !== "queued");
  const cut = turn !== undefined && !driven && isCutOff(turn, journal.state());
  const calls = cut ? journal.standingsOf(turn.turn) : [];
  const stopped = turn?.state === "running" ? turn.reason : undefined;
  return {
    ...(cut ? { cutOff: { done: calls.filter(isFinal).length, calls: calls.length } } : {}),
    ...(stopped === undefined ? {} : { stopped }),
    ...needed(journal, driven),
    unheard:
      turns.filter(({ state }) => state === "queued").length +
      journal.steers().filter(({ step }) => step === undefined).length,
  };
}

/** The calls that need the person's word. @param agent whose they are, where that is a child */
export function needed(
  journal: Readable,
  driven: boolean,
  agent?: string,
): Pick<SessionProgress, "waitsFor" | "unseen"> {
  const open = journal.openCalls();
  const named = ({ callId, toolName }: ToolCallInfo): OpenCall => ({
    ...{ session: journal.session, callId, toolName },
    summary: journal.planOf(callId)?.summary ?? toolName,
    ...(agent === undefined ? {} : { agent }),
  });
  const isUnseen = (call: ToolCallInfo): boolean =>
    call.status === "interrupted" || (!driven && call.status === "executing" && call.effect === "once");
  return {
    waitsFor: open.filter(({ status }) => status === "awaiting_approval").map(named),
    unseen: open.filter(isUnseen).map(named),
  };
}

type Reading = Pick<Store, "readJournal" | "sessions">;

/** Those of the children that open calls of the session drive, in the order of a question. */
function neededByChildren(
  store: Reading,
  journal: Readable,
  driven: boolean,
): Pick<SessionProgress, "waitsFor" | "unseen"> {
  const rows = journal.openCalls().flatMap(({ callId }) => store.sessions.children(journal.session, callId));
  const each = rows.map((row) => needed(store.readJournal(row.id), driven, agentOf(row)));
  return { waitsFor: each.flatMap(({ waitsFor }) => waitsFor), unseen: each.flatMap(({ unseen }) => unseen) };
}

/**
 * Finds the standing of a listed session with all that its calls drive; undefined for one that is damaged: of that nothing but the damage is told.
 */
export function standingOfRow(store: Reading, { id, state, parent }: SessionRow): SessionProgress | undefined {
  if (state === "broken") return undefined;
  try {
    const [journal, driven] = [store.readJournal(id), state === "running"];
    const own = standsWithoutFiles(journal, driven);
    const { waitsFor, unseen } = neededByChildren(store, journal, driven);
    const changes = parent === undefined ? journal.fileChangesInTree() : journal.fileChanges();
    return {
      ...{ ...own, filesChanged: changedFiles(changes).length },
      ...{ waitsFor: [...own.waitsFor, ...waitsFor], unseen: [...own.unseen, ...unseen] },
    };
  } catch (error) {
    if (error instanceof StoreFailure && error.kind === "corrupt") return undefined;
    throw error;
  }
}

/** A turn that asked, failed or ended says so; one that says nothing was not ended by itself. */
const isCutOff = ({ state, reason }: TurnRow, session: SessionState): boolean =>
  state === "running" && reason === undefined && (session === "running" || session === "idle");

/** Real paths of the files that are not as they were before the first of these changes. Pure. */
export function changedFiles(changes: readonly Omit<FileChangeRow, "callId">[]): string[] {
  const ranges = new Map<string, Pick<FileChangeRow, "before" | "after">>();
  for (const { real, before, after } of changes)
    ranges.set(real, { before: (ranges.get(real) ?? { before }).before, after });
  return [...ranges].flatMap(([real, { before, after }]) => (before === after ? [] : [real]));
}

/** "cut off, 8 of 25 done". */
export const cutOffText = ({ done, calls }: NonNullable<SessionProgress["cutOff"]>): string =>
  calls === 0 ? "cut off" : `cut off, ${done} of ${calls} done`;

/** Words the standing of a session as lists do: short, without a full stop. @param say what a call of it would do, in a line */
export function standingText(
  state: SessionState,
  standing: SessionProgress,
  say: (call: OpenCall) => string = ({ summary }) => summary,
): string {
  if (state === "broken" || state === "running") return state;
  const { cutOff, stopped, waitsFor, unseen, unheard } = standing;
  const words = [
    ...(cutOff === undefined ? [] : [cutOffText(cutOff)]),
    ...one(waitsFor, (call) => `waits for you: ${say(call)}`),
    ...one(unseen, (call) => `waits for you: the end of ${say(call)} was not seen`),
  ];
  if (words.length > 0) return words.join("; ");
  if (stopped !== undefined) return stoppedTexts[stopped] ?? "not finished";
  if (unheard > 0) return unheard === 1 ? "a message waits" : `${unheard} messages wait`;
  return state === "idle" ? "idle" : state.replaceAll("_", " ");
}

const stoppedTexts: Readonly<Record<string, string>> = {
  max_steps: "out of steps",
  max_cost: "out of money",
  own_max_steps: "out of steps",
  own_max_cost: "out of money",
  failed: "failed",
  context_full: "the context is full",
  forked: "forked, not finished",
};

/** The first by name, the others by their number. */
function one(calls: readonly OpenCall[], say: (call: OpenCall) => string): string[] {
  const [first, ...more] = calls;
  if (first === undefined) return [];
  return [`${say(first)}${more.length === 0 ? "" : ` and ${more.length} more`}`];
}

/** Words the notice for whoever opens a session that was cut off; undefined where it was not. */
export function cutOffNotice({ cutOff }: SessionProgress, modeFellBack: boolean): string | undefined {
  if (cutOff === undefined) return undefined;
  const { done, calls } = cutOff;
  const far = calls === 0 ? "before its first call" : `${done} of ${calls} calls were done`;
  const mode = modeFellBack ? "; the mode is ask again, for a mode holds for one run" : "";
  return `this session was cut off: ${far}${mode}`;
}
