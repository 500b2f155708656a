import type { FormAnswer } from "../../../core/forms/asked-form.ts";
import { joinSignals } from "../../../core/join-signals.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import type { ToolContext } from "../../../core/tool.ts";
import { type AnswerServer, type AskReply, unasked } from "./answer-server.ts";
import { OnTheirWay } from "./on-their-way.ts";
import { NotAsked, readForm } from "./read-form.ts";

/** One question, and what became of it. No value that the person gave is in it. */
interface AskedOnce {
  action: FormAnswer["action"] | "open";
  /** Names of what they sent, and whether it is known to have reached the server. */
  names?: string[];
  isOut?: boolean;
  /** The reason why the person was not asked. */
  why?: string;
}

// Keeps tools 14.
/** The questions of one server to the person in one call: each is put to them whole or not at all, and what became of it is told with the call. */
export class AskedInCall {
  readonly #of: { from: string; place?: string; tool: string };
  readonly #ctx: Pick<ToolContext, "askPerson" | "masking" | "signal" | "progress">;
  readonly #asked: AskedOnce[] = [];
  readonly #over = new AbortController();
  readonly #onTheirWay = new OnTheirWay();

  constructor(
    of: { from: string; place?: string; tool: string },
    ctx: Pick<ToolContext, "askPerson" | "masking" | "signal" | "progress">,
  ) {
    this.#of = of;
    this.#ctx = ctx;
  }

  readonly answer: AnswerServer = async ({ params }, signal) => {
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
      if (signal.aborted) return reply("cancel", "it waited for none any more");
      Object.assign(one, { action: answer.action });
      if (answer.action !== "accept") return { result: { action: answer.action } };
      one.names = Object.keys(answer.content);
      return {
        result: { action: "accept", content: answer.content },
        sent: (isOut) => this.#onTheirWay.heed(one, isOut),
      };
    } catch (error) {
      if (error instanceof NotAsked) return reply("decline", error.message);
      throw error;
    }
  };

  /** Answers of which it is not known yet whether they reached the server. */
  get onTheirWay(): readonly Promise<void>[] {
    return this.#onTheirWay.all;
  }

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

  /** Returns the outcome of each question, a line each, for whoever reads the call; empty where nothing was asked. */
  words(): string {
    const { from } = this.#of;
    return this.#asked.map((one) => `(${from} asked the person something: ${wordsOf(one)})`).join("\n");
  }

  /** The same as data. */
  record(): JsonObject[] {
    return this.#asked.map(({ action, names, isOut, why }) => ({
      action,
      ...(names === undefined ? {} : { [isOut === true ? "sent" : "unknown"]: names }),
      ...(why === undefined ? {} : { why }),
    }));
  }
}

function wordsOf({ action, names = [], isOut, why }: AskedOnce): string {
  if (why !== undefined)
    return `${action === "cancel" ? "it got no answer" : "it was declined without asking them"}, ${why}`;
  switch (action) {
    case "accept":
      return `${names.length === 0 ? "they said yes" : `they sent ${names.map((name) => JSON.stringify(name)).join(", ")}`}${isOut === true ? "" : "; whether it reached the server is not known"}`;
    case "decline":
      return "they declined";
    case "cancel":
      return "they gave no answer";
    case "open":
      return "it had no answer when the call ended";
  }
}
