import type { ToolCallInfo } from "../../core/call.ts";
import { canonicalJson, type JsonObject } from "../../core/json.ts";
import type { Observation } from "../../store/types.ts";
import { callWords } from "./call-words.ts";

/** What a person did before the call ran, told to the model ahead of the outcome. */
function edited(call: ToolCallInfo, asked: JsonObject | undefined): string {
  if (asked === undefined || call.rawArguments !== undefined) return "";
  if (canonicalJson(asked) === canonicalJson(call.arguments)) return "";
  return `(The arguments were changed by the person before approving: ${JSON.stringify(call.arguments)})\n`;
}

/**
 * The one text that the model reads of a call, in any state: a call without an observation cannot be rendered.
 * `asked` are the arguments as the model wrote them.
 */
export function observationText(call: ToolCallInfo, asked?: JsonObject): string {
  switch (call.status) {
    case "success": {
      const before =
        call.ended?.files === undefined ? "" : `\nBefore that, ${callWords.changed(call, call.ended.files)}.`;
      return edited(call, asked) + call.result.output + before;
    }
    case "error":
      return edited(call, asked) + failure(call.errorCode, callWords.failure(call), call.result?.output);
    default:
      return callWords.observed(call);
  }
}

/** The tool message of a call in the graph's state, without its names. */
export const observationOf = (call: ToolCallInfo, asked: JsonObject | undefined) =>
  ({
    content: observationText(call, asked),
    status: call.status === "success" ? "success" : "error",
  }) satisfies Observation;

function failure(code: string, message: string, output: string | undefined): string {
  const head = `Error ${code}: ${message}`;
  return output === undefined || output === "" ? head : `${head}\nOutput until then:\n${output}`;
}

/** An observation of at most `limit` characters (UTF-16 units), and behind it what was left out, where something was. */
export function cutObservation(text: string, limit: number, callId: string): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
  const left = (text.length - kept.length).toLocaleString("en-US");
  const advice = `to see more, ask for a narrower part, or read_file with offset and limit: {"file_path": "call:${callId}"} is all of this`;
  return `${kept}\n(${left} more characters were left out here; ${advice})`;
}
