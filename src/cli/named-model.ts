import type { Flags } from "./flags.ts";
import type { Io } from "./io.ts";
import type { Config } from "./settings/config.ts";

/** The model that is used where the person named none. */
export const defaultModel = "openai:gpt-5";

/**
 * The model's spec, from the first of flag, environment and settings that names one; OPENAI_MODEL is a bare name.
 * @returns undefined where none does
 */
export function namedModel({ env }: Pick<Io, "env">, flags: Flags, config: Config): string | undefined {
  const named = flags.model ?? (env["AGENT_MODEL"] || undefined) ?? config.model;
  if (named !== undefined) return named;
  const openai = env["OPENAI_MODEL"];
  return openai ? `openai:${openai}` : undefined;
}
