import type { BaseMessage } from "@langchain/core/messages";
import { convertMessagesToCompletionsMessageParams, OpenAIClient } from "@langchain/openai";
import type { Json, JsonObject } from "../core/json.ts";
import type { Fetch } from "../net/http-fetch.ts";
import type { ToolSchema } from "../tools/use/schema.ts";
import type { Piece } from "./fold-reply.ts";
import type { ModelEntry } from "./model-entries.ts";
import { type ModelMessage, noticeMark, type ToolChoice } from "./port.ts";
import { messageFor, type Quirks, sentBackKey } from "./servers.ts";
import { pieceOf } from "./wire.ts";

export interface ChatOptions {
  model: string;
  apiKey: string;
  baseUrl: string;
  quirks: Quirks;
  entry: ModelEntry;
  organization?: string | undefined;
  project?: string | undefined;
  fetch: Fetch;
}

interface ChatRequest {
  messages: ModelMessage[];
  tools: ToolSchema[];
  toolChoice: ToolChoice;
  maxTokens?: number;
  /** Ask for the figures of use at the stream's end. */
  usage: boolean;
  signal: AbortSignal;
}

const encoder = new TextEncoder();

/**
 * The bytes of a request, of which each message's are made once: a request of 2,000 messages costs a copy of them, not a
 * conversion.
 */
class RequestBody {
  readonly #model: string;
  readonly #quirks: Quirks;
  readonly #bytes = new WeakMap<ModelMessage, Uint8Array>();

  constructor({ model, quirks }: Pick<ChatOptions, "model" | "quirks">) {
    this.#model = model;
    this.#quirks = quirks;
  }

  of(parameters: object, messages: readonly ModelMessage[]): Uint8Array {
    const head = JSON.stringify(parameters);
    const parts: Uint8Array[] = [encoder.encode(`${head.slice(0, -1)},"messages":[`)];
    messages.forEach((message, at) => {
      if (at > 0) parts.push(comma);
      const isBetween = message.getType() === "human" && messages[at - 1]?.getType() === "tool";
      if (isBetween && !this.#quirks.userAfterTool)
        parts.push(message.additional_kwargs[noticeMark] === undefined ? pause : looks, comma);
      parts.push(this.#bytesOf(message));
    });
    parts.push(end);
    return Buffer.concat(parts);
  }

  #bytesOf(message: ModelMessage): Uint8Array {
    const known = this.#bytes.get(message);
    if (known !== undefined) return known;
    const [param] = convertMessagesToCompletionsMessageParams({
      messages: [message as BaseMessage],
      model: this.#model,
    });
    const kept = message.additional_kwargs[sentBackKey];
    const bytes = encoder.encode(JSON.stringify(messageFor(this.#quirks, param as unknown as JsonObject, kept)));
    this.#bytes.set(message, bytes);
    return bytes;
  }
}

const comma = encoder.encode(",");
/** The model's word where it had none: it was stopped before it read the results. */
const pause = encoder.encode(JSON.stringify({ role: "assistant", content: "(stopped)" }));
/** The same where pictures of the results follow. */
const looks = encoder.encode(JSON.stringify({ role: "assistant", content: "(looks at the pictures)" }));
const end = encoder.encode("]}");

/** One model at one server. `stream` yields raw pieces; whether they made a reply, the caller finds out. */
export interface ChatStream {
  stream(request: ChatRequest): AsyncIterable<Piece>;
}

/**
 * Over OpenAI's own client, whose answers come raw: half-written arguments are not parsed, and no variable of the environment has
 * the conversation traced elsewhere, as LangChain's own streaming would. Nothing is sent before `stream`. Errors are those of the
 * client and of `fetch`.
 */
export function openChat(options: ChatOptions): ChatStream {
  const client = new OpenAIClient({
    apiKey: options.apiKey,
    baseURL: options.baseUrl,
    fetch: options.fetch,
    organization: options.organization ?? null,
    project: options.project ?? null,
    adminAPIKey: null,
    logLevel: "off", // its log would go to stdout
    maxRetries: 0,
    timeout: 24 * 3600 * 1000, // silence is what ends a request, not its length
  });
  const body = new RequestBody(options);
  const { quirks, entry } = options;
  return {
    async *stream({ messages, tools, toolChoice, maxTokens, usage, signal }) {
      const parameters = {
        model: options.model,
        stream: true,
        ...(tools.length > 0 ? { tools: tools.map(asFunction), tool_choice: choiceFor(quirks, toolChoice) } : {}),
        ...(usage && quirks.asksUsage ? { stream_options: { include_usage: true } } : {}),
        ...(entry.maxOutput === undefined ? {} : { [quirks.maxOutput]: entry.maxOutput }),
        ...(entry.reasoning === undefined ? {} : quirks.effort(entry.reasoning)),
        ...entry.extra,
        ...boundOf(maxTokens, options),
      };
      const events = await client.post<AsyncIterable<Json>>("/chat/completions", {
        body: body.of(parameters, messages),
        headers: { "content-type": "application/json", accept: "text/event-stream" },
        stream: true,
        signal,
      });
      for await (const event of events) yield pieceOf(event);
    },
  };
}

/** No more than this request wants, whatever the settings say of the model. */
const boundOf = (
  maxTokens: number | undefined,
  { quirks, entry }: Pick<ChatOptions, "quirks" | "entry">,
): JsonObject =>
  maxTokens === undefined ? {} : { [quirks.maxOutput]: Math.min(maxTokens, entry.maxOutput ?? maxTokens) };

const choiceFor = (quirks: Quirks, choice: ToolChoice): string => (choice === "required" ? quirks.required : choice);

const asFunction = ({
  name,
  description,
  parameters,
}: ToolSchema): { type: "function"; function: JsonObject & { name: string } } => ({
  type: "function",
  function: { name, description, parameters },
});
