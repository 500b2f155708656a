import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { brokenLink } from "../journal/call-events.ts";
import { type CallRow, unpackCall } from "../journal/call-row.ts";
import type { CallEvent, JournalReading, Verified } from "../types.ts";
import type { Database } from "./database.ts";
import { isInMemory } from "./failures.ts";
import { damageBefore, shorterThanTold } from "./file-damage.ts";

type Reply = NonNullable<ReturnType<JournalReading["findReply"]>>;

/** The file's size, and SQLite's own check of pages, indexes and foreign keys. @returns the first problem, or undefined. */
export function databaseDamage(db: Database): string | undefined {
  try {
    const damaged = isInMemory(db.file) ? undefined : filesDamage(db);
    if (damaged !== undefined) return damaged;
    const [first] = db.all<{ integrity_check: string }>("PRAGMA integrity_check(1)");
    if (first?.integrity_check !== "ok") return first?.integrity_check ?? "the check gave no answer";
    const [orphan] = db.all<{ table: string; parent: string }>("PRAGMA foreign_key_check");
    if (orphan !== undefined) return `a row of ${orphan.table} names a row of ${orphan.parent} that is gone`;
    const [given] = db.all("SELECT 1 FROM thread_key WHERE last >= (SELECT coalesce(max(key), 0) FROM thread)");
    return given === undefined ? "it has not noted which keys its sessions were given" : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Finds damage of the file. The log may have the bytes that the file lacks, so it is copied first. One that is only read is a copy, which was brought
 * to today's version and has a size of its own.
 */
function filesDamage(db: Database): string | undefined {
  const opened = db.get<{ file: string }>("SELECT file FROM pragma_database_list WHERE name = 'main'")?.file ?? db.file;
  const ask = (pragma: string): number => Object.values(db.get<Record<string, number>>(pragma) ?? {})[0] ?? 0;
  return damageBefore(db.file) ?? shorterThanTold(opened, ask, () => db.copyLog());
}

/** Never throws for damage: what cannot be read is a problem that is named. */
export function verifySession(db: Database, journal: JournalReading): Verified {
  const found: Verified = { session: journal.session, calls: 0, events: 0 };
  try {
    return db.view(() => {
      const events = journal.events();
      found.events = events.length;
      const problem =
        brokenEvent(journal.session, events) ?? brokenCall(db, journal, events, found) ?? lostMessage(journal);
      return problem === undefined ? found : { ...found, problem };
    });
  } catch (error) {
    return { ...found, problem: `it cannot be read: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function brokenEvent(session: string, events: CallEvent[]): string | undefined {
  const at = brokenLink(session, events);
  if (at === undefined) return undefined;
  const event = events[at - 1];
  const what = event === undefined ? "" : ` (call ${event.callId || "unknown"}, ${event.from ?? "new"} to ${event.to})`;
  return `event ${at}${what} does not follow from those before it`;
}

function brokenCall(
  db: Database,
  journal: JournalReading,
  events: readonly CallEvent[],
  found: Verified,
): string | undefined {
  const last = new Map<string, CallEvent>();
  const digests = new Map<string, string>();
  for (const event of events) {
    last.set(event.callId, event);
    if (event.digest !== undefined) digests.set(event.callId, event.digest);
  }
  // The reader makes the best of a damaged row; here it is damage.
  const sql = "SELECT c.* FROM tool_call c JOIN thread t ON t.key = c.thread WHERE t.id = ? ORDER BY c.key";
  const calls = db.all<CallRow>(sql, journal.session).map(unpackCall);
  found.calls = calls.length;
  for (const call of calls) {
    const event = last.get(call.callId);
    if (event === undefined) return `call ${call.callId} has no event`;
    const told = `event ${event.seq} says ${event.to}, attempt ${event.attempt}`;
    if (event.to !== call.status || event.attempt !== call.attempt)
      return `call ${call.callId} is ${call.status}, attempt ${call.attempt}, but ${told}`;
    if (call.digest !== digests.get(call.callId)) return `call ${call.callId} has another digest than its events name`;
    journal.planOf(call.callId);
    journal.verdictOf(call.callId);
    journal.answersOf(call.callId);
    journal.childrenOf(call.callId);
  }
  return undefined;
}

/** Reads every message that turns and steps name. @throws where one is gone. */
function lostMessage(journal: JournalReading): string | undefined {
  for (const { turn } of journal.turns()) {
    if (isDamaged(journal.turnMessage(turn))) return `the message of turn ${turn} is damaged`;
    for (let step = 1; ; step++) {
      const reply = journal.findReply({ turn, step });
      if (reply === undefined) break;
      const problem = brokenReply(reply, `${turn}.${step}`);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function brokenReply({ message, calls }: Reply, step: string): string | undefined {
  if (isDamaged(message)) return `the message of step ${step} is damaged`;
  const asked = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const lost = asked.find(({ id }) => !calls.some((call) => call.callId === id));
  return lost === undefined ? undefined : `call ${lost.id ?? "without an id"} of step ${step} is gone`;
}

const isDamaged = (message: BaseMessage): boolean => Object.hasOwn(message.additional_kwargs, "unreadable");
