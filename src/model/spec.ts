/** What a model spec means. */
export type ModelSpec = { kind: "openai"; name: string } | { kind: "demo" } | { kind: "script"; file: string };

/**
 * `openai:NAME`, `demo` or `script:FILE`; undefined for anything else. A bare name is none: a slip such as `demmo` would
 * send the person's words to a server.
 */
export function parseModelSpec(spec: string): ModelSpec | undefined {
  const asked = spec.trim();
  if (asked === "demo") return { kind: "demo" };
  const [, provider, rest = ""] = /^(openai|script):(.+)$/su.exec(asked) ?? [];
  if (provider === "script") return { kind: "script", file: rest };
  return provider === "openai" && !/\s/.test(rest) ? { kind: "openai", name: rest } : undefined;
}

/** One line that says what is wrong with a spec which is none. */
export function noModelText(spec: string): string {
  const name = spec.trim();
  const meant = /^[^\s:]+$/.test(name) && name !== "openai" && name !== "script" ? `did you mean openai:${name}?` : "";
  return `${JSON.stringify(spec)} names no model (${meant || "give openai:NAME, demo or script:FILE"})`;
}

/** The specs there are, a line each. */
export const modelSpecs = [
  "openai:NAME   a model of OpenAI, or of any compatible server that OPENAI_BASE_URL names",
  "demo          a guided tour, without a key or a network",
  "script:FILE   plays the lines of a file",
].join("\n");
