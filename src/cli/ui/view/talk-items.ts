import type { TranscriptEntry } from "../../../graph/events.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import { type Item, initialView, type View } from "./view.ts";
import { isTold, settle, withEntry } from "./view-state.ts";

/** Lines of results that a talk is read with: beyond them results stand as in the chat. */
const mostOutputLines = 5_000;

/**
 * Lists all that was said and done in a session, as finished pieces; a call that is open stands as it is now. The newest results are there
 * whole, up to 5,000 lines.
 */
export function itemsOf(
  entries: readonly TranscriptEntry[],
  { labels, workspace }: Pick<View, "labels" | "workspace">,
): Item[] {
  const nobody = initialView({ session: "", workspace, model: "", mode: "ask", banner: [] });
  const { items, cards } = settle(
    entries.reduce((then, entry) => withEntry(then, entry, ""), { ...nobody, labels } as View),
  );
  const outputs = outputsOf(entries);
  return [...items, ...cards.filter(isTold).map((card): Item => ({ kind: "call", card }))].map((item) => {
    const output = item.kind === "call" ? outputs.get(item.card.ref.call) : undefined;
    return item.kind === "call" && output !== undefined ? { ...item, card: { ...item.card, output } } : item;
  });
}

/** Collects the lines that the model was sent of each result, by call, from the newest on as far as there is room. */
function outputsOf(entries: readonly TranscriptEntry[]): ReadonlyMap<string, string[]> {
  const outputs = new Map<string, string[]>();
  let left = mostOutputLines;
  for (const entry of entries.toReversed()) {
    if (entry.role !== "call") continue;
    const { call } = entry;
    const text = call.status === "success" ? call.result.output : call.status === "error" ? call.errorMsg : "";
    const lines = text.trim() === "" ? [] : cleanText(text.trimEnd()).split("\n");
    left -= lines.length;
    if (left < 0) break;
    if (lines.length > 0) outputs.set(call.callId, lines);
  }
  return outputs;
}
