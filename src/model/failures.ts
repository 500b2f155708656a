import { ModelFailure } from "./port.ts";

/** The answer of a server (or a script) in place of a reply. */
export interface Refusal {
  status?: number | undefined;
  code?: string | undefined;
  message: string;
  cause?: unknown;
}

/** Whom the failure is about, for its hint. */
export interface Endpoint {
  model: string;
  /** As it is named with `-m` and in config.json. */
  spec?: string;
  baseUrl: string;
  /** The variable of its key, and what sets its address; by default those of OpenAI. */
  keyName?: string;
  urlName?: string;
  /** The name of the setting that says how long it may be silent. */
  silenceName?: string;
  /** The proxy that its requests go through, without credentials. */
  proxy?: string | undefined;
}

/** A failure that is worth another try as long as nothing was shown. */
export class Passing extends Error {
  override readonly name = "Passing";
  readonly failure: ModelFailure;
  /** Milliseconds the server asked to wait. */
  readonly retryAfterMs: number | undefined;
  constructor(failure: ModelFailure, retryAfterMs?: number) {
    super(failure.message, { cause: failure });
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The wordings of servers that say that the history is too long: OpenAI, vLLM, llama.cpp, LM Studio, Anthropic, Gemini, xAI, Mistral. */
const overflowWordings: readonly RegExp[] = [
  /context_length_exceeded|exceed_context_size|string_above_max_length/i,
  /maximum context length|context[ -]?window|context length|context size|context overflows?/i,
  /prompt is too long|input is too long|prompt length is|input tokens? exceed|input token count/i,
  /reduce the length of (the|your) (messages|prompt|input)|too large for model with \d+ maximum context/i,
];

const overflowStatuses: readonly number[] = [400, 413, 422, 500];

const isOverflow = (refusal: Refusal): boolean =>
  (refusal.status === undefined || overflowStatuses.includes(refusal.status)) &&
  overflowWordings.some((wording) => wording.test(`${refusal.code ?? ""} ${refusal.message}`));

/** The wordings of servers that say that they take no tools: Ollama, OpenRouter, vLLM, llama.cpp, LM Studio and those behind gateways. */
const toolsWordings: readonly RegExp[] = [
  /does(n't| not) support (tools|tool|function)|support (tool|function) (use|call)/i,
  /enable-auto-tool-choice|tool-call-parser|tools? param(eter)? requires --jinja/i,
  /(tools?|functions?|tool[ _]choice|(tool|function)[- ]calling)[`'"]? (is|are) (not|un)[- ]?(currently )?(supported|enabled|available)/i,
];

const takesNoTools = ({ status = 400, message }: Refusal): boolean =>
  [400, 404, 422, 500, 501].includes(status) && toolsWordings.some((wording) => wording.test(message));

const isSpent = (refusal: Refusal): boolean =>
  refusal.status === 402 ||
  /insufficient_quota|insufficient balance|billing|credit balance/i.test(`${refusal.code ?? ""} ${refusal.message}`);

const isPassing = (status: number | undefined): boolean =>
  status !== undefined && (status === 408 || status === 409 || status === 425 || status === 429 || status >= 500);

/**
 * The failure that a refusal is, by status and wording. Pure.
 * @returns Passing where another try may help, else a ModelFailure that stops the turn.
 */
export function failureOf(refusal: Refusal, endpoint: Endpoint, retryAfterMs?: number): ModelFailure | Passing {
  const { keyName = "OPENAI_API_KEY", urlName = "OPENAI_BASE_URL" } = endpoint;
  const { status } = refusal;
  const said = `${status ?? ""} ${refusal.message}`.trim();
  const more = { cause: refusal.cause, ...(status === undefined ? {} : { status }) };
  if (status === 401 || status === 403) {
    return new ModelFailure("credentials", `The model server refused the key (${said})`, {
      ...more,
      hint: `Set ${keyName} to a key that ${endpoint.baseUrl} accepts for ${endpoint.model}.`,
    });
  }
  if (isOverflow(refusal)) {
    return new ModelFailure("context_full", `The conversation no longer fits the model's context window (${said})`, {
      ...more,
      hint: "Say /compact in a chat, start a new session, or continue with a model that has a larger window (-m).",
    });
  }
  if (takesNoTools(refusal)) {
    const { model, spec = `openai:${model}` } = endpoint;
    return new ModelFailure("refused", `The model server takes no tools for ${model} (${said})`, {
      ...more,
      hint: `Use --tool-format xml, or set it in config.json: "models": {"${spec}": {"toolFormat": "xml"}}. Where the server is yours, its tool calling may be off: vLLM --enable-auto-tool-choice --tool-call-parser NAME, llama.cpp --jinja.`,
    });
  }
  if (status === 404) {
    return new ModelFailure("refused", `No model ${endpoint.model} at ${endpoint.baseUrl} (${said})`, {
      ...more,
      hint: `Check the model's name (-m) and ${urlName}, which usually ends in /v1.`,
    });
  }
  if (isSpent(refusal)) {
    return new ModelFailure("refused", `The account at the model server has no credit left (${said})`, {
      ...more,
      hint: `Look at the plan and the billing of your account at ${endpoint.baseUrl}.`,
    });
  }
  if (isPassing(status)) {
    const what = status === 429 ? "Rate limited by the model server" : "The model server is not available";
    const failure = new ModelFailure("unavailable", `${what} (${said})`, {
      ...more,
      hint: "Wait a little, then go on.",
    });
    return new Passing(failure, retryAfterMs);
  }
  return new ModelFailure("refused", `The model server refused the request (${said})`, more);
}

/** Errors of the certificate, which no other try mends. */
const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ERR_TLS/;

const neverMadeCodes: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The failure that a lost, refused or never made connection is; `code` as Node names it, e.g. ECONNREFUSED. */
export function connectionFailure(
  code: string | undefined,
  message: string,
  endpoint: Endpoint,
  cause: unknown,
): ModelFailure | Passing {
  const { urlName = "OPENAI_BASE_URL", silenceName } = endpoint;
  const said = [code, message].filter((part) => part !== undefined && part !== "").join(": ");
  if (code !== undefined && certificateCodes.test(code)) {
    return new ModelFailure("refused", `The certificate of ${endpoint.baseUrl} is not trusted (${said})`, {
      cause,
      hint: "Set NODE_EXTRA_CA_CERTS to the file of the authority that signed it.",
    });
  }
  if (code === "EPROTO") {
    return new ModelFailure("refused", `${endpoint.baseUrl} does not speak TLS (${said})`, {
      cause,
      hint: `Check ${urlName}: http:// in place of https://?`,
    });
  }
  const { proxy } = endpoint;
  if (proxy !== undefined && code !== undefined && neverMadeCodes.has(code)) {
    const what = `No connection to the proxy ${proxy}, through which ${endpoint.baseUrl} is asked`;
    const hint = `Check the proxy: HTTPS_PROXY or HTTP_PROXY names it, and NO_PROXY the hosts that are asked without it.`;
    return new Passing(new ModelFailure("unavailable", `${what} (${said})`, { cause, hint }));
  }
  const never = code === undefined || neverMadeCodes.has(code);
  const what = never
    ? `No connection to the model server at ${endpoint.baseUrl}`
    : `The connection to ${endpoint.baseUrl} was lost`;
  const hints: Record<string, string> = {
    ECONNREFUSED: `Nothing listens at ${endpoint.baseUrl}: is the server running, is ${urlName} right?`,
    ...(silenceName === undefined ? {} : silenceHints(silenceName)),
  };
  const hint = hints[code ?? ""] ?? `Check the network, the proxy and ${urlName}.`;
  return new Passing(new ModelFailure("unavailable", `${what} (${said})`, { cause, hint }));
}

/** By the codes of a connection on which nothing came for too long, straight and over a proxy. */
function silenceHints(silenceName: string): Record<string, string> {
  const hint = `If the server works and only needs longer before it speaks, set ${silenceName} to more milliseconds.`;
  return { ETIMEDOUT: hint, UND_ERR_HEADERS_TIMEOUT: hint, UND_ERR_BODY_TIMEOUT: hint };
}

const cutHint = "No call of that reply was run. Say `go on` to ask again.";

/** A reply that ended before it was whole; nothing of it may be routed. */
export const cutReply = (why: string, cause?: unknown): ModelFailure =>
  new ModelFailure("cut", why, { cause, hint: cutHint });

/** The same where the server itself said that the reply ends there. */
export const endedReply = (why: string): ModelFailure => new ModelFailure("cut", why, { hint: cutHint, told: true });

/** One line of at most 300 characters, of whatever a server sent as its error; `secret` never shows in it. */
export function oneLine(text: string, secrets: readonly string[] = []): string {
  const told = secrets.filter(({ length }) => length >= 6);
  const clean = told.reduce((shown, secret) => shown.replaceAll(secret, "***"), text);
  if (/^\s*<(!doctype|html|\?xml)/i.test(clean)) return "it answered with a web page";
  const line = clean.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
