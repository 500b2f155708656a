import type { CallDecision } from "../../../graph/decisions.ts";
import type { TextBuffer } from "../../terminal/text-buffer.ts";
import { type Arming, painted, unarmed } from "../question/arming.ts";
import type { Geometry } from "../question/window.ts";
import type { Ask, Request } from "../view/view.ts";
import { editableJson } from "./edit-arguments.ts";
import { bufferOf } from "./text-field.ts";

/** What one line of the menu does; its key is the same in every dialog. */
export type Choice = "deny" | "reason" | "edit" | "once" | "session" | "project";
export type Stage = "choose" | "reason" | "edit" | "confirm" | "why" | "full";

export interface Dialog extends Arming {
  callId: string;
  digest: string;
  stage: Stage;
  row: number;
  /** First line of the body in the window. */
  scroll: number;
  /** Lines of the body that have been on the screen, from the first; by digest and number of lines: another width is another text. */
  seen: Readonly<Record<string, number>>;
  /** `y` was pressed although not all was shown. */
  sure: boolean;
  /** An answer is on its way. */
  busy: boolean;
  text: TextBuffer;
  note: string;
}

export type DialogEffect =
  | { do: "answer"; callId: string; decision: CallDecision }
  | { do: "editor"; callId: string; json: string };

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
};

export const isEditable = (request: Request): boolean => editableJson(request.call) !== undefined;

/** The rows of the menu, always in this order; an edit and the wider grants only where they are offered. */
export function choicesOf(request: Request): Choice[] {
  const offered = (scope: string): boolean => request.grants.some((grant) => grant.scope === scope);
  const wide = (["session", "project"] as const).filter(offered);
  return ["deny", "reason", ...(isEditable(request) ? (["edit"] as const) : []), "once", ...wide];
}

/** The dialog as it opens on a request. */
export const freshDialog = (request: Request, at: number, seen: Dialog["seen"] = {}): Dialog => ({
  ...unarmed(at),
  callId: request.call.callId,
  digest: request.call.digest,
  stage: "choose",
  row: 0,
  scroll: 0,
  seen,
  sure: false,
  busy: false,
  text: bufferOf(""),
  note: "",
});

export const requestOf = (ask: Ask | undefined, dialog: Dialog | undefined): Request | undefined =>
  ask?.requests.find((one) => one.call.callId === dialog?.callId);

/**
 * The dialog that belongs to these requests. A request that is new, or whose plan changed, starts unarmed and on deny; a
 * reason that is being typed is kept, for a denial is bound to no digest. `before` is the request as it was until now.
 */
export function syncDialog(
  dialog: Dialog | undefined,
  ask: Ask | undefined,
  now: number,
  before?: Request,
): Dialog | undefined {
  if (ask === undefined) return undefined;
  const request = requestOf(ask, dialog) ?? ask.requests[0];
  if (request === undefined) return undefined;
  if (dialog === undefined) return freshDialog(request, now);
  if (dialog.callId !== request.call.callId) return freshDialog(request, now, dialog.seen);
  // Asked again although an answer was on its way: that answer did not settle it.
  const again = dialog.busy && before !== undefined && before !== request;
  if (dialog.digest === request.call.digest && !again) return dialog;
  const next = freshDialog(request, now, dialog.seen);
  return dialog.stage === "reason" && !dialog.busy ? { ...next, stage: "reason", text: dialog.text } : next;
}

/** A frame with this dialog was written: its time, and how far the body has been shown. */
export function dialogPainted(dialog: Dialog, geometry: Geometry, now: number): Dialog {
  const next = { ...dialog, ...painted(dialog, now) };
  if (dialog.stage === "why") return next;
  const shown = Math.min(geometry.total, dialog.scroll + geometry.window);
  const before = seenOf(dialog, geometry.total);
  // Only what joins on to the lines seen before counts: jumping to the end does not show the middle.
  const reached = dialog.scroll <= before ? Math.max(before, shown) : before;
  return reached === before ? next : { ...next, seen: { ...dialog.seen, [textKey(dialog, geometry.total)]: reached } };
}

const textKey = ({ digest }: Dialog, total: number): string => `${digest}/${total}`;

const seenOf = (dialog: Dialog, total: number): number => dialog.seen[textKey(dialog, total)] ?? 0;

/** Whether every row of the effect has been on the screen, its end reached; content that is no text never is. */
export const allShown = (dialog: Dialog, request: Request, total: number): boolean =>
  request.partial?.why !== "binary" && seenOf(dialog, total) >= total;
