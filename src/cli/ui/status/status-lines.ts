import type { StyledLine } from "../../terminal/span.ts";
import { cut, cutSpans, wrapSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import type { SavedMemory, View } from "../view/view.ts";

/** What the line about the present state is made from. */
export interface Status {
  view: View;
  /** What is to be said about the last key. */
  flash: string;
  /** The person stopped at the question: it waits, the input is free. */
  aside: boolean;
  /** The mark that spins now. */
  mark: string;
  /** Whole seconds since the turn began. */
  seconds: number;
}

/** What happens now, or what is to be said about the last key; nothing where there is nothing to say. */
export function statusLines({ view, flash, aside, mark, seconds }: Status, columns: number): StyledLine[] {
  if (flash !== "") return wrapSpans([span(`› ${flash}`, { color: "yellow" })], columns).slice(0, 3);
  const count = (view.ask?.requests.length ?? 0) + view.recovery.length;
  if (aside && count > 0) {
    const [calls, them] = count === 1 ? ["a call waits", "it"] : [`${count} calls wait`, "them"];
    const text = `◆ ${calls} for you · enter on an empty line to answer · a new message cancels ${them}`;
    return wrapSpans([span(text, { color: "yellow" })], columns);
  }
  if (!view.running) return [];
  const time = seconds >= 2 ? ` · ${seconds} s` : "";
  return [[span(`${mark} working${time}`, { color: "cyan" }), span(" · esc stops", { dim: true })]];
}

/** The newest memory that can be taken back. */
export function savedLines(memories: readonly SavedMemory[], columns: number): StyledLine[] {
  const saved = memories.at(-1);
  if (saved === undefined) return [];
  const more = memories.length > 1 ? `, then ${memories.length - 1} more` : "";
  const key = ` · ctrl+x takes it back${more}`;
  return [[span(cut(saved.title, Math.max(8, columns - key.length - 2))), span(key, { dim: true })]];
}

const thousands = (tokens: number): string =>
  tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k`;

function contextUse(view: View): string | undefined {
  if (view.usage === undefined) return undefined;
  const { contextUsed, contextWindow } = view.usage;
  if (contextWindow === undefined || contextWindow <= 0) return `${thousands(contextUsed)} tokens`;
  return `${Math.round((contextUsed / contextWindow) * 100)} % of ${thousands(contextWindow)}`;
}

/** The last row of the screen: mode, model, use of the context, session. */
export function footerLine(view: View, columns: number): StyledLine {
  const loud = view.mode === "ask" ? {} : ({ color: view.mode === "full-auto" ? "red" : "yellow" } as const);
  const rest = [view.model, contextUse(view), view.session, columns >= 90 ? "shift+tab mode · /help" : undefined];
  const text = rest.filter((one) => one !== undefined && one !== "").join(" · ");
  return cutSpans(
    [span(`${view.mode}`, { ...loud, dim: view.mode === "ask" }), span(` · ${text}`, { dim: true })],
    columns,
  );
}
