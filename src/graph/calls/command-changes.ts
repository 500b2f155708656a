import { relative } from "node:path";
import type { CallResult } from "../../core/call.ts";
import type { ErrorCode } from "../../core/codes.ts";
import type { Outcome } from "../../core/outcome.ts";
import { type Coverage, type FilePlan, rootsOf } from "../../core/tool.ts";
import { diffOf } from "../../files/diff.ts";
import { namedDiffs, totalOf } from "../../files/diff-text.ts";
import { recordedDiff } from "../../files/recorded-diff.ts";
import { decide } from "../../policy/decide.ts";
import type { Policy } from "../../policy/types.ts";
import type { TreeChange } from "../../tools/shell/tree/known-tree.ts";
import { changedPlaces, hashPlaces, type ProtectedFiles } from "../../tools/shell/tree/protected-files.ts";
import type { TreeKeeper } from "../../tools/shell/tree/tree-keeper.ts";
import { viewOf } from "../../tools/undo/content-view.ts";
import type { Runtime } from "../runtime.ts";
import { callWords } from "../talk/call-words.ts";
import { lookedAt, type PreparedCall } from "./prepare.ts";

/** What a command changed, as far as it was kept. */
export interface CommandChanges {
  /** Files that can be put back. */
  files: FilePlan[];
  /** Files that changed, or came from elsewhere, and cannot be put back: relative to the workspace. */
  notKept: string[];
  /** Files that nobody may change unasked, and that the plan did not name: relative to the workspace where they are in it. */
  overstepped: string[];
}

/** A command that is about to run, and how everything lay before. */
export interface WatchedCommand {
  /** What has changed since; undefined where it was not kept, and nothing that is protected has changed. */
  changes(): Promise<CommandChanges | undefined>;
}

/** How long is looked for what a command changed, in milliseconds; a turn that is being stopped must end within 2 s. */
const lookMs = { going: 30_000, stopping: 1_000 };

/**
 * Keeps what a command may change, before `executing` is written: a process that dies with the call leaves the note of it.
 * @returns undefined for calls that run no command, or only read; `lost`: what it changes could be taken back when it was judged,
 * and cannot now, in words.
 */
export async function watchCommand(
  runtime: Runtime,
  callId: string,
  prepared: PreparedCall,
  policy: Policy,
): Promise<WatchedCommand | { lost: string; code: ErrorCode } | undefined> {
  const { plan, facts } = prepared;
  if (plan.command === undefined || facts.effect === "none") return undefined;
  const signal = AbortSignal.any([runtime.signal, AbortSignal.timeout(lookMs.going)]);
  const coverage = await runtime.tree?.before(callId, signal).catch((error: unknown): Coverage => {
    if (runtime.signal.aborted) throw error;
    return { covered: false, why: error instanceof Error ? error.message : String(error) };
  });
  if (plan.covered === true && coverage?.covered !== true)
    return { lost: callWords.notCovered(coverage?.why), code: coverage?.code ?? "FAILED" };
  const places = protectedPlaces(rootsOf(runtime), policy);
  const before = hashPlaces(places);
  return {
    changes: async () => {
      const ms = runtime.signal.aborted ? lookMs.stopping : lookMs.going;
      const found = await runtime.tree?.after(callId, AbortSignal.timeout(ms)).catch(() => undefined);
      return changesOf({ runtime, prepared, policy, found, places: { before, after: hashPlaces(places) } });
    },
  };
}

/** What a command had changed whose process died with it: what was noted before it began is compared. */
export async function changedUnseen({ tree, workspace }: Runtime, callId: string): Promise<FilePlan[]> {
  const found = await tree?.after(callId, AbortSignal.timeout(lookMs.going)).catch(() => undefined);
  return tree === undefined ? [] : filePlans((found ?? []).filter(isKept), workspace, tree);
}

