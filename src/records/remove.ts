import type { SessionRow, Store } from "../store/types.ts";

/** A session that works, or waits for the person, is not removed unless that is meant. */
export class SessionInUse extends Error {
  override readonly name = "SessionInUse";
}

// Keeps records 3.
/** @throws SessionInUse */
export function checkIdle(rows: readonly SessionRow[]): void {
  const open = rows.find(({ state }) => state !== "idle");
  if (open !== undefined) throw new SessionInUse(`session ${open.id} is ${open.state}: nothing was removed`);
}

/**
 * Removes everything of these sessions, one after another, whatever they wait for; `removed` is told of each.
 * @returns false where parts of what was removed may stay in the file: another process uses the store, or the disk is full.
 * @throws SessionBusy where a process drives one: that one and those behind it stay.
 */
export async function removeSessions(
  store: Pick<Store, "acquire" | "sessions" | "shrink">,
  rows: readonly SessionRow[],
  removed: (row: SessionRow) => void = () => undefined,
): Promise<boolean> {
  for (const row of rows) {
    const lease = await store.acquire(row.id);
    try {
      await store.sessions.remove(row.id);
    } finally {
      lease.release();
    }
    removed(row);
  }
  return store.shrink();
}
