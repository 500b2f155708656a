import { searchOn } from "../full-view/reader-state.ts";
import type { Chat, Screen } from "./chat-state.ts";

/** A search in what fills the screen, gone on with. The same state where none is under way, or nothing fills the screen. */
export function searchedOn(chat: Chat, { text }: Pick<Screen, "text">): Chat {
  if (text === undefined) return chat;
  const { dialog, reading } = chat;
  if (reading?.reader.search !== undefined)
    return { ...chat, reading: { ...reading, reader: searchOn(reading.reader, text) } };
  if (dialog?.stage === "full" && dialog.reader.search !== undefined)
    return { ...chat, dialog: { ...dialog, reader: searchOn(dialog.reader, text) } };
  return chat;
}
