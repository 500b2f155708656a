import { summedSpent } from "../core/summed-spent.ts";
import type { SessionRow, SessionState, Spent, Store } from "../store/types.ts";
import { type SessionProgress, standingOfRow } from "./session-progress.ts";
import { treeUnder } from "./session-tree.ts";

/** One stored session, as lists have it. */
export interface SessionInfo extends Partial<Pick<SessionProgress, "cutOff" | "waitsFor" | "filesChanged">> {
  id: string;
  title: string;
  /** Absolute. */
  workspace: string;
  state: SessionState;
  /** The spec of the model that it had last. */
  model: string;
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  /** The usage of its replies; absent where no server told it. */
  usage?: Omit<Spent, "unpriced">;
  /** The same with that of its children; only where it has some. */
  usageWithChildren?: Omit<Spent, "unpriced">;
  /** The number of sessions that its calls drive, or drove; only where it has some. */
  helpers?: number;
}

/** @param spent what the replies of each session took (`Store.spent`) */
export function sessionInfo(
  store: Pick<Store, "readJournal" | "sessions">,
  row: SessionRow,
  spent: Map<string, Spent>,
): SessionInfo {
  const { id, title, workspace, state, model, createdAt, updatedAt } = row;
  const [created = "", updated = ""] = [createdAt, updatedAt].map((at) => new Date(at).toISOString());
  const { cutOff, waitsFor = [], filesChanged } = standingOfRow(store, row) ?? {};
  const stands = { ...(cutOff && { cutOff }), ...(waitsFor.length > 0 && { waitsFor }) };
  return {
    ...{ id, title, workspace, state, model, createdAt: created, updatedAt: updated },
    ...stands,
    ...(filesChanged !== undefined && { filesChanged }),
    ...usageOf(spent.get(id)),
    ...withChildren(store, id, spent),
  };
}

function withChildren(
  store: Pick<Store, "sessions">,
  id: string,
  spent: Map<string, Spent>,
): Pick<SessionInfo, "usageWithChildren" | "helpers"> {
  const tree = treeUnder(store, id);
  if (tree.length === 1) return {};
  const { usage } = usageOf(summedSpent(tree.flatMap((one) => spent.get(one) ?? [])));
  return { ...(usage === undefined ? {} : { usageWithChildren: usage }), helpers: tree.length - 1 };
}

/** Those that a person began, newest first; what calls drive goes with the session of the call. */
export const rootSessions = (store: Pick<Store, "sessions">, workspace?: string): SessionRow[] =>
  store.sessions.list(workspace === undefined ? {} : { workspace }).filter(({ parent }) => parent === undefined);

/** Nothing of a session whose servers told none. */
function usageOf(spent: Spent | undefined): Pick<SessionInfo, "usage"> {
  if (spent === undefined || spent.inputTokens + spent.outputTokens === 0) return {};
  const { unpriced: _, ...usage } = spent;
  return { usage };
}
