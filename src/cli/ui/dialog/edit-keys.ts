import type { Key } from "../../terminal/key.ts";
import type { Request } from "../view/view.ts";
import type { Dialog, DialogStep } from "./dialog-state.ts";
import { editableJson, parseEdit } from "./edit-arguments.ts";
import { bufferOf, editKey, textOf } from "./text-field.ts";

/** Characters of JSON that are still comfortable to edit in place. */
const editLimit = 20_000;

/** Opens the field with the arguments, where there is something to edit. */
export function beginEdit(dialog: Dialog, request: Request): DialogStep {
  const json = editableJson(request.call);
  if (json === undefined) return { dialog: { ...dialog, note: "nothing in this call may be edited" } };
  if (json.length > editLimit)
    return { dialog: { ...dialog, note: "too long to edit here; o opens it in your editor" } };
  return { dialog: { ...dialog, stage: "edit", text: bufferOf(json), note: "" } };
}

/** Hands the arguments, as they are in the field or in the call, to the person's editor. */
export function openEditor(dialog: Dialog, request: Request): DialogStep {
  const json = dialog.stage === "edit" ? textOf(dialog.text) : editableJson(request.call);
  if (json === undefined) return { dialog: { ...dialog, note: "nothing in this call may be edited" } };
  return { dialog, effect: { do: "editor", callId: dialog.callId, json } };
}

/** One key for the field. */
export function editStage(dialog: Dialog, request: Request, key: Key): DialogStep {
  if (key.name === "escape") return { dialog: { ...dialog, stage: "choose", note: "" } };
  const control = key.name === "char" && key.ctrl ? key.text : undefined;
  if (control === "s") return submitEdit(dialog, request, textOf(dialog.text));
  if (control === "o") return openEditor(dialog, request);
  const typed: Key = key.name === "enter" ? { ...key, alt: true } : key;
  return { dialog: { ...dialog, text: editKey(dialog.text, typed), note: "" } };
}

/** Edited arguments, from the field or from the person's editor: a step back to the menu when nothing changed. */
export function submitEdit(dialog: Dialog, request: Request, json: string): DialogStep {
  const edit = parseEdit(request.call, json);
  if (edit.kind === "same") return { dialog: { ...dialog, stage: "choose", note: "the arguments are as before" } };
  if (edit.kind === "bad") return { dialog: { ...dialog, stage: "edit", text: bufferOf(json), note: edit.message } };
  const decision = { decision: "edit", arguments: edit.arguments } as const;
  return {
    dialog: { ...dialog, busy: true, note: "" },
    effect: { do: "answer", answers: [{ callId: dialog.callId, decision }] },
  };
}
