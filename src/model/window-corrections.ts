import type { ToolSchema } from "../tools/use/schema.ts";
import type { ModelMessage, ModelRequest, Usage } from "./port.ts";

/** The wordings of servers that say with a refusal how much their model reads. */
const wordings: readonly RegExp[] = [
  /maximum (?:context|input|prompt|sequence) (?:length|size|window)\D{0,20}?(\d[\d,]*)/gi,
  /maximum number of tokens allowed\D{0,5}?(\d[\d,]*)/gi, // Gemini
  /(\d[\d,]*) (?:tokens )?maximum/gi, // Anthropic, Mistral
  /(?:limit|maximum) (?:of|is) (\d[\d,]*)/gi,
  /(?:context (?:size|length|window)|n_ctx)\D{0,20}?(\d[\d,]*)/gi,
];

/** No model reads less: what is less is another number, or a request that was refused for something else. Tokens. */
export const least = 1_000;

/** The tokens that a refusal names as what the model reads; undefined where it names none. */
export function windowIn(refusal: string): number | undefined {
  const named = wordings.flatMap((wording) => [...refusal.matchAll(wording)].map(([, digits = ""]) => digits));
  // Beside it may stand what is no window: the status of the answer, for one.
  return named.map((digits) => Number(digits.replaceAll(",", ""))).find((tokens) => tokens >= least && tokens <= 1e9);
}

/** Tokens of a request, roughly: a fourth of its characters. Enough to see whether one is much longer than another. */
export function roughSize({ messages, tools }: ModelRequest): number {
  const sum = (sizes: readonly number[]): number => sizes.reduce((all, size) => all + size, 0);
  return Math.ceil((sum(messages.map(messageSize)) + sum(tools.map(toolSize))) / 4);
}

/** Counted once for each: none of them changes. */
const sizes = new WeakMap<ModelMessage | ToolSchema, number>();

function counted<T extends ModelMessage | ToolSchema>(one: T, count: (one: T) => number): number {
  const size = sizes.get(one) ?? count(one);
  sizes.set(one, size);
  return size;
}

const toolSize = (tool: ToolSchema): number => counted(tool, (one) => JSON.stringify(one).length);

const messageSize = (message: ModelMessage): number =>
  counted(message, ({ content, tool_calls: calls = [] }) => {
    const ofCalls = calls.length === 0 ? 0 : JSON.stringify(calls).length;
    if (typeof content === "string") return ofCalls + content.length;
    const texts = content.map((part) => ("text" in part && typeof part.text === "string" ? part.text.length : 0));
    return texts.reduce((all, length) => all + length, ofCalls);
  });

/** A request that has grown by so much takes more tokens, whatever it is of. */
const grown = 1.3;
/** Fewer, and the server counts only what was not in its cache. */
const cached = 0.5;
/** Figures that differ by less stand still. */
const still = 1.02;
/** Once may be chance: what is new in a request can be as long as the request before it, where a server counts only what is new. */
const enough = 2;

/**
 * Sees by the figures of use that a server leaves out, without a word, what is too long for it: one request after another is longer, and
 * what it says it has read is not more; or it has read exactly as many tokens as a window has, of more.
 */
export class SilentCuts {
  /** The longest request of this talk whose figures had grown. */
  #most: { rough: number; told: number } | undefined;
  #last = 0;
  #seen = 0;

  /** @returns about how many tokens it reads, where it has cut this request. */
  see(rough: number, { inputTokens: told }: Usage): number | undefined {
    // A request that is shorter is of a talk that was cut, or of another: what its text takes cannot be told from what was before.
    if (rough < this.#last) this.#most = undefined;
    this.#last = rough;
    const most = this.#most;
    if (isWindow(told) && rough >= told * grown) return told;
    if (most === undefined || told > most.told * still) this.#most = { rough, told };
    const stands = most !== undefined && most.told >= least && told <= most.told * still && told >= most.told * cached;
    this.#seen = stands && rough >= most.rough * grown ? this.#seen + 1 : 0;
    return this.#seen >= enough ? Math.max(told, most?.told ?? 0) : undefined;
  }
}

/** A power of two, as windows are set. */
const isWindow = (tokens: number): boolean => tokens >= 2_048 && Number.isInteger(Math.log2(tokens));
