import type { Settings } from "../graph/runtime.ts";
import type { Model } from "../model/port.ts";
import type { Mode } from "../policy/types.ts";

/** The model and the mode of a session, as the person has chosen them by now. */
export class ModelAndMode {
  mode: Mode;
  #spec: string;
  #model: Model | undefined;

  constructor({ model, mode }: { model: string; mode: Mode }) {
    this.mode = mode;
    this.#spec = model;
  }

  get named(): { model: string; mode: Mode } {
    return { model: this.#model?.spec ?? this.#spec, mode: this.mode };
  }

  setMode(mode: Mode): void {
    this.mode = mode;
  }

  take(model: Model): void {
    this.#spec = model.spec;
    this.#model = model;
  }

  /** The session was opened with this model. @returns what holds, whenever it is asked */
  openedWith(model: Model): () => Settings {
    this.#model = model;
    return () => ({ model: this.#model ?? model, mode: this.mode });
  }
}
