import { stat } from "node:fs/promises";
import type { SessionRow } from "../store/types.ts";
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
    const hint = error.matches.length === 0 ? "agent sessions list --all lists every session" : "give more of the id";
    throw new CliProblem("usage", error.message, { hint, cause: error });
  }
}

/** The same, to be gone on with or removed: what a call drives goes with the session of that call. @throws CliProblem */
export async function findRoot(places: Pick<Places, "store">, idOrPrefix: string): Promise<SessionRow> {
  const row = await findSession(places, idOrPrefix);
  if (row.parent === undefined) return row;
  throw new CliProblem("usage", `session ${row.id} is driven by a call of ${row.parent}`, {
    hint: `agent resume ${row.parent} goes on with both, agent sessions rm ${row.parent} removes both, agent sessions show ${row.id} shows this one`,
  });
}

/** The newest session of the workspace. @param toDo what it is wanted for, as in "to resume". @throws CliProblem: none. */
export async function newestSession({ store, workspace }: Places, toDo: string): Promise<SessionRow> {
  const newest = (await store()).sessions.list({ workspace }).find(({ parent }) => parent === undefined);
  if (newest !== undefined) return newest;
  throw new CliProblem("usage", `there is no session of ${workspace} ${toDo}`, {
    hint: "agent sessions list --all includes other folders",
  });
}

/** The folder that it works in must still be there. @throws CliProblem store */
export async function checkFolder({ id, workspace }: Pick<SessionRow, "id" | "workspace">): Promise<void> {
  const there = await stat(workspace).catch(() => undefined);
  if (there?.isDirectory() === true) return;
  throw new CliProblem("store", `the workspace of session ${id} is gone: ${workspace}`, {
    hint: `put it back and resume the session, or begin a new one elsewhere: agent chat -C DIR; agent sessions show ${id} still shows its messages and calls`,
  });
}
