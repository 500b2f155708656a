import type { ChildEnd } from "../core/child-session.ts";
import type { SessionState, Store } from "../store/types.ts";
import { childEnd, isOver } from "./child-end.ts";
import { needed, type OpenCall } from "./session-progress.ts";

/** A session that a call of another one drives, as lists tell of it. */
export interface HelperInfo {
  /** Its id. */
  session: string;
  /** By which the person knows it. */
  agent: string;
  /** The call that drives it. */
  call: string;
  /** Its first words. */
  task: string;
  /** `left`: it has not come to its end, and nobody works on it now. */
  state: "running" | "waiting" | "ended" | "left";
  /** The status with which it ended. */
  status?: ChildEnd["status"];
  steps: number;
  inputTokens: number;
  outputTokens: number;
  /** The cost, where it is known of all of it. */
  cost?: number;
  /** Files that are not as they were before it. */
  filesChanged: number;
  /** Calls of it that need the person's word. */
  waitsFor?: OpenCall[];
}

type Reading = Pick<Store, "readJournal" | "sessions">;

/** The sessions that calls of this one drive, in the order of their calls and places. @param state of this one, as its row has it */
export function helpersOf(store: Reading, id: string, state: SessionState): HelperInfo[] {
  const isDriven = state === "running";
  return store.sessions.children(id).map((row): HelperInfo => {
    const journal = store.readJournal(row.id);
    const { session, agent, status, steps, inputTokens, outputTokens, files } = childEnd(journal, row);
    const { cost, unpriced } = journal.spent();
    const told = {
      ...{ session, agent, call: row.call, task: String(row.spec["task"] ?? "") },
      ...{ steps, inputTokens, outputTokens, filesChanged: files.length },
      ...(cost === undefined || unpriced > 0 ? {} : { cost }),
    };
    if (isOver(journal)) return { ...told, state: "ended", status };
    const { waitsFor, unseen } = needed(journal, isDriven);
    const asked = [...waitsFor, ...unseen];
    if (asked.length > 0) return { ...told, state: "waiting", waitsFor: asked };
    return { ...told, state: isDriven ? "running" : "left" };
  });
}
