import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { dirname } from "node:path";
import { umask } from "node:process";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { sha256 } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { about, EffectStopped } from "../../core/outcome.ts";
import { shownPath } from "../../core/shown-path.ts";
import type {
  FilePlan,
  LineEnding,
  PinnedRoots,
  Plan,
  TextEncoding,
  ToolContext,
  ToolResult,
} from "../../core/tool.ts";
import { assertInsideOpened, realWorkspace, refuseFolderName, resolveInside, rootOf } from "../../files/boundary.ts";
import { type WriteOutcome, writeAtomically } from "../../files/bytes/atomic-write.ts";
import { openRegular, readBounded, tooLarge } from "../../files/bytes/read-regular.ts";
import { hashFile, setIdBits } from "../../files/bytes/temporaries.ts";
import { type Content, diffOf } from "../../files/diff/diff.ts";
import { namedDiffs, planDiff, recordedDiff } from "../../files/diff/diff-text.ts";
import { fileRefusal } from "../../files/file-errors.ts";
import { makeFolders, removeFolders } from "../../files/pinned-folder.ts";

/** The revision that a tool makes of the file that is there. Pure but for reading: the same file and arguments give the same bytes. */
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

/**
 * Reads only. The bytes that the file will have go into the overlay, where later plans of the message see them and `applyChange`
 * finds them.
 */
