import type { AgentEvent } from "../../../src/graph/events.ts";
import { openStore } from "../../../src/store/open-store.ts";
import type { JournalReading } from "../../../src/store/types.ts";
import { lossComplaints, lostFiles } from "../oracle.ts";
import { type Picture, pictureOf } from "../picture.ts";
import { type Aftermath, aftermathOf, effectAt, mustHold, nameGiven, survivals } from "./cuts.ts";
import { Disk, type DiskState } from "./disk.ts";
import { restore } from "./disk-on-disk.ts";
import type { Operation } from "./operations.ts";
import type { Recording } from "./record.ts";

/*
 * What a power cut may not take, looked at after each word of a recorded session and after each of its effects. Nobody goes on with the
 * session, so there is time for every instant.
 */

type Kind = "name" | "effect" | "word";

/** One instant, and what is not as it was promised in it. */
export interface Instant {
  /** A name that was given, an effect, or words. */
  kind: Kind;
  what: string;
  complaints: string[];
}

/** Restores states into the recording's place: nothing else is done there meanwhile. @param kinds that are looked at */
export async function* instantsOf(
  recording: Recording,
  kinds: readonly Kind[] = ["name", "effect", "word"],
): AsyncGenerator<Instant> {
  const disk = new Disk(recording.before);
  for (const [index, operation] of recording.operations.entries()) {
    disk.apply(operation);
    const name = kinds.includes("name") ? nameGiven(operation) : undefined;
    if (name !== undefined) yield { kind: "name", what: name, complaints: namingComplaints(disk, name) };
    const effect = kinds.includes("effect") ? effectAt(operation) : undefined;
    const words = kinds.includes("word") ? wordsIn(operation, recording.whole) : [];
    if (effect === undefined && words.length === 0) continue;
    const aftermath = aftermathOf(recording, { after: index + 1, survival: "all lost", seed: 0 });
    await restore(recording.place.root, aftermath.state);
    const now = await pictureOf(recording.place, sessionOf(aftermath));
    const store = await openStore({ file: recording.place.database });
    try {
      const journal = store.readJournal(sessionOf(aftermath));
      if (effect !== undefined) {
        const complaints = [...beginComplaints(effect, now), ...keptComplaints(journal), ...packComplaints(disk)];
        yield { kind: "effect", what: effect.what, complaints };
      }
      for (const word of words)
        yield { kind: "word", what: word.type, complaints: wordComplaints(word, aftermath, now, journal) };
    } finally {
      store.close();
    }
  }
}

const sessionOf = ({ events }: Aftermath): string => events[0]?.session ?? "";

/** A name that comes through alone is one of whole bytes, with their mode. */
function namingComplaints(disk: Disk, path: string): string[] {
  const is = textIn(disk.after(survivals["names kept"]()), path);
  const due = textIn(disk.after(survivals["all kept"]()), path);
  return is === due ? [] : [`${path} has its name before its bytes are on disk: ${is}, not ${due}`];
}

function textIn(state: DiskState, path: string): string {
  const is = state.get(path);
  return is !== undefined && "bytes" in is
    ? `${JSON.stringify(is.bytes.toString())} ${is.mode.toString(8)}`
    : "nothing";
}

const wordsIn = (operation: Operation, whole: Picture): AgentEvent[] =>
  operation.kind === "said" ? eventsIn(operation).filter((event) => mustHold(event, whole)) : [];

const eventsIn = ({ bytes }: { bytes: Buffer }): AgentEvent[] =>
  bytes
    .toString()
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AgentEvent);

/** Calls are done one after another, so one that runs is the one that did it. */
function beginComplaints({ what, callId }: { what: string; callId?: string }, { calls }: Picture): string[] {
  const runs = calls.find((call) => call.status === "executing");
  const isBegun = runs !== undefined && (callId === undefined || runs.callId === callId);
  return isBegun ? [] : [`${what}: it is not on disk that the call was begun`];
}

/** What an undo needs of the files that a call is changing. */
function keptComplaints(journal: JournalReading): string[] {
  const running = journal.openCalls().filter(({ status }) => status === "executing");
  return running
    .flatMap(({ callId }) => journal.planOf(callId)?.files ?? [])
    .filter(({ before }) => before !== null && journal.bytesOf(before) === undefined)
    .map(({ real }) => `what was in ${real} is not kept`);
}

/** What an undo needs of the files that a command may change. */
function packComplaints(disk: Disk): string[] {
  const [is, due] = [disk.after(survivals["all lost"]()), disk.after(survivals["all kept"]())];
  const paths = [...due.keys()].filter((path) => path.startsWith("home/kept/"));
  return paths.filter((path) => textIn(is, path) !== textIn(due, path)).map((path) => `${path} is not on disk`);
}

function wordComplaints(
  word: AgentEvent,
  { state, events }: Aftermath,
  now: Picture,
  journal: JournalReading,
): string[] {
  const lost = lostFiles(events, (name) => {
    const is = state.get(`work/${name}`);
    return is !== undefined && "bytes" in is ? is.bytes.toString() : undefined;
  });
  const said = isSo(word, now, journal) ? [] : [`said and lost: ${JSON.stringify(word).slice(0, 500)}`];
  return [...lost, ...lossComplaints({ events }, now), ...said];
}

/** What is so until the next step only, and is so now. */
function isSo(word: AgentEvent, now: Picture, journal: JournalReading): boolean {
  switch (word.type) {
    case "tool_call": {
      const { callId, status, attempt } = word.call;
      return now.events.some((one) => one.callId === callId && one.to === status && one.attempt === attempt);
    }
    case "approval_requested":
      return word.calls.every(({ callId, digest }) => {
        const { status } = journal.call(callId) ?? {};
        return status === "awaiting_approval" && journal.publishedDigest(callId) === digest;
      });
    case "turn_ended":
      return (now.turns.at(-1)?.state === "done") === (word.resume === undefined);
    default:
      return true;
  }
}
