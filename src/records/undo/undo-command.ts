import type { BaseMessage } from "@langchain/core/messages";
import { undoToolName } from "../../core/call.ts";
import type { Bounds } from "../../core/tool.ts";
import type { SessionRuntime } from "../../graph/runtime.ts";
import { newMessageId } from "../../graph/state.ts";
import { commandMessage } from "../../graph/talk/person-call.ts";
import { undoable } from "../../tools/undo/undoable.ts";
import { createToolContext } from "../../tools/use/run-tool.ts";
import type { Tree } from "../tree-calls.ts";
import { type Chosen, chooseUndo, type UndoTarget, undoSource, undoUnderWay } from "./changes.ts";
import { withRewind } from "./rewind.ts";

export type ChosenUndo =
  /** It was begun before: its turn is gone on with. */
  | { ok: true; calls: string[]; left: string[]; isUnderWay: true }
  | (Extract<Chosen, { ok: true }> & { message: BaseMessage; left: string[]; isUnderWay?: false })
  | { ok: false; message: string; rest?: string[] };

/** Finds the calls that can be taken back together as the files are now, oldest first, and in words the reasons against the others. Reads only. */
export async function undoLook(
  tree: Tree,
  bounds: Bounds,
  calls: readonly string[],
): Promise<{ calls: string[]; left: string[] }> {
  if (calls.length === 0) return { calls: [], left: [] };
  const { calls: kept, against } = await undoable(undoSource(tree), calls, createToolContext(bounds));
  return { calls: kept, left: against.map(({ why }) => why) };
}

/** The calls that are to be taken back, and the person's command for it; "last" means an undo under way, where there is one. Of several, those against which something stands are told. */
export async function commandUndo(
  { journal, workspace, addDirs }: Pick<SessionRuntime, "journal" | "workspace" | "addDirs">,
  store: Tree["store"],
  target: UndoTarget,
): Promise<ChosenUndo> {
  const underWay = "turn" in target && target.turn === "last" ? undoUnderWay(journal) : undefined;
  if (underWay !== undefined) return { ok: true, calls: underWay, left: [], isUnderWay: true };
  const tree = { store, journal };
  const asked = chooseUndo(tree, target);
  if (!asked.ok) return asked;
  // What stands against a single one its own plan says, and keeps.
  const isOne = asked.calls.length === 1;
  const bounds = { workspace, ...(addDirs === undefined ? {} : { addDirs }) };
  const { calls: rest, left } = isOne ? { calls: asked.calls, left: [] } : await undoLook(tree, bounds, asked.calls);
  if (left.length > 0 && (target.rest !== true || rest.length === 0))
    return { ok: false, message: left.join("; "), ...(rest.length === 0 ? {} : { rest }) };
  const chosen = left.length === 0 ? asked : chooseUndo(tree, { calls: rest });
  if (!chosen.ok) return chosen;
  const call = { name: undoToolName, arguments: { calls: chosen.calls } };
  const message = commandMessage(newMessageId(), chosen.text, call);
  return { ...chosen, left, message: target.rewind === undefined ? message : withRewind(message, target.rewind) };
}
