import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { JsonObject } from "../core/json.ts";
import { keptImages } from "../graph/calls/kept-images.ts";
import { markOutput } from "../graph/output.ts";
import { newMessageId } from "../graph/state.ts";
import { markAskedCalls } from "../graph/talk/asked-calls.ts";
import { titleOf } from "../graph/talk/message-text.ts";
import { imagesKey } from "../graph/talk/show-images.ts";
import { markTyped } from "../graph/talk/typed-text.ts";
import { taskMark } from "../model/port.ts";
import type { NewTurn } from "../store/types.ts";
import type { SentMessage } from "./sent-message.ts";

/**
 * A message of the person for the graph's state, and the bytes that are to be kept with it.
 * @param outputSchema what the last words of its turn have to fit
 */
export function humanMessage(
  { text, images = [], calls, typed, isServed, isTask }: SentMessage,
  outputSchema?: JsonObject,
): { message: BaseMessage; keep: Uint8Array[] } {
  const { images: named, keep } = keptImages(images);
  const additional_kwargs = {
    ...markOutput(outputSchema),
    ...markAskedCalls(calls),
    ...markTyped(typed, isServed),
    ...(isTask && { [taskMark]: true }),
    ...(named.length === 0 ? {} : { [imagesKey]: named }),
  };
  return { message: new HumanMessage({ id: newMessageId(), content: text, additional_kwargs }), keep };
}

/** The same as a turn that waits for its time, with a title for a session that has none. */
export const newTurn = (said: SentMessage, outputSchema?: JsonObject): NewTurn => ({
  text: said.text,
  ...humanMessage(said, outputSchema),
  queued: true,
  title: titleOf(said.text),
});
