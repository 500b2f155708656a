import type { BaseMessage } from "@langchain/core/messages";
import { typedKey } from "../../model/port.ts";

/** @param typed of a message that says another text */
export const markTyped = (typed: string | undefined): Record<string, unknown> =>
  typed === undefined ? {} : { [typedKey]: typed };

/** What the person typed: where a message comes back to them, it is that. @param text what it says */
export function typedOf(message: BaseMessage, text: string): string {
  const typed: unknown = message.additional_kwargs[typedKey];
  return typeof typed === "string" ? typed : text;
}
