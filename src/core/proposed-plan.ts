import type { JsonObject } from "./json.ts";

/** Of the tool by which the model ends its work in mode plan. */
export const planToolName = "present_plan";

/** A plan that the model proposes, for a person to approve. */
export interface ProposedPlan {
  /** Markdown. */
  text: string;
  /** The texts that become goals of the session once it is approved. */
  goals: readonly string[];
}

/** Its first line, without a heading's marks. */
export const planTitle = (text: string): string => (/^[\s#]*(\S[^\n]*)/.exec(text)?.[1] ?? "").trim();

/** The plan that a call proposes; undefined for any other call, and where its arguments hold anything else. */
export function proposedPlan(call: { toolName: string; arguments: JsonObject }): ProposedPlan | undefined {
  const { plan: text, goals = [], ...more } = call.arguments;
  if (call.toolName !== planToolName || typeof text !== "string" || !Array.isArray(goals)) return undefined;
  const lines = goals.filter((goal) => typeof goal === "string");
  return lines.length < goals.length || Object.keys(more).length > 0 ? undefined : { text, goals: lines };
}
