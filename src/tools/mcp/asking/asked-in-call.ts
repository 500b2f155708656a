import type { FormAnswer } from "../../../core/forms/asked-form.ts";
import { joinSignals } from "../../../core/join-signals.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import type { ToolContext } from "../../../core/tool.ts";
import { NotAsked, readForm } from "./read-form.ts";

/** What a server is told of its question: a result, or the protocol's error. */
export type AskReply = { result: JsonObject } | { error: { code: number; message: string } };

/** Answers a question of a server. The signal: it asks no more, or is gone. Never rejects. */
export type AnswerServer = (params: Json | undefined, signal: AbortSignal) => Promise<AskReply>;

const reasonKey = "holdfast/reason";

/** Not put to the person, or not theirs to answer. */
const unasked = (action: "decline" | "cancel", why: string): AskReply => ({
  result: { action, _meta: { [reasonKey]: why } },
});

export const outsideOfCall = (): AskReply =>
  unasked("decline", "the person is asked only while one call of a tool is under way");

/** In words, for the log. */
export function replyWords(reply: AskReply): string {
  if ("error" in reply) return reply.error.message;
  const { action, _meta: meta } = reply.result;
  const why = isJsonObject(meta) ? meta[reasonKey] : undefined;
  return `${String(action)}${typeof why === "string" ? `: ${why}` : ""}`;
}

/** One question, and what became of it. No value that the person gave is in it. */
interface AskedOnce {
  action: FormAnswer["action"] | "open";
  /** Names of what was sent. */
  sent?: string[];
  /** Why the person was not asked. */
  why?: string;
}

// Keeps tools 14.
/** The questions of one server to the person in one call: each is put to them whole or not at all, and what became of it is told with the call. */
export class AskedInCall {
  readonly #of: { from: string; place?: string; tool: string };
  readonly #ctx: Pick<ToolContext, "askPerson" | "masking" | "signal" | "progress">;
  readonly #asked: AskedOnce[] = [];
  readonly #over = new AbortController();

  constructor(
    of: { from: string; place?: string; tool: string },
    ctx: Pick<ToolContext, "askPerson" | "masking" | "signal" | "progress">,
  ) {
    this.#of = of;
    this.#ctx = ctx;
  }

  readonly answer: AnswerServer = async (params, signal) => {
    if (isJsonObject(params) && params["mode"] !== undefined && params["mode"] !== "form")
      return { error: { code: -32602, message: "this client asks the person by forms alone" } };
    const one: AskedOnce = { action: "open" };
    // Of a flood the first beyond the bound stands for all.
    if (this.#asked.length <= limits.mcpAsks.most) this.#asked.push(one);
    const reply = (action: "decline" | "cancel", why: string): AskReply => {
      Object.assign(one, { action, why });
      return unasked(action, why);
    };
    if (this.#ctx.signal.aborted) return reply("cancel", "the call was stopped");
    if (this.#asked.indexOf(one) >= limits.mcpAsks.most || !this.#asked.includes(one))
      return reply("decline", `it had asked ${limits.mcpAsks.most} times in this call`);
    const { askPerson, masking } = this.#ctx;
    if (askPerson === undefined) return reply("cancel", "nobody is there to answer");
    try {
      const form = readForm(params, this.#of, masking);
      const joined = joinSignals([signal, this.#over.signal]);
      const check = (content: JsonObject): string | undefined => this.#problem(content);
      const answer = await askPerson(form, { signal: joined.signal, check }).finally(joined.release);
      // What is sent is told with the call, so behind the call's end nothing is.
      if (this.#over.signal.aborted) return unasked("cancel", "the call is over");
      Object.assign(one, { action: answer.action });
      if (answer.action !== "accept") return { result: { action: answer.action } };
      one.sent = Object.keys(answer.content);
      return { result: { action: "accept", content: answer.content } };
    } catch (error) {
      if (error instanceof NotAsked) return reply("decline", error.message);
      throw error;
    }
  };

  /** The call has ended: what is open of its questions is asked no more. */
  end(): void {
    this.#over.abort(new Error("the call is over"));
  }

  /** A secret goes to a server by its name alone, in an argument that is judged for it. */
  #problem(content: JsonObject): string | undefined {
    const { masking } = this.#ctx;
    const texts = Object.values(content).flat().map(String);
    return masking !== undefined && texts.some((text) => masking.text(text) !== text)
      ? "a value of your secrets is in it: it is not sent"
      : undefined;
  }

  /** What became of them, a line each, for whoever reads the call; empty where nothing was asked. */
  words(): string {
    const { from } = this.#of;
    return this.#asked.map((one) => `(${from} asked the person something: ${wordsOf(one)})`).join("\n");
  }

  /** The same as data. */
  record(): JsonObject[] {
    return this.#asked.map(({ action, sent, why }) => ({
      action,
      ...(sent === undefined ? {} : { sent }),
      ...(why === undefined ? {} : { why }),
    }));
  }
}

function wordsOf({ action, sent = [], why }: AskedOnce): string {
  if (why !== undefined)
    return `${action === "cancel" ? "it got no answer" : "it was declined without asking them"}, ${why}`;
  switch (action) {
    case "accept":
      return sent.length === 0 ? "they said yes" : `they sent ${sent.map((name) => JSON.stringify(name)).join(", ")}`;
    case "decline":
      return "they declined";
    case "cancel":
      return "they gave no answer";
    case "open":
      return "it had no answer when the call ended";
  }
}
