import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { Model, ModelEvent, ModelFailure, ModelRequest } from "../../src/model/port.ts";

/** All that one request brought: the events, and what it threw where it did. */
export interface Heard {
  events: ModelEvent[];
  text: string;
  failure?: ModelFailure;
}

export const asRequest = (messages: string | BaseMessage[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  messages: typeof messages === "string" ? [new HumanMessage(messages)] : messages,
  tools: [],
  toolChoice: "auto",
  ...more,
});

export async function hear(model: Model, request: ModelRequest, signal?: AbortSignal): Promise<Heard> {
  const heard: Heard = { events: [], text: "" };
  try {
    for await (const event of model.stream(request, signal ?? new AbortController().signal)) {
      heard.events.push(event);
      if (event.type === "text") heard.text += event.text;
    }
  } catch (error) {
    heard.failure = error as ModelFailure;
  }
  return heard;
}

export const typesOf = ({ events }: Heard): string[] => events.map((event) => event.type);

/** The reply of a request that must have ended whole. */
export function replyOf({ events, failure }: Heard): Extract<ModelEvent, { type: "done" }>["reply"] {
  const last = events.at(-1);
  if (last?.type !== "done") throw new Error(`no done event: ${String(failure)}`);
  return last.reply;
}

/** A model that says this, whatever it is asked. */
export const saying = (...pieces: string[]): Model => ({
  spec: "mine:m",
  async *stream(): AsyncGenerator<ModelEvent> {
    for (const text of pieces) yield { type: "text", text };
    yield { type: "done", reply: { text: pieces.join(""), calls: [], finish: "stop" } };
  },
});
