import type { BaseMessage } from "@langchain/core/messages";

/** Key in `additional_kwargs` of a message of the person that stands for what they typed. */
export const typedKey = "holdfast_typed";

/** @param typed of a message that says another text */
export const markTyped = (typed: string | undefined): Record<string, unknown> =>
  typed === undefined ? {} : { [typedKey]: typed };

/** What the person typed: where a message comes back to them, it is that. @param text what it says */
export function typedOf(message: BaseMessage, text: string): string {
  const typed: unknown = message.additional_kwargs[typedKey];
  return typeof typed === "string" ? typed : text;
}
