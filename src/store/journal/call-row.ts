import { deflateRawSync, inflateRawSync } from "node:zlib";
import {
  type CallEnd,
  type CallResult,
  type CallStatus,
  type CallTimes,
  type Decider,
  isFinal,
  type ToolCallInfo,
} from "../../core/call.ts";
import type { JsonObject } from "../../core/json.ts";
import type { FilePlan, Hunk, HunkLine, Plan } from "../../core/tool.ts";
import { planDiff, withoutLines } from "../../files/diff/diff-text.ts";
import { fromText, toText, wellFormed } from "../plain-codec.ts";

/** A digest in the database: 32 bytes where it is a sha256 in hex, else the text itself. */
export type StoredDigest = string | Uint8Array;
type Digest = StoredDigest | null;

/** One row of tool_call. */
export interface CallRow {
  key: number;
  thread: number;
  id: string;
  model_id: string;
  tool: string;
  arguments: string;
  raw_arguments: string | null;
  risk: string;
  effect: string;
  status: string;
  attempt: number;
  digest: Digest;
  actor: string | null;
  rule: string | null;
  reason: string | null;
  /** CallResult as JSON; a long one is in `packed` instead. */
  result: string | null;
  packed: Uint8Array | null;
  error: string | null;
  error_code: string | null;
  proposed: number;
  decided: number | null;
  started: number | null;
  settled: number | null;
  fence: number | null;
  plan: string | null;
  /** ChildNote[] as JSON. */
  children: string | null;
  /** FilePlan[] as JSON. */
  done: string | null;
  /** The verdict of policy on it, as JSON. */
  verdict: string | null;
  /** The reason why it ended, as JSON. */
  ended: string | null;
  /** Characters; 0 for all of them. */
  max_observe: number | null;
  /** The digest that was shown last. */
  shown: Digest;
}

/** The columns that a move may change. */
export const movable = [
  "arguments",
  "risk",
  "effect",
  "status",
  "attempt",
  "digest",
  "actor",
  "rule",
  "reason",
  "result",
  "packed",
  "error",
  "error_code",
  "ended",
  "decided",
  "started",
  "settled",
  "max_observe",
] as const;

export const packDigest = (digest: string): StoredDigest =>
  /^[0-9a-f]{64}$/.test(digest) ? Buffer.from(digest, "hex") : wellFormed(digest);
export const unpackDigest = (digest: StoredDigest): string =>
  typeof digest === "string" ? digest : Buffer.from(digest).toString("hex");

/** Fields that only some of the union's members have. */
type Loose = ToolCallInfo & {
  by?: Decider;
  reason?: string;
  result?: CallResult;
  errorMsg?: string;
  errorCode?: string;
  ended?: CallEnd;
};

const textOrNull = (text: string | undefined): string | null => (text === undefined ? null : wellFormed(text));

/** @throws StoreFailure unserialisable. */
export function packCall(
  call: ToolCallInfo,
): Omit<CallRow, "key" | "thread" | "fence" | "plan" | "children" | "done" | "verdict" | "shown"> {
  const { by, reason, result, errorMsg, errorCode, ended, digest, times } = call as Loose;
  return {
    id: call.callId,
    model_id: wellFormed(call.modelCallId),
    tool: wellFormed(call.toolName),
    arguments: toText(call.arguments),
    raw_arguments: textOrNull(call.rawArguments),
    risk: call.risk,
    effect: call.effect,
    status: call.status,
    attempt: call.attempt,
    digest: digest === undefined ? null : packDigest(digest),
    actor: by?.actor ?? null,
    rule: textOrNull(by?.rule),
    reason: textOrNull(reason),
    ...packResult(result),
    error: textOrNull(errorMsg),
    error_code: errorCode ?? null,
    ended: ended === undefined ? null : toText(ended),
    proposed: times.proposed,
    decided: times.decided ?? null,
    started: times.started ?? null,
    settled: times.settled ?? null,
    max_observe: call.maxObserve === undefined ? null : call.maxObserve || 0,
  };
}

/** Shorter results stay readable in the row; longer ones, text of files for the most part, take about a third. Bytes. */
const packedFrom = 400;
/** Most of packing a short text is making room for a long one; this much costs nothing in size. A longer text takes several of these chunks. */
const unpacking = { chunkSize: 2048 };
const packing = { memLevel: 5, ...unpacking };

function packResult(result: CallResult | undefined): Pick<CallRow, "result" | "packed"> {
  if (result === undefined) return { result: null, packed: null };
  const text = toText(result);
  if (text.length < packedFrom) return { result: text, packed: null };
  const packed = deflateRawSync(text, packing);
  return packed.length < text.length ? { result: null, packed } : { result: text, packed: null };
}

/** @throws where the row is damaged, as for any text that is no JSON. */
function unpackResult(row: Pick<CallRow, "packed" | "result">): unknown {
  if (row.packed !== null) return fromText(inflateRawSync(row.packed, unpacking).toString("utf8"));
  return row.result === null ? null : fromText(row.result);
}

/** Unpacks the call that `packCall` was given. */
export function unpackCall(row: Omit<CallRow, "thread" | "plan">): ToolCallInfo {
  const call = {
    callId: row.id,
    modelCallId: row.model_id,
    toolName: row.tool,
    arguments: fromText(row.arguments) as JsonObject,
    rawArguments: row.raw_arguments,
    risk: row.risk,
    effect: row.effect,
    attempt: row.attempt,
    times: present({ proposed: row.proposed, decided: row.decided, started: row.started, settled: row.settled }),
    status: row.status,
    digest: row.digest === null ? null : unpackDigest(row.digest),
    by: row.actor === null ? null : present({ actor: row.actor, rule: row.rule }),
    reason: row.ended === null ? reasonOfOldRow(row.reason) : row.reason,
    result: unpackResult(row),
    errorMsg: row.error,
    errorCode: row.error_code,
    ended: row.ended === null ? endOfOldRow(row) : (fromText(row.ended) as unknown as CallEnd),
    maxObserve: row.max_observe === 0 ? false : row.max_observe,
  } satisfies Record<keyof Loose, unknown> & { times: Partial<CallTimes> };
  return present(call) as unknown as ToolCallInfo;
}

