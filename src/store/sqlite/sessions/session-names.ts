import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";

export interface SessionName {
  id: string;
  title: string;
}

export interface CallName {
  id: string;
  tool: string;
  status: string;
}

/** Names alone, for whoever types one: nothing else of the store is loaded, and a locked one is not waited for. */
export interface Names {
  /** Root sessions whose id begins so: those of the workspace first, and alone where nothing is typed yet; newest first. */
  sessions(prefix: string, workspace: string): SessionName[];
  /** Calls of the session that an id or its beginning names, newest first. */
  calls(session: string): CallName[];
  close(): void;
}

const most = 200;

/** @throws StoreFailure, SessionBusy. The file must be there. */
export async function openNames(file: string): Promise<Names> {
  const db = await openDatabase(file, () => false);
  return { ...namesIn(db), close: () => db.close() };
}

const namesIn = (db: Database): Pick<Names, "sessions" | "calls"> => ({
  sessions: (prefix, workspace) =>
    db.all<SessionName>(
      `SELECT t.id, s.title FROM session s JOIN thread t ON t.key = s.thread
        WHERE s.parent IS NULL AND substr(t.id, 1, length(?)) = ? AND (? != '' OR s.workspace = ?)
        ORDER BY s.workspace = ? DESC, s.updated DESC LIMIT ${most}`,
      ...[prefix, prefix, prefix, workspace, workspace],
    ),
  calls: (session) =>
    db.all<CallName>(
      `SELECT c.id, c.tool, c.status FROM tool_call c JOIN thread t ON t.key = c.thread
        JOIN session s ON s.thread = c.thread WHERE s.parent IS NULL AND substr(t.id, 1, length(?)) = ?
        ORDER BY c.key DESC LIMIT ${most}`,
      ...[session, session],
    ),
});
