import type { BaseMessage } from "@langchain/core/messages";
import { foldMark, ModelFailure } from "../../../model/port.ts";
import type { NewCompaction } from "../../../store/types.ts";
import { turnNotices } from "../../../words/contract/turn-notices.ts";
import type { Runtime } from "../../runtime.ts";
import { compact, summariesIn, tried } from "./compact.ts";
import { placesIn } from "./cut-places.ts";
import { type Frame, type Measure, measureOf } from "./measure.ts";

/** Shares of the window at which old outputs are left out, at which the talk is summed up, and at which what is new is cut too. */
const limits = { prune: 0.7, compact: 0.85, squeeze: 0.95 };

/** Shares of the window: outputs that stay, what a cut of them or of the talk has to bring, the talk that stays whole, and what came since a failure. */
const shares = { outputs: 0.15, gain: 0.1, talk: 0.25, again: 0.05 };

/** The tokens that were used when a summary last failed: it is not tried again with each request, only once there is more. */
const failed = new WeakMap<object, number>();

/** Characters that are left of a new output where all of them together are too long. */
const leastKept = 1_000;

interface Talk {
  turn: number;
  /** As they are stored. */
  messages: readonly BaseMessage[];
}

/**
 * Asks with a talk that has room. Where the server does not take it all the same, it is cut further, and asked once more if that
 * cut anything.
 * @throws what `ask` throws.
 */
export async function withRoom<T>(
  runtime: Runtime,
  talk: Talk,
  frame: Frame,
  ask: (rendered: BaseMessage[]) => Promise<T>,
): Promise<T> {
  try {
    return await ask(await makeRoom(runtime, talk, frame));
  } catch (error) {
    if (!wasRefused(error) || !runtime.compacts) throw error;
    const cuts = runtime.journal.compactions().length;
    const shorter = await makeRoom(runtime, talk, frame, true);
    if (runtime.journal.compactions().length === cuts) throw error;
    return ask(shorter);
  }
}

/** The server does not take so much; an estimate of ours is no reason to try again. */
const wasRefused = (error: unknown): boolean =>
  error instanceof ModelFailure && error.kind === "context_full" && error.status !== undefined;

/**
 * The talk as the model reads it in the next request, after what had to be was cut so that it fits: first old outputs, then the talk by a
 * summary of the model, then what is new. Each cut is committed before it is rendered.
 * @param refused the server would not take the request: it has no room, whatever the estimate says.
 * @throws ModelFailure `context_full` where it cannot fit.
 */
async function makeRoom(runtime: Runtime, talk: Talk, frame: Frame, refused = false): Promise<BaseMessage[]> {
  const { renderer } = runtime;
  const rendered = renderer.render(talk.messages);
  const found = await measureOf(runtime, talk.messages, frame, rendered);
  const used = found.size(rendered);
  const window = refused ? Math.min(found.window ?? used, used) : found.window;
  if (window === undefined || (used <= window * limits.prune && !refused)) return rendered;
  if (!runtime.compacts) return rendered;
  const room = new Room(runtime, talk, { ...found, window }, window);
  await room.prune();
  const isAsked = room.used > window * limits.compact && (await room.sumUp(refused ? 0 : window * shares.gain));
  if (room.used > window * limits.squeeze) await room.squeeze();
  if (room.used > window && !isAsked) await room.sumUp(0);
  // What cannot be cut is sent where the window is only assumed: its server knows.
  if (room.used > window && runtime.model.windowAssumed !== true) throw contextFull(room.used, window);
  return renderer.render(talk.messages);
}

/** One request that is too long, and the cuts that are made for it. */
class Room {
  readonly #runtime: Runtime;
  readonly #talk: Talk;
  readonly #measure: Measure;
  readonly #window: number;

  constructor(runtime: Runtime, talk: Talk, measure: Measure, window: number) {
    this.#runtime = runtime;
    this.#talk = talk;
    this.#measure = measure;
    this.#window = window;
  }

  get used(): number {
    return this.#measure.size(this.#runtime.renderer.render(this.#talk.messages));
  }

  get #places() {
    const { journal, renderer } = this.#runtime;
    return placesIn(journal, this.#talk.messages, renderer.render(this.#talk.messages));
  }

  /** All old outputs at once, so that the next requests begin as this one does. */
  async prune(): Promise<void> {
    const upTo = this.#places.outputsUpTo((this.#window * shares.outputs) / this.#measure.ratio);
    if (upTo?.id === undefined) return;
    await this.#cutOutputs(upTo.id, 0, this.#window * shares.gain);
  }

  /**
   * @param least tokens that are to go: for less no summary of summaries is worth its request.
   * @returns whether the model was asked.
   */
  async sumUp(least: number): Promise<boolean> {
    const { model, journal, signal } = this.#runtime;
    const { used } = this;
    const failedAt = failed.get(journal) ?? Number.NEGATIVE_INFINITY;
    if (used < this.#window && used - failedAt < this.#window * shares.again) return false;
    const from = this.#places.staysFrom((this.#window * shares.talk) / this.#measure.ratio);
    const hasNone = model.scripted === true && (model.summaries ?? 0) <= summariesIn(journal.compactions());
    if (from === undefined || hasNone || signal.aborted || this.#unfolded(from) < least) return false;
    const made = await compact(this.#runtime, this.#measure, { by: "auto", ...this.#talk, from });
    if ("error" in made) failed.set(journal, used);
    else failed.delete(journal);
    return true;
  }

  /** Tokens of the talk before this message, without the summary that stands for a part of it already. */
  #unfolded(from: number): number {
    const rendered = this.#runtime.renderer.render(this.#talk.messages.slice(0, from));
    return this.#measure.of(rendered.filter((message) => message.additional_kwargs[foldMark] === undefined));
  }

  /** Cuts the outputs that the model has not read yet, where they alone are too long: of each its head and its tail stay. */
  async squeeze(): Promise<void> {
    const { lastWithCalls: last } = this.#places;
    if (last?.id === undefined) return;
    const rendered = this.#runtime.renderer.render(this.#talk.messages);
    const outputs = rendered.filter((message) => message.getType() === "tool");
    const rest = this.used - this.#measure.of(outputs);
    const left = (this.#window * limits.compact - rest) / this.#measure.ratio;
    const kept = Math.max(leastKept, Math.floor((left * 2.5) / Math.max(1, outputs.length)));
    await this.#cutOutputs(last.id, kept, 0);
  }

  async #cutOutputs(upTo: string, kept: number, gain: number): Promise<void> {
    const { journal, renderer, emit } = this.#runtime;
    const { messages } = this.#talk;
    const before = this.used;
    const madeAfter = messages.at(-1)?.id ?? "";
    const made: NewCompaction = { kind: "prune", by: "auto", upTo, madeAfter, before, after: 0, kept };
    const after = this.#measure.size(renderer.render(messages, [...journal.compactions(), tried(made)]));
    if (before - after <= gain) return;
    await journal.addCompaction({ ...made, after });
    const text = (kept === 0 ? turnNotices.outputsLeftOut : turnNotices.outputsCut)({ before, after });
    emit({ type: "notice", code: "outputs_cut", text });
  }
}

const contextFull = (used: number, window: number): ModelFailure =>
  new ModelFailure(
    "context_full",
    `The conversation no longer fits the model's context window (about ${used} tokens, and it reads ${window})`,
    { hint: "Say less at once or /compact in a chat, or continue with a model that has a larger window (-m)." },
  );
