import type { CallEnd, CallOf, Decider, EndReason, ToolCallInfo } from "../../core/call.ts";
import { undoToolName } from "../../core/call.ts";
import type { ChildEnd } from "../../core/child-session.ts";
import type { EndedChild } from "../calls/left-children.ts";

/** The known facts of a call that was ended from outside, or whose end is not known. */
interface CutShort {
  toolName: string;
  ended: CallEnd;
  /** The one who decided, and in their words why. */
  by?: Decider;
  reason?: string;
}

/**
 * All words about what became of a call, for people and the model alike. Pure; nothing reads them but eyes. On a screen of another language they are found
 * again by their doubles in `words/contract/call-ends.ts`.
 */
export interface CallWords {
  /** Tells why it was not run, or what is known of its end, as half a sentence. */
  end(call: CutShort): string;
  /** Returns the words that are sent to the model on a call that was cancelled, interrupted or cut off. */
  observed(call: Exclude<ToolCallInfo, { status: "success" | "error" }>): string;
  /** Tells what went wrong, and what was done before. */
  failure(call: CallOf<"error">): string;
  /** "a.txt, b.txt were changed"; behind the outcome of a call that an earlier run had begun. */
  changed(call: { toolName: string }, files: readonly string[]): string;
  /** Tells the fate of the processes that an interrupted call had started; empty where there were none. */
  children(children: readonly EndedChild[]): string;
  /** Tells the ends of the children of a call that was ended with them: why, as half a sentence, and each of them. */
  endedChildren(why: string, ends: readonly ChildEnd[]): { message: string; output: string };
  /** A change that another session of the tree made is not written over unseen. */
  writesOver(file: string, session: string): string;
  /** Of a command that policy alone allowed: something of it became another while it was made ready. */
  changedBefore: string;
  /** Of what is ended with the call that its session works for: why that one was, in words. */
  ofItsCall(why: string): string;
  withItsCall: string;
  overBefore: string;
  toolEnded: string;
  stopped: string;
  superseded: string;
  /** An effect that bytes on disk proved, of these files. */
  foundDone(call: { toolName: string }, files: readonly string[], trouble: string | undefined): string;
  /** A read that is not started again after so many times. */
  neverEnds(starts: number): string;
  markedDone: string;
  /** Said above a command: that nothing it changes can be taken back, and why where that is known. */
  notCovered(why: string | undefined): string;
  /**
   * For the model and the person: which files a command was found to have changed; `notKept` those that cannot be put back, `unknown` why
   * it was not found.
   */
  commandChanged(
    files: readonly string[],
    others: { notKept: readonly string[]; notLooked: readonly string[] },
    unknown: string | undefined,
  ): string;
  /** A command that changed what nobody may change unasked; `error` where it failed, too. */
  overstepped(files: readonly string[], error: string | undefined): string;
  /** For the person: what of that changed between two commands, where jobs ran in the background. */
  changedBesideJob(files: readonly string[]): string;
}

/** Some of the names, and how many more there are. */
const mostNamed = 10;
const some = (names: readonly string[]): string =>
  names.length <= mostNamed
    ? names.join(", ")
    : `${names.slice(0, mostNamed).join(", ")} and ${names.length - mostNamed} more`;

function childWords({ session, status, text, files, steps }: ChildEnd): string {
  const changed = files.length === 0 ? "" : `; it changed ${some(files)}`;
  return `${session}: ${status} after ${steps} steps${changed}${text === "" ? "" : `; its last words: ${text}`}`;
}

const unseen = "its process ended while it ran";
const unwritten = "its end could not be written down";
const look = "Look before you repeat it.";

/** Returns the known facts of a call whose end was not seen. */
const known = ({ ended }: CutShort): string => ended.note ?? unseen;

const reasons: Record<EndReason, (call: CutShort) => string> = {
  denied: (call) => {
    const { by, reason, ended } = call;
    if (ended.unknown) return `${known(call)}; the call that it worked for was denied`;
    const who = by?.actor === "script" ? "the script" : "the person";
    const beside = ended.note === undefined ? "" : `, ${ended.note}`;
    return `denied by ${who}${beside}${reason === undefined ? "" : `: ${reason}`}`;
  },
  policy: (call) =>
    call.ended.unknown
      ? `${known(call)}; policy denied the call that it worked for`
      : `denied by policy: ${call.ended.note ?? ""}`,
  stopped: (call) =>
    call.ended.unknown ? `${known(call)}; the person stopped the turn` : "the person stopped the turn before it ran",
  superseded: (call) =>
    call.ended.unknown
      ? `${known(call)}; the person went on with a new message`
      : "the person sent a new message instead of an answer",
  forked: (call) =>
    call.ended.unknown ? `${known(call)}; the session was forked` : "the session was forked before it ran",
  given_up: (call) => `${known(call)}; the person gave up on it`,
  lapsed: (call) =>
    call.ended.unknown
      ? `${known(call)}; the call that it worked for has ended`
      : `it can no longer be done: ${call.ended.note ?? "what it was about has changed"}`,
  raced: ({ ended }) => ended.note ?? "another program saved the file in the last instant",
  overstepped: ({ ended }) => ended.note ?? "it changed what is protected",
  partly: ({ ended }) => ended.note ?? "part of it was already done",
  unclear: ({ ended }) => ended.note ?? "it failed while it ran",
  unseen: ({ ended }) =>
    [ended.unwritten ? unwritten : unseen, ...(ended.note === undefined ? [] : [ended.note])].join("; "),
};

