import type { BaseLanguageModelInput } from "@langchain/core/language_models/base";
import { AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatOpenAICompletions, convertMessagesToCompletionsMessageParams } from "@langchain/openai";
import type { Json, JsonObject } from "../tools/contract/json.ts";
import type { Piece } from "./fold-reply.ts";
import type { Fetch } from "./http-fetch.ts";
import type { ToolChoice, ToolSchema } from "./port.ts";
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
 * of 2,000 messages costs a copy of them, not a conversion. Tracing is left out, which would send the conversation
 * elsewhere when an environment variable says so, and so is the sum over all chunks, which reads a call's arguments
 * anew with each piece of them.
 */
class LeanChat extends ChatOpenAICompletions {
  readonly #bytes = new WeakMap<BaseMessage, Uint8Array>();

  override async *_streamIterator(
    input: BaseLanguageModelInput,
    options?: Partial<this["ParsedCallOptions"]>,
  ): AsyncGenerator<AIMessageChunk> {
    const parameters = this.invocationParams(options as this["ParsedCallOptions"], { streaming: true });
    const { signal } = this._getClientOptions({ signal: options?.signal ?? null }); // makes the client
    const events = await this.client.post<AsyncIterable<Json>>("/chat/completions", {
      body: this.#body({ ...parameters, stream: true }, input as BaseMessage[]),
      headers: { "content-type": "application/json", accept: "text/event-stream" },
      stream: true,
      signal,
    });
    for await (const event of events) yield carry(pieceOf(event));
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

const pieceKey = "piece";

/** A piece on its way through LangChain's stream, kept raw: its own chunks would parse half-written arguments. */
const carry = (piece: Piece): AIMessageChunk =>
  new AIMessageChunk({ content: piece.text ?? "", additional_kwargs: { [pieceKey]: piece } });

/** One model at one server. `stream` yields raw pieces; whether they made a reply, the caller finds out. */
export interface ChatStream {
  stream(request: ChatRequest): Promise<AsyncIterable<Piece>>;
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
    async stream({ messages, tools, toolChoice, usage, signal }) {
      const chunks = await chat.stream(messages, {
        signal,
        ...(tools.length > 0 ? { tools: tools.map(asFunction), tool_choice: toolChoice } : {}),
        ...(usage ? { stream_options: { include_usage: true } } : {}),
      });
      return pieces(chunks);
    },
  };
}

async function* pieces(chunks: AsyncIterable<AIMessageChunk>): AsyncGenerator<Piece> {
  for await (const chunk of chunks) yield chunk.additional_kwargs[pieceKey] as Piece;
}

const asFunction = ({
  name,
  description,
  parameters,
}: ToolSchema): { type: "function"; function: JsonObject & { name: string } } => ({
  type: "function",
  function: { name, description, parameters },
});
