import type { FolderFacts, SessionDoor, Welcome } from "./session-services.ts";

/** So many sessions can be gone over to by one digit. */
const mostOffered = 3;

/** What a chat in which nothing was said yet shows of its place. Never throws: what cannot be told is left out. */
export async function welcomeOf(sessions: SessionDoor, folder: FolderFacts, workspace: string): Promise<Welcome> {
  const [branch, latest] = await Promise.all([
    folder.branch(workspace).catch(() => undefined),
    latestOf(sessions, workspace).catch(() => ({ offered: [], more: 0 })),
  ]);
  return { ...(branch === undefined ? {} : { branch }), ...latest };
}

async function latestOf(sessions: SessionDoor, workspace: string): Promise<Pick<Welcome, "offered" | "more">> {
  const { rows, look } = await (await sessions.shelf(workspace)).list(false);
  const offered = rows.slice(0, mostOffered).map((row) => ({ ...row, look: look(row.id) }));
  return { offered, more: rows.length - offered.length };
}
