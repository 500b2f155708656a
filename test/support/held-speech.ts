import type { Model } from "../../src/model/port.ts";

/** A model that says nothing after its first words until it is let go on: for what has to happen while it speaks. */
export function heldSpeech(): { wrapModel(model: Model): Model; goOn(): void } {
  let goOn = (): void => undefined;
  const mayGoOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const wrapModel = (model: Model): Model => ({
    ...model,
    async *stream(request, signal) {
      for await (const event of model.stream(request, signal)) {
        yield event;
        if (event.type === "text") await mayGoOn;
      }
    },
  });
  return { wrapModel, goOn: () => goOn() };
}
