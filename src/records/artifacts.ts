import { type Artifacts, artifactCalls, artifactsOf, makesArtifact } from "../core/artifacts.ts";
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
  const own = readOnceEnded(
    journal,
    (call) => makesArtifact(call) || call.toolName === undoToolName,
    () => artifactsIn(store, journal),
  );
  return (session = journal.session) => {
    if (session === journal.session) return own();
    const isOfTree = rootOf(store, session) === rootOf(store, journal.session);
    return isOfTree ? recordedArtifacts(store, session) : undefined;
  };
}

/** All of a session, as a reading of it has them. */
export const recordedArtifacts = (store: Stored, session: string): Artifacts =>
  artifactsIn(store, store.readJournal(session));

/** What is taken back, the record of the tree's root says. */
function artifactsIn(store: Stored, journal: Pick<Recorded, "session" | "succeeded">): Artifacts {
  const made = artifactCalls(journal).map(({ call }) => call);
  if (made.length === 0) return [];
  const root = rootOf(store, journal.session);
  const above = root === journal.session ? journal : store.readJournal(root);
  const undone = undoneCalls(above.succeeded(undoToolName).map(({ call }) => call));
  const isUndone = (callId: string): boolean => undone.has(nameIn(root, refOf({ session: journal.session, callId })));
  return artifactsOf(made, new Set(made.map(({ callId }) => callId).filter(isUndone)));
}

function rootOf({ sessions }: Pick<Stored, "sessions">, session: string): string {
  const parent = sessions.get(session)?.parent;
  return parent === undefined ? session : rootOf({ sessions }, parent);
}
