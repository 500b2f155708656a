import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCallInfo } from "../../core/call.ts";
import { isFinal } from "../../core/call.ts";
import type { JsonObject } from "../../core/json.ts";
import { cutOf, shownCut } from "./cut-reply.ts";
import { cutObservation, observationText } from "./observation-text.ts";

type CallLookup = (callId: string) => ToolCallInfo | undefined;

/** Works out what the model sees from the stored messages and the journal. Keeps what it rendered of settled calls. */
export interface Renderer {
  render(messages: readonly BaseMessage[]): BaseMessage[];
}

/**
 * Each assistant message is followed by one tool message a call, made from the journal; stored tool messages only mark
 * that the step was observed, so neither a lost nor a doubled one can reach the model.
 * @param maxObserve characters of one observation that the model gets; what is stored stays whole.
 */
export function createRenderer(lookup: CallLookup, maxObserve = Number.POSITIVE_INFINITY): Renderer {
  const settled = new WeakMap<BaseMessage, BaseMessage[]>();

  const observationsOf = (message: AIMessage): BaseMessage[] => {
    const kept = settled.get(message);
    if (kept !== undefined) return kept;
    let final = true;
    const made = (message.tool_calls ?? []).map((asked) => {
      const callId = asked.id ?? "";
      const call = lookup(callId);
      final &&= call !== undefined && isFinal(call);
      const content =
        call === undefined
          ? "Outcome unknown: nothing is recorded of this call. Look before you repeat it."
          : cutObservation(observationText(call, asked.args as JsonObject), maxObserve, callId);
      return new ToolMessage({
        id: `o-${callId}`,
        tool_call_id: callId,
        name: asked.name,
        content,
        status: call?.status === "success" ? "success" : "error",
        // Not sent to any server: for a scripted model, which goes by what became of its calls.
        artifact: { status: call?.status ?? "executing" },
      });
    });
    if (final) settled.set(message, made);
    return made;
  };

  const cut = new WeakMap<BaseMessage, BaseMessage[]>();
  const wholeOrCut = (message: AIMessage): BaseMessage[] => {
    const why = cutOf(message);
    if (why === undefined) return [message];
    const made = cut.get(message) ?? shownCut(message, why);
    cut.set(message, made);
    return made;
  };

  return {
    render(messages) {
      const shown: BaseMessage[] = [];
      for (const message of messages) {
        if (message.getType() === "tool") continue;
        if (AIMessage.isInstance(message)) shown.push(...wholeOrCut(message), ...observationsOf(message));
        else shown.push(message);
      }
      return shown;
    },
  };
}
