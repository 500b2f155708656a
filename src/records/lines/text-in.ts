import { asText } from "../../tools/undo/content-view.ts";

/** Bytes as text, with their byte order mark; undefined of what is no text. */
export function textIn(bytes: Buffer): string | undefined {
  const form = asText(bytes);
  return form === undefined ? undefined : `${form.bom ? "\uFEFF" : ""}${form.text}`;
}
