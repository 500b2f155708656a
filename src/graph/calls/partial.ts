import type { Plan } from "../../core/tool.ts";
import { restOf } from "../../files/diff/diff-text.ts";
import { turnNotices } from "../../words/contract/turn-notices.ts";

/** The part of a change that its plan's diff does not show: changed lines, and bytes of them and of content that is no text. */
export interface NotShown {
  lines: number;
  bytes: number;
  why: "size" | "binary";
}

/** Characters of a digest that stand for it, at least, where an approval names it: a shorter prefix can be met by chance or design. */
export const wholePrefix = 12;

// Keeps graph 4.
/**
 * Tells whether a change is too large (over 1 MB of changed text) or not of a kind (binary) to be shown whole: a person must approve the very
 * change that they were shown, so that such a call takes a second step, or its digest by name. Pure.
 * @returns undefined where the plan's diff is whole.
 */
export function partialOf(plan: Pick<Plan, "files">): NotShown | undefined {
  const files = (plan.files ?? []).filter(({ before, after }) => before !== after);
  const notes = files.flatMap((file) => file.notes ?? []).filter((note) => note.kind === "binary");
  const { added, removed, bytes } = restOf(files);
  if (notes.length === 0 && bytes === 0) return undefined;
  const binary = notes.reduce((sum, { before = 0, after = 0 }) => sum + before + after, 0);
  return { lines: added + removed, bytes: bytes + binary, why: notes.length > 0 ? "binary" : "size" };
}

/** Said where an approval did not name what it is bound to. */
export const waitsText = ({ callId, digest }: { callId: string; digest: string }): string =>
  turnNotices.partial({ call: callId, digest: digest.slice(0, wholePrefix) });

/** In words, as a person reads it before deciding. */
export function partialText({ lines, bytes, why }: NotShown): string {
  const size = lines === 0 ? `${bytes} bytes` : `${lines} ${lines === 1 ? "line" : "lines"}, ${bytes} bytes`;
  return `${size} of this change are not shown: ${why === "binary" ? "they are not text" : "it is too large"}`;
}
