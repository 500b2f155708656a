import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { z } from "zod";
import { ToolRefusal } from "../../core/codes.ts";
import { canonicalJson, sha256 } from "../../core/json.ts";
import { defineTool, type FilePlan, type Plan, type Tool, type ToolContext, type ToolResult } from "../../core/tool.ts";
import { removeAtomically } from "../../files/atomic-write.ts";
import { resolveInside } from "../../files/boundary.ts";
import { type Content, diffOf } from "../../files/diff.ts";
import { namedDiffs, planDiff, totalOf, withoutLines } from "../../files/diff-text.ts";
import { recordedDiff } from "../../files/recorded-diff.ts";
import { readCurrent, shownPath } from "../files/current-file.ts";
import { putFile } from "../files/file-change.ts";
import { asText, named, type Span, spansByFile, takeBack, type UndoSource } from "./take-back.ts";

export const undoToolName = "undo_changes";

const args = z.strictObject({
  calls: z.array(z.string().min(1)).min(1).max(1_000).describe("Ids of the calls whose changes are taken back."),
});

export interface UndoOptions {
  /** Runs before each file is written or removed, between the last check and the rename: for tests of the race. */
  beforeRename?: () => void | Promise<void>;
}

/** Puts files back to what they were before earlier calls of the session: for the person, never offered to the model. */
export function createUndoTool(source: UndoSource, options: UndoOptions = {}): Tool {
  return defineTool({
    name: undoToolName,
    description: "Takes back what earlier calls changed in files.",
    args,
    risk: "medium",
    effect: "file",
    audience: "person",
    editable: [],
    display: {
      en: { name: "Undo", params: { calls: "Calls" } },
      zh: { name: "撤销", params: { calls: "调用" } },
    },
    facts: async ({ calls }, ctx) => {
      const places = await placesOf([...spansByFile(source.applied(calls)).keys()], ctx);
      return { paths: places.map(({ asked, real }) => ({ asked, real, access: "write" as const })) };
    },
    plan: async ({ calls }, ctx) => {
      const work = await workOut(source, calls, ctx);
      for (const { file, after } of work.changes) ctx.overlay?.write(file.real, after);
      return planOf(work, ctx.cwd);
    },
    execute: async ({ calls }, ctx) => {
      // The plan stands for what was seen: only the disk counts now.
      const { overlay: _overlay, seen: _seen, ...bare } = ctx;
      const work = await workOut(source, calls, bare);
      const planned = ctx.plan?.files ?? work.changes.map(({ file }) => file);
      const fresh = work.changes.map(({ file }) => file);
      if (canonicalJson(planned) !== canonicalJson(fresh)) return drifted("the files are");
      return apply(work, ctx, options);
    },
  });
}

/** One file that is put back. */
interface Change {
  file: FilePlan;
  after: Buffer | null;
  shown: string;
  calls: string;
}

interface Work {
  callIds: string[];
  changes: Change[];
  warnings: string[];
}

/** Real paths as they were written then; a folder that leads elsewhere by now is not followed. */
async function placesOf(paths: readonly string[], ctx: ToolContext): Promise<{ asked: string; real: string }[]> {
  const root = await realpath(ctx.workspace);
  return Promise.all(
    paths.map(async (path) => {
      const asked = relative(root, path);
      const real = await resolveInside(ctx.workspace, root, path);
      if (real === path) return { asked, real };
      throw new ToolRefusal("STALE", `${asked} leads elsewhere by now: a folder on its way, or it itself, is a link`);
    }),
  );
}

/** Reads only. @throws ToolRefusal where any of it cannot be taken back: all of it, or nothing. */
async function workOut(source: UndoSource, calls: readonly string[], ctx: ToolContext): Promise<Work> {
  const applied = source.applied(calls);
  const spans = spansByFile(applied);
  const work: Work = { callIds: applied.map(({ callId }) => callId), changes: [], warnings: [] };
  for (const { asked, real } of await placesOf([...spans.keys()], ctx)) {
    await workOutFile(work, { asked, real, spans: spans.get(real) ?? [] }, source, ctx);
  }
  if (work.changes.length > 0) return work;
  throw new ToolRefusal("NO_CHANGE", `there is nothing to take back: ${work.warnings.join("; ")}`);
}

