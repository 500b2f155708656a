import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { limits } from "../core/limits.ts";
import type { CallPiece, Piece } from "./fold-reply.ts";

/**
 * One event of a chat-completions stream as the fold takes it. The one place that knows in how many forms servers write
 * the same thing: a reply's thoughts, its text in parts, calls in the old form, arguments that are already parsed.
 * Pure; what is not there, or is of no known form, is left out.
 */
export function pieceOf(event: Json): Piece {
  if (!isJsonObject(event)) return {};
  const ofGroq = isJsonObject(event["x_groq"]) ? event["x_groq"]["usage"] : undefined;
  const usage = usageOf(event["usage"]) ?? usageOf(ofGroq);
  const choices = event["choices"];
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  if (!isJsonObject(choice)) return usage === undefined ? {} : { usage };
  // a server that does not stream after all puts the whole message where the delta belongs
  const delta = choice["delta"] ?? choice["message"];
  const finish = choice["finish_reason"];
  return {
    ...(isJsonObject(delta) ? pieceOfDelta(delta) : {}),
    finish: typeof finish === "string" && finish !== "" ? finish.slice(0, 100) : undefined,
    usage,
  };
}

function pieceOfDelta(delta: JsonObject): Piece {
  const { tool_calls: calls, function_call: oldCall } = delta;
  const text = textOf(delta["content"]) + textOf(delta["refusal"]);
  const thought = textOf(delta["reasoning_content"] ?? delta["reasoning"]) + thoughtIn(delta["content"]);
  if (Array.isArray(calls)) return { text, thought, calls: calls.flatMap(callPiece) };
  if (isJsonObject(oldCall)) return { text, thought, calls: callPiece({ index: 0, function: oldCall }) };
  return { text, thought };
}

/** Text that is a string, or a list of parts of which some are text. */
function textOf(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part) =>
      isJsonObject(part) && part["type"] === "text" && typeof part["text"] === "string" ? part["text"] : "",
    )
    .join("");
}

function thoughtIn(content: Json | undefined): string {
  if (!Array.isArray(content)) return "";
  return content
    .map((part) => (isJsonObject(part) && part["type"] === "thinking" ? textOf(part["thinking"]) : ""))
    .join("");
}

function callPiece(call: Json): CallPiece[] {
  if (!isJsonObject(call)) return [];
  const spec = isJsonObject(call["function"]) ? call["function"] : {};
  const { index, id, extra_content: signature } = call;
  const { name, arguments: args } = spec;
  return [
    {
      index: typeof index === "number" ? index : undefined,
      id: typeof id === "string" ? id : undefined,
      name: typeof name === "string" ? name : undefined,
      args: argumentsText(args),
      ...(typeof args !== "string" && isDoubtful(args) ? { problem: doubtful } : {}),
      ...(isJsonObject(signature) ? { signature } : {}),
    },
  ];
}

/** Of servers that send them parsed the text is made again; none of a kind that there are no arguments of. */
function argumentsText(args: Json | undefined): string | undefined {
  if (args === undefined || args === null || typeof args === "string") return args ?? undefined;
  // an empty object, as PHP writes it
  return Array.isArray(args) && args.length === 0 ? undefined : textOfArguments(args);
}

const doubtful =
  "a number in it has more digits than a number keeps, and its server sent it as one: nobody can say which it was; send it as a string";

/** Tells whether a number in it, which was read before anyone saw how it was written, may have lost digits. */
function isDoubtful(value: Json | undefined, depth = 0): boolean {
  if (typeof value === "number")
    return Number.isInteger(value) ? !Number.isSafeInteger(value) : String(value).replace(/e.*|\D/g, "").length > 16;
  if (typeof value !== "object" || value === null || depth > limits.argumentDepth.most) return false;
  return Object.values(value).some((one) => isDoubtful(one, depth + 1));
}

/** Writes arguments as JSON; those nested too deeply even to be written stay that: the call is refused for it, not the reply. */
function textOfArguments(args: Json): string {
  try {
    return JSON.stringify(args);
  } catch {
    const levels = limits.argumentDepth.most + 1;
    return `${"[".repeat(levels)}${"]".repeat(levels)}`;
  }
}

function usageOf(usage: Json | undefined): Piece["usage"] {
  if (!isJsonObject(usage)) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return undefined;
  const details = usage["prompt_tokens_details"];
  const cached = (isJsonObject(details) ? details["cached_tokens"] : undefined) ?? usage["prompt_cache_hit_tokens"]; // DeepSeek
  return {
    inputTokens: Math.round(inputTokens),
    outputTokens: Math.round(outputTokens),
    ...(isCount(cached) && cached > 0 ? { cachedTokens: Math.min(Math.round(cached), Math.round(inputTokens)) } : {}),
  };
}

/** Some servers reckon in parts of a token; what no reply can have used is no figure. */
const isCount = (tokens: Json | undefined): tokens is number =>
  typeof tokens === "number" && tokens >= 0 && tokens <= 1e12;
