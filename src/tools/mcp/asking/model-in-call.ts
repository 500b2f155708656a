import type { AskedForm, AskPerson } from "../../../core/forms/asked-form.ts";
import { joinSignals } from "../../../core/join-signals.ts";
import type { JsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import {
  type AskableModel,
  type ModelAnswer,
  ModelNotAsked,
  type ModelQuestion,
  tookWords,
} from "../../../core/model-question.ts";
import type { ToolContext } from "../../../core/tool.ts";
import { visibleText } from "../../use/visible-text.ts";
import { shortLine } from "../request-of.ts";
import { type AnswerServer, type AskReply, notAnswered } from "./answer-server.ts";
import { OnTheirWay } from "./on-their-way.ts";
import { NotTaken, readModelQuestion } from "./read-model-question.ts";

/** One request to the model, and what became of it. */
interface AskedOnce {
  /** `unsent`: by a yes, and nothing went out. `asked`: it went to the model. `kept`: its answer did not go to the server. */
  action: "open" | "refused" | "decline" | "cancel" | "unsent" | "asked" | "kept" | "sent";
  figures?: Omit<ModelAnswer, "text" | "isCut">;
  /** True if the answer is known to have reached the server. */
  isOut?: boolean;
  why?: string;
}

type Context = Pick<ToolContext, "askPerson" | "askableModel" | "masking" | "signal" | "progress">;

/** The parts of one request. */
interface Asking {
  one: AskedOnce;
  model: AskableModel;
  ask: AskPerson;
  signal: AbortSignal;
}

// Keeps tools 18.
/** The requests of one server to the model in one call: each is read by the person before it is sent, and its answer before the server has it. */
export class ModelInCall {
  readonly #of: Pick<AskedForm, "from" | "place" | "tool">;
  readonly #ctx: Context;
  readonly #asked: AskedOnce[] = [];
  readonly #over = new AbortController();
  readonly #onTheirWay = new OnTheirWay();

  constructor(of: Pick<AskedForm, "from" | "place" | "tool">, ctx: Context) {
    this.#of = of;
    this.#ctx = ctx;
  }

  readonly answer: AnswerServer = async ({ params }, signal) => {
    const { most } = limits.mcpModelAsks;
    const one: AskedOnce = { action: "open" };
    // Of a flood the first beyond the bound stands for all.
    if (this.#asked.length <= most) this.#asked.push(one);
    const at = this.#asked.indexOf(one);
    if (at < 0 || at >= most) return refused(one, `it had asked ${most} times in this call`);
    const { askPerson: ask, askableModel: model } = this.#ctx;
    if (ask === undefined) return refused(one, "nobody is there to read it");
    if (model === undefined) return refused(one, "the model plays a script");
    const joined = joinSignals([signal, this.#over.signal, this.#ctx.signal]);
    try {
      return await this.#answered(await readModelQuestion(params, { sees: model.sees, signal: joined.signal }), {
        ...{ one, model, ask, signal: joined.signal },
      });
    } catch (error) {
      return this.#failed(error, one, joined.signal.aborted);
    } finally {
      joined.release();
    }
  };

  async #answered(question: ModelQuestion, { one, model, ask, signal }: Asking): Promise<AskReply> {
    if (this.#hasSecret(question)) return refused(one, "a value of your secrets stands in it");
    signal.throwIfAborted();
    const form = { ...this.#of, message: "", fields: [] };
    const asking = { signal, check: () => undefined };
    const sends = await ask({ ...form, ofModel: { step: "question", model: model.spec, ...question } }, asking);
    signal.throwIfAborted();
    if (sends.action !== "accept") {
      one.action = sends.action;
      return notAnswered(becameWords(one));
    }
    one.action = "asked";
    this.#ctx.progress({ tip: `${this.#of.from} asks ${model.spec}` });
    const answer = await model.ask(question, signal);
    const { text: said, isCut, ...figures } = answer;
    one.figures = figures;
    one.action = "kept";
    const text = visibleText(said);
    if (text.trim() === "") return withWhy(one, "it says nothing");
    if (this.#hasSecret(text)) return withWhy(one, "a value of your secrets stands in it");
    if (signal.aborted) return withWhy(one, "it was stopped");
    const gives = await ask({ ...form, ofModel: { step: "answer", model: model.spec, ...answer, text } }, asking);
    if (signal.aborted) return withWhy(one, "it was stopped");
    if (gives.action !== "accept") return notAnswered(becameWords(one));
    one.action = "sent";
    const stopReason = isCut ? "maxTokens" : "endTurn";
    const result = { role: "assistant", content: { type: "text", text }, model: model.spec, stopReason };
    return { result, sent: (isOut) => this.#onTheirWay.heed(one, isOut) };
  }

  #failed(error: unknown, one: AskedOnce, isStopped: boolean): AskReply {
    if (error instanceof NotTaken) {
      Object.assign(one, { action: "refused", why: error.message });
      return { error: { code: -32602, message: error.message } };
    }
    if (error instanceof ModelNotAsked) {
      one.action = "unsent";
      return withWhy(one, error.message);
    }
    const message = error instanceof Error ? error.message : String(error);
    const why = isStopped ? "it was stopped" : shortLine(this.#ctx.masking?.text(message) ?? message);
    if (one.action === "asked" || one.action === "kept") return withWhy(one, why);
    if (!isStopped) return refused(one, why);
    one.action = "cancel";
    return notAnswered(why);
  }

  #hasSecret(said: ModelQuestion | string): boolean {
    const { masking } = this.#ctx;
    const texts = typeof said === "string" ? [said] : [said.system ?? "", ...said.messages.map(({ text }) => text)];
    return masking !== undefined && texts.some((text) => masking.text(text) !== text);
  }

  /** Answers of which it is not known yet whether they reached the server. */
  get onTheirWay(): readonly Promise<void>[] {
    return this.#onTheirWay.all;
  }

  /** The call has ended: nothing more is asked, sent or told. */
  end(): void {
    this.#over.abort(new Error("the call is over"));
  }

  /** Returns the outcome of each request, a line each, for whoever reads the call; empty where nothing was asked. */
  words(): string {
    return this.#asked.map((one) => `(${this.#of.from} asked the model something: ${becameWords(one)})`).join("\n");
  }

  /** The same as data. */
  record(): JsonObject[] {
    return this.#asked.map(({ action, figures, isOut, why }) => ({
      ...{ action: action === "sent" && isOut !== true ? "unknown" : action },
      ...figures,
      ...(why === undefined ? {} : { why }),
    }));
  }
}

function refused(one: AskedOnce, why: string): AskReply {
  one.action = "refused";
  return withWhy(one, why);
}

function withWhy(one: AskedOnce, why: string): AskReply {
  one.why = why;
  return notAnswered(why);
}

function becameWords({ action, figures, isOut, why = "" }: AskedOnce): string {
  const because = why === "" ? "" : `: ${why}`;
  const took = figures === undefined ? "" : ` (${tookWords(figures)})`;
  switch (action) {
    case "open":
      return "it had no answer when the call ended";
    case "refused":
      return `it was refused without asking them${because}`;
    case "decline":
      return "the person said no, and nothing was sent";
    case "cancel":
      return "the person gave no answer, and nothing was sent";
    case "unsent":
      return `the person let it go to the model, and nothing was sent${because}`;
    case "asked":
      return `the person let it go to the model, which did not answer${because}; what that cost is not known`;
    case "kept":
      return `the model answered${took}, and the server did not get it${because}`;
    case "sent":
      return `the model answered${took}, and the person let the server have it${isOut === true ? "" : "; whether it reached the server is not known"}`;
  }
}
