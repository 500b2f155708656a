import { makesArtifact } from "../../core/artifacts.ts";
import type { ToolCallInfo } from "../../core/call.ts";
import { isFinal, undoToolName } from "../../core/call.ts";
import { namedIn, nameIn, readCallName } from "../../core/call-ref.ts";
import { ToolRefusal } from "../../core/codes.ts";
import { changedBy } from "../../graph/calls/partly.ts";
import { personCallOf } from "../../graph/talk/person-call.ts";
import type { JournalReading } from "../../store/types.ts";
import type { AppliedCall, UndoSource } from "../../tools/undo/take-back.ts";
import { stepsOf } from "../recorded-turns.ts";
import { bytesInTree, callsInTree, type Tree, type TreeCall } from "../tree-calls.ts";
import { artifactsTaken, changesArtifacts } from "./artifacts-undone.ts";
import { undoneCalls } from "./undone-calls.ts";

/** The turn where the talk goes on, and the id under which it does. */
export interface Rewind {
  turn: number;
  fork: string;
}

/** Calls by their names in the tree, or all of a turn that changed files or artifacts and are not taken back yet; "last": the newest such turn, or the undo under way. */
export type UndoTarget = ({ calls: string[] } | { turn: number | "last" }) & {
  /** True to take the others alone, where something stands against some of them. */
  rest?: true;
  /** It is the first half of a rewind; the talk is forked when it is done. */
  rewind?: Rewind;
};

type Readable = Tree<Pick<JournalReading, keyof Tree["journal"] | "openCalls" | "turns" | "findReply" | "steers">>;

/** Reads from the journals of a session and its children the changes that they know of, for the tool that takes them back. */
export function undoSource(tree: Tree): UndoSource {
  return {
    applied(names) {
      const undone = undoneCalls(tree.journal.allCalls());
      const wanted = new Set(names);
      const all = callsInTree(tree);
      const found = all.filter(({ name }) => wanted.delete(name));
      const [unknown] = wanted;
      if (unknown !== undefined) throw new ToolRefusal("INVALID_ARGUMENT", `this session has no call ${unknown}`);
      return found.map((one) => appliedBy(one, undone.get(one.name), changesArtifacts(one, all)));
    },
    artifacts: (names) => artifactsTaken(tree, names),
    bytesOf: bytesInTree(tree),
  };
}

function appliedBy({ name, call, journal }: TreeCall, undoneBy: string | undefined, makes: boolean): AppliedCall {
  const files = changedBy(journal, call);
  if (undoneBy !== undefined) {
    const message = `call ${name} was already taken back by call ${undoneBy}: to redo it, take back ${undoneBy}`;
    throw new ToolRefusal("NO_CHANGE", message);
  }
  if (files.length > 0 || makes) return { callId: name, files };
  throw new ToolRefusal("NO_CHANGE", `call ${name} (${call.toolName}) ${whyNothing(call)}`);
}

function whyNothing(call: ToolCallInfo): string {
  if (call.effect === "child" && isFinal(call)) return "has no change of its children that is not taken back yet";
  switch (call.status) {
    case "success":
      return call.effect === "file" ? "changed nothing" : "changed no file of the workspace that could be put back";
    case "error":
      return "ended with an error: it has no change to take back";
    case "cancelled":
      return "has no change that is known: it was cancelled";
    default:
      return `is not finished: it is ${call.status}`;
  }
}

/** The calls that an undo under way takes back: one that waits for an answer, or was cut off. undefined where there is none. */
export function undoUnderWay(journal: Pick<JournalReading, "turns" | "turnMessage">): string[] | undefined {
  const running = journal.turns().findLast((turn) => turn.state === "running");
  const call = running && personCallOf(journal.turnMessage(running.turn));
  if (call?.name !== undoToolName) return undefined;
  return (JSON.parse(call.rawArguments) as { calls: string[] }).calls;
}