const deniedBefore = "denied by the person";

/** The person's own words behind it, as `reason` has them now. */
const reasonOfOldRow = (reason: string | null): string | null =>
  reason?.startsWith(`${deniedBefore}: `) ? reason.slice(deniedBefore.length + 2) : null;

/** Older stores have a sentence in `reason` in place of `ended`. What it does not match becomes a note. */
function endOfOldRow({
  status,
  reason,
  rule,
  settled,
}: Pick<CallRow, "status" | "reason" | "rule" | "settled">): CallEnd | null {
  if (status === "interrupted") {
    if (rule === "raced") return { why: "raced", note: reason ?? "" };
    const unseen = reason?.startsWith("its process ended while it ran") ?? true;
    return unseen ? { why: "unseen" } : { why: "unclear", note: reason ?? "" };
  }
  if (status !== "cancelled" || settled === null || reason === null) return null;
  if (rule === "recovery") return { why: "given_up", unknown: true, note: reason };
  if (reason.startsWith(deniedBefore)) return { why: "denied" };
  if (reason.startsWith("denied by policy: "))
    return { why: "policy", note: reason.slice("denied by policy: ".length) };
  return { why: "lapsed", note: reason.replace(/^it can no longer be done: /, "") };
}

const present = <T extends object>(fields: T): { [K in keyof T]: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]: NonNullable<T[K]>;
  };

/**
 * A settled call that is damaged still tells its name and end, so that its conversation stays readable; one that is open
 * could be run. @throws StoreFailure corrupt for the latter.
 */
export function readableCall(
  row: Omit<CallRow, "thread" | "plan">,
  stored: { broken(error: unknown): Error },
): ToolCallInfo {
  try {
    return unpackCall(row);
  } catch (error) {
    if (!isFinal({ status: row.status as CallStatus })) throw stored.broken(error);
    const result =
      row.status === "success" ? toText({ output: "[This result could not be read from the store]" }) : null;
    return unpackCall({ ...row, arguments: "{}", raw_arguments: row.arguments, result, packed: null, ended: null });
  }
}

/**
 * A plan in its column. Of a change the lines are kept once, in the hunks, as `["+text", …]`: `diff: true` says that the text
 * is the one `planDiff` makes of them. A diff of another kind (a tool's own) is kept as it is. Stores of before hunks
 * have files without them and the diff as text: these stay so, with no hunks and no counts.
 */
type StoredPlan = Omit<Plan, "diff" | "files"> & { diff?: string | true; files?: StoredFile[] };
type StoredFile = Omit<FilePlan, "added" | "removed" | "hunks"> & {
  added?: number;
  removed?: number;
  hunks?: StoredHunk[];
};
type StoredHunk = [
  at: [oldStart: number, oldLines: number, newStart: number, newLines: number],
  lines: StoredLine[],
  section?: string,
];
type StoredLine = string | [line: string, end: NonNullable<HunkLine["end"]>];

/** @throws StoreFailure unserialisable. */
export function planToText({ diff, files, ...rest }: Plan): string {
  const stored: StoredPlan = rest;
  if (files !== undefined) stored.files = files.map((file) => ({ ...file, hunks: file.hunks.map(packHunk) }));
  const derived = files !== undefined && diff === planDiff(files, rest.cwd);
  if (diff !== undefined) stored.diff = derived ? true : diff;
  return toText(stored);
}

/** Reads the plan that `planToText` was given. @throws StoreFailure corrupt. */
export function planFromText(text: string): Plan {
  const { diff, files: stored, ...rest } = fromText(text) as StoredPlan;
  const files = stored?.map(unpackFile);
  return {
    ...rest,
    ...(files === undefined ? {} : { files }),
    ...(diff === undefined ? {} : { diff: diff === true ? planDiff(files ?? [], rest.cwd) : diff }),
  };
}

/** Files that were changed as planned: their plan has the lines. */
export const doneToText = (done: readonly FilePlan[]): string => toText(done.map(withoutLines));

/** Reads the files that `doneToText` was given, without lines. @throws StoreFailure corrupt. */
export const doneFromText = (text: string): FilePlan[] => (fromText(text) as StoredFile[]).map(unpackFile);

const unpackFile = ({ added = 0, removed = 0, hunks = [], ...file }: StoredFile): FilePlan => ({
  ...file,
  added,
  removed,
  hunks: hunks.map(unpackHunk),
});

function packHunk({ oldStart, oldLines, newStart, newLines, lines, section }: Hunk): StoredHunk {
  const at: StoredHunk[0] = [oldStart, oldLines, newStart, newLines];
  const packed = lines.map(({ kind, text, end }): StoredLine => (end === undefined ? kind + text : [kind + text, end]));
  return section === undefined ? [at, packed] : [at, packed, section];
}

const unpackHunk = ([[oldStart, oldLines, newStart, newLines], lines, section]: StoredHunk): Hunk => ({
  oldStart,
  oldLines,
  newStart,
  newLines,
  ...(section === undefined ? {} : { section }),
  lines: lines.map((line) => (typeof line === "string" ? unpackLine(line) : { ...unpackLine(line[0]), end: line[1] })),
});

const unpackLine = (line: string): HunkLine => ({ kind: line.charAt(0) as HunkLine["kind"], text: line.slice(1) });
