import type { BaseMessage, UsageMetadata } from "@langchain/core/messages";
import type { ToolSchema } from "../../../tools/use/schema.ts";
import type { Runtime } from "../../runtime.ts";
import { correction, messagesTokens, mostCorrection, roughTokens, toolsTokens } from "./token-estimate.ts";

/** All of a request but the talk. */
export interface Frame {
  system: string;
  tools: ToolSchema[];
}

/** The sizes of a session's requests, in tokens: estimated, and corrected by what the server said of the last one. */
export interface Measure {
  /** The window of the model; undefined where it is not known. */
  readonly window: number | undefined;
  /** Of a request with this talk. */
  size(rendered: readonly BaseMessage[]): number;
  /** Of messages alone. */
  of(rendered: readonly BaseMessage[]): number;
  readonly ratio: number;
}

export type Measured = Pick<Runtime, "journal" | "renderer" | "model" | "signal">;

/** A window that nobody knows yet is asked for once the talk is so long that it may matter. Tokens. */
const mayMatter = 12_000;

export async function measureOf(
  runtime: Measured,
  messages: readonly BaseMessage[],
  { system, tools }: Frame,
  rendered: readonly BaseMessage[],
): Promise<Measure> {
  const fixed = roughTokens(system) + toolsTokens(tools);
  const rough = fixed + messagesTokens(rendered);
  const { model, signal } = runtime;
  const window = model.contextWindow ?? (rough > mayMatter ? await model.findWindow?.(signal) : undefined);
  // Far from the window no correction can matter.
  const isFar = window === undefined || rough * mostCorrection < window / 2;
  const ratio = isFar ? 1 : correctionOf(runtime, messages, fixed);
  return {
    window,
    ratio,
    size: (talk) => Math.ceil((fixed + messagesTokens(talk)) * ratio),
    of: (talk) => Math.ceil(messagesTokens(talk) * ratio),
  };
}

/** By the last reply whose server told what its request took; the request is rendered again as it was. */
function correctionOf({ journal, renderer }: Measured, messages: readonly BaseMessage[], fixed: number): number {
  const at = messages.findLastIndex((message) => toldInput(message) !== undefined);
  if (at < 0) return 1;
  const before = messages.slice(0, at);
  const known = new Set(before.map(({ id }) => id));
  const cuts = journal.compactions().filter(({ madeAfter }) => known.has(madeAfter));
  // What was taken back since was in that request.
  if (cuts.some(({ undone }) => undone !== undefined)) return 1;
  return correction(fixed + messagesTokens(renderer.render(before, cuts)), toldInput(messages[at]));
}

const toldInput = (message: BaseMessage | undefined): number | undefined =>
  (message as { usage_metadata?: UsageMetadata } | undefined)?.usage_metadata?.input_tokens;
