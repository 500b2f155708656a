import { safeSplit } from "../../terminal/markdown.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import type { Item, Tail } from "./view.ts";

const fenceLine = /^ {0,3}(`{3,}|~{3,})/;

/** Lines of an open code fence that are kept live; what comes before them is committed whole. */
const fenceKept = 6;
const fenceLimit = 24;

/** UTF-16 units at the end of what is still coming that are made ready to draw: more than fill the largest window. */
const mostShown = 16_000;

const endOf = (text: string): string =>
  text.length <= mostShown ? text : text.slice(-mostShown).replace(/^[\udc00-\udfff]/, "");

interface Streamed {
  done: Item[];
  tail: Tail;
}

const empty = (id: string): Tail => ({ id, raw: "", from: 0, fence: "", shown: "" });

function openFence(text: string): string | undefined {
  let open: { mark: string; line: string } | undefined;
  for (const line of text.split("\n")) {
    const mark = fenceLine.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === undefined) open = { mark, line };
    else if (mark.startsWith(open.mark) && line.trim() === mark) open = undefined;
  }
  return open?.line;
}

const closing = (fence: string): string => (fence.trimStart().startsWith("~") ? "~~~~~~" : "``````").slice(0, 6);

/** An open fence that grows: commits its earlier lines, closed, and opens it again for those to come. */
function splitFence(text: string): { done: string; rest: string; fence: string } | undefined {
  const lines = text.split("\n");
  const fence = openFence(text);
  if (fence === undefined || lines.length < fenceLimit) return undefined;
  const at = lines.length - fenceKept;
  if (lines.indexOf(fence) >= at) return undefined;
  return { done: `${lines.slice(0, at).join("\n")}\n${closing(fence)}`, rest: lines.slice(at).join("\n"), fence };
}

const piece = (text: string, continued: boolean): Item => ({ kind: "assistant", text: cleanText(text), continued });

const blank = (text: string): boolean => text.trim() === "";

/**
 * Takes in more of the assistant's text: whole paragraphs go to the transcript, the last one stays live, so that what is drawn
 * again and again stays small.
 */
export function growTail(tail: Tail | undefined, id: string, delta: string): Streamed {
  const known = tail?.id === id ? tail : empty(id);
  const raw = known.raw + delta;
  const open = known.fence + raw.slice(known.from);
  const [done, rest] = safeSplit(open);
  if (!blank(done)) return committed(known, raw, done, rest, "");
  const cut = splitFence(open);
  if (cut !== undefined) return committed(known, raw, cut.done, cut.rest, `${cut.fence}\n`);
  return { done: [], tail: { ...known, raw, shown: cleanText(endOf(open)) } };
}

function committed(known: Tail, raw: string, done: string, rest: string, fence: string): Streamed {
  const shown = cleanText(endOf(fence + rest));
  return { done: [piece(done, known.from > 0)], tail: { ...known, raw, from: raw.length - rest.length, fence, shown } };
}

/** The message is whole: what of it is not in the transcript yet. `text` is what the agent committed and wins over the stream. */
export function endTail(tail: Tail | undefined, id: string, text: string): Item[] {
  const started = tail?.id === id && tail.from > 0 && text.startsWith(tail.raw.slice(0, tail.from));
  const rest = started && tail !== undefined ? tail.fence + text.slice(tail.from) : text;
  return blank(rest) ? [] : [piece(rest, started)];
}

/** A message that will never be whole (stopped, cut off): what had come of it stays readable. */
export function dropTail(tail: Tail | undefined): Item[] {
  if (tail === undefined) return [];
  const rest = tail.fence + tail.raw.slice(tail.from);
  return blank(tail.raw.slice(tail.from)) ? [] : [piece(rest, tail.from > 0)];
}
