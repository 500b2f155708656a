import { addressOf, type CallRef, sameCall } from "../../../core/call-ref.ts";
import type { CallDecision } from "../../../graph/decisions.ts";
import type { GrantOffer } from "../../../policy/types.ts";
import { dialog as words } from "../../../words/en/dialog.ts";
import type { TextBuffer } from "../../terminal/text-buffer.ts";
import { newReader, type Reader } from "../full-view/reader-state.ts";
import { type Arming, type Moment, painted, unarmed } from "../question/arming.ts";
import type { Answer } from "../question/give-answers.ts";
import { type RowRange, rowsLeftOut, withRows } from "../question/seen-rows.ts";
import type { Geometry } from "../question/window.ts";
import { type Ask, choiceOf, numberIn, type Request } from "../view/view.ts";
import { editableJson } from "./edit-arguments.ts";
import { bufferOf } from "./text-field.ts";

/** The choice that one line of the menu makes; its key is the same in every dialog. */
export type Choice = "deny" | "reason" | "edit" | "once" | "session" | "project" | "made" | "mode";
export type Stage = "choose" | "reason" | "edit" | "confirm" | "why" | "full" | "list";

/** A page that the person came through, and where they were in it. */
export interface VisitedPage {
  stage: Stage;
  scroll: number;
}

/** The texts that were written for a call and not sent. */
export interface Drafts {
  /** Of the arguments; `argument` is the one that it is, undefined where it is JSON. */
  edit?: { text: TextBuffer; argument: string | undefined } | undefined;
  reason?: TextBuffer | undefined;
}

export interface Dialog extends Arming {
  ref: CallRef;
  digest: string;
  stage: Stage;
  /** The pages that led here from the menu, the last one last: Esc goes back by one. */
  trail: readonly VisitedPage[];
  /** The last Esc or Enter that went somewhere: it decides nothing for a breath. */
  went: { by: "escape" | "enter"; at: number } | undefined;
  /** Of the menu, or of the list of all requests. */
  row: number;
  /** First line of what scrolls in the window. */
  scroll: number;
  /** Lines of the effect that have been on the screen, by digest and number of lines: another width is another text. */
  seen: Readonly<Record<string, readonly RowRange[]>>;
  /** The effects that were on the screen to their last line, by digest and columns of the terminal. */
  whole: Readonly<Record<string, true>>;
  /** `y` was pressed although not all was shown. */
  sure: boolean;
  /** It was said which lines were not shown: space goes there. */
  toUnseen: boolean;
  /** An answer is on its way. */
  busy: boolean;
  text: TextBuffer;
  /** By the call's address, until it is decided. */
  drafts: Readonly<Record<string, Drafts>>;
  /** The argument that is in the field as it is; undefined where JSON is. */
  argument?: string | undefined;
  note: string;
  /** The decisions that the grants would have made over recorded calls, in words, by scope; empty while they are being counted. */
  histories: Readonly<Record<string, string>>;
  /** The person's place in the full view. */
  reader: Reader;
}

export type DialogEffect =
  | { do: "answer"; answers: Answer[] }
  | { do: "editor"; ref: CallRef; text: string; name: string; argument: string | undefined }
  /** Ask what the grant that is pointed at would have decided; the answer comes with `withHistory`. */
  | { do: "history"; ref: CallRef; scope: string };

export interface DialogStep {
  dialog: Dialog;
  effect?: DialogEffect;
  /** The key came before the dialog could be answered: it belongs to the draft. */
  toDraft?: boolean;
}

export const keyOf: Record<Choice, string> = {
  deny: "n",
  reason: "r",
  edit: "e",
  once: "y",
  session: "s",
  project: "p",
  made: "w",
  mode: "m",
};

/** Choices that hold for more than this call: what they write is read before Enter. */
export type WiderChoice = Extract<Choice, "session" | "project" | "made" | "mode">;
export const isWider = (choice: Choice | undefined): choice is WiderChoice =>
  choice === "session" || choice === "project" || choice === "made" || choice === "mode";

