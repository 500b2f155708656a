import type { BaseMessage, UsageMetadata } from "@langchain/core/messages";
import type { ModelReply } from "../../model/port.ts";

/** Notes on a reply of the model what its server said of tokens, where LangChain keeps it. */
export function noteUsage(message: BaseMessage, { inputTokens, outputTokens }: NonNullable<ModelReply["usage"]>): void {
  const usage: UsageMetadata = {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
  Object.assign(message, { usage_metadata: usage });
}

/** Tokens that the conversation took at the last of its replies, where that one's server told them. */
export function contextUsed(messages: readonly BaseMessage[]): number | undefined {
  const reply = messages.findLast((message) => message.getType() === "ai");
  return (reply as { usage_metadata?: UsageMetadata } | undefined)?.usage_metadata?.total_tokens;
}
