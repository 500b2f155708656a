import { stat } from "node:fs/promises";
import { dirname, isAbsolute, relative, sep } from "node:path";
import { isFinal, type ToolCallInfo } from "../../../core/call.ts";
import { bytesInRequest } from "../../../core/fence.ts";
import { isJsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import type { StepId } from "../../../core/step-id.ts";
import { isInside } from "../../../files/boundary.ts";
import { isOurs } from "../../../files/owner.ts";
import type { Journal, JournalReading, ToldFile } from "../../../store/types.ts";
import { createIgnoreRules, leftOutNames } from "../../../tools/search/ignore-rules.ts";
import type { Runtime } from "../../runtime.ts";
import { instructionsIn, type PromptFile } from "./instructions.ts";
import { readVerdict } from "./make-prompt.ts";
import { rest } from "./system-prompt.ts";

// Keeps graph 22.
/**
 * Has the model told what the folders say of themselves that the calls of this step had first to do with: by the rules of what goes into a prompt by itself, and
 * not of what searches leave out. Nothing where the model has said more since: a history that was told once stays as it is.
 */
export async function tellFolders(runtime: Runtime, stepId: StepId, calls: readonly ToolCallInfo[]): Promise<void> {
  const { folderIgnore, journal, workspace } = runtime;
  if (folderIgnore === undefined || journal.findReply({ ...stepId, step: stepId.step + 1 }) !== undefined) return;
  const folders = foldersOf(workspace, calls.filter(isFinal).flatMap(touchedBy(journal)));
  if (folders.length === 0) return;
  runtime.pins?.check();
  const found = await readFolders(runtime, await listed(workspace, folders, await folderIgnore()));
  // What was read of another folder than the session's is told to nobody.
  runtime.pins?.check();
  const { fresh, left } = sifted(found, inForce(journal));
  if (fresh.length > 0) await journal.tellFiles(stepId, fresh);
  const untold = left.filter(({ name }) => !runtime.leftOutFolders.has(name));
  for (const { name } of untold) runtime.leftOutFolders.add(name);
  const text = noticeText(fresh, untold);
  if (text !== "") runtime.emit({ type: "notice", code: "instructions", text });
}

type Told = Pick<ToldFile, "name" | "text">;

/** Sorts out the files that the model does not know yet, as far as there is room for them, and those that are left out. */
function sifted(found: readonly PromptFile[], told: readonly Told[]): { fresh: Told[]; left: PromptFile[] } {
  const [fresh, left]: [Told[], PromptFile[]] = [[], found.filter(({ why }) => why !== undefined)];
  for (const file of found) {
    if (file.text === undefined) continue;
    const now = { name: file.name, text: file.text + rest(file) };
    const known = [...told, ...fresh];
    if (known.some(({ name, text }) => name === now.name && text === now.text)) continue;
    if (hasRoom([...known, now])) fresh.push(now);
    else left.push({ ...file, why: "there is no room left for it" });
  }
  return { fresh, left };
}

const hasRoom = (told: readonly Told[]): boolean =>
  told.length <= limits.folderInstructions.most &&
  told.reduce((sum, { text }) => sum + bytesInRequest(text), 0) <= limits.instructions.most;

function noticeText(fresh: readonly Told[], left: readonly PromptFile[]): string {
  const told =
    fresh.length === 0
      ? []
      : [`${few(fresh.map(({ name }) => name))} went to the model, which has to do with files there now`];
  const why = few(left.map((file) => `${file.name} (${file.why})`));
  return [...told, ...(left.length === 0 ? [] : [`left out: ${why}`])].join("; ");
}

const mostNamed = 8;

function few(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}

/**
 * Files that a call read or changed, as far as its end or its plan names them: absolute, links resolved. What tools name otherwise (a search
 * its folder as it is shown, a tool of somebody's own whatever it likes) is none.
 */
const touchedBy =
  (journal: Pick<Journal, "planOf" | "doneOf">) =>
  (call: ToolCallInfo): string[] => {
    if (call.status !== "success") return [];
    const { files = [], commands = [] } = journal.planOf(call.callId) ?? {};
    const { metadata } = call.result;
    const several = metadata?.["files"];
    const named = (Array.isArray(several) ? several : [metadata]).flatMap((one) => {
      const path = isJsonObject(one) ? one["path"] : undefined;
      return typeof path === "string" && isAbsolute(path) ? [path] : [];
    });
    const done = [...files, ...journal.doneOf(call.callId), ...commands.flatMap(({ paths }) => paths)];
    return [...named, ...done.map(({ real }) => real)];
  };

/** Folders below the workspace that these files lie in, each before those in it. */
function foldersOf(workspace: string, files: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of new Set(files)) {
    for (let at = dirname(file); at !== workspace && isInside(workspace, at); at = dirname(at)) found.add(at);
  }
  return [...found].sort();
}

/** Those that a search would go into. */
async function listed(workspace: string, folders: readonly string[], ignore: readonly string[]): Promise<string[]> {
  const rules = createIgnoreRules(workspace, ignore);
  const found: string[] = [];
  for (const folder of folders) {
    const isLeftOut = relative(workspace, folder)
      .split(sep)
      .some((name) => leftOutNames.includes(name));
    if (!isLeftOut && !(await rules.ignoresBelow(workspace, folder, true))) found.push(folder);
  }
  return found;
}

async function readFolders(runtime: Runtime, folders: readonly string[]): Promise<PromptFile[]> {
  const { workspace: root } = runtime;
  const judge = readVerdict(root, await runtime.policy(runtime.mode));
  const found: PromptFile[] = [];
  for (const folder of folders) {
    const owner = await stat(folder).catch(() => undefined);
    const room = { files: 1, bytes: limits.instructions.most };
    if (owner !== undefined) found.push(...(await instructionsIn({ root, room, judge }, folder, isOurs(owner.uid))));
  }
  return found;
}

type Folded = Pick<JournalReading, "toldFiles" | "compactions" | "turns" | "steers" | "call" | "steps" | "callsOf">;

/** Lists the files that the model was sent and still reads: those that a summary stands for are sent anew. */
function inForce(journal: Folded): Told[] {
  const told = journal.toldFiles();
  const fold = journal.compactions().findLast((cut) => cut.kind === "summary" && cut.undone === undefined);
  if (fold === undefined || told.length === 0) return [...told];
  const last = stepBefore(journal, fold.upTo);
  return told.filter(
    ({ step }) => last === undefined || step.turn > last.turn || (step.turn === last.turn && step.step > last.step),
  );
}

/** The last step that comes not after this message: all that was told behind it is folded where the message is. */
function stepBefore(journal: Folded, id: string): StepId | undefined {
  const [, turn, step] = /^m(\d+)\.(\d+)$/.exec(id) ?? [];
  if (turn !== undefined && step !== undefined) return { turn: Number(turn), step: Number(step) };
  const result = /^o-(.+)$/.exec(id)?.[1];
  if (result !== undefined)
    return journal.steps().find(({ id: at }) => journal.callsOf(at).some(({ callId }) => callId === result))?.id;
  const steer = journal.steers().find(({ messageId }) => messageId === id)?.step;
  if (steer !== undefined) return { ...steer, step: steer.step - 1 };
  const begun = journal.turns().find(({ messageId }) => messageId === id)?.turn;
  return begun === undefined ? undefined : { turn: begun, step: 0 };
}
