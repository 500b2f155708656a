import { stacked } from "../../terminal/rows.ts";
import { filesOf, readerHints } from "../full-view/changes-text.ts";
import type { FullText } from "../full-view/full-frame.ts";
import type { Layouts } from "../question/body-lines.ts";
import type { Ask, Request } from "../view/view.ts";
import { factsOf } from "./dialog-facts.ts";
import { headLine } from "./dialog-head.ts";
import { allShown, choicesOf, type Dialog } from "./dialog-state.ts";

/** The whole change with all that is said beside it, to be read; what was read to its end is decided about there too. */
export function dialogText(
  dialog: Dialog,
  ask: Ask,
  request: Request,
  size: { columns: number; rows: number },
  layouts: Layouts,
): FullText {
  const facts = factsOf(request, size);
  const above = facts.scrolling.length;
  return {
    head: (columns) => [headLine(request, ask, columns), ...facts.fixed],
    files: filesOf(request.changes),
    lay: (width, sides) => {
      const body = layouts.body(request, width, { sides });
      const heads = body.heads.map(({ kind, row }) => ({ kind, row: row + above }));
      return { ...stacked([facts.scrolling, body]), heads };
    },
    hints: allShown(dialog, request, size) ? decidingHints(request) : readerHints,
  };
}

function decidingHints(request: Request): string[] {
  const edit = choicesOf(request).includes("edit") ? " · e edit" : "";
  return [
    `read to its end: y yes · r no, and why${edit} · J K change · / search · esc back to the choices`,
    `read: y yes · r no, and why${edit} · J K change · esc back`,
    "read: y yes · r no · esc back",
    "y · r · esc back",
  ];
}
