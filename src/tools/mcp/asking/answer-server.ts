import type { Json, JsonObject } from "../../../core/json.ts";

/** The reply to a question of a server: a result, or the protocol's error. The rest is not sent to it. */
export type AskReply = ({ result: JsonObject } | { error: { code: number; message: string } }) & {
  /** The reason why the person was not asked. */
  why?: string;
  /** Heeds whether it is known to have reached the server. */
  sent?(isOut: Promise<boolean>): void;
};

/** A question of a server, to the person or to the model. */
export interface AskedByServer {
  method: string;
  params: Json | undefined;
}

/** Answers a question of a server. The signal: it asks no more, or is gone. Never rejects. */
export type AnswerServer = (asked: AskedByServer, signal: AbortSignal) => Promise<AskReply>;

/** The method by which a server asks the model. */
export const samplingMethod = "sampling/createMessage";

/** Not put to the person, or not theirs to answer. Why is not told to the server, which could find out by it what is taken for a secret. */
export const unasked = (action: "decline" | "cancel", why: string): AskReply => ({
  result: { action, _meta: { "holdfast/reason": "it was not put to the person" } },
  why,
});

/** The same of what was for the model: by the person's no, and whatever else kept it from being sent or told. */
export const notAnswered = (why: string): AskReply => ({
  error: { code: -1, message: "this client did not have its model answer that" },
  why,
});

/** Of a server that the settings let ask no model. */
export const noModel = (): AskReply => ({
  error: { code: -1, message: "refused: this client does not let this server use its model" },
});

export function outsideOfCall({ method }: AskedByServer): AskReply {
  const why = "the person is asked only while one call of a tool is under way";
  return method === samplingMethod ? notAnswered(why) : unasked("decline", why);
}

/** In words, for the log. */
export function replyWords(reply: AskReply): string {
  const why = reply.why === undefined ? "" : `: ${reply.why}`;
  if ("error" in reply) return `${reply.error.message}${why}`;
  const { action } = reply.result;
  return `${typeof action === "string" ? action : "answered"}${why}`;
}
