import { setImmediate as nextTurn } from "node:timers/promises";
import type { PastCall } from "../../policy/suggest/past-call.ts";
import { type Suggestion, suggestions } from "../../policy/suggest/suggestions.ts";
import type { Policy } from "../../policy/types.ts";
import { pastCalls } from "../../records/past-calls.ts";
import { treeUnder } from "../../records/session-tree.ts";
import type { Store } from "../../store/types.ts";
import { withoutSecrets } from "../import/masked.ts";

type Reading = Pick<Store, "sessions" | "readJournal">;

/** The sessions that are looked at: all recorded sessions of the workspace, with those that calls of theirs drove. */
interface GatherRequest {
  store: Reading;
  /** Real path. */
  workspace: string;
  /** In force for a session that begins there. */
  policy: Policy;
  /** Milliseconds since the epoch. */
  since?: number | undefined;
  /** So many of its newest sessions; all of them without it. */
  newest?: number;
}

/** Rules for what the person answered alike. Keys that come meanwhile wait for one session at most. */
export async function gatherSuggestions({
  store,
  workspace,
  policy,
  since,
  newest,
}: GatherRequest): Promise<Suggestion[]> {
  const history: PastCall[] = [];
  for (const { id } of store.sessions.list({ workspace }).slice(0, newest).toReversed())
    for (const session of treeUnder(store, id)) {
      await nextTurn();
      history.push(...pastCalls(store.readJournal(session), { workspace }));
    }
  return suggestions(history, { policy, ...(since === undefined ? {} : { since }) }).filter(({ rule }) =>
    [rule.command ?? "", ...(rule.paths ?? []), ...(rule.hosts ?? [])].every((text) => withoutSecrets(text) === text),
  );
}
