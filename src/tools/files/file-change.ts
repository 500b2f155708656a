import { realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { sha256 } from "../../core/json.ts";
import type { FilePlan, LineEnding, Plan, TextEncoding, ToolContext, ToolFacts, ToolResult } from "../../core/tool.ts";
import { type WriteOutcome, writeAtomically } from "../../files/atomic-write.ts";
import { resolveInside } from "../../files/boundary.ts";
import { type Content, diffOf } from "../../files/diff.ts";
import { namedDiffs, planDiff } from "../../files/diff-text.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { makeFolders, removeFolders } from "../../files/pinned-folder.ts";
import { recordedDiff } from "../../files/recorded-diff.ts";
import { type CurrentFile, readCurrent, refuseFolderName, shownPath } from "./current-file.ts";

/** What a tool makes of the file that is there. Pure but for reading: the same file and arguments give the same bytes. */
export interface FileRevision {
  after: Buffer;
  eol: LineEnding;
  bom: boolean;
  encoding: TextEncoding;
  /** Old and new content as a person reads them; the old one may be no text. */
  texts: { before: Content; after: string };
  warnings: string[];
  /** For the model, e.g. "replaced 2 places (lines 3, 17)". */
  done: string;
}

export interface FileChange {
  verb: string;
  asked: string;
  revise(current: CurrentFile, real: string, ctx: ToolContext): Promise<FileRevision>;
  /** Runs between the last check and the rename: for tests of the race. */
  beforeRename?: (() => void | Promise<void>) | undefined;
}

export async function changeFacts(asked: string, ctx: ToolContext): Promise<ToolFacts> {
  refuseFolderName(asked);
  return { paths: [{ asked, real: await resolveInside(ctx.workspace, ctx.cwd, asked), access: "write" }] };
}

/** Reads only; the bytes that the file will have go into the overlay, where later plans of the message see them. */
export async function planChange(change: FileChange, ctx: ToolContext): Promise<Plan> {
  refuseFolderName(change.asked);
  const real = await resolveInside(ctx.workspace, ctx.cwd, change.asked);
  const current = await readCurrent(ctx, real, change.asked);
  const revision = await change.revise(current, real, ctx);
  const shown = await shownPath(ctx.workspace, real);
  const plan = planOf(change, real, shown, current, revision, ctx.cwd);
  ctx.overlay?.write(real, revision.after);
  return plan;
}

function planOf(
  change: FileChange,
  real: string,
  shown: string,
  current: CurrentFile,
  revision: FileRevision,
  cwd: string,
): Plan {
  const { after, eol, bom, encoding, texts } = revision;
  const before = current.bytes === null ? null : sha256(current.bytes);
  const kind = before === null ? "new" : "modify";
  const file: FilePlan = {
    asked: change.asked,
    real,
    kind,
    before,
    after: sha256(after),
    mode: current.mode,
    eol,
    bom,
    encoding,
    ...diffOf(before === null ? null : texts.before, texts.after),
  };
  const linked = "the file has other names (hard links): they will keep the old content";
  const warnings = [...revision.warnings, ...(current.hardLinked && before !== file.after ? [linked] : [])];
  const summary = `${change.verb} ${shown} ${before === file.after ? "(already has this content)" : figures(file)}`;
  return {
    summary,
    cwd,
    diff: planDiff([file], cwd),
    files: [file],
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

const figures = ({ added, removed }: FilePlan): string => `(+${added} -${removed})`;

/**
 * Applies exactly what `ctx.plan` says, or nothing: real path, mode, and the hashes of the bytes before and after are
 * checked against the file as it is now. Without a plan one is made first.
 */
export async function applyChange(change: FileChange, ctx: ToolContext): Promise<ToolResult> {
  const plan = ctx.plan ?? (await planChange(change, ctx));
  const file = plan.files?.[0];
  if (file === undefined || file.after === null) throw new TypeError(`the plan of ${change.verb} names no file`);
  const shown = await shownPath(ctx.workspace, file.real);
  const fresh = await reviseAsPlanned(change, file, ctx);
  if (fresh === undefined) return drifted(shown);
  if (file.before !== file.after) {
    const outcome = await putFile(file, fresh.after, ctx.workspace, change.beforeRename);
    if (outcome === "drifted") return drifted(shown);
    if (outcome === "raced") return raced(shown);
  }
  ctx.seen?.note(file.real, file.after);
  return success(change, plan.cwd, file, fresh, shown);
}

/** @returns undefined where anything differs from the plan. */
async function reviseAsPlanned(
  change: FileChange,
  file: FilePlan,
  ctx: ToolContext,
): Promise<FileRevision | undefined> {
  if ((await resolveInside(ctx.workspace, ctx.cwd, change.asked)) !== file.real) return undefined;
  // The plan stands for what was seen: only the disk counts now.
  const { overlay: _overlay, seen: _seen, ...bare } = ctx;
  const current = await readCurrent(bare, file.real, change.asked);
  const before = current.bytes === null ? null : sha256(current.bytes);
  if (before !== file.before || (before !== null && current.mode !== file.mode)) return undefined;
  const revision = await change.revise(current, file.real, bare);
  return sha256(revision.after) === file.after ? revision : undefined;
}

/** Writes the bytes of a planned file, with the folders that it needs; nothing of them stays where it fails. */
export async function putFile(
  file: FilePlan,
  after: Uint8Array,
  workspace: string,
  beforeRename?: FileChange["beforeRename"],
): Promise<WriteOutcome> {
  const within = await realpath(workspace);
  const made = file.before === null ? await foldersFor(file, within) : [];
  const written = await writeAtomically(file.real, after, {
    mode: file.mode,
    expectBefore: file.before,
    within,
    asked: file.asked,
    ...(beforeRename === undefined ? {} : { beforeRename }),
  }).catch(async (error: unknown) => {
    await removeFolders(made);
    throw error;
  });
  if (written === "drifted") await removeFolders(made);
  return written;
}

async function foldersFor(file: FilePlan, within: string): Promise<string[]> {
  try {
    return await makeFolders(dirname(file.real), within);
  } catch (error) {
    throw fileRefusal(error, file.asked);
  }
}

function success(change: FileChange, cwd: string, file: FilePlan, revision: FileRevision, shown: string): ToolResult {
  const { added, removed } = file;
  return {
    output: `${shown}: ${revision.done}${file.before === file.after ? "" : ` ${figures(file)}`}`,
    title: `${change.verb} ${shown} ${figures(file)}`,
    metadata: { diff: recordedDiff(namedDiffs([file], cwd)), added, removed, path: file.real, sha: file.after ?? "" },
  };
}

function drifted(shown: string): ToolResult {
  const error = `${shown} is not as it was when this change was planned: nothing was changed. Read it again.`;
  return { output: "", error, metadata: { code: "STALE", drifted: true } };
}

function raced(shown: string): ToolResult {
  const error = `${shown} was saved by somebody else in the moment of writing: their content is in place and this change is not. Read it again.`;
  return { output: "", error, metadata: { code: "STALE", raced: true } };
}

/** The edit of a file that is not there, with what may have been meant. */
export function missing(asked: string, near: readonly string[]): ToolRefusal {
  const help = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
  return new ToolRefusal("NOT_FOUND", `${asked} does not exist.${help}`);
}
