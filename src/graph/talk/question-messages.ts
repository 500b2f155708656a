import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { ModelLine, ModelQuestion } from "../../core/model-question.ts";

/** A question to the model, as its adapters take it. */
export const messagesOf = ({ system, messages }: ModelQuestion): BaseMessage[] => [
  ...(system === undefined ? [] : [new SystemMessage(system)]),
  ...messages.map(messageOf),
];

function messageOf({ role, text, picture }: ModelLine): BaseMessage {
  if (role === "assistant") return new AIMessage(text);
  if (picture === undefined) return new HumanMessage(text);
  const url = `data:${picture.mediaType};base64,${picture.data}`;
  return new HumanMessage({ content: [{ type: "image_url", image_url: { url } }] });
}
