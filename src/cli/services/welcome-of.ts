import { existsSync } from "node:fs";
import type { Composition } from "../composition.ts";
import type { SessionServices, Welcome } from "./session-services.ts";

/** So many sessions can be gone over to by one digit. */
const mostOffered = 3;

/**
 * Finds the facts that a chat in which nothing was said yet shows of its place. Makes no store. Never throws: those that cannot be told are
 * left out.
 */
export async function welcomeOf(
  { places }: Composition,
  { sessions, folder }: SessionServices,
  workspace: string,
): Promise<Welcome> {
  const [branch, offered] = await Promise.all([
    folder.branch(workspace).catch(() => undefined),
    existsSync(places.database) ? latestOf(sessions, workspace).catch(() => []) : [],
  ]);
  return { offered, ...(branch === undefined ? {} : { branch }) };
}

async function latestOf(sessions: SessionServices["sessions"], workspace: string): Promise<Welcome["offered"]> {
  const { rows, look } = await (await sessions.shelf(workspace)).list(false);
  return rows.slice(0, mostOffered).map((row) => ({ ...row, look: look(row.id) }));
}