export async function planChange(change: FileChange, ctx: ToolContext): Promise<Plan> {
  const { asked } = change;
  refuseFolderName(asked);
  const real = await resolveInside(ctx, ctx.cwd, asked);
  return about([{ asked, real, access: "write" }], async () => {
    const current = await readCurrent(ctx, real, asked);
    const revision = await change.revise(current, real, ctx);
    const shown = shownPath(await realWorkspace(ctx), real);
    ctx.overlay?.write(real, { before: current.bytes, after: revision.after, done: revision.done });
    return planOf(change, real, shown, current, revision, ctx.cwd);
  });
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
    ...diffOf(before === null ? null : texts.before, texts.after, real),
  };
  const linked = "the file has other names (hard links): they will keep the old content";
  const isChanged = before !== file.after;
  const warnings = [
    ...revision.warnings,
    ...(current.hardLinked && isChanged ? [linked] : []),
    ...(current.setsId === true && isChanged ? [losesSetId] : []),
  ];
  const summary = `${change.verb} ${shown} ${before === file.after ? unchanged : figures(file)}`;
  return {
    summary,
    cwd,
    diff: planDiff([file], cwd),
    files: [file],
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

const unchanged = "(already has this content)";

const figures = ({ added, removed }: FilePlan): string => `(+${added} -${removed})`;

/**
 * Applies exactly what `ctx.plan` says, with the bytes that it was made of, or nothing: real path, mode, and the hash of the bytes
 * before are checked against the file as it is now.
 * @throws EffectStopped where it is not as planned, or somebody saved it in the last instant.
 */
export async function applyChange(change: FileChange, ctx: ToolContext): Promise<ToolResult> {
  const { plan } = ctx;
  const file = plan?.files?.[0];
  const bytes = file && ctx.planned?.(file.real);
  if (plan === undefined || file === undefined || bytes?.after == null)
    throw new TypeError(`${change.verb} is executed without its plan`);
  const shown = shownPath(await realWorkspace(ctx), file.real);
  if (sha256(bytes.after) !== file.after) throw drifted(shown);
  if ((await resolveInside(ctx, ctx.cwd, change.asked)) !== file.real) throw drifted(shown);
  const within = await rootOf(ctx, file.real);
  const outcome = await apply(file, bytes.after, { within, pins: ctx.pins }, change);
  if (outcome === "drifted") throw drifted(shown);
  if (outcome === "raced") throw raced(shown);
  ctx.seen?.note(file.real, file.after ?? "");
  return success(change, plan, file, bytes.done ?? "", shown);
}

async function apply(file: FilePlan, after: Uint8Array, place: FilePlace, change: FileChange): Promise<WriteOutcome> {
  if (file.before !== file.after) return putFile(file, after, place, change.beforeRename);
  // Nothing is to be written; that it already has this content must still be so.
  const now = await hashFile(place.pins?.at(file.real) ?? file.real);
  place.pins?.check();
  return now === file.before ? "written" : "drifted";
}

/** The place where a file has to lie: the root, and its pins. */
export interface FilePlace {
  within: string;
  pins: PinnedRoots | undefined;
}

/**
 * Writes the bytes of a planned file, with the folders that it needs; nothing of them stays where it fails.
 * @throws as writeAtomically.
 */
export async function putFile(
  file: FilePlan,
  after: Uint8Array,
  place: FilePlace,
  beforeRename?: FileChange["beforeRename"],
): Promise<WriteOutcome> {
  const { within, pins } = place;
  const made = file.before === null ? await foldersFor(file, place) : [];
  const written = await writeAtomically(file.real, after, {
    mode: file.mode,
    expectMode: file.mode,
    expectBefore: file.before,
    within,
    ...(pins === undefined ? {} : { pins }),
    asked: file.asked,
    ...(beforeRename === undefined ? {} : { beforeRename }),
  }).catch(async (error: unknown) => {
    await removeFolders(made, pins);
    throw error;
  });
  if (written === "drifted") await removeFolders(made, pins);
  return written;
}

async function foldersFor(file: FilePlan, { within, pins }: FilePlace): Promise<string[]> {
  try {
    return await makeFolders(dirname(file.real), within, pins);
  } catch (error) {
    throw fileRefusal(error, file.asked);
  }
}

function success(change: FileChange, plan: Plan, file: FilePlan, done: string, shown: string): ToolResult {
  const { added, removed } = file;
  const isSame = file.before === file.after;
  return {
    output: `${shown}: ${done}${isSame ? "" : ` ${figures(file)}`}`,
    title: `${change.verb} ${shown} ${isSame ? unchanged : figures(file)}`,
    metadata: {
      ...(isSame ? { unchanged: true } : {}),
      ...recordedDiff(namedDiffs([file], plan.cwd)),
      added,
      removed,
      path: file.real,
      sha: file.after ?? "",
    },
  };
}

const drifted = (shown: string): EffectStopped =>
  new EffectStopped(
    "drifted",
    `${shown} has changed since this change was planned: nothing was written. Read it again.`,
  );

const raced = (shown: string): EffectStopped =>
  new EffectStopped(
    "raced",
    `${shown} was saved by another program at the same moment: its content was kept and this change was not applied. Read it again.`,
  );

/** The edit of a file that is not there, with what may have been meant. */
export function missing(asked: string, near: readonly string[]): ToolRefusal {
  const help = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`;
  return new ToolRefusal("NOT_FOUND", `${asked} does not exist.${help}`);
}

/** The words of a plan's warning on a file that has them. */
export const losesSetId = "it may run as its owner or its group (setuid, setgid): that is taken away";

/** Larger files are not changed: before and after are held in memory, and kept for the journal. */
export const largestChanged = limits.changedFile.most;

export interface CurrentFile {
  /** null: there is no file. */
  bytes: Buffer | null;
  /** Permission bits that it has, or that a new file gets; without those that let it run as its owner or group. */
  mode: number;
  /** It has those: a change takes them away, as the kernel does when a file is written in place. */
  setsId?: true;
  /** Other names of the same file, which would keep the old content. */
  hardLinked: boolean;
  /** The bytes are those that an earlier call of the message will leave. */
  planned: boolean;
}

/**
 * The file as it is for this call: as earlier calls of the message will leave it where this is a plan, else on disk,
 * read from the opened and checked file.
 * @throws ToolRefusal where it cannot be read, or could not be written.
 */
export async function readCurrent(ctx: ToolContext, real: string, asked: string): Promise<CurrentFile> {
  const planned = ctx.overlay?.read(real);
  const onDisk = await readDisk(ctx, real, asked, planned === undefined);
  if (planned === undefined) return onDisk;
  return { ...onDisk, bytes: planned === null ? null : Buffer.from(planned), planned: true };
}

async function readDisk(ctx: ToolContext, real: string, asked: string, wanted: boolean): Promise<CurrentFile> {
  try {
    const { handle, stats } = await openRegular(ctx.pins?.at(real) ?? real, asked);
    try {
      await assertInsideOpened(handle, await rootOf(ctx, real), real, ctx.pins);
      await access(real, constants.W_OK);
      if (wanted && stats.size > largestChanged) throw tooLarge(asked, stats.size, largestChanged);
      const bytes = wanted ? await readBounded(handle, stats.size, largestChanged, asked) : null;
      const setsId = (stats.mode & setIdBits) === 0 ? {} : { setsId: true as const };
      const mode = stats.mode & 0o7777 & ~setIdBits;
      return { bytes, mode, ...setsId, hardLinked: stats.nlink > 1, planned: false };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw fileRefusal(error, asked);
    await assertFolderTakesFiles(dirname(real), asked);
    return { bytes: null, mode: 0o666 & ~umask(), hardLinked: false, planned: false };
  }
}

/** Said while planning, not after a person has approved it: the nearest folder that exists must take new entries. */
async function assertFolderTakesFiles(folder: string, asked: string): Promise<void> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (errnoOf(error) === "ENOENT" && dirname(folder) !== folder) {
      return assertFolderTakesFiles(dirname(folder), asked);
    }
    throw fileRefusal(error, asked);
  }
}
