import { setTimeout as wait } from "node:timers/promises";
import { countText } from "../core/count-text.ts";
import { joinSignals } from "../core/join-signals.ts";
import { type Model, type ModelEvent, ModelFailure, type ModelReply, type ModelRequest } from "./port.ts";
import { least, roughSize, SilentCuts, windowIn } from "./window-corrections.ts";

/** Tokens that a model is taken to read where nobody says: what is common. */
const assumedWindow = 128_000;

/** Milliseconds for which a reply that is whole waits for the server's word. */
const patience = 1000;

/** The known facts of a model's window, and the means to find out. */
interface WindowSource {
  /** Tokens, by the person's settings or the table. */
  known: number | undefined;
  /** Asks the server; undefined where it does not say. */
  find(signal: AbortSignal): Promise<number | undefined>;
  /** Its server loads a model for the first request, and knows only then. */
  isLoadedFirst: boolean;
}

/**
 * The same model with its window. Where nobody has said it, its server is asked beside the first request, which is not made to wait for
 * longer than the reply takes and a second; without an answer 128,000 are assumed, and that is told once. A refusal for length and
 * figures of use that no longer grow correct it, as long as the model is open, and that is told.
 */
export function withWindow(model: Model, source: WindowSource): Model {
  const window = new KnownWindow(model.spec, source.known);

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const events = window.tokens === undefined ? asking(request, signal) : model.stream(request, signal);
    try {
      for await (const event of events) {
        if (event.type === "done") {
          window.answered(event.reply, request);
          yield* window.told();
        }
        yield event;
      }
    } catch (error) {
      window.refused(error, request);
      yield* window.told();
      throw error;
    }
  }

  async function* asking(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const question = new Question(source, signal);
    if (!source.isLoadedFirst) question.ask();
    try {
      for await (const event of model.stream(request, signal)) {
        if (event.type !== "retry") question.ask();
        if (event.type === "done") window.learn(await question.answer());
        yield event;
      }
    } finally {
      question.end();
    }
  }

  async function findWindow(signal: AbortSignal): Promise<number> {
    if (window.tokens !== undefined) return window.tokens;
    const question = new Question(source, signal);
    try {
      return window.learn(await question.answer());
    } finally {
      question.end();
    }
  }

  return {
    ...model,
    get contextWindow() {
      return window.tokens;
    },
    get windowAssumed() {
      return window.isAssumed;
    },
    stream,
    findWindow,
  } as Model;
}

/** The server is asked once, and not waited for longer than a second. */
class Question {
  readonly #source: WindowSource;
  readonly #ending = new AbortController();
  readonly #both: ReturnType<typeof joinSignals>;
  #found: Promise<number | undefined> | undefined;

  constructor(source: WindowSource, signal: AbortSignal) {
    this.#source = source;
    this.#both = joinSignals([signal, this.#ending.signal]);
  }

  ask(): void {
    this.#found ??= this.#source.find(this.#both.signal).catch(() => undefined);
  }

  answer(): Promise<number | undefined> {
    this.ask();
    const late = wait(patience, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    return Promise.race([this.#found, late]);
  }

  end(): void {
    this.#ending.abort();
    this.#both.release();
  }
}

/** The facts known of the window by now, and those that the person has not been told of it. */
class KnownWindow {
  readonly #spec: string;
  readonly #cuts = new SilentCuts();
  readonly #untold: ModelEvent[] = [];
  tokens: number | undefined;
  isAssumed = false;

  constructor(spec: string, known: number | undefined) {
    this.#spec = spec;
    this.tokens = known;
  }

  *told(): Generator<ModelEvent> {
    yield* this.#untold.splice(0);
  }

  learn(tokens: number | undefined): number {
    if (this.tokens === undefined && tokens === undefined) {
      this.isAssumed = true;
      const text = `It is not known how much ${this.#spec} reads: 128,000 tokens are assumed. Say it in config.json: "models": {"${this.#spec}": {"contextWindow": N}}`;
      this.#untold.push({ type: "notice", code: "window_assumed", text });
    }
    this.tokens ??= tokens ?? assumedWindow;
    return this.tokens;
  }

  answered({ usage }: ModelReply, request: ModelRequest): void {
    const cut = usage === undefined ? undefined : this.#cuts.see(roughSize(request), usage);
    if (cut !== undefined)
      this.#correct(cut, `it leaves out the rest of what it is sent, without a word. ${raise}`, false);
  }

  refused(failure: unknown, request: ModelRequest): void {
    if (!(failure instanceof ModelFailure) || failure.kind !== "context_full" || failure.status === undefined) return;
    const told = windowIn(failure.message);
    if (told !== undefined) this.#correct(told, "its server said so when it refused a longer request", true);
    else this.#correct(Math.floor(roughSize(request) * 0.9), "its server refused a longer request", false);
  }

  #correct(tokens: number, how: string, isSure: boolean): void {
    if (tokens < least || (this.tokens !== undefined && tokens >= this.tokens)) return;
    this.tokens = tokens;
    this.isAssumed = !isSure;
    const text = `${this.#spec} reads ${isSure ? "" : "about "}${countText(tokens)} tokens: ${how}`;
    this.#untold.push({ type: "notice", code: "window_corrected", text });
  }
}

const raise =
  "Where the server is yours, let it read more: of Ollama num_ctx says how much (OLLAMA_CONTEXT_LENGTH=32768 for its server, or PARAMETER num_ctx 32768 in a Modelfile)";
