import { amountOf } from "../core/amount.ts";
import type { JsonObject } from "../core/json.ts";
import type { Price, ToolFormat, Usage } from "./port.ts";
import type { Effort } from "./servers.ts";

/** Returns the cost of a reply, in the currency of the price. */
export function costOf({ inputTokens, outputTokens, cachedTokens = 0 }: Usage, price: Price): number {
  const cached = Math.min(cachedTokens, inputTokens);
  const { input, output, cachedInput = input } = price;
  return amountOf(((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) / 1_000_000);
}

/** The person's settings of a model. */
export interface ModelEntry {
  /** Tokens. */
  contextWindow?: number | undefined;
  /** Tokens of one reply, thoughts included. */
  maxOutput?: number | undefined;
  vision?: boolean | undefined;
  toolFormat?: ToolFormat | undefined;
  price?: Price | undefined;
  reasoning?: Effort | undefined;
  /** Goes into each request, as it stands. */
  extra?: JsonObject | undefined;
}

/** The entry for a spec (`NAME:MODEL`): the exact one, else the longest pattern (`*` stands for any text) that fits. */
export function entryFor(spec: string, entries: Readonly<Record<string, ModelEntry>>): ModelEntry {
  if (Object.hasOwn(entries, spec)) return entries[spec] ?? {};
  const fitting = Object.keys(entries).filter((pattern) => pattern.includes("*") && fits(spec, pattern));
  const [longest] = fitting.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return longest === undefined ? {} : (entries[longest] ?? {});
}

/** Linear in the spec for each `*`: the parts between them are looked for from left to right. */
function fits(spec: string, pattern: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop() ?? "";
  if (!spec.startsWith(first) || spec.length < first.length + last.length || !spec.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = spec.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= spec.length - last.length;
}
