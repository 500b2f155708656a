import { relative } from "node:path";
import { z } from "zod";
import { undoToolName } from "../../core/call.ts";
import { readCallName } from "../../core/call-ref.ts";
import { ToolRefusal } from "../../core/codes.ts";
import { FolderLost } from "../../core/folder-lost.ts";
import { sha256 } from "../../core/json.ts";
import { about, EffectStopped } from "../../core/outcome.ts";
import { shownPath } from "../../core/shown-path.ts";
import {
  defineTool,
  type FileBytes,
  type FilePlan,
  type Plan,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "../../core/tool.ts";
import { isInside, realWorkspace, resolveInside, rootOf } from "../../files/boundary.ts";
import { removeAtomically } from "../../files/bytes/atomic-write.ts";
import { hashFile, setIdBits } from "../../files/bytes/temporaries.ts";
import { diffOf } from "../../files/diff/diff.ts";
import { namedDiffs, planDiff, recordedDiff, totalOf } from "../../files/diff/diff-text.ts";
import { type FilePlace, losesSetId, putFile, readCurrent } from "../files/file-change.ts";
import { viewOf } from "./content-view.ts";
import {
  type AppliedCall,
  type ArtifactTaken,
  named,
  type Span,
  spansByFile,
  takeBack,
  type UndoSource,
} from "./take-back.ts";
import { marksOf, takenChange, takenDiff, takenText } from "./taken-artifacts.ts";

const args = z.strictObject({
  calls: z.array(z.string().min(1)).min(1).max(1_000).describe("Ids of the calls whose changes are taken back."),
});

export interface UndoOptions {
  /** Runs before each file is written or removed, between the last check and the rename: for tests of the race. */
  beforeRename?: () => void | Promise<void>;
}

/** The names of the tool: for rules and the record, and for the person. */
export const undoNames = {
  name: undoToolName,
  display: {
    en: { name: "Undo", params: { calls: "Calls" } },
    zh: { name: "撤销", params: { calls: "调用" } },
  },
} as const satisfies Pick<Tool, "name" | "display">;

/** Puts files back to what they were before earlier calls of the session: for the person, never offered to the model. */
export function createUndoTool(source: UndoSource, options: UndoOptions = {}): Tool {
  return defineTool({
    ...undoNames,
    description: "Takes back what earlier calls changed in files and artifacts.",
    args,
    risk: "medium",
    effect: "file",
    audience: "person",
    editable: [],
    checksPlan: true,
    plan: async ({ calls }, ctx) => {
      const applied = source.applied(calls);
      const spans = spansByFile(applied);
      const places = await placesOf([...spans.keys()], ctx);
      return about(
        places.map((place) => ({ ...place, access: "write" })),
        async () => {
          const work = await workOut({ source, applied, spans, places }, ctx);
          for (const { file, bytes } of work.changes) ctx.overlay?.write(file.real, bytes);
          return planOf(work, ctx.cwd);
        },
      );
    },
    execute: ({ calls }, ctx) => apply(calls, ctx, source, options),
  });
}

/** One file that is put back. */
interface Change {
  file: FilePlan;
  bytes: FileBytes;
  shown: string;
}

interface Work {
  callIds: string[];
  changes: Change[];
  artifacts: ArtifactTaken[];
  warnings: string[];
}

/** Real paths as they were written then; a folder that leads elsewhere by now is not followed. */
export async function placesOf(paths: readonly string[], ctx: ToolContext): Promise<{ asked: string; real: string }[]> {
  const root = await realWorkspace(ctx);
  return Promise.all(
    paths.map(async (path) => {
      const asked = isInside(root, path) ? relative(root, path) : path;
      const real = await resolveInside(ctx, root, path);
      if (real === path) return { asked, real };
      throw new ToolRefusal("STALE", `${asked} leads elsewhere by now: a folder on its way, or it itself, is a link`);
    }),
  );
}

/** The changes that are to be taken back, and their places. */
interface Wanted {
  source: UndoSource;
  applied: readonly AppliedCall[];
  spans: ReadonlyMap<string, Span[]>;
  places: readonly { asked: string; real: string }[];
}

/** Reads only. @throws ToolRefusal where any of it cannot be taken back: all of it, or nothing. */
async function workOut({ source, applied, spans, places }: Wanted, ctx: ToolContext): Promise<Work> {
  const callIds = applied.map(({ callId }) => callId);
  const work: Work = { callIds, changes: [], artifacts: source.artifacts?.(callIds) ?? [], warnings: [] };
  for (const { asked, real } of places) {
    await workOutFile(work, { asked, real, spans: spans.get(real) ?? [] }, source, ctx);
  }
  if (work.changes.length + work.artifacts.length > 0) return work;
  throw new ToolRefusal("NO_CHANGE", `there is nothing to take back: ${work.warnings.join("; ")}`);
}

async function workOutFile(
  work: Work,
  { asked, real, spans }: { asked: string; real: string; spans: Span[] },
  source: UndoSource,
  ctx: ToolContext,
): Promise<void> {
  const shown = shownPath(await realWorkspace(ctx), real);
  const current = await readCurrent(ctx, real, asked);
  const { bytes, warnings, ...reverted } = takeBack(current, spans, shown, source);
  const mode = reverted.mode & ~setIdBits;
  work.warnings.push(...warnings);
  const before = current.bytes === null ? null : sha256(current.bytes);
  const after = bytes === null ? null : sha256(bytes);
  if (before === after) return;
  const old = viewOf(current.bytes);
  const fresh = viewOf(bytes);
  if ([old, fresh].some(({ content }) => typeof content === "object" && content !== null))
    work.warnings.push(`${shown} is no text: it is put back whole, its content is not shown`);
  if (current.hardLinked) work.warnings.push(`${shown} has other names (hard links): they keep the present content`);
  if (current.setsId === true) work.warnings.push(`${shown}: ${losesSetId}`);
  const kind = before === null ? "new" : after === null ? "delete" : "modify";
  const { eol, bom, encoding } = fresh;
  work.changes.push({
    file: { asked, real, kind, before, after, mode, eol, bom, encoding, ...diffOf(old.content, fresh.content, real) },
    bytes: { before: current.bytes, after: bytes, done: doneText(shown, spans, after === null) },
    shown,
  });
}

function doneText(shown: string, spans: readonly Span[], gone: boolean): string {
  const calls = named({ callIds: spans.flatMap(({ callIds }) => callIds) });
  return gone ? `${shown} is removed: ${calls} had made it` : `${shown} is put back to before ${calls}`;
}

function planOf({ callIds, changes, artifacts, warnings }: Work, cwd: string): Plan {
  const [only, ...more] = changes;
  const what = only === undefined || more.length > 0 ? `${changes.length} files` : only.shown;
  const removed = more.length === 0 && only?.bytes.after === null ? "remove " : "";
  const files = changes.map(({ file }) => file);
  const taken = artifacts.map(takenText).join(", ");
  if (only === undefined)
    return {
      summary: `take back ${briefly(callIds)}: ${taken}`,
      cwd,
      diff: takenDiff(artifacts),
      artifacts: marksOf(artifacts),
      warnings: artifacts.map(takenText),
    };
  const also = artifacts.length === 0 ? "" : `, ${taken}`;
  const notes = [...warnings, ...artifacts.map((one) => `of artifacts, which are not shown below: ${takenText(one)}`)];
  return {
    summary: `take back ${briefly(callIds)}: ${removed}${what} ${figuresOf(files)}${also}`,
    cwd,
    diff: planDiff(files, cwd),
    files,
    ...(artifacts.length > 0 ? { artifacts: marksOf(artifacts) } : {}),
    ...(notes.length > 0 ? { warnings: notes } : {}),
  };
}

/** In a line: several calls of children, which have long names, are counted; the arguments name each. */
function briefly(callIds: readonly string[]): string {
  const own = callIds.filter((id) => readCallName(id)?.session === undefined);
  const others = callIds.length - own.length;
  if (others === 0 || callIds.length === 1) return named({ callIds: [...callIds] });
  const text = `${others} ${others === 1 ? "call" : "calls"} of children`;
  return own.length === 0 ? text : `${named({ callIds: own })} and ${text}`;
}

function figuresOf(files: readonly Pick<FilePlan, "added" | "removed">[]): string {
  const { added, removed } = totalOf(files);
  return `(+${added} -${removed})`;
}

/** Puts back what the plan says, file by file; begins with none where one of them is not as planned. */
async function apply(
  calls: readonly string[],
  ctx: ToolContext,
  source: UndoSource,
  options: UndoOptions,
): Promise<ToolResult> {
  const { plan } = ctx;
  if (plan === undefined) throw new TypeError("an undo is executed without its plan");
  const { files = [] } = plan;
  const artifacts = source.artifacts?.(calls) ?? [];
  if (JSON.stringify(marksOf(artifacts)) !== JSON.stringify(plan.artifacts ?? []))
    throw new EffectStopped("drifted", "the artifacts have changed since the undo was planned: nothing was taken back");
  await placesOf(
    files.map(({ real }) => real),
    ctx,
  );
  const now = await Promise.all(files.map(({ real }) => hashFile(ctx.pins?.at(real) ?? real).catch(() => undefined)));
  if (files.some(({ before }, index) => now[index] !== before))
    throw new EffectStopped("drifted", "the files have changed since the undo was planned: nothing was taken back");
  const done: FilePlan[] = [];
  const said: string[] = [];
  for (const file of files) {
    const bytes = ctx.planned?.(file.real);
    if (bytes === undefined) throw new TypeError("an undo is executed without its plan");
    const place = { within: await rootOf(ctx, file.real), pins: ctx.pins };
    const outcome = await put(file, bytes.after, place, options.beforeRename).catch((error: unknown) => {
      if (error instanceof ToolRefusal) return error;
      // What was put back before it is said.
      if (error instanceof FolderLost && done.length > 0) return new ToolRefusal("STALE", error.message);
      throw error;
    });
    if (outcome !== "written") throw stopped(done, file, outcome);
    done.push(file);
    said.push(bytes.done ?? file.asked);
  }
  const again = files.length === 0 ? "" : " Read these files again before you change them.";
  const what = [...files.map(({ asked }) => asked), ...artifacts.map(takenText)].join(", ");
  const diffs = [...namedDiffs(files, plan.cwd), ...artifacts.map(takenChange)];
  return {
    output: `Taken back at the person's command. ${[...said, ...artifacts.map(takenText)].join(". ")}.${again}`,
    title: `took back ${briefly(calls)}: ${what} ${figuresOf(diffs)}`,
    metadata: { ...recordedDiff(diffs), ...totalOf(diffs) },
  };
}

async function put(
  file: FilePlan,
  after: Uint8Array | null,
  place: FilePlace,
  beforeRename: UndoOptions["beforeRename"],
) {
  if (after !== null) return putFile(file, after, place, beforeRename);
  return removeAtomically(file.real, {
    // Only a file that is there is removed: its plan has the hash of it.
    expectBefore: file.before ?? "",
    within: place.within,
    ...(place.pins === undefined ? {} : { pins: place.pins }),
    asked: file.asked,
    ...(beforeRename === undefined ? {} : { beforeRename }),
  });
}

/** Tells exactly how far it came. */
function stopped(changed: readonly FilePlan[], at: FilePlan, why: "drifted" | "raced" | ToolRefusal): EffectStopped {
  if (why === "drifted" && changed.length === 0)
    return new EffectStopped("drifted", `${at.asked} has changed since the undo was planned: nothing was taken back`);
  const said =
    why instanceof ToolRefusal
      ? why.message
      : `${at.asked} was saved by another program at the same moment: its content was kept`;
  const names = changed.map(({ asked }) => asked).join(", ");
  const message = `${said}; ${changed.length === 0 ? "nothing was taken back" : `only these were taken back: ${names}`}`;
  if (why instanceof ToolRefusal) return new EffectStopped("failed", message, { code: why.code, changed });
  return new EffectStopped(why === "raced" ? "raced" : "failed", message, { changed });
}
