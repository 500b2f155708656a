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
  /** How it ended. */
  status?: ChildEnd["status"];
  steps: number;
  inputTokens: number;
  outputTokens: number;
  /** Where it is known of all of it. */
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

const endWords: Readonly<Record<ChildEnd["status"], string>> = {
  done: "done",
  failed: "failed",
  max_steps: "out of steps",
  max_cost: "out of money",
  stuck: "stuck",
  context_full: "the context was full",
  cancelled: "stopped",
  no_agent: "not begun",
};

/** How it stands, in a few words; not yet safe to draw. */
export function helperWords({ state, status, waitsFor = [] }: HelperInfo): string {
  if (state === "running") return "running";
  if (state === "left") return "not finished";
  if (state === "ended") return endWords[status ?? "failed"];
  const [first, ...more] = waitsFor;
  return `waits for you: ${first?.summary ?? "a call"}${more.length === 0 ? "" : ` and ${more.length} more`}`;
}

/** "3 helpers, 1 running, 1 waits for you": those that have ended go without saying. */
export function helpersText(helpers: readonly HelperInfo[]): string {
  const of = (state: HelperInfo["state"]): number => helpers.filter((one) => one.state === state).length;
  const counts = [
    [of("running"), "running"],
    [of("waiting"), of("waiting") === 1 ? "waits for you" : "wait for you"],
    [of("left"), "not finished"],
  ] as const;
  const told = counts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]));
  return [`${helpers.length} helper${helpers.length === 1 ? "" : "s"}`, ...told].join(", ");
}

/** "3 steps, 1200 tokens in, 40 out, 0.002": what it took. */
export function tookText({ steps, inputTokens, outputTokens, cost }: HelperInfo): string {
  const tokens = `${inputTokens} tokens in, ${outputTokens} out`;
  return [`${steps} step${steps === 1 ? "" : "s"}`, tokens, ...(cost === undefined ? [] : [`cost ${cost}`])].join(", ");
}
