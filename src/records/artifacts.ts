import {
  type Artifacts,
  type ArtifactVersion,
  artifactCalls,
  artifactsOf,
  madeBy,
  type ReadCall,
  textOf,
  withCall,
} from "../core/artifacts.ts";
import { undoToolName } from "../core/call.ts";
import { nameIn, refOf } from "../core/call-ref.ts";
import type { ToolContext } from "../core/tool.ts";
import { readOnceEnded } from "../graph/ended-calls.ts";
import type { JournalReading, Store } from "../store/types.ts";
import { undoneCalls } from "./undo/undone-calls.ts";

type Stored = Pick<Store, "readJournal" | "sessions">;
type Recorded = Pick<JournalReading, "session" | "succeeded" | "callCount" | "call" | "openCalls">;

/**
 * The artifacts of a session that is driven, and those of the other sessions of its tree.
 * @param journal of the session itself
 */
export function artifactsInTree(store: Stored, journal: Recorded): NonNullable<ToolContext["artifacts"]> {
  const reads: ReadCall = (callId) => journal.call(callId);
  const read = () => artifactsIn(store, journal);
  const own = readOnceEnded(journal, read, (found, call) =>
    call.toolName === undoToolName ? undefined : withNowHeld(found, withCall(found, call, noneTaken, reads), reads),
  );
  return (session = journal.session) => {
    if (session === journal.session) return own();
    const isOfTree = rootOf(store, session) === rootOf(store, journal.session);
    return isOfTree ? recordedArtifacts(store, session) : undefined;
  };
}

const noneTaken: ReadonlySet<string> = new Set();

/**
 * After a call that made a version of one: what this is now is held as a whole, for the next call begins with it; the versions before are read from
 * their calls again when they are asked for.
 */
function withNowHeld(before: Artifacts, after: Artifacts, reads: ReadCall): Artifacts {
  return after.map((artifact, at) => {
    if (artifact === before[at]) return artifact;
    const last = artifact.versions.at(-1);
    const text = last && textOf(artifact, last);
    const versions = artifact.versions.map((version): ArtifactVersion => {
      if (version === last && text !== undefined) return { ...version, made: () => ({ text }) };
      return { ...version, made: () => madeBy(reads(version.callId)) };
    });
    return { ...artifact, versions };
  });
}

/** All of a session, as a reading of it has them. */
export const recordedArtifacts = (store: Stored, session: string): Artifacts =>
  artifactsIn(store, store.readJournal(session));

/** Lists the artifacts of a session; the record of the tree's root says which of them are taken back. */
function artifactsIn(store: Stored, journal: Pick<Recorded, "session" | "succeeded" | "call">): Artifacts {
  const made = artifactCalls(journal).map(({ call }) => call);
  if (made.length === 0) return [];
  const root = rootOf(store, journal.session);
  const above = root === journal.session ? journal : store.readJournal(root);
  const undone = undoneCalls(above.succeeded(undoToolName).map(({ call }) => call));
  const isUndone = (callId: string): boolean => undone.has(nameIn(root, refOf({ session: journal.session, callId })));
  return artifactsOf(made, new Set(made.map(({ callId }) => callId).filter(isUndone)), (callId) =>
    journal.call(callId),
  );
}

function rootOf({ sessions }: Pick<Stored, "sessions">, session: string): string {
  const parent = sessions.get(session)?.parent;
  return parent === undefined ? session : rootOf({ sessions }, parent);
}
