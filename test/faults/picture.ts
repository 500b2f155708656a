import { lstat, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import type { ToolCallInfo } from "../../src/core/call.ts";
import type { StepId } from "../../src/core/step-id.ts";
import { wordsOf } from "../../src/graph/talk/no-words.ts";
import { openGrantBook } from "../../src/policy/files/grant-book.ts";
import { brokenLink } from "../../src/store/journal/call-events.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { AnswerRow, CallEvent, TurnRow } from "../../src/store/types.ts";
import { RawStore } from "../support/raw-store.ts";
import type { FaultPlace } from "./place.ts";
import { asksForSummary } from "./session.ts";

interface FileLook {
  text: string;
  mode: number;
}

/** One message of the model, as the journal has it. */
interface SaidByModel {
  id: string;
  text: string;
  calls: string[];
}

/** All that a finished session left: on disk, in the store, outside. */
export interface Picture {
  files: Readonly<Record<string, FileLook>>;
  /** Names below the agent's own folder and its folder for temporary files. */
  home: readonly string[];
  temp: readonly string[];
  memory: string;
  /** The ids of the grants that are in force from now on. */
  grants: readonly string[];
  effects: readonly { callId: string; note: string }[];
  turns: readonly TurnRow[];
  /** What was said while a turn ran. */
  steers: readonly { messageId: string; text: string }[];
  replies: readonly SaidByModel[];
  calls: readonly ToolCallInfo[];
  events: readonly CallEvent[];
  answers: ReadonlyMap<string, AnswerRow[]>;
  /** The files that a call changed before it was cut off or failed, below the workspace. */
  done: ReadonlyMap<string, string[]>;
  /** What `PRAGMA integrity_check` says; `ok`. */
  integrity: string;
  /** Number of the first event that does not follow from those before it. */
  brokenAt: number | undefined;
  /** What the model was told last: role and content of each message but the system's. */
  history: readonly { role: string; content: string }[];
}

export async function pictureOf(place: FaultPlace, session: string): Promise<Picture> {
  const store = await openStore({ file: place.database });
  try {
    const journal = store.readJournal(session);
    const calls = journal.allCalls();
    const events = journal.events();
    const turns = journal.turns();
    return {
      files: await looks(place.workspace),
      home: await names(place.home),
      temp: await names(place.temp),
      grants: (await openGrantBook(join(place.home, "grants.json")).all()).map(({ id }) => id),
      memory: await readFile(place.memory, "utf8").catch(() => ""),
      effects: await place.effects(),
      turns,
      steers: journal.steers().map(({ messageId, text }) => ({ messageId, text })),
      replies: turns.flatMap(({ turn }) => repliesOf(journal, turn)),
      calls,
      events,
      answers: new Map(calls.map(({ callId }) => [callId, journal.answersOf(callId)])),
      done: new Map(
        calls.map(({ callId }) => [callId, journal.doneOf(callId).map(({ real }) => relative(place.workspace, real))]),
      ),
      integrity: integrityOf(place.database),
      brokenAt: brokenLink(session, events),
      history: (place.server.requests.findLast((request) => !asksForSummary(request))?.body.messages ?? [])
        .slice(1)
        .map(({ role, content }) => ({
          role,
          content: typeof content === "string" ? content : JSON.stringify(content),
        })),
    };
  } finally {
    store.close();
  }
}

function repliesOf(journal: Parameters<typeof readReply>[0], turn: number): SaidByModel[] {
  const found: SaidByModel[] = [];
  for (let step = 1; ; step += 1) {
    const reply = readReply(journal, { turn, step });
    if (reply === undefined) return found;
    found.push(reply);
  }
}

function readReply(
  journal: Pick<ReturnType<Awaited<ReturnType<typeof openStore>>["readJournal"]>, "findReply">,
  stepId: StepId,
): SaidByModel | undefined {
  const reply = journal.findReply(stepId);
  if (reply === undefined) return undefined;
  const { message, calls } = reply;
  return { id: message.id ?? "", text: wordsOf(message), calls: calls.map((call) => call.callId) };
}

async function names(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

async function looks(folder: string): Promise<Record<string, FileLook>> {
  const found: Record<string, FileLook> = {};
  for (const name of await names(folder)) {
    const path = join(folder, name);
    found[name] = { text: await readFile(path, "utf8"), mode: (await lstat(path)).mode & 0o7777 };
  }
  return found;
}

function integrityOf(file: string): string {
  const db = new RawStore(file);
  try {
    return String(db.one("PRAGMA integrity_check"));
  } finally {
    db.close();
  }
}
