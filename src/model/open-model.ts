import { readFile } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { type Model, ModelFailure, type ToolFormat } from "./port.ts";
import type { Clock } from "./retrying.ts";
import { modelSpecs, noModelText, parseModelSpec } from "./spec.ts";

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
  /** How the model calls tools: in the protocol's own way (the default), or in XML in its text. */
  toolFormat?: ToolFormat;
  /** Waits, chance and time, for tests. */
  clock?: Partial<Clock>;
}

/**
 * The model of a spec: `openai:NAME`, `demo` or `script:FILE`. Nothing is sent yet, and the client library
 * is loaded only with the first request.
 * @throws ModelFailure, with a hint: unknown spec, no key, a script that is missing or malformed.
 */
export async function openModel(spec: string, options: OpenModelOptions): Promise<Model> {
  const model = await openNative(spec, options);
  return options.toolFormat === "xml" ? (await import("./xml/with-xml-calls.ts")).withXmlCalls(model) : model;
}

async function openNative(spec: string, options: OpenModelOptions): Promise<Model> {
  const asked = parseModelSpec(spec);
  if (asked === undefined) throw new ModelFailure("refused", noModelText(spec), { hint: modelSpecs });
  if (asked.kind === "demo") {
    const { openDemo } = await import("./demo.ts");
    return openDemo({ pace: options.pace ?? false });
  }
  if (asked.kind === "script") return openScriptFile(asked.file, options);
  const { openOpenAI } = await import("./openai.ts");
  const { env, baseUrl, contextWindow, idleMs, clock } = options;
  return openOpenAI({
    model: asked.name,
    env,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(clock === undefined ? {} : { clock }),
  });
}

async function openScriptFile(file: string, options: OpenModelOptions): Promise<Model> {
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
