import { setTimeout as wait } from "node:timers/promises";
import { loadPart } from "../core/agent-packages.ts";
import { faultPoint } from "../core/fault-point.ts";
import type { Fetch } from "../net/http-fetch.ts";
import { proxiesOf, proxyFor } from "../net/proxies.ts";
import { fetchFor } from "../net/proxy-fetch.ts";
import { asStream, isReply, wholeText } from "./answer-as-stream.ts";
import { credentialsOf, withoutCredentials } from "./base-url.ts";
import { bounded } from "./bounded-answer.ts";
import type { ChatStream } from "./chat-completions.ts";
import { contextWindowOf } from "./context-windows.ts";
import { connectionFailure, cutReply, type Endpoint, failureOf, oneLine, Passing } from "./failures.ts";
import { foldReply, type ReplyFold } from "./fold-reply.ts";
import type { ModelEntry } from "./model-entries.ts";
import { type Model, type ModelEvent, ModelFailure, type ModelReply, type ModelRequest } from "./port.ts";
import { refusedCall } from "./refused-call.ts";
import { type Clock, retryAfterMs, withRetries } from "./retrying.ts";
import { type Server, serverOf } from "./servers.ts";
import { noProgressOf, silenceOf } from "./silence.ts";
import { Watch } from "./watch.ts";

export interface OpenAIOptions {
  model: string;
  /** Default `openai`. */
  server?: Server;
  /** The person's settings of the model. */
  entry?: ModelEntry;
  /** OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_ORG_ID, OPENAI_PROJECT_ID and the proxy variables are read from it. */
  env: Record<string, string | undefined>;
  /** Wins over OPENAI_BASE_URL. */
  baseUrl?: string;
  /** Tokens; known for the common models without it. */
  contextWindow?: number;
  /** Milliseconds without a byte after which a request is given up; wins over what the server says. */
  idleMs?: number;
  /** Milliseconds that a server may take to end its stream after it said why the reply ended; default 5,000. */
  graceMs?: number;
  /** Milliseconds in which a server may send signs of life and say nothing; default 10 minutes, and more than `idleMs`. */
  noProgressMs?: number;
  clock?: Partial<Clock>;
}

const realClock: Clock = {
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal });
  },
  random: Math.random,
  now: Date.now,
};

/**
 * A model of an OpenAI-compatible server.
 * @throws ModelFailure `credentials` where OpenAI's own endpoint has no key; `refused` for a base URL that is none.
 */
export function openOpenAI(options: OpenAIOptions): Model {
  const { entry = {}, env } = options;
  const server = options.server ?? (serverOf("openai", {}, env) as Server);
  const { quirks } = server;
  const baseUrl = parseBaseUrl(options.baseUrl ?? server.baseUrl, urlNameOf(server));
  const apiKey = keyFor(server, options.baseUrl !== undefined, env);
  const endpoint = { ...endpointOf(server, options.model, baseUrl), proxy: shownProxy(baseUrl, env) };
  const secrets = [apiKey, ...credentialsOf(baseUrl)];
  const clock = { ...realClock, ...options.clock };
  const idleMs = options.idleMs ?? silenceOf(server, baseUrl);
  const noProgressMs = options.noProgressMs ?? noProgressOf(idleMs);
  const fetch = streamsOnly(bounded(fetchFor(env, { idleMs })), endpoint, secrets);
  const contextWindow = entry.contextWindow ?? options.contextWindow ?? contextWindowOf(server.name, options.model);
  let chat: Promise<ChatStream> | undefined;
  let usage = true;

  const open = (): Promise<ChatStream> => {
    chat ??= loadPart(() => import("./chat-completions.ts")).then(({ openChat }) =>
      openChat({
        model: options.model,
        apiKey,
        baseUrl,
        ...{ quirks, entry, fetch },
        ...(server.name === "openai" ? { organization: env["OPENAI_ORG_ID"], project: env["OPENAI_PROJECT_ID"] } : {}),
      }),
    );
    return chat;
  };

  /** Events up to the stream's end, or for a while after the finish reason; the fold has the reply. */
  async function* read(fold: ReplyFold, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const watch = new Watch(signal, noProgressMs, options.graceMs ?? 5000);
    try {
      for await (const piece of (await open()).stream({ ...request, usage, signal: watch.signal })) {
        yield* fold.push(piece);
        watch.see(fold);
      }
      watch.check();
    } catch (error) {
      watch.check();
      throw error;
    } finally {
      watch.end();
    }
  }

  async function* attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const fold = foldReply(quirks.sendBack, request.tools);
    try {
      yield* read(fold, request, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (usage && refusesUsage(error)) {
        usage = false; // some servers do not know stream_options; this one is not asked again
        yield* attempt(request, signal);
        return;
      }
      // what comes after the finish reason is only figures, unless it is more than there is room for
      if (!fold.ended || error instanceof ModelFailure)
        return yield* endedBy(error, fold, { request, endpoint, secrets, now: clock.now() });
    }
    signal.throwIfAborted();
    yield* fold.rest();
    yield { type: "done", reply: wholeReply(fold) };
  }

  return {
    spec: `${server.name}:${options.model}`,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(entry.price === undefined ? {} : { price: entry.price }),
    ...(entry.vision === undefined ? {} : { vision: entry.vision }),
    stream: (request, signal) => withRetries(() => attempt(request, signal), clock, signal),
  };
}

