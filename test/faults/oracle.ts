import type { ToolCallInfo } from "../../src/core/call.ts";
import { isFinal } from "../../src/core/call.ts";
import type { AgentEvent } from "../../src/graph/events.ts";
import type { Picture } from "./picture.ts";
import type { FaultPlace } from "./place.ts";
import type { Played } from "./play-case.ts";
import {
  asksForSummary,
  driftingFile,
  filesAfter,
  filesBefore,
  memoryLine,
  personsLine,
  steer,
  takenBack,
} from "./session.ts";

/** Exit codes that a command may end with here; the documents say what they mean. */
const documented: readonly (number | null)[] = [0, 1, 2, 10, 11, 70, 74, 75];

/** What is wrong with the end of a case, in words; empty when all that is promised was kept. `whole` is the end without a fault. */
export function complaintsOf(place: FaultPlace, played: Played, now: Picture, whole: Picture): string[] {
  return [
    ...complaintsOfAny(place, played, now),
    ...historyComplaints(place),
    ...fileComplaints(now),
    ...grantComplaints(played, now),
    ...sayingComplaints(now, whole),
    ...now.calls.flatMap((call, index) => callComplaints(call, index, played, now, whole)),
  ];
}

/** What is wrong with the end of any session, whatever is said in it. */
export function complaintsOfAny(place: FaultPlace, played: Played, now: Picture): string[] {
  return [
    ...processComplaints(played),
    ...place.server.violations,
    ...(now.integrity === "ok" ? [] : [`integrity_check: ${now.integrity}`]),
    ...(now.brokenAt === undefined ? [] : [`the chain of events is broken at ${now.brokenAt}`]),
    ...leftoverComplaints(played, now),
    ...effectComplaints(now),
    ...lossComplaints(played, now),
  ];
}

function processComplaints({ processes }: Played): string[] {
  return processes.flatMap(({ code, signal, stderr, hung }, index) => {
    const of = `process ${index + 1}`;
    if (hung) return [`${of} hung: ${stderr.slice(0, 600)}`];
    if (signal !== null && signal !== "SIGKILL") return [`${of} ended by ${signal}`];
    if (signal === null && (!documented.includes(code) || stderr.includes("\nNode.js v")))
      return [`${of} ended with ${code}: ${stderr.slice(0, 600)}`];
    return [];
  });
}

/** What the model was told once stays as it was told: each request goes on from the one before. */
function historyComplaints({ server }: FaultPlace): string[] {
  const told = server.requests
    .filter((request) => !asksForSummary(request))
    .map(({ body }) => body.messages.slice(1).map((message) => JSON.stringify(message)));
  return told.flatMap((messages, index) => {
    const before = told[index - 1] ?? [];
    const kept = before.every((message, at) => messages[at] === message);
    return kept ? [] : [`request ${index + 1} tells the model another history than the one before it`];
  });
}

const homeFiles = [
  ...["agent.db", "agent.db-wal", "agent.db-shm", "agent.db-made"],
  ...["CONTEXT.md", "grants.json", "config.json"],
] as const;

function leftoverComplaints({ leaves }: Played, { files, home, temp }: Picture): string[] {
  if (leaves) return [];
  const known = new Set<string>(homeFiles);
  return [
    ...Object.keys(files).filter((name) => name.includes(".holdfast-")),
    // What nobody caught is kept for a report of it.
    ...home.filter((name) => !known.has(name) && !/^(logs\/defect-[\w-]+\.log$|shell\/|kept\/)/.test(name)),
    ...temp,
  ].map((name) => `left behind: ${name}`);
}

const named = (calls: readonly ToolCallInfo[], key: string, value: string): ToolCallInfo | undefined =>
  calls.find((call) => call.arguments[key] === value);

/** By which argument the call is known that changes a file. */
const changedBy: Readonly<Record<string, [key: string, value: string]>> = {
  "edited.sh": ["new_string", "two"],
  "notes/new.txt": ["file_path", "notes/new.txt"],
  "twice.txt": ["new_string", "yellow"],
  [driftingFile]: ["new_string", "late"],
};

/**
 * Files that a call was heard to have changed and that are not so, before anybody goes on: the undo at the session's end would
 * hide it. None once an undo was begun.
 */