/** The grant that a choice gives; undefined where it is not offered. */
export const grantOf = ({ call }: Request, choice: string): GrantOffer | undefined =>
  call.grants?.find((offer) => choiceOf(offer) === choice);

/** Tells whether it is a plan to work by, for which a mode is chosen. */
export const isPlan = ({ proposed, call }: Request): boolean => proposed !== undefined && call.mode !== undefined;

/** Returns the meaning of a yes: this call, as it was shown. A plan is worked in mode ask then. */
export const onceOf = (request: Request): Extract<CallDecision, { decision: "approve" }> => ({
  decision: "approve",
  digest: request.call.digest,
  ...(isPlan(request) ? { mode: "ask" } : {}),
});

export const isEditable = (request: Request): boolean => editableJson(request.call) !== undefined;

/** The rows of the menu, always in this order; an edit and the wider choices only where they are offered. */
export function choicesOf(request: Request): Choice[] {
  const offered = (choice: string): boolean => request.grants.some((grant) => grant.choice === choice);
  const wide = (["session", "project", "made"] as const).filter(offered);
  const edit = isEditable(request) ? (["edit"] as const) : [];
  const mode = request.call.mode === undefined ? [] : (["mode"] as const);
  return ["deny", "reason", ...edit, "once", ...wide, ...mode];
}

/** The wider choice that the menu points at. */
export function pointedAt(dialog: Dialog, request: Request): WiderChoice | undefined {
  const choice = choicesOf(request)[dialog.row];
  return dialog.stage === "choose" && isWider(choice) ? choice : undefined;
}

type Shown = Pick<Dialog, "seen" | "whole">;
/** The parts that stay where the dialog goes over to another request, or the plan changed. */
type Kept = Shown & Pick<Dialog, "drafts">;

/** The dialog as it opens on a request. */
export const freshDialog = (
  request: Request,
  arming: Arming,
  { seen, whole, drafts }: Kept = { seen: {}, whole: {}, drafts: {} },
): Dialog => ({
  ...arming,
  ref: request.ref,
  digest: request.call.digest,
  stage: "choose",
  trail: [],
  went: undefined,
  row: 0,
  scroll: 0,
  seen,
  whole,
  sure: false,
  toUnseen: false,
  busy: false,
  text: bufferOf(""),
  drafts,
  note: "",
  histories: {},
  reader: newReader(),
});

/** Another page, from which Esc leads back to the present one. */
export const openPage = (dialog: Dialog, stage: Stage, more: Partial<Dialog> = {}): Dialog => ({
  ...dialog,
  stage,
  trail: [...dialog.trail, { stage: dialog.stage, scroll: dialog.scroll }],
  row: 0,
  scroll: 0,
  note: "",
  sure: false,
  toUnseen: false,
  ...more,
});

/** The page before this one, as it was left; the menu is on its first row again, which denies. */
export function goBack(dialog: Dialog, note = ""): Dialog {
  const { stage, scroll } = dialog.trail.at(-1) ?? { stage: "choose", scroll: 0 };
  const trail = dialog.trail.slice(0, -1);
  return { ...dialog, stage, scroll, trail, row: 0, note, sure: false, toUnseen: false };
}

/** The menu, for what is chosen on a page that shows something else. */
export const atChoices = (dialog: Dialog): Dialog => (dialog.stage === "choose" ? dialog : openPage(dialog, "choose"));

/** Said where the person is; the full view says it on its last row. */
export const noted = (dialog: Dialog, note: string): Dialog =>
  dialog.stage === "full"
    ? { ...dialog, reader: { ...dialog.reader, note } }
    : { ...dialog, note, sure: false, toUnseen: false };

export const draftsOf = ({ drafts, ref }: Dialog): Drafts | undefined => drafts[addressOf(ref)];

export const withDrafts = (dialog: Dialog, drafts: Drafts): Dialog => ({
  ...dialog,
  drafts: { ...dialog.drafts, [addressOf(dialog.ref)]: { ...draftsOf(dialog), ...drafts } },
});

export const requestOf = (ask: Ask | undefined, dialog: Dialog | undefined): Request | undefined =>
  ask?.requests.find((one) => sameCall(one.ref, dialog?.ref));

