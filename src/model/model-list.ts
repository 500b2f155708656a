import { joinSignals } from "../core/join-signals.ts";
import { isJsonObject, type Json } from "../core/json.ts";
import { fetchFor } from "../net/proxy-fetch.ts";
import { bounded } from "./bounded-answer.ts";
import type { Server } from "./servers.ts";

/** A model that a server has. */
export interface ListedModel {
  id: string;
  /** Tokens, where the server says it. */
  contextWindow?: number;
  /** Its list is one as Ollama makes it. */
  isOllamas?: true;
}

export interface ListOptions {
  env: Readonly<Record<string, string | undefined>>;
  signal?: AbortSignal;
}

/** In how many words servers say how much a model reads; what is loaded now counts before what could be. */
const windowFields = [
  "loaded_context_length", // LM Studio
  "context_length", // OpenRouter, Together
  "context_window", // Groq
  "max_context_length", // Mistral, LM Studio
  "max_model_len", // vLLM
  "max_input_tokens", // Anthropic, LiteLLM
];

/** Milliseconds for a list: it is only looked up. */
export const longestWait = 10_000;

/**
 * The models that a server has.
 * @throws Error with one line that says why there is none.
 */
export async function listModels(
  { baseUrl, apiKeyEnv, quirks }: Server,
  { env, signal }: ListOptions,
): Promise<ListedModel[]> {
  const key = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]?.trim();
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}/${quirks.list.path}`);
  const headers = key ? { authorization: `Bearer ${key}`, ...quirks.list.headers?.(key) } : {};
  const limit = joinSignals(signal === undefined ? [] : [signal], longestWait);
  try {
    const answer = await bounded(fetchFor(env, { idleMs: longestWait }))(url, {
      headers: { accept: "application/json", ...headers },
      signal: limit.signal,
    });
    const text = await textOf(answer);
    if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    return modelsIn(text);
  } finally {
    limit.release();
  }
}

/** Lists of hundreds of models are longer than the answers that are read for their errors. */
export async function textOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part);
    size += part.length;
    if (size > longestList) throw new Error("its list is too long to be read");
  }
  return Buffer.concat(parts).toString("utf8");
}

const longestList = 16_000_000;

function modelsIn(text: string): ListedModel[] {
  let read: Json;
  try {
    read = JSON.parse(text) as Json;
  } catch (cause) {
    throw new Error("its list is no JSON", { cause });
  }
  const found = isJsonObject(read) ? (read["data"] ?? read["models"]) : read;
  if (!Array.isArray(found)) throw new Error("its answer is no list of models");
  return found.flatMap(modelOf);
}

function modelOf(one: Json): ListedModel[] {
  if (!isJsonObject(one) || typeof one["id"] !== "string" || one["id"] === "") return [];
  // Gemini's list has them as models/NAME
  const id = one["id"].replace(/^models\//, "").slice(0, 300);
  const meta = isJsonObject(one["meta"]) ? one["meta"] : {}; // llama.cpp
  const said = [...windowFields.map((field) => one[field]), meta["n_ctx"], meta["n_ctx_train"]];
  const tokens = said.find(
    (value): value is number => typeof value === "number" && Number.isInteger(value) && value > 0,
  );
  const isOllamas = one["owned_by"] === "library";
  return [{ id, ...(tokens === undefined ? {} : { contextWindow: tokens }), ...(isOllamas ? { isOllamas } : {}) }];
}
