import { applyKey } from "../../terminal/edit-keys.ts";
import type { Key } from "../../terminal/key.ts";
import { emptyBuffer, moveTo, setText, type TextBuffer } from "../../terminal/text-buffer.ts";
import { expandPastes } from "../../terminal/text-units.ts";
import type { FieldSpace } from "../question/window.ts";

/** Fields of one line are not broken. */
const oneLine: FieldSpace = { width: 1_000_000, rows: 1 };

/** A field with a text in it, the cursor at its start, for editing what is there; an empty one for writing. */
export const bufferOf = (text: string): TextBuffer =>
  text === "" ? emptyBuffer() : moveTo({ ...setText(emptyBuffer(), text), done: [] }, 0);

/** Returns the text that is submitted: pasted blocks in their place. */
export const textOf = (buffer: TextBuffer): string => expandPastes(buffer);

/** The field after a key: up, down and pages go by its rows; keys that are not an editor's leave it as it is. */
export const editKey = (buffer: TextBuffer, key: Key, { width, rows }: FieldSpace = oneLine): TextBuffer =>
  applyKey(buffer, key, width, rows) ?? buffer;