/** The request after the one that was answered, in the batch's order; behind the last one the first that waits. */
function nextOpen(ask: Ask, dialog: Dialog | undefined): Request | undefined {
  const at = dialog === undefined ? 0 : numberIn(ask, dialog.ref);
  return ask.requests.find((one) => numberIn(ask, one.ref) > at) ?? ask.requests[0];
}

/**
 * The dialog that belongs to these requests. A request that is new, or whose plan changed, starts unarmed and on deny; a
 * reason that is being typed stays open, for a denial is bound to no digest, and an edit is kept. `before` is the request as it was until now.
 */
export function syncDialog(
  dialog: Dialog | undefined,
  ask: Ask | undefined,
  at: Moment,
  before?: Request,
): Dialog | undefined {
  if (ask === undefined) return undefined;
  const request = requestOf(ask, dialog) ?? nextOpen(ask, dialog);
  if (request === undefined) return undefined;
  const fresh = (kept?: Kept) => freshDialog(request, unarmed(at.keyAt), kept);
  if (dialog === undefined) return fresh();
  if (!sameCall(dialog.ref, request.ref)) return fresh(dialog);
  // Asked again although an answer was on its way: that answer did not settle it.
  const again = dialog.busy && before !== undefined && before !== request;
  if (dialog.digest === request.call.digest && !again) return dialog;
  const { text, argument, busy } = dialog;
  if (dialog.stage === "edit") {
    const next = fresh(withDrafts(dialog, { edit: { text, argument } }));
    return busy ? next : { ...next, note: words().editKept };
  }
  const next = fresh(dialog);
  return dialog.stage === "reason" && !busy ? { ...openPage(next, "reason"), text } : next;
}

/** A frame with this dialog was written: its time, and how far the effect has been shown. */
export function dialogPainted(dialog: Dialog, geometry: Geometry, now: number): Dialog {
  const next = { ...dialog, ...painted(dialog, now) };
  if (dialog.stage === "why" || dialog.stage === "list") return next;
  const { total, window } = geometry;
  const top = geometry.top ?? dialog.scroll;
  const before = dialog.seen[textKey(dialog, total)] ?? [];
  const rows = window > 0 ? withRows(before, top, Math.min(total, top + window)) : before;
  const seen = rows === before ? dialog.seen : { ...dialog.seen, [textKey(dialog, total)]: rows };
  const key = wholeKey(dialog.digest, geometry);
  const isNew = window > 0 && rowsLeftOut(rows, total).length === 0 && dialog.whole[key] === undefined;
  const whole = isNew ? { ...dialog.whole, [key]: true as const } : dialog.whole;
  return seen === dialog.seen && whole === dialog.whole ? next : { ...next, seen, whole };
}

/** The lines of the effect, as it is laid out now, that have not been on the screen. */
export const unseenRows = (dialog: Dialog, { total }: Pick<Geometry, "total">): RowRange[] =>
  rowsLeftOut(dialog.seen[textKey(dialog, total)] ?? [], total);

const textKey = ({ digest }: Dialog, total: number): string => `${digest}/${total}`;
const wholeKey = (digest: string, { columns }: Pick<Geometry, "columns">): string => `${digest}/${columns}`;

/** Tells whether every row of the effect has been on the screen; content that is no text never is. */
export const allShown = (dialog: Shown, { partial, call }: Request, geometry: Pick<Geometry, "columns">): boolean =>
  partial?.why !== "binary" && dialog.whole[wholeKey(call.digest, geometry)] === true;

/** A grant that is pointed at for the first time: its history is wanted. */
export function historyWanted(dialog: Dialog, request: Request): Extract<DialogEffect, { do: "history" }> | undefined {
  if (!sameCall(dialog.ref, request.ref)) return undefined;
  const scope = pointedAt(dialog, request);
  if (scope === undefined || scope === "mode" || dialog.histories[scope] !== undefined) return undefined;
  return { do: "history", ref: dialog.ref, scope };
}

export const withHistory = (dialog: Dialog, scope: string, text: string): Dialog => ({
  ...dialog,
  histories: { ...dialog.histories, [scope]: text },
});
