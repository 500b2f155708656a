import { readFile } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { type Model, ModelFailure } from "./port.ts";
import type { Clock } from "./retrying.ts";

export interface OpenModelOptions {
  /** Read for keys, endpoints and proxies; nothing else looks at the environment. */
  env: Record<string, string | undefined>;
  /** Wins over OPENAI_BASE_URL. */
  baseUrl?: string;
  /** Tokens; wins over what is known of the model. */
  contextWindow?: number;
  /** Milliseconds without a byte after which a request is given up; default 120,000. */
  idleMs?: number;
  /** What a relative `script:FILE` is relative to. */
  cwd?: string;
  readFile?: (path: string) => Promise<string>;
  /** Let the demo appear word by word, as at a terminal. */
  pace?: boolean;
  /** Waits, chance and time, for tests. */
  clock?: Partial<Clock>;
}

/** Prefixes of other tools, which are no model names here. */
const foreign = /^(anthropic|azure|bedrock|google|gemini|mistral|ollama|lmstudio|openrouter|vllm|deepseek|groq):/i;

/**
 * The model of a spec: `openai:NAME` or a bare NAME, `demo`, `script:FILE`. Nothing is sent yet, and the client library
 * is loaded only with the first request.
 * @throws ModelFailure, with a hint: unknown spec, no key, a script that is missing or malformed.
 */
export async function openModel(spec: string, options: OpenModelOptions): Promise<Model> {
  const asked = spec.trim();
  if (asked === "demo") {
    const { openDemo } = await import("./demo.ts");
    return openDemo({ pace: options.pace ?? false });
  }
  if (asked.startsWith("script:")) return openScriptFile(asked.slice("script:".length), options);
  const model = asked.startsWith("openai:") ? asked.slice("openai:".length) : asked;
  if (model === "" || /\s/.test(model) || foreign.test(model)) throw unknownSpec(spec);
  const { openOpenAI } = await import("./openai.ts");
  const { env, baseUrl, contextWindow, idleMs, clock } = options;
  return openOpenAI({
    model,
    env,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(clock === undefined ? {} : { clock }),
  });
}

async function openScriptFile(file: string, options: OpenModelOptions): Promise<Model> {
  if (file === "") throw unknownSpec("script:");
  const path = isAbsolute(file) || options.cwd === undefined ? file : resolve(options.cwd, file);
  const read = options.readFile ?? ((name: string) => readFile(name, "utf8"));
  const text = await read(path).catch((cause: unknown) => {
    throw new ModelFailure("script", `The script ${path} cannot be read: ${(cause as Error).message}`, {
      cause,
      hint: "Give an existing file: --model script:FILE",
    });
  });
  const [{ parseScript }, { openScript }] = await Promise.all([import("./script-file.ts"), import("./script.ts")]);
  return openScript(parseScript(text, path), { spec: `script:${path}`, name: path });
}

const unknownSpec = (spec: string): ModelFailure =>
  new ModelFailure("refused", `${JSON.stringify(spec)} names no model`, {
    hint: [
      "openai:NAME   a model of OpenAI, or of any compatible server that OPENAI_BASE_URL names",
      "demo          a guided tour, without a key or a network",
      "script:FILE   plays the lines of a file",
    ].join("\n"),
  });