/** Where what runs by itself, and what decides about calls, is kept: it is hashed whole, for no plan may name it. */
function protectedPlaces(roots: readonly string[], { sealed }: Policy): string[] {
  const theirs = [".git/config", ".git/hooks", ".git/info", ".holdfast", ".mcp.json"];
  const inRoots = roots.flatMap((root) => theirs.map((name) => `${root}/${name}`));
  const own = sealed.roots.flatMap((root) => ["config.json", "policy.json"].map((name) => `${root}/${name}`));
  return [...inRoots, ...(sealed.hooks ?? []), ...own];
}

interface Found {
  runtime: Pick<Runtime, "workspace" | "tree">;
  prepared: Pick<PreparedCall, "facts" | "plan">;
  policy: Policy;
  found: readonly TreeChange[] | undefined;
  places: { before: ProtectedFiles; after: ProtectedFiles };
}

function changesOf({ runtime, prepared, policy, found, places }: Found): CommandChanges | undefined {
  const { workspace } = runtime;
  const changes = found ?? [];
  const beyond = changes.filter(({ real, setsId }) => setsId === true || isProtected(real, prepared, policy));
  const overstepped = [...changedPlaces(places.before, places.after), ...beyond.map(({ real }) => real)].map((path) =>
    nameIn(workspace, path),
  );
  if (found === undefined && overstepped.length === 0) return undefined;
  const kept = changes.filter(isKept);
  const isLost = (change: TreeChange): boolean => !isKept(change) && !isModeAlone(change);
  const notKept = changes.filter(isLost).map(({ real }) => nameIn(workspace, real));
  return { files: runtime.tree === undefined ? [] : filePlans(kept, workspace, runtime.tree), notKept, overstepped };
}

/** What policy lets nobody change unasked, and the person was not asked about when this call was judged. */
function isProtected(real: string, { facts }: Pick<PreparedCall, "facts">, policy: Policy): boolean {
  const named = [...facts.paths, ...facts.commands.flatMap((command) => command.paths)];
  if (named.some((path) => path.access === "write" && path.real === real)) return false;
  const paths = lookedAt([{ asked: real, real, access: "write" }], facts.workspace);
  const { rule } = decide({ ...facts, effect: "file", paths, commands: [], hosts: [] }, policy);
  return rule.source === "sealed" || rule.source === "guarded";
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

/** How many bytes of contents are compared line by line for a card; the rest is counted as files. */
const mostCompared = 4_000_000;

function filePlans(changes: readonly KeptChange[], workspace: string, tree: Pick<TreeKeeper, "read">): FilePlan[] {
  let compared = 0;
  return changes.map(({ real, before, after, mode }): FilePlan => {
    const [old, fresh] = [before, after].map((sha) => (sha === null ? null : (tree.read(sha) ?? null)));
    compared += (old?.length ?? 0) + (fresh?.length ?? 0);
    const [was, is] = [viewOf(old ?? null), viewOf(fresh ?? null)];
    const { eol, bom, encoding } = after === null ? was : is;
    const kind = before === null ? "new" : after === null ? "delete" : "modify";
    const diff = compared > mostCompared ? { added: 0, removed: 0, hunks: [] } : diffOf(was.content, is.content);
    return { asked: nameIn(workspace, real), real, kind, before, after, mode, eol, bom, encoding, ...diff };
  });
}

/** The outcome with what was changed: a line for the model, a diff for the person. */
export function withChanges(outcome: Outcome, changes: CommandChanges, cwd: string): Outcome {
  if (outcome.kind !== "done" && outcome.kind !== "failed") return outcome;
  const { files, notKept } = changes;
  if (files.length + notKept.length === 0) return outcome;
  const { output, ...result }: CallResult = outcome.result ?? { output: "" };
  const line = callWords.commandChanged(
    files.map(({ asked }) => asked),
    notKept,
  );
  const facts = { ...recordedDiff(namedDiffs(files, cwd)), ...totalOf(files) };
  const metadata = { ...result.metadata, ...(files.length === 0 ? {} : facts) };
  const text = output === "" || output.endsWith("\n") ? output : `${output}\n`;
  const told: CallResult = { ...result, output: text + line, metadata };
  return { ...outcome, result: told, changed: files };
}
