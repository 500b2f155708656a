import type { BaseMessage } from "@langchain/core/messages";
import { undoToolName } from "../../core/call.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { personCallOf } from "../../graph/talk/person-call.ts";
import { typedOf } from "../../graph/talk/typed-text.ts";
import { newSessionId } from "../../store/sessions/session-id.ts";
import type { FileChangeRow, JournalReading, SessionRow, Store } from "../../store/types.ts";
import { forkBefore } from "../fork.ts";
import { changedFiles } from "../session-progress.ts";
import { callsInTree, changesInTree, type Tree, type TreeCall } from "../tree-calls.ts";
import type { Rewind } from "./changes.ts";
import { undoneCalls } from "./undone-calls.ts";

/*
 * To go on from an earlier message is two things: an undo of what was changed since, which is a turn of the old session like any undo,
 * and a fork of the talk before that message. The undo's stored message carries which fork is to follow, and under which id. So a death
 * between the two leaves a session that says what is left to do, and doing it again makes no second fork.
 *
 *   const [point] = rewindPoints(journal)                                       the person chooses one
 *   const to = rewindTo(point)
 *   point.calls.length > 0: await session.undo({ calls: point.calls, rewind: to })    is asked about like any undo; may be denied
 *   when its turn has ended: openRewind(store, id) is `to`, or undefined where the undo was not done
 *   await finishRewind(store, row, to)                                          the new session; its first message is in the composer
 */

/** A message of the person from which the talk can go on. */
export interface RewindPoint {
  turn: number;
  text: string;
  /** Real paths of the files that are not as they were before it, by what calls of this session and its children did. */
  files: string[];
  /** The calls that an undo takes back for it, oldest first. */
  calls: string[];
  /** In words what stands against it. */
  against?: string;
}

type Readable = Tree<Pick<JournalReading, keyof Tree["journal"] | "turns" | "turnMessage" | "steps" | "callsOf">>;

/** The person's messages, newest first; commands of theirs are none, and what was said while a turn ran belongs to that turn. */
export function rewindPoints(tree: Readable): RewindPoint[] {
  const { journal } = tree;
  const turnOf = new Map<string, number>();
  for (const { id } of journal.steps()) for (const { callId } of journal.callsOf(id)) turnOf.set(callId, id.turn);
  const calls = callsInTree(tree);
  const changes = changesInTree(calls);
  const turns = new Map(calls.map(({ name, own }) => [name, turnOf.get(own) ?? 0]));
  const points = journal
    .turns()
    .filter(({ turn, state }) => state !== "queued" && personCallOf(journal.turnMessage(turn)) === undefined);
  return points.toReversed().map(({ turn, text }) => {
    const isSince = (name: string): boolean => (turns.get(name) ?? 0) >= turn;
    const files = changedFiles(changes.filter(({ callId }) => isSince(callId)));
    return { turn, text, files, ...toTakeBack(calls, changes, isSince) };
  });
}

/** An undo of what came before the message counts as a change since; one of what came since takes itself and that away. */
function toTakeBack(
  calls: readonly TreeCall[],
  changes: readonly FileChangeRow[],
  isSince: (name: string) => boolean,
): Pick<RewindPoint, "calls" | "against"> {
  const undone = undoneCalls(calls.filter(({ name, own }) => name === own).map(({ call }) => call));
  const changers = new Set(changes.map(({ callId }) => callId));
  const taken: string[] = [];
  for (const { name, call } of calls) {
    if (!isSince(name) || !changers.has(name) || undone.has(name)) continue;
    const named = call.toolName === undoToolName ? [...undone].filter(([, by]) => by === name).map(([id]) => id) : [];
    const own = named.filter(isSince).length;
    if (own > 0 && own < named.length)
      return {
        calls: [],
        against: `call ${name} took back changes of before and since: take it back by itself first`,
      };
    if (own === 0) taken.push(name);
  }
  return { calls: taken };
}

export const rewindTo = ({ turn }: Pick<RewindPoint, "turn">): Rewind => ({ turn, fork: newSessionId() });

/** On the message of the undo: what is to follow it. */
const rewindMark = "holdfast_rewind";

export function withRewind<Message extends BaseMessage>(message: Message, { turn, fork }: Rewind): Message {
  message.additional_kwargs[rewindMark] = { turn, fork } satisfies JsonObject;
  return message;
}

type Open = Pick<JournalReading, "turns" | "turnMessage" | "findReply">;

/** A rewind whose undo is the session's last turn and is done, and whose talk was not forked yet. */
export function openRewind(store: Pick<Store, "sessions">, journal: Open): Rewind | undefined {
  const last = journal.turns().at(-1);
  const mark: unknown = last && journal.turnMessage(last.turn).additional_kwargs[rewindMark];
  if (last === undefined || !isRewind(mark)) return undefined;
  const undo = journal.findReply({ turn: last.turn, step: 1 })?.calls[0];
  return undo?.status === "success" && store.sessions.get(mark.fork) === undefined ? mark : undefined;
}

/** The undo of a rewind is under way, or waits for the person. */
export function isRewinding(journal: Pick<JournalReading, "turns" | "turnMessage">): boolean {
  const running = journal.turns().findLast(({ state }) => state === "running");
  return running !== undefined && isRewind(journal.turnMessage(running.turn).additional_kwargs[rewindMark]);
}

const isRewind = (mark: unknown): mark is Rewind =>
  isJsonObject((mark ?? null) as JsonObject | null) &&
  typeof (mark as Rewind).turn === "number" &&
  typeof (mark as Rewind).fork === "string";

/** The text that was typed, for the composer, and the new session; without one where nothing was said before the message: the talk goes on anew. */
export interface WentOn {
  draft: string;
  id?: string;
}

/**
 * Goes on before the message of that turn, or, without one, where an undo that was made for a rewind is done and the fork is left to do.
 * @returns undefined where nothing is left to do
 */
export async function goOnBefore(store: Store, row: SessionRow, turn?: number): Promise<WentOn | undefined> {
  const open = openRewind(store, store.readJournal(row.id));
  const to = turn === undefined || open?.turn === turn ? open : rewindTo({ turn });
  return to && finishRewind(store, row, to);
}

/** Forks the talk before the message; the old session stays as it is. Done again it finds the fork. */
export async function finishRewind(store: Store, row: SessionRow, { turn, fork }: Rewind): Promise<WentOn> {
  const journal = store.readJournal(row.id);
  const said = journal.turns().find((one) => one.turn === turn);
  const draft = said === undefined ? "" : typedOf(journal.turnMessage(turn), said.text);
  if (store.sessions.get(fork) !== undefined) return { draft, id: fork };
  const forked = await forkBefore(store, row, turn, fork);
  return forked === undefined ? { draft } : { draft, id: forked.id };
}
