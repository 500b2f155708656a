import { inFormat, openModel } from "../model/open-model.ts";
import { type Model, ModelFailure } from "../model/port.ts";
import type { AgentOptions } from "./agent-options.ts";

/** The models that a session can have: those that were handed over as objects, and all that a spec names. */
export interface SessionModels {
  /** Of the model that it begins with. */
  readonly spec: string;
  /** @throws ModelFailure */
  open(spec: string): Promise<Model>;
}

/** @param given the session's own, where it has one, then the agent's */
export function sessionModels(options: AgentOptions, given: readonly (string | Model)[]): SessionModels {
  const objects = given.filter((model): model is Model => typeof model !== "string");
  const [first = options.model] = given;
  return {
    spec: typeof first === "string" ? first : first.spec,
    open: async (spec) => {
      const known = objects.find((model) => model.spec === spec);
      const model = await (known === undefined ? bySpec(options, spec) : inFormat(known, options.toolFormat));
      return priced(model, options.maxCost);
    },
  };
}

async function bySpec({ workspace: cwd, env = process.env, ...options }: AgentOptions, spec: string): Promise<Model> {
  const { toolFormat, models, servers } = options;
  return openModel(spec, {
    ...{ env, cwd },
    ...(toolFormat === undefined ? {} : { toolFormat }),
    ...(models === undefined ? {} : { models }),
    ...(servers === undefined ? {} : { servers }),
  });
}

/** A limit that cannot be kept would be none. @throws ModelFailure */
export function priced(model: Model, maxCost: number | undefined): Model {
  if (maxCost === undefined || model.scripted === true || model.price !== undefined) return model;
  throw new ModelFailure("refused", `maxCost needs the price of ${model.spec}`, {
    hint: `Say it for a million tokens: models: {"${model.spec}": {price: {input: N, output: N}}}`,
  });
}
