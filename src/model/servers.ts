import type { Json, JsonObject } from "../core/json.ts";

/** A server as the person's settings have it. */
export interface ServerSettings {
  /** Up to and with the `/v1`; needed for a server that is not known by its name. */
  baseUrl?: string | undefined;
  /** The variable that holds the key; a server without one is asked without a key. */
  apiKeyEnv?: string | undefined;
  /** Milliseconds without a byte after which a request is given up. */
  silenceMs?: number | undefined;
}

/** The degrees of a model's effort to think. */
export const efforts = ["none", "minimal", "low", "medium", "high"] as const;
export type Effort = (typeof efforts)[number];

/** The differences of a server from the others in what it takes. Those in what they send are known to `wire.ts` and the fold. */
export interface Quirks {
  /** The field for the most tokens of a reply. */
  maxOutput: "max_tokens" | "max_completion_tokens";
  /** True if the figures of use are asked for; a server that is not asked sends them by itself. */
  asksUsage: boolean;
  /** Its word for a tool that must be called. */
  required: "required" | "any";
  /** The form that ids of calls must have: `nine` letters and digits. */
  callIds: "any" | "nine";
  /** True if the person may speak right after a call's result. */
  userAfterTool: boolean;
  /**
   * The data that it needs back with each of its replies that called tools: the thoughts, or the signatures of the calls. Other servers, and
   * it too for other replies, refuse such fields.
   */
  sendBack: "nothing" | "thoughts" | "signatures";
  /** Returns the fields that it is sent for an effort. */
  effort(effort: Effort): JsonObject;
  /** Its list of models, from the base URL on, and what it wants in the headers besides. */
  list: { path: string; headers?(key: string): Record<string, string> };
  /** True if it loads a model for its first request, and knows only then how much that reads. */
  loadsFirst?: true;
}

const plain: Quirks = {
  maxOutput: "max_tokens",
  asksUsage: true,
  required: "required",
  callIds: "any",
  userAfterTool: true,
  sendBack: "nothing",
  effort: (effort) => ({ reasoning_effort: effort }),
  list: { path: "models" },
};

interface KnownServer {
  baseUrl: string;
  apiKeyEnv?: string;
  /** It reads the calls of all its models itself. */
  readsCalls?: true;
  quirks: Quirks;
}

/** The servers that are known by name, by their OpenAI-compatible addresses: the one table of what is peculiar to each. */
export const knownServers = {
  openai: {
    baseUrl: "https://api.openai.com/v1",
    apiKeyEnv: "OPENAI_API_KEY",
    readsCalls: true,
    quirks: { ...plain, maxOutput: "max_completion_tokens" },
  },
  openrouter: {
    baseUrl: "https://openrouter.ai/api/v1",
    apiKeyEnv: "OPENROUTER_API_KEY",
    quirks: { ...plain, effort: (effort) => ({ reasoning: effort === "none" ? { enabled: false } : { effort } }) },
  },
  anthropic: {
    baseUrl: "https://api.anthropic.com/v1",
    apiKeyEnv: "ANTHROPIC_API_KEY",
    readsCalls: true,
    quirks: {
      ...plain,
      list: { path: "models", headers: (key) => ({ "x-api-key": key, "anthropic-version": "2023-06-01" }) },
    },
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    apiKeyEnv: "GEMINI_API_KEY",
    readsCalls: true,
    quirks: { ...plain, sendBack: "signatures" },
  },
  deepseek: {
    baseUrl: "https://api.deepseek.com/v1",
    apiKeyEnv: "DEEPSEEK_API_KEY",
    quirks: {
      ...plain,
      sendBack: "thoughts",
      effort: (effort) => ({ thinking: { type: effort === "none" ? "disabled" : "enabled" } }),
    },
  },
  groq: { baseUrl: "https://api.groq.com/openai/v1", apiKeyEnv: "GROQ_API_KEY", quirks: plain },
  mistral: {
    baseUrl: "https://api.mistral.ai/v1",
    apiKeyEnv: "MISTRAL_API_KEY",
    // it refuses every field that it does not know
    quirks: { ...plain, asksUsage: false, required: "any", callIds: "nine", userAfterTool: false },
  },
  ollama: { baseUrl: "http://127.0.0.1:11434/v1", quirks: { ...plain, loadsFirst: true } },
  lmstudio: {
    baseUrl: "http://127.0.0.1:1234/v1",
    // its own list says how much each model reads
    quirks: { ...plain, list: { path: "../api/v0/models" }, loadsFirst: true },
  },
} satisfies Record<string, KnownServer>;

