import type { BaseMessage } from "@langchain/core/messages";
import { faultPoint } from "../../core/fault-point.ts";
import { type ModelEvent, ModelFailure, type ModelReply, type ModelRequest } from "../../model/port.ts";
import { turnNotices } from "../../words/contract/turn-notices.ts";
import type { AgentEventBody } from "../events.ts";
import type { Runtime } from "../runtime.ts";
import type { GrowingCalls } from "./growing-calls.ts";
import { imagesIn } from "./show-images.ts";

/** The result of one request: the whole reply, or only the text that came before the person stopped it. */
export interface Heard {
  reply?: ModelReply;
  text: string;
  /** The model has thought. */
  thought?: boolean;
  /** The reply ended before it was whole. */
  cut?: ModelFailure;
  /** Nothing was asked: the turn has cost as much as it may. */
  isOverspent?: boolean;
}

/**
 * Passes the model's stream on as it comes. Nothing is routed here: only a reply that ended whole is returned.
 * @throws ModelFailure, or what the model port throws; neither an abort nor a cut after something came is a failure.
 */
export async function listen(
  runtime: Runtime,
  request: ModelRequest,
  messageId: string,
  growing: GrowingCalls,
): Promise<Heard> {
  const heard = await hear(runtime, request, messageId, growing).catch((error: unknown) => {
    growing.dropped();
    throw error;
  });
  // calls that were begun, of which the server then took none
  if (heard.reply === undefined || heard.reply.calls.length === 0) growing.dropped();
  else await growing.whole();
  return heard;
}

async function hear(runtime: Runtime, request: ModelRequest, messageId: string, growing: GrowingCalls): Promise<Heard> {
  const { signal } = runtime;
  let text = "";
  let [anything, thought] = [false, false];
  try {
    tellUnseen(runtime, request.messages.at(-1) as BaseMessage | undefined);
    for await (const event of runtime.model.stream(request, signal)) {
      anything ||= event.type === "text" || event.type === "thought" || event.type === "call";
      faultPoint("first chunk");
      switch (event.type) {
        case "text":
          text += event.text;
          runtime.emit({ type: "text_delta", id: messageId, text: event.text });
          break;
        case "thought":
          thought = true;
          runtime.emit({ type: "notice", code: "thinking", text: event.text });
          break;
        case "notice":
        case "retry":
          runtime.emit(noticeOf(event));
          break;
        case "call":
          growing.push(event);
          faultPoint("mid arguments");
          break;
        case "done":
          faultPoint("message complete");
          return { reply: event.reply, text, thought };
      }
    }
  } catch (error) {
    if (signal.aborted) return { text };
    const isCut = error instanceof ModelFailure && error.kind === "cut";
    if (isCut && (anything || error.told)) return { text, cut: error };
    throw error;
  }
  return { text };
}

/** The person is told of each message of theirs whose pictures the model does not see. */
function tellUnseen({ model, emit }: Runtime, last: BaseMessage | undefined): void {
  const { vision = false, scripted = false, spec } = model;
  if (vision || scripted || last?.getType() !== "human" || imagesIn(last).length === 0) return;
  emit({ type: "notice", code: "images_not_seen", text: turnNotices.imagesNotSeen({ model: spec }) });
}

/** Makes the notice to the person of an event beside the reply. */
export function noticeOf(event: Extract<ModelEvent, { type: "notice" | "retry" }>): AgentEventBody {
  if (event.type === "notice") return { type: "notice", code: event.code, text: event.text };
  const { why, waitMs, attempt } = event;
  return {
    type: "notice",
    code: "retry",
    text: turnNotices.retry({ why, seconds: Math.ceil(waitMs / 1000), attempt }),
  };
}