const changed: CallWords["changed"] = (call, files) =>
  `${files.join(", ")} ${files.length === 1 ? "was" : "were"} ${call.toolName === undoToolName ? "put back" : "changed"}`;

function end(call: CutShort): string {
  const { files = [], unknown, why } = call.ended;
  const reason = reasons[why](call);
  if (files.length === 0) return reason;
  const open = unknown === true || why === "unseen" || why === "unclear";
  return `${changed(call, files)}; the rest ${open ? "is not known" : "was not"}: ${reason}`;
}

/** The first words about a cancelled call, before the reason. */
function headOf({ why, unknown, files = [] }: CallEnd): string {
  if (unknown === true) return "Outcome unknown";
  if (files.length > 0) return "Partly done";
  if (why === "overstepped") return "Done, and the person does not accept it";
  return why === "raced" ? "Not applied" : "Not run";
}

function phrase(pids: number[], what: string): string[] {
  return pids.length === 0 ? [] : [`it had started process ${pids.join(" and process ")}, which ${what}`];
}

const english: CallWords = {
  end,
  changed,
  failure: (call) =>
    call.ended?.files === undefined
      ? call.errorMsg
      : `${call.errorMsg}; before that, ${changed(call, call.ended.files)}`,
  observed(call) {
    switch (call.status) {
      case "cancelled":
        return `${headOf(call.ended)}: ${end(call)}`;
      case "interrupted":
        if (call.ended.why === "raced") return `Not applied: ${end(call)}`;
        if (call.ended.why === "overstepped") return `Done, and not accepted yet: ${end(call)}`;
        return `Outcome unknown: the call was started, its end was not seen (${end(call)}). ${look}`;
      case "executing":
        return `Outcome unknown: the call was started, its end was not seen. ${look}`;
      case "pending":
      case "awaiting_approval":
        return "Not run: the turn ended before it was decided.";
    }
  },
  children(children) {
    const pids = (fate: EndedChild["fate"]): number[] =>
      children.filter((one) => one.fate === fate).map(({ pid }) => pid);
    const unsure = children.flatMap(({ fate, why }) =>
      fate === "unsure" ? [`a process that it had started may still be running: ${why ?? "that is not known"}`] : [],
    );
    return [
      ...phrase(pids("gone"), "has ended"),
      ...phrase(pids("ended"), "was still running and was ended"),
      ...unsure,
    ].join("; ");
  },
  foundDone(call, files, trouble) {
    const isUndo = call.toolName === undoToolName;
    const done = [
      "Done: the bytes on disk are those that were approved (seen after an interruption).",
      ...(isUndo || files.length > 1 ? [`${changed(call, files)}.`] : []),
      ...(isUndo ? ["Read these files again before you change them."] : []),
    ].join(" ");
    return trouble === undefined ? done : `${done}\nBut: ${trouble}`;
  },
  neverEnds: (starts) =>
    `it was started ${starts} times, and each time its process ended before it did: it is not started again. Ask for less.`,
  endedChildren: (why, ends) => ({
    message: `it was ended with its helpers: ${why}`,
    output: ends.map(childWords).join("\n"),
  }),
  writesOver: (file, session) =>
    `${file} was changed by ${session} since this was planned: nothing was written. Read it, and plan it anew.`,
  changedBefore: "not run: what it would run, or what lets it run, changed meanwhile",
  ofItsCall: (why) => `the call that it worked for: ${why}`,
  withItsCall: "with the call that it worked for",
  overBefore: "it ended before this one",
  toolEnded: "its tool ended this session alone",
  stopped: "stopped by the person",
  superseded: "the person went on with a new message",
  notCovered: (why) => `what it changes cannot be taken back${why === undefined ? "" : `: ${why}`}`,
  commandChanged: (files, { notKept, notLooked }, unknown) =>
    [
      ...(unknown === undefined ? [] : [`(what it changed could not be found, and cannot be taken back: ${unknown})`]),
      ...(files.length === 0 ? [] : [`(changed while it ran: ${some(files)})`]),
      ...(notKept.length === 0 ? [] : [`(changed while it ran, and cannot be put back: ${some(notKept)})`]),
      ...(notLooked.length === 0 ? [] : [`(not looked through for changes of protected files: ${some(notLooked)})`]),
    ].join("\n"),
  changedBesideJob: (files) =>
    `while a background job ran, ${some(files)} changed, which nothing may change without being asked about: by the job, or by something else beside it. Look at it before you go on.`,
  overstepped: (files, error) =>
    `while it ran ${some(files)} changed, which nothing may change without being asked about${error === undefined ? "" : `; and it failed: ${error}`}`,
  markedDone: "The person marked this call as done. Its output was not seen.",
};

// Keeps graph 10.
export const callWords: CallWords = english;