const known = (name: string): KnownServer | undefined =>
  Object.hasOwn(knownServers, name) ? knownServers[name as keyof typeof knownServers] : undefined;

/** A server with all that a request to it needs. */
export interface Server {
  name: string;
  baseUrl: string;
  /** Absent: it needs no key. */
  apiKeyEnv?: string;
  /** True if it is where its name says: elsewhere it may be asked without a key. */
  isUsual: boolean;
  /** It reads the calls of all its models itself: what one of them writes as text is text. Known only of a server that is where its name says. */
  readsCalls: boolean;
  /** As the person has set it. */
  silenceMs?: number;
  quirks: Quirks;
}

/** Tells whether the server of a name reads its models' calls where it is asked: however the address is written, it is its own. */
export function readsCallsAt(name: string, baseUrl: string): boolean {
  const usual = known(name);
  return usual?.readsCalls === true && plainUrl(baseUrl) === plainUrl(usual.baseUrl);
}

const plainUrl = (url: string): string => (URL.canParse(url) ? new URL(url).href : url).replace(/\/+$/, "");

/**
 * The server of a name; undefined for one that nobody knows. `OPENAI_BASE_URL` moves `openai`, as everywhere.
 * @param settings the person's, by name: they win over what is known.
 */
export function serverOf(
  name: string,
  settings: Readonly<Record<string, ServerSettings>>,
  env: Readonly<Record<string, string | undefined>>,
): Server | undefined {
  const own = Object.hasOwn(settings, name) ? settings[name] : undefined;
  const usual = known(name);
  const moved = own?.baseUrl ?? (name === "openai" ? env["OPENAI_BASE_URL"]?.trim() || undefined : undefined);
  const baseUrl = moved ?? usual?.baseUrl;
  if (baseUrl === undefined) return undefined;
  const apiKeyEnv = own?.apiKeyEnv ?? usual?.apiKeyEnv;
  return {
    name,
    baseUrl,
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(own?.silenceMs === undefined ? {} : { silenceMs: own.silenceMs }),
    readsCalls: readsCallsAt(name, baseUrl),
    isUsual: own?.apiKeyEnv !== undefined || moved === undefined,
    quirks: usual?.quirks ?? plain,
  };
}

/** The names of all servers: the person's, then those that are known. */
export const serverNames = (settings: Readonly<Record<string, ServerSettings>>): string[] => [
  ...new Set([...Object.keys(settings), ...Object.keys(knownServers)]),
];

/** The data that a server wants back with a reply, as it came. Kept with the message, and sent to such a server alone. */
export interface SentBack {
  thoughts?: string;
  /** By the place of the call in its message; null for a call that was not signed. */
  signatures?: (JsonObject | null)[];
}

/** Key in `additional_kwargs` of an assistant message: a `SentBack`. */
export const sentBackKey = "sent_back";

/** Says to Gemini that a call is not of its own making, and has no signature. */
const unsigned: JsonObject = { google: { thought_signature: "skip_thought_signature_validator" } };

/** One message as this server takes it. Pure. */
export function messageFor(quirks: Quirks, message: JsonObject, kept: unknown): JsonObject {
  const withIds = quirks.callIds === "nine" ? mapIds(message, nineCharacters) : message;
  if (message["role"] !== "assistant" || quirks.sendBack === "nothing") return withIds;
  const { thoughts, signatures } = (kept ?? {}) as SentBack;
  const calls = message["tool_calls"];
  if (!Array.isArray(calls)) return withIds;
  if (quirks.sendBack === "thoughts") return { ...withIds, reasoning_content: thoughts ?? "" };
  const signed = calls.map((call, at) => ({ ...(call as JsonObject), extra_content: signatures?.[at] ?? unsigned }));
  return { ...withIds, tool_calls: signed };
}

function mapIds(message: JsonObject, map: (id: string) => string): JsonObject {
  const { tool_call_id: answered, tool_calls: calls } = message;
  return {
    ...message,
    ...(typeof answered === "string" ? { tool_call_id: map(answered) } : {}),
    ...(Array.isArray(calls) ? { tool_calls: calls.map((call) => withId(call, map)) } : {}),
  };
}

const withId = (call: Json, map: (id: string) => string): Json => {
  const { id, ...rest } = call as JsonObject;
  return { ...rest, id: map(String(id)) };
};

/** `c12` as `c00000012`: ours are a letter and a number that is never used twice in a session. */
const nineCharacters = (id: string): string => `${id.slice(0, 1)}${id.slice(1).padStart(8, "0")}`.slice(0, 9);
