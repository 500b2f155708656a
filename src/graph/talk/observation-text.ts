import type { CallResult, ToolCallInfo } from "../../core/call.ts";
import { countText } from "../../core/count-text.ts";
import { canonicalJson, type JsonObject } from "../../core/json.ts";
import { usualObserve } from "../../core/observe-limit.ts";
import type { Journal, Observation, ObservationOf, Store } from "../../store/types.ts";
import { callWords } from "./call-words.ts";

/** Tells the change of a call before it ran or was not run, which is sent to the model ahead of the outcome. */
function edited(call: ToolCallInfo, asked: JsonObject | undefined): string {
  if (asked === undefined || call.rawArguments !== undefined) return "";
  if (canonicalJson(asked) === canonicalJson(call.arguments)) return "";
  return `(${changedBy(call)}: ${JSON.stringify(call.arguments)})\n`;
}

function changedBy(call: ToolCallInfo): string {
  const words = "The arguments were changed by the person, or by a hook of theirs";
  return call.times.started === undefined ? words : `${words}, before it ran`;
}

/** The model's readings of a call: for the first time, or before its last words. */
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
      return edited(call, asked) + callWords.observed(call);
  }
}

/**
 * Of a result with a memory: its title, its output and the memory, and where the output is shown once, later without it. Of any other the
 * output alone.
 */
function told(result: CallResult, look: Look, callId: string): string {
  const { output: own, title, longTermMemory: memory, outputOnce, attachments = [] } = result;
  const files = attachments.length === 0 ? [] : [`(Files that come with it: ${attachments.join(", ")})`];
  const output = [own, ...files].join("\n");
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

/** Shorter observations are never cut to make room: their places would take as much. Characters. */
const neverPruned = 400;

/**
 * The same of a call that was cut to make room. With `kept` 0 it is the memory of its result where there is one, or what went wrong, or
 * nothing but how to read it again; else so many of its characters.
 */
export function prunedObservation(call: ToolCallInfo, asked: JsonObject | undefined, kept: number): string {
  const whole = shownObservation(call, asked, "later");
  if (whole.length <= Math.max(kept, neverPruned)) return whole;
  if (kept > 0) return cutObservation(whole, kept, call.callId);
  const before = edited(call, asked) === "" ? "" : `(${changedBy(call)}.)\n`;
  const head = before + restOf(call);
  const left = `(${countText(whole.length)} characters that this call said are left out to make room; ${readAgain(call.callId)})`;
  return head === "" ? left : `${head.trimEnd()}\n${left}`;
}

/** Returns the words that stay of a call whose output is left out. */
function restOf(call: ToolCallInfo): string {
  if (call.status === "error") return cutAt(failure(call.errorCode, callWords.failure(call), undefined));
  if (call.status !== "success") return cutAt(callWords.observed(call));
  const { title, longTermMemory: memory } = call.result;
  if (memory === undefined) return "";
  return cutAt(`${title === undefined ? "" : `# ${title}\n\n`}Summary: ${memory}`);
}

const cutAt = (text: string): string => (text.length <= 2 * neverPruned ? text : `${text.slice(0, 2 * neverPruned)}…`);

/** Returns the observation that the model reads of a call, with its limit. */
export const shownObservation = (call: ToolCallInfo, asked: JsonObject | undefined, look: Look): string =>
  cutObservation(observationText(call, asked, look), call.maxObserve ?? usualObserve, call.callId);

/** Tells how the model gets at all that a call said. */
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

/** Of what a call may say, the share of its beginning. */
const headShare = 2 / 3;

/** An observation of at most `limit` characters: its head, what was left out and how to read it, its tail. */
export function cutObservation(text: string, limit: number | false, callId: string): string {
  if (limit === false || text.length <= limit) return text;
  const most = Math.ceil(limit * headShare);
  const head = text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - (limit - most)).replace(/^[\udc00-\udfff]/, "");
  const left = countText(text.length - head.length - tail.length);
  const advice = `ask for a narrower part, or read it with offset and limit: ${readAgain(callId)}`;
  return `${head}\n(${left} characters were left out here; ${advice})\n${tail}`;
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

// Keeps store 8.
/**
 * Tells the store's saver what its tool messages say: what came of a call is stored once, in the journal.
 * @param driven the journal of the session that is driven here: its rows are in memory, and it is open as long as its messages are read
 */
export function fillObservations(store: Store, driven?: Pick<Journal, "session" | "call" | "askedArguments">): void {
  const journals = new Map<string, Pick<Journal, "call" | "askedArguments">>();
  if (driven !== undefined) journals.set(driven.session, driven);
  const journalOf = (thread: string): Pick<Journal, "call" | "askedArguments"> | undefined => {
    const known = journals.get(thread);
    if (known !== undefined || !store.sessions.has(thread)) return known;
    const journal = store.readJournal(thread);
    journals.set(thread, journal);
    return journal;
  };
  const lookup: ObservationOf = (thread, callId) => {
    const journal = journalOf(thread);
    const call = journal?.call(callId);
    return call && observationOf(call, journal?.askedArguments(callId));
  };
  store.saver.fillObservations(lookup, driven?.session);
}
