import { joinSignals } from "../core/join-signals.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { fetchFor } from "../net/proxy-fetch.ts";
import { bounded } from "./bounded-answer.ts";
import { type ListOptions, longestWait, textOf } from "./model-list.ts";
import type { Server } from "./servers.ts";

/**
 * Finds the number of tokens that a model of Ollama reads: as it is loaded now (`/api/ps`), else as it is set (`num_ctx` in `/api/show`), else as
 * many as it could. Undefined where Ollama says none of it; nothing of this throws.
 */
export async function ollamaWindow(server: Server, model: string, options: ListOptions): Promise<number | undefined> {
  const [loaded, shown] = await Promise.all([
    asked(server, "ps", undefined, options),
    asked(server, "show", { model }, options),
  ]);
  return loadedWindow(loaded, model) ?? setWindow(shown) ?? trainedWindow(shown);
}

async function asked(
  { baseUrl, apiKeyEnv }: Server,
  what: string,
  body: JsonObject | undefined,
  { env, signal }: ListOptions,
): Promise<JsonObject> {
  const key = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]?.trim();
  const limit = joinSignals(signal === undefined ? [] : [signal], longestWait);
  try {
    const answer = await bounded(fetchFor(env, { idleMs: longestWait }))(
      new URL(`${baseUrl.replace(/\/+$/, "")}/../api/${what}`),
      {
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
        headers: {
          ...{ accept: "application/json", "content-type": "application/json" },
          ...(key ? { authorization: `Bearer ${key}` } : {}),
        },
        signal: limit.signal,
      },
    );
    const read: unknown = answer.ok ? JSON.parse(await textOf(answer)) : undefined;
    return isJsonObject(read) ? read : {};
  } catch {
    return {};
  } finally {
    limit.release();
  }
}

const tokensOr = (value: Json | undefined): number | undefined =>
  typeof value === "number" && Number.isInteger(value) && value > 0 ? value : undefined;

/** A model without a tag is its `latest`. */
const tagged = (name: string): string => (name.includes(":") ? name : `${name}:latest`);

function loadedWindow({ models }: JsonObject, model: string): number | undefined {
  if (!Array.isArray(models)) return undefined;
  const found = models.find(
    (one) => isJsonObject(one) && tagged(String(one["name"] ?? one["model"])) === tagged(model),
  );
  return isJsonObject(found) ? tokensOr(found["context_length"]) : undefined;
}

function setWindow({ parameters }: JsonObject): number | undefined {
  const [, digits] = /^num_ctx\s+(\d{1,9})\s*$/m.exec(typeof parameters === "string" ? parameters : "") ?? [];
  return digits === undefined ? undefined : tokensOr(Number(digits));
}

function trainedWindow({ model_info: info }: JsonObject): number | undefined {
  const found = isJsonObject(info) ? Object.entries(info).find(([key]) => key.endsWith(".context_length")) : undefined;
  return tokensOr(found?.[1]);
}
