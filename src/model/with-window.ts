import { setTimeout as wait } from "node:timers/promises";
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

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    if (contextWindow !== undefined) return yield* model.stream(request, signal);
    const ending = new AbortController();
    const listed = list(AbortSignal.any([signal, ending.signal])).then(
      (models) => models.find(({ id }) => id === name)?.contextWindow,
      () => undefined,
    );
    try {
      for await (const event of model.stream(request, signal)) {
        if (event.type === "done")
          yield* found(await Promise.race([listed, wait(patience, undefined, { signal: ending.signal })]));
        yield event;
      }
    } finally {
      ending.abort();
    }
  }

  function* found(tokens: number | undefined): Generator<ModelEvent> {
    contextWindow = tokens ?? assumedWindow;
    if (tokens !== undefined) return;
    const text = `It is not known how much ${model.spec} reads: 32,768 tokens are assumed. Say it in config.json: "models": {"${model.spec}": {"contextWindow": N}}`;
    yield { type: "notice", code: "window_assumed", text };
  }

  return {
    ...model,
    get contextWindow() {
      return contextWindow;
    },
    stream,
  } as Model;
}
