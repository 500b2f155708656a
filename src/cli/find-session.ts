import { stat } from "node:fs/promises";
import type { SessionRow } from "../store/types.ts";
import { findSession as findWords } from "../words/en/find-session.ts";
import type { Composition } from "./composition.ts";
import { CliProblem } from "./problem.ts";

type Places = Pick<Composition, "store" | "workspace">;

/** The one session that an id or a prefix names. @throws CliProblem: unknown or ambiguous. */
export async function findSession({ store }: Pick<Places, "store">, idOrPrefix: string): Promise<SessionRow> {
  const { sessionNamed, UnknownSession } = await import("../records/find-session.ts");
  try {
    return sessionNamed(await store(), idOrPrefix);
  } catch (error) {
    if (!(error instanceof UnknownSession)) throw error;
    const hint = error.matches.length === 0 ? findWords().listHint : findWords().prefixHint;
    throw new CliProblem("usage", error.message, { hint, cause: error });
  }
}

/** The same, to be gone on with or removed: what a call drives goes with the session of that call. @throws CliProblem */
export async function findRoot(places: Pick<Places, "store">, idOrPrefix: string): Promise<SessionRow> {
  const row = await findSession(places, idOrPrefix);
  if (row.parent === undefined) return row;
  throw new CliProblem("usage", findWords().driven({ session: row.id, parent: row.parent }), {
    hint: findWords().drivenHint({ parent: row.parent, session: row.id }),
  });
}

/** The newest session of the workspace. @param toDo what it is wanted for, as in "to resume". @throws CliProblem: none. */
export async function newestSession({ store, workspace }: Places, toDo: string): Promise<SessionRow> {
  const newest = (await store()).sessions.list({ workspace }).find(({ parent }) => parent === undefined);
  if (newest !== undefined) return newest;
  throw new CliProblem("usage", findWords().none({ workspace, toDo }), { hint: findWords().noneHint });
}

/** The folder that it works in must still be there. @throws CliProblem store */
export async function checkFolder({ id, workspace }: Pick<SessionRow, "id" | "workspace">): Promise<void> {
  const there = await stat(workspace).catch(() => undefined);
  if (there?.isDirectory() === true) return;
  throw new CliProblem("store", findWords().folderGone({ id, workspace }), { hint: findWords().folderHint({ id }) });
}
