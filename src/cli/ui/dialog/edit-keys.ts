import { dialog as words } from "../../../words/en/dialog.ts";
import type { Key } from "../../terminal/key.ts";
import { moveTo, setText } from "../../terminal/text-buffer.ts";
import type { FieldSpace } from "../question/window.ts";
import type { Request } from "../view/view.ts";
import {
  type Dialog,
  type DialogStep,
  type Drafts,
  draftsOf,
  goBack,
  noted,
  openPage,
  withDrafts,
} from "./dialog-state.ts";
import { type Edit, editableJson, parseEdit, plainField, withField } from "./edit-arguments.ts";
import { bufferOf, editKey, textOf } from "./text-field.ts";

/** Characters that are still comfortable to edit in place. */
const editLimit = 20_000;

/** Opens the field with what was begun before, else with the text that is meant, else with the arguments, where there is something to edit. */
export function beginEdit(dialog: Dialog, request: Request): DialogStep {
  const shown = shownOf(request);
  if (shown === undefined) return { dialog: noted(dialog, words().nothingToEdit) };
  const draft = draftOf(dialog, request);
  if (draft !== undefined) return { dialog: openPage(dialog, "edit", { ...draft, note: words().draft }) };
  if (shown.text.length > editLimit) return { dialog: noted(dialog, words().tooLong) };
  const { text, argument } = shown;
  return { dialog: openPage(dialog, "edit", { text: bufferOf(text), argument }) };
}

/** Returns the edit that was begun for this call; nothing where it says what the call says by now. */
function draftOf(dialog: Dialog, request: Request): Drafts["edit"] {
  const edit = draftsOf(dialog)?.edit;
  return edit !== undefined && editOf(request, edit.argument, textOf(edit.text)).kind !== "same" ? edit : undefined;
}

const editOf = ({ call }: Request, argument: string | undefined, text: string): Edit =>
  argument === undefined ? parseEdit(call, text) : withField(call, argument, text);

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
  if (shown === undefined) return { dialog: noted(dialog, words().nothingToEdit) };
  const { ref } = dialog;
  const begun = dialog.stage === "edit" ? dialog : draftOf(dialog, request);
  const { text, argument } = begun === undefined ? shown : { text: textOf(begun.text), argument: begun.argument };
  const name = argument === undefined ? jsonFile : shown.file;
  return { dialog, effect: { do: "editor", ref, text, name, argument } };
}

/** One key for the field. */
export function editStage(dialog: Dialog, request: Request, key: Key, field: FieldSpace | undefined): DialogStep {
  if (key.name === "escape") return { dialog: leaveEdit(dialog, request) };
  if (key.name === "tab") return { dialog: withAll(dialog, request) };
  const control = key.name === "char" && key.ctrl ? key.text : undefined;
  if (control === "s") return submitEdit(dialog, request, textOf(dialog.text), dialog.argument);
  if (control === "o") return openEditor(dialog, request);
  if (control === "r") return { dialog: begunAnew(dialog, request) };
  const typed: Key = key.name === "enter" ? { ...key, alt: true } : key;
  return { dialog: { ...dialog, text: editKey(dialog.text, typed, field), note: "" } };
}

/** Leaves the edit; a changed text is kept, until the call is decided. */
function leaveEdit(dialog: Dialog, request: Request): Dialog {
  const { text, argument } = dialog;
  const isSame = editOf(request, argument, textOf(text)).kind === "same";
  return isSame
    ? goBack(withDrafts(dialog, { edit: undefined }))
    : goBack(withDrafts(dialog, { edit: { text, argument } }), words().editKept);
}

/** The call's own text again; what stood there comes back by undoing. */
function begunAnew(dialog: Dialog, request: Request): Dialog {
  const shown = shownOf(request);
  if (shown === undefined) return dialog;
  const text = moveTo(setText(dialog.text, shown.text), 0);
  const { argument } = shown;
  return { ...dialog, text: argument === dialog.argument ? text : bufferOf(shown.text), argument, note: "" };
}

/** All arguments as JSON, with what was written of the one. */
function withAll(dialog: Dialog, { call }: Request): Dialog {
  const { argument } = dialog;
  if (argument === undefined) return dialog;
  const json = editableJson({ ...call, arguments: { ...call.arguments, [argument]: textOf(dialog.text) } });
  return json === undefined ? dialog : { ...dialog, argument: undefined, text: bufferOf(json), note: "" };
}

/**
 * Submits an edited text, of the field or of the person's editor: a step back to the menu when nothing changed.
 * @param argument the one that the text is; undefined where it is JSON of all
 */
export function submitEdit(dialog: Dialog, request: Request, text: string, argument: string | undefined): DialogStep {
  const edit = editOf(request, argument, text);
  const isOpen = dialog.stage === "edit";
  if (edit.kind === "same") {
    const done = withDrafts(dialog, { edit: undefined });
    const note = words().unchanged;
    return { dialog: isOpen ? goBack(done, note) : { ...done, note } };
  }
  const kept = isOpen && textOf(dialog.text) === text ? dialog.text : bufferOf(text);
  if (edit.kind === "bad") {
    const page = isOpen ? dialog : openPage(dialog, "edit");
    return { dialog: { ...page, text: kept, argument, note: edit.message } };
  }
  const decision = { decision: "edit", arguments: edit.arguments } as const;
  return {
    // Where it does not count it is not lost.
    dialog: { ...withDrafts(dialog, { edit: { text: kept, argument } }), busy: true, note: "" },
    effect: { do: "answer", answers: [{ ref: dialog.ref, decision }] },
  };
}
