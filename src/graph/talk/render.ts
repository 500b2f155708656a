import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCallInfo } from "../../core/call.ts";
import { isFinal } from "../../core/call.ts";
import type { JsonObject } from "../../core/json.ts";
import { commandMark } from "../../model/port.ts";
import { cutOf, shownCut } from "./cut-reply.ts";
import { cutObservation, type Look, observationText, usualObserve } from "./observation-text.ts";

type CallLookup = (callId: string) => ToolCallInfo | undefined;

/** Works out what the model sees from the stored messages and the journal. Keeps what it rendered of settled calls. */
export interface Renderer {
  render(messages: readonly BaseMessage[]): BaseMessage[];
}

/**
 * Each assistant message is followed by one tool message a call, made from the journal; stored tool messages only mark
 * that the step was observed, so neither a lost nor a doubled one can reach the model. Pure but for what it keeps: the same messages and
 * the same journal give the same bytes in any process.
 */
export function createRenderer(lookup: CallLookup): Renderer {
  const settled: Record<Look, WeakMap<BaseMessage, BaseMessage[]>> = { first: new WeakMap(), later: new WeakMap() };

  const observationsOf = (message: AIMessage, look: Look): BaseMessage[] => {
    const kept = settled[look].get(message);
    if (kept !== undefined) return kept;
    let final = true;
    const made = (message.tool_calls ?? []).map((asked) => {
      const callId = asked.id ?? "";
      const call = lookup(callId);
      final &&= call !== undefined && isFinal(call);
      return new ToolMessage({
        id: `o-${callId}`,
        tool_call_id: callId,
        name: asked.name,
        content: call === undefined ? unrecorded : shownOf(call, asked.args as JsonObject, look),
        status: call?.status === "success" ? "success" : "error",
        // Not sent to any server: for a scripted model, which goes by what became of its calls.
        artifact: { status: call?.status ?? "executing" },
      });
    });
    if (final) settled[look].set(message, made);
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
      const lastWords = messages.findLastIndex(isWords);
      return messages.flatMap((message, at) => {
        if (message.getType() === "tool") return [];
        if (!AIMessage.isInstance(message)) return [message];
        return [...wholeOrCut(message), ...observationsOf(message, at < lastWords ? "later" : "first")];
      });
    },
  };
}

const unrecorded = "Outcome unknown: nothing is recorded of this call. Look before you repeat it.";

const shownOf = (call: ToolCallInfo, asked: JsonObject, look: Look): string =>
  cutObservation(observationText(call, asked, look), call.maxObserve ?? usualObserve, call.callId);

/** The model has spoken, having read all before it: whole, and not by a command of the person. */
const isWords = (message: BaseMessage): boolean =>
  AIMessage.isInstance(message) && cutOf(message) === undefined && message.additional_kwargs[commandMark] === undefined;
