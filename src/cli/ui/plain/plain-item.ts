import { diffText } from "../../../files/diff/diff-text.ts";
import { plainText } from "../../terminal/span.ts";
import { cleanEffect } from "../safe-text.ts";
import { itemRows } from "../transcript/item-lines.ts";
import type { Item } from "../view/view.ts";

/** An item without colours, boxes or marks that a reader would spell out; a diff whole, as the tool gave it. */
export function plainItem(item: Item, width: number): string {
  if (item.kind === "diff") return cleanEffect(diffText(item.changes));
  if (item.kind === "call" && item.card.changes !== undefined) {
    const { changes: _changes, ...card } = item.card;
    return plainItem({ kind: "call", card }, width);
  }
  const rows = itemRows(item, width, { brackets: true });
  return rows.slice(0, rows.length).map(plainText).join("\n").replace(/^\n/, "");
}
