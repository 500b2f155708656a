import { sameCall } from "../../../core/call-ref.ts";
import { dialog as words } from "../../../words/en/dialog.ts";
import { fullView } from "../../../words/en/full-view.ts";
import { stacked } from "../../terminal/rows.ts";
import { nothing } from "../draw/block.ts";
import { filesOf } from "../full-view/changes-text.ts";
import { type FullText, fullFrame } from "../full-view/full-frame.ts";
import { searchOn } from "../full-view/reader-state.ts";
import { unarmed } from "../question/arming.ts";
import type { Layouts } from "../question/body-lines.ts";
import { answer } from "../question/give-answers.ts";
import { cleanLine } from "../safe-text.ts";
import type { Hands } from "../surface/hands.ts";
import type { Question } from "../surface/surface.ts";
import type { Ask, Request } from "../view/view.ts";
import { factsOf } from "./dialog-facts.ts";
import { dialogBlock } from "./dialog-frame.ts";
import { headLine } from "./dialog-head.ts";
import { dialogKey } from "./dialog-keys.ts";
import { dialogLines } from "./dialog-lines.ts";
import {
  allShown,
  choicesOf,
  type Dialog,
  type DialogEffect,
  dialogPainted,
  grantOf,
  requestOf,
  syncDialog,
  withHistory,
} from "./dialog-state.ts";
import { submitEdit } from "./edit-keys.ts";

type Edited = Extract<DialogEffect, { do: "editor" }>;
type Counted = Extract<DialogEffect, { do: "history" }>;

/** The question about calls that wait for the person's yes. */
export const dialogSurface: Question<Dialog, DialogEffect> = {
  // Calls whose end was not seen are asked about first.
  sync: (dialog, view, before, at) =>
    view.recovery.length > 0 ? undefined : syncDialog(dialog, view.ask, at, requestOf(before.ask, dialog)),
  whole(dialog, { view: { ask }, layouts, columns, rows }) {
    const request = requestOf(ask, dialog);
    if (dialog.stage !== "full" || ask === undefined || request === undefined) return undefined;
    const size = { columns, rows };
    return fullFrame(dialog.reader, dialogText(dialog, ask, request, size, layouts), size);
  },
  block(dialog, { view: { ask }, layouts }, space) {
    const request = requestOf(ask, dialog);
    return ask === undefined || request === undefined ? nothing : dialogBlock(dialog, ask, request, space, layouts);
  },
  key(dialog, key, { screen: { geometry, text }, now, view: { ask } }) {
    if (ask === undefined) return { state: dialog };
    const { dialog: state, ...step } = dialogKey(dialog, ask, key, geometry, now, text);
    return { state, ...step };
  },
  goOn: (dialog, text) =>
    dialog.stage === "full" && dialog.reader.search !== undefined
      ? { ...dialog, reader: searchOn(dialog.reader, text) }
      : dialog,
  painted(before, geometry, now) {
    const seen = dialogPainted(before, geometry, now);
    const isSame = seen.paintedAt === before.paintedAt && seen.seen === before.seen && seen.whole === before.whole;
    return isSame ? before : seen;
  },
  unseen: (dialog, now) => (dialog.paintedAt === undefined ? dialog : { ...dialog, ...unarmed(now) }),
  broughtBack: (dialog, now) => ({ ...dialog, paintedAt: undefined, went: { by: "enter", at: now } }),
  isBusy: ({ busy }) => busy,
  isAtMenu: ({ stage }) => stage === "choose",
  refused: (dialog, ref, message) => (sameCall(dialog.ref, ref) ? { ...dialog, busy: false, note: message } : dialog),
  lines: dialogLines,
  effects: { answer, editor: edit, history: count },
};

async function edit({ ref, text: before, name, argument }: Edited, hands: Hands<Dialog>): Promise<void> {
  const text = await hands.edit(before, name);
  const dialog = hands.state();
  const request = requestOf(hands.view().ask, dialog);
  if (dialog === undefined || request === undefined || !sameCall(dialog.ref, ref) || dialog.busy)
    return hands.say({ kind: "notice", level: "warn", text: words().waitsNoMore });
  if (text === undefined) return hands.refused(ref, words().editorFailed);
  const step = submitEdit(dialog, request, text, argument);
  hands.set(() => step.dialog);
  if (step.effect?.do === "answer") await answer(step.effect, hands);
}

/** Counts the decisions that a grant would have made. */
async function count({ ref, scope }: Counted, hands: Hands<Dialog>): Promise<void> {
  const request = requestOf(hands.view().ask, hands.state());
  const offer = request && grantOf(request, scope);
  const text = offer && (await hands.services.folder.grantHistory(hands.session().workspace, offer));
  if (text === undefined) return;
  hands.set((dialog) => (sameCall(dialog.ref, ref) ? withHistory(dialog, scope, cleanLine(text)) : dialog));
}

/** The whole change with all that is said beside it, to be read; what was read to its end is decided about there too. */
function dialogText(
  dialog: Dialog,
  ask: Ask,
  request: Request,
  size: { columns: number; rows: number },
  layouts: Layouts,
): FullText {
  const facts = factsOf(request, size);
  const above = facts.scrolling.length;
  return {
    head: (columns) => [headLine(request, ask, columns), ...facts.fixed],
    files: filesOf(request.changes),
    lay: (width, sides) => {
      const body = layouts.body(request, width, { sides });
      const heads = body.heads.map(({ kind, row }) => ({ kind, row: row + above }));
      return { ...stacked([facts.scrolling, body]), heads };
    },
    hints: allShown(dialog, request, size) ? decidingHints(request) : fullView().hints,
  };
}

const decidingHints = (request: Request): string[] => words().readHints({ edit: choicesOf(request).includes("edit") });