async function workOutFile(
  work: Work,
  { asked, real, spans }: { asked: string; real: string; spans: Span[] },
  source: UndoSource,
  ctx: ToolContext,
): Promise<void> {
  const shown = await shownPath(ctx.workspace, real);
  const current = await readCurrent(ctx, real, asked);
  const { bytes, mode, warnings } = takeBack(current, spans, shown, source);
  work.warnings.push(...warnings);
  const before = current.bytes === null ? null : sha256(current.bytes);
  const after = bytes === null ? null : sha256(bytes);
  if (before === after) return;
  const old = viewOf(current.bytes);
  const fresh = viewOf(bytes);
  if ([old, fresh].some(({ content }) => typeof content === "object" && content !== null))
    work.warnings.push(`${shown} is no text: it is put back whole, its content is not shown`);
  if (current.hardLinked) work.warnings.push(`${shown} has other names (hard links): they keep the present content`);
  const kind = before === null ? "new" : after === null ? "delete" : "modify";
  const { eol, bom, encoding } = fresh;
  work.changes.push({
    file: { asked, real, kind, before, after, mode, eol, bom, encoding, ...diffOf(old.content, fresh.content) },
    after: bytes,
    shown,
    calls: named({ callIds: spans.flatMap(({ callIds }) => callIds) }),
  });
}

type View = Pick<FilePlan, "eol" | "bom" | "encoding"> & { content: Content };

function viewOf(bytes: Buffer | null): View {
  if (bytes === null) return { eol: "none", bom: false, encoding: "utf-8", content: null };
  const form = asText(bytes);
  if (form === undefined) return { eol: "none", bom: false, encoding: "latin1", content: { bytes: bytes.length } };
  const { eol, bom, encoding, text } = form;
  return { eol, bom, encoding, content: (bom ? "\uFEFF" : "") + text };
}

function planOf({ callIds, changes, warnings }: Work, cwd: string): Plan {
  const [only, ...more] = changes;
  const what = only === undefined || more.length > 0 ? `${changes.length} files` : only.shown;
  const removed = more.length === 0 && only?.after === null ? "remove " : "";
  const files = changes.map(({ file }) => file);
  return {
    summary: `take back ${named({ callIds })}: ${removed}${what} ${figuresOf(files)}`,
    cwd,
    diff: planDiff(files, cwd),
    files,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function figuresOf(files: readonly FilePlan[]): string {
  const { added, removed } = totalOf(files);
  return `(+${added} -${removed})`;
}

async function apply(work: Work, ctx: ToolContext, { beforeRename }: UndoOptions): Promise<ToolResult> {
  const done: Change[] = [];
  for (const change of work.changes) {
    const outcome = await put(change, ctx.workspace, beforeRename).catch((error: unknown) => {
      if (error instanceof ToolRefusal) return error;
      throw error;
    });
    if (outcome !== "written") return stopped(done, change, outcome);
    done.push(change);
  }
  const planned = work.changes.map(({ file }) => file);
  const files = work.changes.map(({ shown, after, calls }) =>
    after === null ? `${shown} is removed: ${calls} had made it` : `${shown} is put back to before ${calls}`,
  );
  return {
    output: `Taken back at the person's command. ${files.join(". ")}. Read such a file again before you change it.`,
    title: `took back ${named(work)}: ${work.changes.map(({ shown }) => shown).join(", ")} ${figuresOf(planned)}`,
    metadata: { diff: recordedDiff(namedDiffs(planned, ctx.cwd)), ...totalOf(planned) },
  };
}

async function put({ file, after }: Change, workspace: string, beforeRename: UndoOptions["beforeRename"]) {
  if (after !== null) return putFile(file, after, workspace, beforeRename);
  return removeAtomically(file.real, {
    // Only a file that is there is removed: its plan has the hash of it.
    expectBefore: file.before ?? "",
    within: await realpath(workspace),
    asked: file.asked,
    ...(beforeRename === undefined ? {} : { beforeRename }),
  });
}

/** Tells exactly how far it came. */
function stopped(done: readonly Change[], at: Change, why: "drifted" | "raced" | ToolRefusal): ToolResult {
  if (why === "drifted" && done.length === 0) return drifted(`${at.shown} is`);
  const said =
    why instanceof ToolRefusal
      ? why.message
      : `${at.shown} was saved by somebody else in the moment of writing: their content is in place`;
  const names = done.map(({ shown }) => shown).join(", ");
  const before = done.length === 0 ? "nothing was taken back" : `taken back were only ${names}`;
  const code = why instanceof ToolRefusal ? why.code : "STALE";
  const filesDone = done.length === 0 ? {} : { filesDone: done.map(({ file }) => withoutLines(file)) };
  return {
    output: "",
    error: `${said}; ${before}`,
    metadata: { code, ...(why === "raced" ? { raced: true } : {}), ...filesDone },
  };
}

function drifted(what: string): ToolResult {
  const error = `${what} not as planned any more: nothing was taken back`;
  return { output: "", error, metadata: { code: "STALE", drifted: true } };
}
