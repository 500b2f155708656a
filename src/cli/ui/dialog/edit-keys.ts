import type { Key } from "../../terminal/key.ts";
import type { Request } from "../view/view.ts";
import type { Dialog, DialogStep } from "./dialog-state.ts";
import { editableJson, parseEdit, plainField, withField } from "./edit-arguments.ts";
import { bufferOf, editKey, textOf } from "./text-field.ts";

/** Characters that are still comfortable to edit in place. */
const editLimit = 20_000;

/** Opens the field with the text that is meant, else with the arguments, where there is something to edit. */
export function beginEdit(dialog: Dialog, request: Request): DialogStep {
  const shown = shownOf(request);
  if (shown === undefined) return { dialog: { ...dialog, note: "nothing in this call may be edited" } };
  if (shown.text.length > editLimit)
    return { dialog: { ...dialog, note: "too long to edit here; o opens it in your editor" } };
  const { text, argument } = shown;
  return { dialog: { ...dialog, stage: "edit", text: bufferOf(text), argument, note: "" } };
}

interface Shown {
  text: string;
  /** The argument that it is; of JSON none. */
  argument: string | undefined;
  file: string;
}

const jsonFile = "arguments.json";

function shownOf({ call }: Request): Shown | undefined {
  const text = editableJson(call);
  return plainField(call) ?? (text === undefined ? undefined : { text, argument: undefined, file: jsonFile });
}

/** Hands what is in the field, or would be, to the person's editor. */
export function openEditor(dialog: Dialog, request: Request): DialogStep {
  const shown = shownOf(request);
  if (shown === undefined) return { dialog: { ...dialog, note: "nothing in this call may be edited" } };
  const { callId } = dialog;
  if (dialog.stage !== "edit")
    return {
      dialog: { ...dialog, argument: shown.argument },
      effect: { do: "editor", callId, text: shown.text, name: shown.file },
    };
  const name = dialog.argument === undefined ? jsonFile : shown.file;
  return { dialog, effect: { do: "editor", callId, text: textOf(dialog.text), name } };
}

/** One key for the field, which is `width` cells wide. */
export function editStage(dialog: Dialog, request: Request, key: Key, width: number): DialogStep {
  if (key.name === "escape") return { dialog: { ...dialog, stage: "choose", note: "" } };
  if (key.name === "tab") return { dialog: withAll(dialog, request) };
  const control = key.name === "char" && key.ctrl ? key.text : undefined;
  if (control === "s") return submitEdit(dialog, request, textOf(dialog.text));
  if (control === "o") return openEditor(dialog, request);
  const typed: Key = key.name === "enter" ? { ...key, alt: true } : key;
  return { dialog: { ...dialog, text: editKey(dialog.text, typed, width), note: "" } };
}

/** All arguments as JSON, with what was written of the one. */
function withAll(dialog: Dialog, { call }: Request): Dialog {
  const { argument } = dialog;
  if (argument === undefined) return dialog;
  const json = editableJson({ ...call, arguments: { ...call.arguments, [argument]: textOf(dialog.text) } });
  return json === undefined ? dialog : { ...dialog, argument: undefined, text: bufferOf(json), note: "" };
}

/** What was edited, in the field or in the person's editor: a step back to the menu when nothing changed. */
export function submitEdit(dialog: Dialog, request: Request, text: string): DialogStep {
  const { argument } = dialog;
  const edit = argument === undefined ? parseEdit(request.call, text) : withField(request.call, argument, text);
  if (edit.kind === "same") return { dialog: { ...dialog, stage: "choose", note: "the arguments are as before" } };
  if (edit.kind === "bad") {
    const kept = textOf(dialog.text) === text ? dialog.text : bufferOf(text);
    return { dialog: { ...dialog, stage: "edit", text: kept, note: edit.message } };
  }
  const decision = { decision: "edit", arguments: edit.arguments } as const;
  return {
    dialog: { ...dialog, busy: true, note: "" },
    effect: { do: "answer", answers: [{ callId: dialog.callId, decision }] },
  };
}
