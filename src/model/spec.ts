/** The meaning of a model spec. */
export type ModelSpec =
  | { kind: "server"; server: string; name: string }
  | { kind: "demo" }
  | { kind: "script"; file: string };

/**
 * `SERVER:NAME`, `demo` or `script:FILE`; undefined for anything else. A bare name is none: a slip such as `demmo` would
 * send the person's words to a server. Whether there is such a server is not known here.
 */
export function parseModelSpec(spec: string): ModelSpec | undefined {
  const asked = spec.trim();
  if (asked === "demo") return { kind: "demo" };
  const [, server = "", rest = ""] = /^([\w.-]+):(.+)$/su.exec(asked) ?? [];
  if (server === "" || server === "demo") return undefined;
  if (server === "script") return { kind: "script", file: rest };
  return /\s/.test(rest) ? undefined : { kind: "server", server, name: rest };
}

/** One line that says what is wrong with a spec which is none. */
export function noModelText(spec: string): string {
  const name = spec.trim();
  const meant = /^[^\s:]+$/.test(name) && name !== "openai" && name !== "script" ? `did you mean openai:${name}?` : "";
  return `${JSON.stringify(spec)} names no model (${meant || "give SERVER:NAME, demo or script:FILE"})`;
}

/** One line that says what is wrong with a spec whose server nobody knows. */
export const noServerText = (server: string, names: readonly string[]): string =>
  `there is no server ${JSON.stringify(server)}; the servers are ${names.join(", ")}`;

/** The specs there are, a line each. */
export const modelSpecs = [
  "SERVER:NAME   a model of a server: openai, openrouter, anthropic, gemini, deepseek, groq, mistral, ollama,",
  "              lmstudio, or one of `servers` in config.json; OPENAI_BASE_URL moves openai",
  "demo          a guided tour, without a key or a network",
  "script:FILE   plays the lines of a file",
].join("\n");
