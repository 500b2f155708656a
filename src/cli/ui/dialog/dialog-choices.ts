import { sameCall } from "../../../core/call-ref.ts";
import type { CallDecision } from "../../../graph/decisions.ts";
import { dialog as words } from "../../../words/en/dialog.ts";
import type { Key } from "../../terminal/key.ts";
import { newReader } from "../full-view/reader-state.ts";
import { rowWords } from "../question/seen-rows.ts";
import type { Geometry } from "../question/window.ts";
import { type Ask, numberIn, type Request } from "../view/view.ts";
import {
  allShown,
  atChoices,
  type Choice,
  choicesOf,
  type Dialog,
  type DialogStep,
  draftsOf,
  grantOf,
  isWider,
  keyOf,
  noted,
  onceOf,
  openPage,
  unseenRows,
  type WiderChoice,
} from "./dialog-state.ts";
import { beginEdit, openEditor } from "./edit-keys.ts";
import { bufferOf } from "./text-field.ts";

/** The context that a key is judged by. */
export interface KeyContext {
  ask: Ask;
  request: Request;
  geometry: Geometry;
  /** The key is one that went somewhere just before: it decides nothing. */
  isBurst: boolean;
}

/** The letter that a key is, without Ctrl and Alt. */
export const letterOf = (key: Key): string | undefined =>
  key.name === "char" && !key.ctrl && !key.alt ? key.text : undefined;

/** A letter of the menu; the pages of the dialog know them too. */
export function letter(dialog: Dialog, asked: KeyContext, text: string): DialogStep {
  const { ask, request } = asked;
  switch (text) {
    case "?":
      return { dialog: openPage(dialog, "why") };
    case "d":
      return { dialog: openPage(dialog, "full", { reader: readerOf(dialog) }) };
    case "o":
      return openEditor(dialog, request);
    case "A":
      return approveShown(dialog, asked);
    case "l":
      if (ask.batch.length < 2) return { dialog: noted(dialog, words().only) };
      return { dialog: openPage(dialog, "list", { row: placeOf(dialog, ask) }) };
    default:
      return chosen(dialog, asked, text);
  }
}

/** Opened from a page that was itself opened from the full view it goes on where it was. */
const readerOf = ({ trail, reader }: Dialog): Dialog["reader"] =>
  trail.some(({ stage }) => stage === "full") ? reader : newReader();

const placeOf = (dialog: Dialog, ask: Ask): number => numberIn(ask, dialog.ref) - 1;

function chosen(dialog: Dialog, asked: KeyContext, text: string): DialogStep {
  const choices = choicesOf(asked.request);
  const row = choices.findIndex((choice) => keyOf[choice] === text);
  const choice = choices[row];
  if (choice === undefined) {
    if (text === keyOf.edit) return beginEdit(dialog, asked.request);
    return { dialog: noted(dialog, words().noChoice({ typed: text })) };
  }
  // The wider choices are only pointed at: what they write is read before Enter.
  if (isWider(choice)) return { dialog: { ...atChoices(dialog), row, note: "", sure: false } };
  return choose(dialog.stage === "choose" ? { ...dialog, row } : dialog, asked, choice);
}

/** The dialog is the menu until it is known whether the answer counts. */
export const answer = (dialog: Dialog, decision: CallDecision): DialogStep => ({
  dialog: { ...dialog, stage: "choose", trail: [], busy: true, note: "" },
  effect: { do: "answer", answers: [{ ref: dialog.ref, decision }] },
});

export function choose(dialog: Dialog, asked: KeyContext, choice: Choice): DialogStep {
  switch (choice) {
    case "deny":
      return answer(dialog, { decision: "deny" });
    case "reason": {
      const kept = draftsOf(dialog)?.reason;
      return { dialog: openPage(dialog, "reason", { text: kept ?? bufferOf("") }) };
    }
    case "edit":
      return beginEdit(dialog, asked.request);
    case "once":
      return approve(dialog, asked);
    case "session":
    case "project":
    case "made":
    case "mode":
      return approveWider(dialog, asked, choice);
  }
}

/** Names the lines that were not on the screen; empty where they are not known as lines. */
export const unseenWords = (dialog: Dialog, geometry: Geometry): string => {
  const rows = geometry.window > 0 ? rowWords(unseenRows(dialog, geometry)) : "";
  return rows === "" ? "" : words().unseen({ rows });
};

/** Asks once more, says what was not shown, and lets space go there. */
function unseen(dialog: Dialog, { geometry }: KeyContext, then: string): Dialog {
  const left = unseenWords(dialog, geometry);
  const note = left === "" ? words().unseenSome({ next: then }) : words().unseenRows({ unseen: left, next: then });
  return { ...atChoices(dialog), sure: true, toUnseen: left !== "", note };
}

function approve(dialog: Dialog, asked: KeyContext): DialogStep {
  const { request, geometry } = asked;
  const shown = allShown(dialog, request, geometry);
  if (request.call.risk === "high" || (request.partial !== undefined && !shown)) {
    const { partial } = request;
    const left = unseenWords(dialog, geometry) || words().notAllWasShown;
    const note = shown ? "" : partial?.why === "binary" ? partial.text : left;
    return { dialog: openPage(dialog, "confirm", { text: bufferOf(""), note }) };
  }
  if (!shown && !dialog.sure) return { dialog: unseen(dialog, asked, words().approvesAgain) };
  return answer(dialog, onceOf(request));
}

/** This call, and by a grant or a mode those like it from now on. */
function approveWider(dialog: Dialog, asked: KeyContext, choice: WiderChoice): DialogStep {
  const { request, geometry } = asked;
  const shown = allShown(dialog, request, geometry);
  if (!shown && request.partial !== undefined) return { dialog: { ...dialog, note: words().partial } };
  if (!shown && !dialog.sure) return { dialog: unseen(dialog, asked, words().approvesAllTheSame) };
  const once = onceOf(request);
  const { mode } = request.call;
  if (choice === "mode") return mode === undefined ? { dialog } : answer(dialog, { ...once, mode });
  const grant = grantOf(request, choice);
  return grant === undefined ? { dialog } : answer(dialog, { ...once, grant });
}

/** Approves at once what the person has read to its end, but nothing of high risk. */
function approveShown(dialog: Dialog, { ask, geometry }: KeyContext): DialogStep {
  const ready = ask.requests.filter((one) => one.call.risk !== "high" && allShown(dialog, one, geometry));
  if (ready.length === 0) return { dialog: noted(dialog, words().noneShown) };
  const answers = ready.map((one) => ({ ref: one.ref, decision: onceOf(one) }));
  const isHere = answers.some(({ ref }) => sameCall(ref, dialog.ref));
  const next: Dialog = { ...dialog, stage: "choose", trail: [], busy: isHere, note: "", sure: false };
  return { dialog: next, effect: { do: "answer", answers } };
}