export type Chosen = { ok: true; calls: string[]; text: string } | { ok: false; message: string };

/**
 * The calls that a person means, oldest first, and the command in words. "last" is the newest turn with changes that are
 * not taken back; an undo itself is taken back only by its own name or turn, so that asking twice goes further back.
 */
export function chooseUndo(tree: Readable, target: UndoTarget): Chosen {
  const { journal } = tree;
  const [open] = journal.openCalls();
  if (open !== undefined)
    return refused(`${unsettledText(open)}: settle it first with agent resume ${journal.session}`);
  if (journal.turns().some((turn) => turn.state === "queued"))
    return refused("a message is not answered yet: continue the session first");
  const changes = changesLeft(tree);
  const calls =
    "calls" in target ? namedCalls(journal.session, target.calls, changes) : ofTurn(tree, target.turn, changes);
  if (typeof calls === "string") return refused(calls);
  if (calls.length === 0) return refused("no call is named");
  try {
    const applied = undoSource(tree).applied(calls);
    return { ok: true, calls: applied.map(({ callId }) => callId), text: commandText(applied, changes) };
  } catch (error) {
    if (error instanceof ToolRefusal) return refused(error.message);
    throw error;
  }
}

/** The calls that changed files or artifacts and are not taken back. */
function changesLeft(tree: Tree): TreeCall[] {
  const undone = undoneCalls(tree.journal.allCalls());
  const all = callsInTree(tree);
  return all.filter(
    (one) => !undone.has(one.name) && (changedBy(one.journal, one.call).length > 0 || changesArtifacts(one, all)),
  );
}

/** As they are named in the session; a call that drives children stands for what these changed. */
function namedCalls(session: string, given: readonly string[], changes: readonly TreeCall[]): string[] {
  return given.flatMap((text) => {
    const read = readCallName(text);
    const name = read === undefined ? text : nameIn(session, namedIn(session, read));
    const driven = changes.filter((one) => one.own === name && one.name !== name);
    return driven.length === 0 ? [name] : driven.map((one) => one.name);
  });
}

const refused = (message: string): Chosen => ({ ok: false, message });

function unsettledText({ callId, toolName, status }: ToolCallInfo): string {
  if (status === "awaiting_approval") return `call ${callId} (${toolName}) waits for your answer`;
  if (status === "interrupted") return `the end of call ${callId} (${toolName}) was not seen`;
  return `call ${callId} (${toolName}) is not finished`;
}

/** In words why there are none. */
function ofTurn({ journal }: Readable, turn: number | "last", left: readonly TreeCall[]): string[] | string {
  const changes = (number: number): TreeCall[] => {
    const own = new Set(stepsOf(journal, number).flatMap(({ calls }) => calls.map(({ callId }) => callId)));
    return left.filter((one) => own.has(one.own));
  };
  const turns = journal.turns().map((row) => row.turn);
  if (turn !== "last") {
    if (!turns.includes(turn)) return `this session has no turn ${turn}`;
    const found = changes(turn).map(({ name }) => name);
    return found.length > 0 ? found : `turn ${turn} changed no file and no artifact, or was already taken back`;
  }
  for (const number of turns.toReversed()) {
    const found = changes(number).filter(({ call }) => call.toolName !== undoToolName);
    if (found.length > 0) return found.map(({ name }) => name);
  }
  return "this session has changed no file and no artifact, or all of it was already taken back";
}

const summaryOf = ({ call, journal }: TreeCall): string | undefined =>
  makesArtifact(call) && call.status === "success" ? call.result.title : journal.planOf(call.callId)?.summary;

function commandText(applied: readonly AppliedCall[], changes: readonly TreeCall[]): string {
  const what = applied.map(({ callId }) => {
    const made = changes.find(({ name }) => name === callId);
    return `${callId}: ${(made && summaryOf(made)) ?? "a change"}`;
  });
  return `(undo) Take back call${what.length === 1 ? "" : "s"} ${what.join("; ")}`;
}
