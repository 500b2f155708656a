import { ToolRefusal } from "../../core/codes.ts";
import { shownPath } from "../../core/shown-path.ts";
import type { ToolContext } from "../../core/tool.ts";
import { realWorkspace } from "../../files/boundary.ts";
import { readCurrent } from "../files/file-change.ts";
import { SpanRefusal, spansByFile, takeBack, type UndoSource } from "./take-back.ts";
import { placesOf } from "./undo-changes.ts";

/** Calls that cannot be taken back as the files are now, and what stands against it, in words. */
export interface StandsAgainst {
  calls: string[];
  why: string;
}

/**
 * Finds those of these calls that can be taken back together, oldest first, and the reason against each other one. Reads only; the plan
 * of the undo looks again.
 * @throws ToolRefusal where one of them is not known, changed no file, or was already taken back.
 */
export async function undoable(
  source: UndoSource,
  calls: readonly string[],
  ctx: ToolContext,
): Promise<{ calls: string[]; against: StandsAgainst[] }> {
  const against: StandsAgainst[] = [];
  let left = [...calls];
  while (left.length > 0) {
    const found = await standsAgainst(source, left, ctx);
    if (found.length === 0) break;
    against.push(...found);
    const blocked = new Set(found.flatMap((one) => one.calls));
    const others = left.filter((callId) => !blocked.has(callId));
    // What names none of them stands against all of them.
    left = others.length < left.length ? others : [];
  }
  return { calls: left, against };
}

async function standsAgainst(source: UndoSource, calls: readonly string[], ctx: ToolContext): Promise<StandsAgainst[]> {
  const found: StandsAgainst[] = [];
  for (const path of spansByFile(source.applied(calls)).keys()) {
    const refusal = await refusalIn(path, source, calls, ctx);
    if (refusal === undefined) continue;
    const single: StandsAgainst[] = [];
    // Of several changes that follow each other it may be but one.
    for (const callId of refusal.calls.length > 1 ? refusal.calls : []) {
      const own = await refusalIn(path, source, [callId], ctx);
      if (own !== undefined) single.push(own);
    }
    found.push(...(single.length > 0 ? single : [refusal]));
  }
  return [...found, ...againstArtifacts(source, calls)];
}

function againstArtifacts(source: UndoSource, calls: readonly string[]): StandsAgainst[] {
  try {
    source.artifacts?.(calls);
    return [];
  } catch (error) {
    if (!(error instanceof SpanRefusal)) throw error;
    return [{ calls: [...error.callIds], why: error.message }];
  }
}

/** Finds the reason why the changes of these calls cannot be taken out of one file. */
async function refusalIn(
  path: string,
  source: UndoSource,
  calls: readonly string[],
  ctx: ToolContext,
): Promise<StandsAgainst | undefined> {
  const spans = spansByFile(source.applied(calls)).get(path) ?? [];
  try {
    for (const { asked, real } of await placesOf([path], ctx)) {
      const shown = shownPath(await realWorkspace(ctx), real);
      takeBack(await readCurrent(ctx, real, asked), spans, shown, source);
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    const named = error instanceof SpanRefusal ? error.callIds : spans.flatMap(({ callIds }) => callIds);
    return { calls: [...named], why: error.message };
  }
}
