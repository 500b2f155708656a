import { type Change, diffText, mostShown } from "../../../files/diff/diff-text.ts";
import { cleanEffect } from "../safe-text.ts";

/** Changes as plain text, whole as far as any text of them goes. */
export const changeLines = (changes: readonly Change[]): string[] =>
  changes.length === 0 ? [] : [cleanEffect(diffText(changes, mostShown)).replace(/\n$/, "")];
