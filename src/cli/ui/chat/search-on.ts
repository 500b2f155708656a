import type { Screen } from "../surface/surface.ts";
import type { Chat } from "./chat.ts";
import { modalOf, viewOf } from "./chat-state.ts";
import { goneOn } from "./surfaces.ts";

/** A search in what fills the screen, gone on with. The same state where none is under way, or nothing fills the screen. */
export function searchedOn(chat: Chat, { text }: Pick<Screen, "text">): Chat {
  const front = viewOf(chat) ?? modalOf(chat);
  const open = text === undefined || front === undefined ? chat.open : goneOn(chat.open, front, text);
  return open === chat.open ? chat : { ...chat, open };
}
