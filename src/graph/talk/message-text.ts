import type { BaseMessage } from "@langchain/core/messages";

/** The plain text of a message; blocks other than text are left out. */
export function textOf(message: BaseMessage): string {
  if (typeof message.content === "string") return message.content;
  return message.content
    .map((block) => (block.type === "text" && typeof block["text"] === "string" ? block["text"] : ""))
    .join("");
}