export function lostFiles(events: readonly AgentEvent[], textOf: (name: string) => string | undefined): string[] {
  const heard = events.flatMap((event) => (event.type === "tool_call" && "toolName" in event.call ? [event.call] : []));
  if (heard.some(({ toolName }) => toolName === "undo_changes")) return [];
  return Object.entries(changedBy).flatMap(([name, [key, value]]) => {
    const done = heard.some((call) => call.status === "success" && call.arguments[key] === value);
    const [due = ""] = filesAfter[name]?.text.split(personsLine) ?? [];
    const is = textOf(name);
    return !done || is?.startsWith(due) === true
      ? []
      : [`said to be changed and lost: ${name} is ${JSON.stringify(is)}`];
  });
}

/** Each file is the old one or the approved one, by what its call says of itself, and the undo: of all of it or of a part. */
function fileComplaints({ files, calls, done: partly }: Picture): string[] {
  const saved = files[driftingFile]?.text.includes(personsLine) === true;
  const old: Record<string, { text: string; mode: number }> = {
    ...filesBefore,
    [driftingFile]: { text: `early\n${saved ? personsLine : ""}`, mode: 0o644 },
  };
  const undo = calls.find((call) => call.toolName === "undo_changes");
  const undone = (name: string): boolean =>
    undo?.status === "success" || (undo !== undefined && partly.get(undo.callId)?.includes(name) === true);
  const changers = Object.fromEntries(
    Object.entries(changedBy).map(([name, [key, value]]) => [name, named(calls, key, value)]),
  );
  const own = Object.keys(files).filter((name) => !name.includes(".holdfast-"));
  const names = new Set([...own, ...Object.keys(old), ...Object.keys(filesAfter)]);
  return [...names].flatMap((name) => {
    const done = changers[name]?.status === "success";
    const due = done && !undone(name) ? filesAfter[name] : old[name];
    const is = files[name];
    if (is?.text === due?.text && is?.mode === due?.mode) return [];
    return [`${name} is ${JSON.stringify(is)}, but its call (${changers[name]?.status}) means ${JSON.stringify(due)}`];
  });
}

/** Effects of class once: never more than one, each with an approval of this very digest, none where it says success. */
function effectComplaints({ effects, calls, answers, memory, events }: Picture): string[] {
  const once = calls.filter((call) => call.effect === "once");
  const ofCalls = once.flatMap((call) => {
    const count = effects.filter(({ callId }) => callId === call.callId).length;
    const approved = (answers.get(call.callId) ?? []).filter(
      ({ decision, digest }) => (decision === "approve" || decision === "retry") && digest === call.digest,
    ).length;
    const starts = events.filter(({ callId, to }) => callId === call.callId && to === "executing").length;
    const seen = call.status === "success" && !wasUnseen(call, events);
    return [
      ...(count > Math.min(1, approved)
        ? [`${call.callId} had its effect ${count} times, approved ${approved} times`]
        : []),
      ...(starts > approved ? [`${call.callId} was started ${starts} times, approved ${approved} times`] : []),
      ...(seen && count !== 1 ? [`${call.callId} says success, its effect happened ${count} times`] : []),
    ];
  });
  const strangers = effects.filter(({ callId }) => !once.some((call) => call.callId === callId));
  const lines = memory.split("\n").filter((line) => line.includes(memoryLine)).length;
  const remembered = calls.find((call) => call.toolName === "save_memory");
  const wrongLines = lines > 1 || (remembered?.status === "success" && lines !== 1);
  return [
    ...ofCalls,
    ...strangers.map(({ callId }) => `an effect of ${callId}, which is not known`),
    ...(wrongLines ? [`the memory has the fact ${lines} times; its call: ${remembered?.status}`] : []),
  ];
}

/** A grant is kept with the approval that gave it, once; or it was said that it could not be. */
function grantComplaints({ events }: Played, { answers, grants }: Picture): string[] {
  const given = [...answers.values()].flat().some((answer) => answer.grant !== undefined);
  const said = events.some((event) => event.type === "notice" && event.code === "grant_not_kept");
  const due = given ? 1 : 0;
  return grants.length === due || (said && grants.length === 0)
    ? []
    : [`${grants.length} grants are in force, ${given ? "one" : "none"} was given`];
}

const wasUnseen = ({ callId }: ToolCallInfo, events: Picture["events"]): boolean =>
  events.some((event) => event.callId === callId && event.from === "executing" && event.to === "interrupted");

/** All that was said to be so is still so. */
export function lossComplaints({ events }: Pick<Played, "events">, now: Picture): string[] {
  return events.flatMap((event) =>
    holds(event, now) ? [] : [`said and lost: ${JSON.stringify(event).slice(0, 500)}`],
  );
}

