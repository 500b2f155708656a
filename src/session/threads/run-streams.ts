import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import type { Serialized } from "@langchain/core/load/serializable";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { getCallbackManagerForConfig } from "@langchain/core/runnables";
import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import type { AgentEventBody } from "../../graph/events.ts";
import type { Origin } from "../event-stream.ts";

const llm: Serialized = { lc: 1, type: "not_implemented", id: ["holdfast", "model"] };

/**
 * The streams of a run of LangGraph on which a session tells of a node's work: the model's words on `messages`, piece by piece under the id that
 * the whole message will have, and all else on `custom`, as events without envelope.
 */
export class RunStreams {
  readonly #config: LangGraphRunnableConfig;
  #words = new Map<string, Words>();
  #told: Promise<unknown> = Promise.resolve();

  constructor(config: LangGraphRunnableConfig) {
    this.#config = config;
  }

  /** @param of whose event it is, where it is a child's: its words are none of the run's messages */
  tell(body: AgentEventBody, of?: Origin): void {
    if (of !== undefined) {
      this.#config.writer?.({ ...body, ...of });
      return;
    }
    // What is said as a whole, the node's own update says.
    if (body.type === "assistant_message") return;
    if (body.type !== "text_delta") {
      this.#config.writer?.(body);
      return;
    }
    const { id, text } = body;
    const words = this.#words.get(id) ?? new Words(this.#config, id);
    this.#words.set(id, words);
    this.#told = this.#told.then(() => words.push(text));
  }

  /** Resolves when all of it was passed on. @param failure of the node's work */
  async end(failure?: unknown): Promise<void> {
    await this.#told;
    for (const words of this.#words.values()) await words.end(failure);
  }
}

/** One message as it grows, for whoever listens by LangChain's callbacks. They are not given what the model was asked. */
class Words {
  readonly #id: string;
  readonly #runs: Promise<CallbackManagerForLLMRun[]>;
  #text = "";

  constructor(config: LangGraphRunnableConfig, id: string) {
    this.#id = id;
    this.#runs = getCallbackManagerForConfig(config).then(async (manager) =>
      manager === undefined ? [] : manager.handleChatModelStart(llm, [[]]),
    );
  }

  async push(text: string): Promise<void> {
    this.#text += text;
    const chunk = new ChatGenerationChunk({ text, message: new AIMessageChunk({ id: this.#id, content: text }) });
    for (const run of await this.#runs)
      await run.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
  }

  async end(failure: unknown): Promise<void> {
    const message = new AIMessageChunk({ id: this.#id, content: this.#text });
    for (const run of await this.#runs)
      if (failure === undefined) await run.handleLLMEnd({ generations: [[{ text: this.#text, message }]] as never });
      else await run.handleLLMError(failure);
  }
}
