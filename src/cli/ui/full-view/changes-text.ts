import { type Change, isStructured, totalOf } from "../../../files/diff/diff-text.ts";
import { fullView as words } from "../../../words/en/full-view.ts";
import { wrapSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import type { Layouts } from "../question/body-lines.ts";
import { cleanLine } from "../safe-text.ts";
import { countSpans } from "../transcript/item-lines.ts";
import type { FullText } from "./full-frame.ts";

/** The files of a change by their names, as the list at the side shows them; none where the rows name none. */
export const filesOf = (changes: readonly Change[]): FullText["files"] =>
  changes.length < 2 || !changes.every(isStructured)
    ? []
    : changes
        .filter(isStructured)
        .map(({ name, added, removed }) => ({ name: cleanLine(name), counts: { added, removed } }));

/** Changes that are there to be read. */
export function changesText(title: string, changes: readonly Change[], layouts: Layouts): FullText {
  const structured = changes.filter(isStructured);
  const [only, ...more] = structured;
  const subject =
    only !== undefined && more.length === 0 ? cleanLine(only.name) : words().files({ files: changes.length });
  const counts = structured.length === changes.length ? countSpans(totalOf(structured)) : [];
  return {
    head: (columns) => wrapSpans([span(title, { bold: true }), span(` · ${subject}`), ...counts], columns).slice(0, 1),
    files: filesOf(changes),
    lay: (width, sides) => layouts.changes(changes, width, { sides }),
    hints: words().hints,
  };
}
