import { relative } from "node:path";
import type { CallResult } from "../../core/call.ts";
import type { ErrorCode } from "../../core/codes.ts";
import type { Coverage } from "../../core/coverage.ts";
import { FolderLost } from "../../core/folder-lost.ts";
import { jobChanged } from "../../core/job-notices.ts";
import { joinSignals } from "../../core/join-signals.ts";
import type { Outcome } from "../../core/outcome.ts";
import type { FilePlan } from "../../core/tool.ts";
import { diffOf } from "../../files/diff/diff.ts";
import { namedDiffs, recordedDiff, totalOf } from "../../files/diff/diff-text.ts";
import { decide } from "../../policy/decide.ts";
import type { Policy } from "../../policy/types.ts";
import type { TreeChange } from "../../tools/shell/tree/known-tree.ts";
import type { TreeKeeper } from "../../tools/shell/tree/tree-keeper.ts";
import { viewOf } from "../../tools/undo/content-view.ts";
import type { Runtime, SessionRuntime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { lookedAt, rootAround } from "./call-facts.ts";
import { guardedLook } from "./guarded-look.ts";
import { asksGit, type PreparedCall } from "./prepared-call.ts";
import { maskedFiles } from "./secret-use.ts";

/** The changes that a command made, as far as they were kept. */
export interface CommandChanges {
  /** Files that can be put back. */
  files: FilePlan[];
  /** Files that changed, or came from elsewhere, and cannot be put back: relative to the workspace. */
  notKept: string[];
  /** The reason, in words, why its changes could not be found, where they were to be taken back. */
  unknown?: string;
  /** Files that nobody may change unasked, and that the plan did not name: relative to the workspace where they are in it. */
  overstepped: string[];
  /** The places that were not searched for such files, relative to the workspace. */
  notLooked: string[];
}

interface JudgedCommand {
  prepared: PreparedCall;
  policy: Policy;
}

/** A command that is about to run, and how everything lay before. */
export interface WatchedCommand {
  /** Its tree was kept, so that its changes can be taken back. */
  covered: boolean;
  /**
   * Finds the changes since; undefined where they were not kept, and nothing that is protected has changed.
   * @param judged the call as it was let run in the end, and the rules by which that was
   */
  changes(judged: JudgedCommand): Promise<CommandChanges | undefined>;
}

/** The time, in milliseconds, that the changes of a command are looked for; a turn that is being stopped must end within 2 s. */
const lookMs = { going: 30_000, stopping: 1_000 };

// Keeps graph 11.
/**
 * Keeps what a command may change, before `executing` is written: a process that dies with the call leaves the note of it.
 * @returns undefined for calls that run no command; `lost`: what it changes could be taken back when it was judged, and cannot now, in
 * words. Of a command that only reads nothing is kept: it is looked for what nobody may change.
 */
export async function watchCommand(
  runtime: Runtime,
  callId: string,
  prepared: PreparedCall,
  policy: Policy,
): Promise<WatchedCommand | { lost: string; code: ErrorCode } | undefined> {
  const { plan, facts } = prepared;
  if (plan.command === undefined || (facts.effect === "none" && !asksGit(facts))) return undefined;
  const limit = joinSignals([runtime.signal], lookMs.going);
  try {
    return await watched(runtime, callId, prepared, policy, limit.signal);
  } finally {
    limit.release();
  }
}

async function watched(
  runtime: Runtime,
  callId: string,
  prepared: PreparedCall,
  policy: Policy,
  signal: AbortSignal,
): Promise<WatchedCommand | { lost: string; code: ErrorCode }> {
  const { plan, facts } = prepared;
  const keeps = facts.effect !== "none";
  const coverage = !keeps
    ? undefined
    : await runtime.tree?.before(callId, signal).catch((error: unknown): Coverage => {
        if (runtime.signal.aborted) throw error;
        return { covered: false, why: error instanceof Error ? error.message : String(error) };
      });
  if (plan.covered === true && coverage?.covered !== true)
    return { lost: callWords.notCovered(coverage?.why), code: coverage?.code ?? "FAILED" };
  await tellOfJobs(runtime);
  const look = guardedLook(runtime, prepared, policy);
  const before = await look.take(signal);
  return {
    covered: coverage?.covered === true,
    changes: async ({ prepared, policy }) => {
      const ms = runtime.signal.aborted ? lookMs.stopping : lookMs.going;
      try {
        // By then the command may have moved its folders, or somebody else: nothing is said of others in their place.
        runtime.pins?.check();
        const found = keeps ? await foundAfter(runtime, callId, ms) : undefined;
        const now = await look.take(AbortSignal.timeout(ms));
        if (runtime.journal.runningJobs().length > 0) runtime.jobLooks.push({ look, last: now, prepared, policy });
        const changes = changesOf({ runtime, prepared, policy, found, ...look.compare(before, now) });
        runtime.pins?.check();
        return changes && typeof found === "string" ? { ...changes, unknown: found } : changes;
      } catch (error) {
        if (error instanceof FolderLost)
          return { files: [], notKept: [], overstepped: [], notLooked: [], unknown: error.message };
        throw error;
      }
    },
  };
}

/**
 * Tells the person what of it changed since, while jobs ran in the background: before the next command, which is not to be blamed for it,
 * and at the end of the session.
 */
export async function tellOfJobs(runtime: SessionRuntime): Promise<void> {
  const job = runtime.jobLooks.splice(0).at(-1);
  if (job === undefined) return;
  const { look, last, prepared, policy } = job;
  try {
    const now = await look.take(AbortSignal.timeout(lookMs.going));
    const changes = changesOf({ runtime, prepared, policy, found: undefined, ...look.compare(last, now) });
    // Of others in the place of the session's folders nothing is said.
    runtime.pins?.check();
    if (runtime.journal.runningJobs().length > 0) runtime.jobLooks.push({ ...job, last: now });
    const names = changes?.overstepped ?? [];
    if (names.length > 0) runtime.emit({ type: "notice", code: jobChanged, text: callWords.changedBesideJob(names) });
  } catch (error) {
    if (!(error instanceof FolderLost)) throw error;
  }
}

/** Finds the changes since the call's note was made; tells in words why they cannot be found. */
async function foundAfter({ tree }: Pick<Runtime, "tree">, callId: string, ms: number): Promise<Found["found"]> {
  try {
    return await tree?.after(callId, AbortSignal.timeout(ms));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Finds the changes of a command whose process died with it: the state that was noted before it began is compared. */
export async function changedUnseen(runtime: Runtime, callId: string): Promise<FilePlan[]> {
  const { tree, workspace, secrets } = runtime;
  const found = await foundAfter(runtime, callId, lookMs.going);
  if (tree === undefined || !Array.isArray(found)) return [];
  return maskedFiles(filePlans(found.filter(isKept), workspace, tree), secrets);
}

interface Found {
  runtime: Pick<Runtime, "workspace" | "tree" | "secrets">;
  prepared: Pick<PreparedCall, "facts" | "plan">;
  policy: Policy;
  /** Undefined where nothing was noted of the call; words where it cannot be found. */
  found: TreeChange[] | string | undefined;
  /** The changes of settings that nobody may change unasked. */
  moved: readonly string[];
  /** The changes under names that may be protected. */
  named: readonly string[];
  /** Folders that were not looked through for those. */
  notLooked: readonly string[];
}

function changesOf({ runtime, prepared, policy, found, moved, named, notLooked }: Found): CommandChanges | undefined {
  const { workspace, tree, secrets } = runtime;
  const changes = Array.isArray(found) ? found : [];
  const places = [...new Set([...changes.map(({ real }) => real), ...named])];
  const isProtected = protection(places, prepared, policy);
  const setsId = changes.filter((change) => change.setsId === true).map(({ real }) => real);
  const beyond = new Set([...moved, ...setsId, ...places.filter(isProtected)]);
  const overstepped = [...beyond].map((path) => nameIn(workspace, path));
  if (found === undefined && overstepped.length + notLooked.length === 0) return undefined;
  const kept = changes.filter(isKept);
  const isLost = (change: TreeChange): boolean => !isKept(change) && !isModeAlone(change);
  const notKept = changes.filter(isLost).map(({ real }) => nameIn(workspace, real));
  return {
    files: tree === undefined ? [] : maskedFiles(filePlans(kept, workspace, tree), secrets),
    notKept,
    overstepped,
    notLooked: notLooked.map((path) => nameIn(workspace, path) || "."),
  };
}

/**
 * Makes the test of whether a place is one that policy lets nobody change unasked, and that the person was not asked about when this call was
 * judged.
 */
function protection(
  places: readonly string[],
  { facts }: Pick<PreparedCall, "facts">,
  policy: Policy,
): (real: string) => boolean {
  const named = [...facts.paths, ...facts.commands.flatMap((command) => command.paths)];
  const asked = new Set(named.filter(({ access }) => access === "write").map(({ real }) => real));
  const unasked = places.filter((real) => !asked.has(real));
  const paths = lookedAt(
    unasked.map((real) => ({ asked: real, real, access: "write" as const })),
    // The command may have made one.
    rootAround(facts.workspace),
  );
  const found = paths.filter((path) => {
    const use = { ...facts, effect: "file" as const, paths: [path], commands: [], hosts: [] };
    // A rule or a mode that denies comes before what is guarded, and makes it no less so.
    const { source } = decide(use, { ...policy, rules: [], mode: "ask" }).rule;
    return source === "sealed" || source === "guarded" || decide(use, { ...policy, mode: "ask" }).decision === "deny";
  });
  const protectedOnes = new Set(found.map(({ real }) => real));
  return (real) => protectedOnes.has(real);
}

const nameIn = (workspace: string, path: string): string => {
  const name = relative(workspace, path);
  return name.startsWith("..") ? path : name;
};

type KeptChange = TreeChange & { before: string | null; after: string | null };

const isKept = (change: TreeChange): change is KeptChange =>
  change.before !== undefined && change.after !== undefined && change.before !== change.after;

/** The content is as it was. */
const isModeAlone = ({ before, after }: TreeChange): boolean => before !== undefined && before === after;

/** The number of bytes of contents that are compared line by line for a card; the rest is counted as files. */
const mostCompared = 4_000_000;

function filePlans(changes: readonly KeptChange[], workspace: string, tree: Pick<TreeKeeper, "read">): FilePlan[] {
  let compared = 0;
  return changes.map(({ real, before, after, mode }): FilePlan => {
    const [old, fresh] = [before, after].map((sha) => (sha === null ? null : tree.read(sha)));
    compared += (old?.length ?? 0) + (fresh?.length ?? 0);
    const [was, is] = [viewOf(old ?? null), viewOf(fresh ?? null)];
    const { eol, bom, encoding } = after === null ? was : is;
    const kind = before === null ? "new" : after === null ? "delete" : "modify";
    // Where a content is gone from what is kept, nothing can be said of its lines.
    const isShown = compared <= mostCompared && old !== undefined && fresh !== undefined;
    const diff = isShown ? diffOf(was.content, is.content, real) : { added: 0, removed: 0, hunks: [] };
    return { asked: nameIn(workspace, real), real, kind, before, after, mode, eol, bom, encoding, ...diff };
  });
}

/** The outcome with what was changed: a line for the model, a diff for the person. */
export function withChanges(outcome: Outcome, changes: CommandChanges, cwd: string): Outcome {
  if (outcome.kind !== "done" && outcome.kind !== "failed") return outcome;
  const { files, notKept, unknown, notLooked } = changes;
  if (files.length + notKept.length + notLooked.length === 0 && unknown === undefined) return outcome;
  const { output, ...result }: CallResult = outcome.result ?? { output: "" };
  const line = callWords.commandChanged(
    files.map(({ asked }) => asked),
    { notKept, notLooked },
    unknown,
  );
  const facts = { ...recordedDiff(namedDiffs(files, cwd)), ...totalOf(files) };
  const metadata = { ...result.metadata, ...(files.length === 0 ? {} : facts) };
  const text = output === "" || output.endsWith("\n") ? output : `${output}\n`;
  // The diff on the card is what the person is told; what could not be found has none.
  const display = unknown === undefined ? result.display : [result.display, line].filter(Boolean).join("\n");
  const told: CallResult = { ...result, output: text + line, metadata, ...(display === undefined ? {} : { display }) };
  return { ...outcome, result: told, changed: files };
}