/** @throws ModelFailure, with what the reply cost all the same. */
function wholeReply(fold: ReplyFold): ModelReply {
  try {
    return fold.finish();
  } catch (error) {
    if (error instanceof ModelFailure) error.usage = fold.usage;
    throw error;
  }
}

/** Makes a server's error in the middle of a reply, without a status, the end of that reply. */
const inReply = (failure: ModelFailure | Passing, { taken }: ReplyFold): ModelFailure | Passing =>
  failure instanceof ModelFailure && failure.kind === "refused" && failure.status === undefined && taken > 0
    ? cutReply(`The reply was cut off: ${failure.message}`, failure)
    : failure;

interface Failing {
  request: ModelRequest;
  endpoint: Endpoint;
  secrets: readonly string[];
  now: number;
}

/** Yields the words of the model, where its server would not take its call. @throws ModelFailure or Passing for any other error */
function* endedBy(
  error: unknown,
  fold: ReplyFold,
  { request, endpoint, secrets, now }: Failing,
): Generator<ModelEvent> {
  const refused = request.tools.length > 0 ? refusedCall(error, secrets) : undefined;
  if (refused !== undefined) yield* fold.push({ text: refused.written });
  yield* fold.rest();
  if (refused === undefined) throw inReply(failureIn(error, endpoint, secrets, now), fold);
  const { text, usage } = fold;
  const reply: ModelReply = { text, calls: [], finish: "stop", unread: { wrong: refused.why } };
  yield { type: "done", reply: { ...reply, ...(usage === undefined ? {} : { usage }) } };
}

const endpointOf = (server: Server, model: string, baseUrl: string): Endpoint => ({
  model,
  spec: `${server.name}:${model}`,
  baseUrl: withoutCredentials(baseUrl),
  keyName: server.apiKeyEnv ?? `the apiKeyEnv of servers.${server.name}`,
  urlName: urlNameOf(server),
  silenceName: `servers.${server.name}.silenceMs in config.json`,
});

/** As it may be shown. What is no address is shown by nothing of it. */
function shownProxy(baseUrl: string, env: OpenAIOptions["env"]): string | undefined {
  const proxy = proxyFor(new URL(baseUrl), proxiesOf(env));
  if (proxy === undefined) return undefined;
  return URL.canParse(proxy) ? new URL(proxy).origin : "of HTTPS_PROXY";
}

const urlNameOf = ({ name }: Server): string =>
  name === "openai" ? "OPENAI_BASE_URL" : `servers.${name}.baseUrl in config.json`;

function parseBaseUrl(asked: string, urlName: string): string {
  const url = URL.canParse(asked) ? new URL(asked) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return asked.replace(/\/+$/, "");
  throw new ModelFailure(
    "refused",
    `The base URL ${JSON.stringify(withoutCredentials(asked))} is not an http or https address`,
    {
      hint: `Set ${urlName} to something like http://127.0.0.1:11434/v1.`,
    },
  );
}

