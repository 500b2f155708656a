import type { BaseMessage } from "@langchain/core/messages";
import { ChatOpenAICompletions, convertMessagesToCompletionsMessageParams } from "@langchain/openai";
import type { Json, JsonObject } from "../core/json.ts";
import type { Fetch } from "../net/http-fetch.ts";
import type { ToolSchema } from "../tools/schema.ts";
import type { Piece } from "./fold-reply.ts";
import type { ToolChoice } from "./port.ts";
import { pieceOf } from "./wire.ts";

export interface ChatOptions {
  model: string;
  apiKey: string;
  baseUrl: string;
  organization?: string | undefined;
  project?: string | undefined;
  fetch: Fetch;
}

interface ChatRequest {
  messages: BaseMessage[];
  tools: ToolSchema[];
  toolChoice: ToolChoice;
  /** Ask for the figures of use at the stream's end. */
  usage: boolean;
  signal: AbortSignal;
}

const encoder = new TextEncoder();

/**
 * ChatOpenAI's chat-completions half, with its streaming made lean. Each message is turned into its bytes once: a request
 * of 2,000 messages costs a copy of them, not a conversion. Its own `stream` would send each chunk through a web stream, read a
 * call's arguments anew with each piece of them, and trace the conversation elsewhere when an environment variable says so.
 */
class LeanChat extends ChatOpenAICompletions {
  readonly #bytes = new WeakMap<BaseMessage, Uint8Array>();

  /** What the server sends, raw: half-written arguments are not parsed. */
  async *pieces(messages: readonly BaseMessage[], options: this["ParsedCallOptions"]): AsyncGenerator<Piece> {
    const parameters = this.invocationParams(options, { streaming: true });
    const { signal } = this._getClientOptions({ signal: options.signal ?? null }); // makes the client
    const events = await this.client.post<AsyncIterable<Json>>("/chat/completions", {
      body: this.#body({ ...parameters, stream: true }, messages),
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      stream: true,
      signal,
    });
    for await (const event of events) yield pieceOf(event);
  }

  #body(parameters: object, messages: readonly BaseMessage[]): Uint8Array {
    const head = JSON.stringify(parameters);
    const parts: Uint8Array[] = [encoder.encode(`${head.slice(0, -1)},"messages":[`)];
    messages.forEach((message, at) => {
      if (at > 0) parts.push(comma);
      parts.push(this.#bytesOf(message));
    });
    parts.push(end);
    return Buffer.concat(parts);
  }

  #bytesOf(message: BaseMessage): Uint8Array {
    const kept = this.#bytes.get(message);
    if (kept !== undefined) return kept;
    const [param] = convertMessagesToCompletionsMessageParams({ messages: [message], model: this.model });
    const bytes = encoder.encode(JSON.stringify(param));
    this.#bytes.set(message, bytes);
    return bytes;
  }
}

const comma = encoder.encode(",");
const end = encoder.encode("]}");

/** One model at one server. `stream` yields raw pieces; whether they made a reply, the caller finds out. */
export interface ChatStream {
  stream(request: ChatRequest): AsyncIterable<Piece>;
}

/** Nothing is sent before `stream`. Errors are those of the client library and of `fetch`. */
export function openChat(options: ChatOptions): ChatStream {
  const chat = new LeanChat({
    model: options.model,
    apiKey: options.apiKey,
    maxRetries: 0,
    streamUsage: false, // asked for by each request, where the server knows it
    configuration: {
      baseURL: options.baseUrl,
      fetch: options.fetch,
      organization: options.organization ?? null,
      project: options.project ?? null,
      adminAPIKey: null,
      logLevel: "off", // its log would go to stdout
      maxRetries: 0,
      timeout: 24 * 3600 * 1000, // silence is what ends a request, not its length
    },
  });
  return {
    stream: ({ messages, tools, toolChoice, usage, signal }) =>
      chat.pieces(messages, {
        signal,
        ...(tools.length > 0 ? { tools: tools.map(asFunction), tool_choice: toolChoice } : {}),
        ...(usage ? { stream_options: { include_usage: true } } : {}),
      }),
  };
}

const asFunction = ({
  name,
  description,
  parameters,
}: ToolSchema): { type: "function"; function: JsonObject & { name: string } } => ({
  type: "function",
  function: { name, description, parameters },
});
