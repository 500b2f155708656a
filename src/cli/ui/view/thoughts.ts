import type { AgentEvent } from "../../../graph/events.ts";
import { cleanLine } from "../safe-text.ts";
import type { Item, View } from "./view.ts";

const kept = 300;
const shown = 100;

/** The view with one more piece of a thought; undefined for any other event. */
export function thinking(view: View, event: AgentEvent): View | undefined {
  if (event.type !== "notice" || event.code !== "thinking") return undefined;
  const { begin, size } = view.thought ?? { begin: "", size: 0 };
  const grown = begin.length < kept ? (begin + event.text).slice(0, kept) : begin;
  return { ...view, thought: { begin: grown, size: size + event.text.length } };
}

/** A thought that is over, folded to one line. */
export function foldedThought({ thought }: View): Item[] {
  if (thought === undefined) return [];
  const line = cleanLine(thought.begin);
  const begin =
    line.length > shown || thought.size > thought.begin.length ? `${line.slice(0, shown).trimEnd()}…` : line;
  return [
    { kind: "notice", level: "info", text: `thought (${thought.size.toLocaleString("en-US")} characters): ${begin}` },
  ];
}
