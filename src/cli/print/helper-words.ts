import type { HelperInfo } from "../../records/helpers.ts";
import { agents as words } from "../../words/en/agents.ts";
import { titleAgain } from "../../words/said-again.ts";

/** Tells the state of a helper, in a few words; not yet safe to draw. */
export function helperWords({ state, status, waitsFor = [] }: HelperInfo): string {
  if (state === "running") return words().running;
  if (state === "left") return words().left;
  if (state === "ended") return words().ends[status ?? "failed"];
  const [first, ...more] = waitsFor;
  return words().waitsFor({
    what: first === undefined ? undefined : titleAgain(first.toolName, first.summary),
    more: more.length,
  });
}

/** "3 helpers, 1 running, 1 waits for you": those that have ended go without saying. */
export function helpersText(helpers: readonly HelperInfo[]): string {
  const of = (state: HelperInfo["state"]): number => helpers.filter((one) => one.state === state).length;
  return words().stand({ helpers: helpers.length, running: of("running"), waiting: of("waiting"), left: of("left") });
}

/** "3 steps, 1200 tokens in, 40 out, cost 0.002": what it took. */
export const tookText = ({ steps, inputTokens, outputTokens, cost }: HelperInfo): string =>
  words().took({ steps, inputTokens, outputTokens, cost });
