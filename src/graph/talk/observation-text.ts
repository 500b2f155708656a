import type { CallResult, ToolCallInfo } from "../../core/call.ts";
import { canonicalJson, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { Observation } from "../../store/types.ts";
import { callWords } from "./call-words.ts";

/** What a person did before the call ran, told to the model ahead of the outcome. */
function edited(call: ToolCallInfo, asked: JsonObject | undefined): string {
  if (asked === undefined || call.rawArguments !== undefined) return "";
  if (canonicalJson(asked) === canonicalJson(call.arguments)) return "";
  return `(The arguments were changed by the person before approving: ${JSON.stringify(call.arguments)})\n`;
}

/** How often the model has read of a call: for the first time, or before its last words. */
export type Look = "first" | "later";

/**
 * The one text that the model reads of a call, in any state: a call without an observation cannot be rendered.
 * `asked` are the arguments as the model wrote them.
 */
export function observationText(call: ToolCallInfo, asked?: JsonObject, look: Look = "first"): string {
  switch (call.status) {
    case "success": {
      const before =
        call.ended?.files === undefined ? "" : `\nBefore that, ${callWords.changed(call, call.ended.files)}.`;
      return edited(call, asked) + told(call.result, look, call.callId) + before;
    }
    case "error": {
      const { result } = call;
      const until = result === undefined || result.output === "" ? undefined : told(result, look, call.callId);
      return edited(call, asked) + failure(call.errorCode, callWords.failure(call), until);
    }
    default:
      return callWords.observed(call);
  }
}

/**
 * Of a result with a memory: its title, its output and the memory, and where the output is shown once, later without it. Of any other the
 * output alone.
 */
function told({ output, title, longTermMemory: memory, outputOnce }: CallResult, look: Look, callId: string): string {
  const isTwoLayered = outputOnce === true || memory !== undefined;
  if (!isTwoLayered) return output;
  const isShown = outputOnce !== true || look === "first";
  const rest = memory === undefined && !isShown ? `(What it said was shown to you once; ${readAgain(callId)})` : "";
  const parts = [
    title === undefined || title === "" ? "" : `# ${title}`,
    isShown ? output : rest,
    memory === undefined ? "" : `Summary: ${memory}`,
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** How the model gets at all that a call said. */
export const readAgain = (callId: string): string => `read_file {"file_path": "call:${callId}"} shows all of it`;

/** The tool message of a call in the graph's state, without its names. */
export const observationOf = (call: ToolCallInfo, asked: JsonObject | undefined) =>
  ({
    content: observationText(call, asked),
    status: call.status === "success" ? "success" : "error",
  }) satisfies Observation;

function failure(code: string, message: string, output: string | undefined): string {
  const head = `Error ${code}: ${message}`;
  return output === undefined ? head : `${head}\nOutput until then:\n${output}`;
}

/** What the model gets of a call whose limit nobody has said, in characters (UTF-16 units). */
export const usualObserve = limits.observation.most;

/** Of what a call may say, the share of its beginning. */
const headShare = 2 / 3;

/** An observation of at most `limit` characters: its head, what was left out and how to read it, its tail. */
export function cutObservation(text: string, limit: number | false, callId: string): string {
  if (limit === false || text.length <= limit) return text;
  const most = Math.ceil(limit * headShare);
  const head = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - (limit - most)).replace(/^[\udc00-\udfff]/, "");
  const left = (text.length - head.length - tail.length).toLocaleString("en-US");
  const advice = `ask for a narrower part, or read it with offset and limit: ${readAgain(callId)}`;
  return `${head}\n(${left} characters were left out here; ${advice})\n${tail}`;
}

/**
 * The limit of one call's observation: the tool's own, but no more than the settings say of all.
 * @param settings undefined where nobody says anything.
 */
export function observeLimit(tool: number | false | undefined, settings: number | false | undefined): number | false {
  if (tool === undefined || tool === false) return settings ?? tool ?? usualObserve;
  return typeof settings === "number" ? Math.min(tool, settings) : tool;
}

/**
 * A settled call with the limit that holds for what the model reads of it, where that is not the usual one and the call says more: from
 * then on the journal alone decides what is shown of it.
 */
export function withObserveLimit(call: ToolCallInfo, limit: number | false): ToolCallInfo {
  const isSettled = call.status === "success" || call.status === "error";
  if (!isSettled || limit === usualObserve) return call;
  return observationText(call).length > Math.min(limit || usualObserve, usualObserve)
    ? { ...call, maxObserve: limit }
    : call;
}
