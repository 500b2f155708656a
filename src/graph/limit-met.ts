import type { Runtime } from "./runtime.ts";
import type { AgentStateValue } from "./state.ts";
import { isOverOwnCost } from "./tree-limits.ts";

type Meeting = Pick<
  Runtime,
  "agent" | "model" | "journal" | "costEver" | "lastStepEver" | "limits" | "limitNames" | "maxCost" | "maxSteps"
>;

/** Whose limit a turn has come to: a child's own, which its definition set, or that of the whole run. */
export type LimitOf = "own" | "turn";

/** By the same order in which they are looked at before a request. @param reason how the turn ended. @returns undefined where that was no limit */
export function limitMet(
  runtime: Pick<Meeting, "model" | "journal" | "costEver" | "lastStepEver">,
  { ending, step }: Pick<AgentStateValue, "ending" | "step">,
  reason: string,
): LimitOf | undefined {
  if (reason === "max_cost") return isOverOwnCost(runtime) ? "own" : "turn";
  if (reason !== "max_steps") return undefined;
  return ending === null && step > (runtime.lastStepEver ?? Number.POSITIVE_INFINITY) ? "own" : "turn";
}

/** What is to be said of the limit: whose it is, who set it, how much it is, and where it could not be kept, why. */
export function limitWords(
  runtime: Meeting,
  reason: "max_cost" | "max_steps",
  of: LimitOf,
): { message: string; hint: string } {
  const { agent = "the helper", costEver, lastStepEver, limitNames, maxSteps } = runtime;
  if (of === "own") {
    const hint = "its session is told what it came to";
    if (reason === "max_cost") return { message: ownCost(runtime, agent, costEver), hint };
    return { message: `${agent} has taken as many steps as its own maxSteps lets it (${lastStepEver})`, hint };
  }
  if (reason === "max_cost")
    return { message: turnCost(runtime), hint: "go on with a budget of the same size: agent resume" };
  const message = `the turn has taken as many steps as ${limitNames.maxSteps} lets it (${maxSteps}), with all its helpers`;
  return { message, hint: "go on with as many again: agent resume" };
}

function ownCost({ model, journal }: Meeting, agent: string, most: number | undefined): string {
  const kept = `so its own maxCost (${most}) cannot be kept`;
  if (model.price === undefined) return `${agent} asks its model nothing: ${model.spec} has no price, ${kept}`;
  if (journal.spent().unpriced > 0) return `it is not known what a reply of ${agent} cost, ${kept}`;
  return `${agent} has cost as much as its own maxCost lets it (${most})`;
}

function turnCost({ limits, limitNames, maxCost }: Meeting): string {
  const { maxCost: name } = limitNames;
  if ((limits?.unpriced ?? 0) > 0)
    return `it is not known what a reply of this turn cost, so ${name} (${maxCost}) cannot be kept`;
  return `the turn has cost as much as ${name} lets it (${maxCost}), with all its helpers`;
}