/** A server that is not where its name says, and one without a variable for it, is asked without a key; the client library needs one. */
function keyFor(server: Server, isMoved: boolean, env: OpenAIOptions["env"]): string {
  const { name, apiKeyEnv, isUsual } = server;
  const key = apiKeyEnv === undefined ? undefined : env[apiKeyEnv]?.trim();
  if (key !== undefined && key !== "") return key;
  if (apiKeyEnv === undefined || isMoved || !isUsual) return "none";
  const local = "or OPENAI_BASE_URL to a local server, which needs none (Ollama: http://127.0.0.1:11434/v1),";
  throw new ModelFailure("credentials", `No key: ${apiKeyEnv} is not set`, {
    hint: [
      `Set ${apiKeyEnv} to a key of your provider,`,
      ...(name === "openai" ? [local] : []),
      "or look around first without either: agent chat --model demo",
    ].join("\n"),
  });
}

/** An answer of status 200 that is no stream (a web page, a JSON error), or a redirect, is a failure that says what it is. */
function streamsOnly(fetch: Fetch, endpoint: Endpoint, secrets: readonly string[]): Fetch {
  return async (url, init) => {
    faultPoint("request made");
    const answer = await fetch(url, init);
    faultPoint("request answered");
    if (answer.status >= 300 && answer.status < 400) {
      throw new ModelFailure("refused", `${endpoint.baseUrl} answers with a redirect (${answer.status})`, {
        status: answer.status,
        hint: `Set ${endpoint.urlName} to the address it leads to; the key is not sent there by itself.`,
      });
    }
    const type = answer.headers.get("content-type") ?? "";
    if (answer.ok && /^(application\/json|text\/html)/i.test(type)) {
      const text = /json/i.test(type) ? await wholeText(answer) : await answer.text();
      if (isReply(text)) return asStream(answer, text);
      const said = oneLine(text, secrets);
      throw failureOf({ message: `it answered ${type.split(";")[0]}, not a stream: ${said}` }, endpoint);
    }
    return answer;
  };
}

const refusesUsage = (error: unknown): boolean => {
  const { status, message } = error as { status?: unknown; message?: unknown };
  return (status === 400 || status === 422) && /stream_options|include_usage/.test(String(message));
};

/** Returns the error that was thrown while a reply came, as one of our failures. */
function failureIn(
  error: unknown,
  endpoint: Endpoint,
  secrets: readonly string[],
  now: number,
): ModelFailure | Passing {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ModelFailure || cause instanceof Passing) return cause;
  }
  const { status, code, message, headers } = error as {
    status?: number;
    code?: unknown;
    message?: string;
    headers?: { get(name: string): string | null };
  };
  const said = oneLine(String(message).replace(/^\d{3} /, ""), secrets);
  if (status !== undefined) {
    const refusal = { status, code: textOr(code), message: said, cause: error };
    return failureOf(refusal, endpoint, retryAfterMs(headers, now));
  }
  if (error instanceof SyntaxError)
    return new Passing(cutReply(`The reply was cut off: an event was not JSON (${said})`, error));
  if ((error as { error?: unknown }).error !== undefined) {
    // told in the middle of the stream, where the status is a code in the text
    const told = Number(code);
    return failureOf(
      { status: told >= 400 && told < 600 ? told : undefined, code: textOr(code), message: said, cause: error },
      endpoint,
    );
  }
  const root = rootOf(error);
  return connectionFailure(root.code, oneLine(root.message, secrets), endpoint, error);
}

const textOr = (code: unknown): string | undefined => (typeof code === "string" ? code : undefined);

/** The innermost error that has a code of Node's: `fetch failed` says nothing. */
function rootOf(error: unknown): { code: string | undefined; message: string } {
  let found: { code: string | undefined; message: string } = { code: undefined, message: String(error) };
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    found = { code: textOr((cause as NodeJS.ErrnoException).code) ?? found.code, message: cause.message };
    if (cause instanceof AggregateError && cause.errors[0] instanceof Error) {
      return { ...found, message: cause.message || cause.errors[0].message };
    }
  }
  return found;
}
