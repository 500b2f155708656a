import type { CallOf, Decider, ToolCallInfo } from "../../core/call.ts";
import { canonicalJson, type JsonObject } from "../../core/json.ts";
import type { Observation } from "../../store/types.ts";

/** `by.rule` of a call that was started, whose end nobody saw, and that the person then settled by hand. */
export const givenUp = "recovery";

/** `by.rule` of a call whose change was put back because another program's save came in its last instant. */
export const raced = "raced";

/** `by.rule`, or its beginning before a colon, of a call of which some files were changed before the rest was called off. */
export const partlyDone = "partly";

/** Who gives up a call that was interrupted: where it is known what became of it, that is told instead of "unknown". */
export const giveUpOf = (call: CallOf<"interrupted">): Decider => ({
  actor: "person",
  rule: call.by?.rule === raced ? raced : givenUp,
});

function cancelledText(rule: string | undefined, reason: string): string {
  if (rule === givenUp) return `Outcome unknown: ${reason}`;
  if (rule === partlyDone || rule?.startsWith(`${partlyDone}:`)) return `Partly done: ${reason}`;
  return rule === raced ? `Not applied: ${reason}` : `Not run: ${reason}`;
}

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
    case "success":
      return edited(call, asked) + call.result.output;
    case "error":
      return edited(call, asked) + failure(call.errorCode, call.errorMsg, call.result?.output);
    case "cancelled":
      return cancelledText(call.by.rule, call.reason);
    case "interrupted":
      return call.by?.rule === raced
        ? `Not applied: ${call.reason}`
        : `Outcome unknown: the call was started, its end was not seen (${call.reason}). Look before you repeat it.`;
    case "executing":
      return "Outcome unknown: the call was started, its end was not seen. Look before you repeat it.";
    case "pending":
    case "awaiting_approval":
      return "Not run: the turn ended before it was decided.";
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
export function cutObservation(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const kept = text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
  const left = (text.length - kept.length).toLocaleString("en-US");
  const advice = "to see more, ask for a part: read_file with offset and limit, or a narrower path or pattern";
  return `${kept}\n(${left} more characters were left out here; ${advice})`;
}
