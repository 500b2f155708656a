import type { Model } from "../model/port.ts";
import { serverNames, serverOf } from "../model/servers.ts";
import { modelSpecs, noModelText, noServerText, parseModelSpec } from "../model/spec.ts";
import { models as modelWords } from "../words/en/models.ts";
import type { Flags } from "./flags.ts";
import { atTerminal, type Io } from "./io.ts";
import { CliProblem } from "./problem.ts";
import type { Config } from "./settings/config.ts";

/** @throws CliProblem for a server that neither the settings name nor anybody knows. */
export function checkServer(name: string, { env }: Io, { servers }: Config, kind: "usage" | "configuration"): void {
  if (serverOf(name, servers, env) !== undefined) return;
  throw new CliProblem(kind, noServerText(name, serverNames(servers)), { hint: modelWords().serverHint({ name }) });
}

/** Opens models by their specs, as flags and settings have them. @throws CliProblem of the configuration */
export function modelOpener(io: Io, flags: Flags, config: Config) {
  return async (spec: string): Promise<Model> => {
    const asked = parseModelSpec(spec);
    if (asked === undefined) throw new CliProblem("configuration", noModelText(spec), { hint: modelSpecs });
    if (asked.kind === "server") checkServer(asked.server, io, config, "configuration");
    const { openModel } = await import("../model/open-model.ts");
    const model = await openModel(spec, {
      env: io.env,
      cwd: io.cwd(),
      pace: atTerminal(io),
      ...(config.contextWindow === undefined ? {} : { contextWindow: config.contextWindow }),
      ...(flags.toolFormat === undefined ? {} : { toolFormat: flags.toolFormat }),
      servers: config.servers,
      models: config.models,
    });
    checkPriced(model, flags, config);
    return model;
  };
}

/** A limit that cannot be kept would be none. */
function checkPriced({ spec, scripted, price }: Model, flags: Flags, config: Config): void {
  const [kind, name] =
    flags.maxCost === undefined ? (["configuration", "maxCost"] as const) : (["usage", "--max-cost"] as const);
  if ((flags.maxCost ?? config.maxCost) === undefined || scripted === true || price !== undefined) return;
  throw new CliProblem(kind, modelWords().needsPrice({ name, spec }), { hint: modelWords().priceHint({ spec }) });
}

/** The models that can be named; servers are asked. */
export async function modelList({ io, config }: { io: Io; config: Config }, current: string | undefined) {
  const { allModels } = await import("../model/all-models.ts");
  const { servers, models, contextWindow } = config;
  const window = contextWindow === undefined ? {} : { contextWindow };
  return allModels({ env: io.env, servers, models, current, ...window });
}