function holds(event: AgentEvent, now: Picture): boolean {
  switch (event.type) {
    case "user_message":
      if (event.text === takenBack) return true;
      return [...now.turns, ...now.steers].some(({ messageId, text }) => messageId === event.id && text === event.text);
    case "assistant_message":
      return now.replies.some(
        (reply) => reply.id === event.id && reply.text === event.text && String(reply.calls) === String(event.calls),
      );
    case "decision":
      return event.by !== "person" || wasDecided(event, now);
    case "tool_call": {
      const { call } = event;
      if (!("toolName" in call) || !isFinal(call)) return true;
      const is = now.calls.find((one) => one.callId === call.callId);
      return same(is, call);
    }
    default:
      return true;
  }
}

function wasDecided(event: Extract<AgentEvent, { type: "decision" }>, now: Picture): boolean {
  const answers = now.answers.get(event.callId) ?? [];
  return answers.some(
    ({ decision, digest, reason }) =>
      decision === event.decision &&
      (event.digest === undefined || digest === event.digest) &&
      (event.decision !== "deny" || reason === event.reason),
  );
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

/** With the keys of objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)]),
  );
}

/** The same words in the same order: the prompt, and that all is to be taken back. */
function sayingComplaints(now: Picture, whole: Picture): string[] {
  const words = (picture: Picture) => picture.replies.map(({ text, calls }) => [text, calls]);
  return [
    ...(same(words(now), words(whole)) ? [] : ["the model's words are not those of the run without a fault"]),
    ...(now.turns.length === 2 ? [] : [`${now.turns.length} turns`]),
    ...(now.steers.map(({ text }) => text).join() === steer ? [] : [`the turn was steered ${now.steers.length} times`]),
    ...(now.history.filter(({ content }) => content === steer).length === 1 ? [] : ["the steer was not told once"]),
    ...(now.history.some(({ content }) => content === takenBack) ? ["what was taken back was told"] : []),
    ...(now.calls.length === whole.calls.length ? [] : [`${now.calls.length} calls, not ${whole.calls.length}`]),
    ...(now.history.length === whole.history.length ? [] : ["the history has another length"]),
  ];
}

/** What the model read of the call with this index, in the last request. */
const readOf = (index: number, { history }: Picture): string =>
  history.filter(({ role }) => role === "tool")[index]?.content ?? "";

/** A call ends as without the fault, or says of itself what the fault did to it. */
function callComplaints(call: ToolCallInfo, index: number, played: Played, now: Picture, whole: Picture): string[] {
  const due = whole.calls[index];
  const [read, readDue] = [readOf(index, now), readOf(index, whole)];
  if (call.status === due?.status && (read === readDue || isSameInOtherWords(call, read, now))) return [];
  if (saysTheFault(call, read, now) || saysTheError(call, played) || saysThePart(call, now)) return [];
  return [
    `${call.callId} (${call.toolName}) ended ${call.status}: ${read}; without the fault ${due?.status}: ${readDue}`,
  ];
}

function isSameInOtherWords(call: ToolCallInfo, read: string, now: Picture): boolean {
  if (!wasUnseen(call, now.events)) return false;
  if (call.effect === "file") return read.startsWith("Done: the bytes on disk are those that were approved");
  if (call.effect === "store") return read.startsWith("Already remembered");
  return call.effect === "once" && read.startsWith("The person marked this call as done");
}

/** The device failed after the line was written, and the call says so. */
const writtenNotSynced = (call: ToolCallInfo): boolean =>
  call.effect === "store" &&
  call.status === "error" &&
  call.errorCode === "EIO" &&
  call.errorMsg.includes("was written, but the device failed");

const deviceCodes: readonly string[] = ["EIO", "ENOSPC", "READ_ONLY", "EACCES"];

/** A device that failed is named by the call that needed it. */
const saysTheError = (call: ToolCallInfo, { errors }: Played): boolean =>
  errors.length > 0 && call.status === "error" && deviceCodes.includes(call.errorCode);

/** A plan of several files that was called off between two of them says which were done. */
const saysThePart = (call: ToolCallInfo, { done }: Picture): boolean => {
  const names = done.get(call.callId) ?? [];
  if (call.status !== "cancelled" || names.length === 0) return false;
  return names.every((name) => call.ended.files?.includes(name));
};

/** An outcome that nobody saw is called unknown; what threw is an error that names it. */
function saysTheFault(call: ToolCallInfo, read: string, now: Picture): boolean {
  if (call.status === "error") return call.errorMsg.includes("fault at ") || writtenNotSynced(call);
  return (
    call.status === "cancelled" &&
    call.effect === "once" &&
    call.ended.unknown === true &&
    wasUnseen(call, now.events) &&
    read.startsWith("Outcome unknown")
  );
}
