import { setTimeout as wait } from "node:timers/promises";
import { joinSignals } from "../core/join-signals.ts";
import type { ListedModel } from "./model-list.ts";
import type { Model, ModelEvent, ModelRequest } from "./port.ts";

/** Tokens that a model is taken to read where nobody says: what is common at the least. */
const assumedWindow = 32_768;

/** Milliseconds for which a reply that is whole waits for the list. */
const patience = 1000;

/**
 * The same model, whose window nobody has said. Its server's list is asked beside the first request, and is not waited for longer than
 * the reply takes and a second; without an answer there the window is taken to be 32,768, and that is told once.
 */
export function withWindow(model: Model, name: string, list: (signal: AbortSignal) => Promise<ListedModel[]>): Model {
  let contextWindow: number | undefined;
  let isAssumed = false;
  let isUntold = false;

  const listed = (signal: AbortSignal): Promise<number | undefined> =>
    list(signal).then(
      (models) => models.find(({ id }) => id === name)?.contextWindow,
      () => undefined,
    );

  const learn = (tokens: number | undefined): number => {
    isAssumed ||= contextWindow === undefined && tokens === undefined;
    isUntold ||= contextWindow === undefined && tokens === undefined;
    contextWindow ??= tokens ?? assumedWindow;
    return contextWindow;
  };

  const within = <T>(found: Promise<T>, signal: AbortSignal): Promise<T | undefined> =>
    Promise.race([found, wait(patience, undefined, { signal }).catch(() => undefined)]);

  const stream = (request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent> =>
    contextWindow === undefined || isUntold ? learning(request, signal) : model.stream(request, signal);

  async function* learning(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const ending = new AbortController();
    const both = joinSignals([signal, ending.signal]);
    const found = contextWindow === undefined ? listed(both.signal) : undefined;
    try {
      for await (const event of model.stream(request, signal)) {
        if (event.type === "done") {
          if (found !== undefined) learn(await within(found, ending.signal));
          yield* told();
        }
        yield event;
      }
    } finally {
      ending.abort();
      both.release();
    }
  }

  function* told(): Generator<ModelEvent> {
    if (!isUntold) return;
    isUntold = false;
    const text = `It is not known how much ${model.spec} reads: 32,768 tokens are assumed. Say it in config.json: "models": {"${model.spec}": {"contextWindow": N}}`;
    yield { type: "notice", code: "window_assumed", text };
  }

  async function findWindow(signal: AbortSignal): Promise<number> {
    if (contextWindow !== undefined) return contextWindow;
    const ending = new AbortController();
    const both = joinSignals([signal, ending.signal]);
    try {
      return learn(await within(listed(both.signal), ending.signal));
    } finally {
      ending.abort();
      both.release();
    }
  }

  return {
    ...model,
    get contextWindow() {
      return contextWindow;
    },
    get windowAssumed() {
      return isAssumed;
    },
    stream,
    findWindow,
  } as Model;
}
