import type { CallDecision } from "../../../graph/decisions.ts";
import type { Key } from "../../terminal/key.ts";
import { onKey } from "../question/arming.ts";
import { type Geometry, readBy, scrollBy, scrolledBy } from "../question/window.ts";
import type { Ask, Request } from "../view/view.ts";
import {
  allShown,
  type Choice,
  choicesOf,
  type Dialog,
  type DialogStep,
  freshDialog,
  keyOf,
  requestOf,
} from "./dialog-state.ts";
import { editableJson, parseEdit } from "./edit-arguments.ts";
import { bufferOf, editKey, textOf } from "./text-field.ts";

const scrolled = (dialog: Dialog, by: number, geometry: Geometry): Dialog => ({
  ...dialog,
  sure: false,
  scroll: scrolledBy(dialog.scroll, by, geometry),
});

/** One key for the dialog. Pure: what is to be done comes back as `effect`. A paste is text wherever it lands, never a choice. */
export function dialogKey(dialog: Dialog, ask: Ask, key: Key, geometry: Geometry, now: number): DialogStep {
  const arming = onKey(dialog, now);
  const next: Dialog = { ...dialog, ...arming };
  if (!arming.armed) return { dialog: next, toDraft: true };
  const request = requestOf(ask, dialog);
  if (request === undefined || dialog.busy) return { dialog: next };
  switch (dialog.stage) {
    case "reason":
    case "confirm":
      return lineStage(next, request, key);
    case "edit":
      return editStage(next, request, key);
    case "why":
      return { dialog: whyStage(next, key, geometry) };
    case "full":
      return { dialog: fullStage(next, key, geometry) };
    case "choose":
      return chooseStage(next, ask, request, key, geometry);
  }
}

function whyStage(dialog: Dialog, key: Key, geometry: Geometry): Dialog {
  const by = geometry.total > geometry.window ? readBy(key, geometry.window) : undefined;
  return by === undefined ? { ...dialog, stage: "choose", scroll: 0 } : scrolled(dialog, by, geometry);
}

function fullStage(dialog: Dialog, key: Key, geometry: Geometry): Dialog {
  const calm: Dialog = { ...dialog, note: "" };
  const by = readBy(key, geometry.window);
  if (by !== undefined) return scrolled(calm, by, geometry);
  const letter = key.name === "char" && !key.ctrl && !key.alt ? key.text : undefined;
  if (key.name === "escape" || letter === "d" || letter === "q") return { ...calm, stage: "choose" };
  return { ...calm, note: "nothing is decided in the full view: d or esc goes back to the choices" };
}

function chooseStage(dialog: Dialog, ask: Ask, request: Request, key: Key, geometry: Geometry): DialogStep {
  const by = scrollBy(key, geometry.window);
  if (by !== undefined) return { dialog: scrolled({ ...dialog, note: "" }, by, geometry) };
  const choices = choicesOf(request);
  switch (key.name) {
    case "up":
    case "down":
      return { dialog: moved(dialog, key.name === "up" ? -1 : 1, choices) };
    case "tab":
      return { dialog: nextRequest(dialog, ask, key.shift ? -1 : 1) };
    case "escape":
      return answer(dialog, { decision: "deny" });
    case "enter":
      return choose(dialog, request, choices[dialog.row] ?? "deny", geometry);
    case "paste":
      return { dialog: { ...dialog, note: "a paste decides nothing here" } };
    case "char":
      return key.ctrl || key.alt ? { dialog } : letter(dialog, request, key.text ?? "", geometry);
    default:
      return { dialog };
  }
}

const moved = (dialog: Dialog, by: number, choices: Choice[]): Dialog => ({
  ...dialog,
  row: Math.max(0, Math.min(choices.length - 1, dialog.row + by)),
  sure: false,
  note: "",
});

function nextRequest(dialog: Dialog, ask: Ask, by: number): Dialog {
  const count = ask.requests.length;
  const at = ask.requests.findIndex((one) => one.call.callId === dialog.callId);
  const other = ask.requests[(at + by + count) % count];
  if (other === undefined || other.call.callId === dialog.callId)
    return { ...dialog, note: "this is the only request" };
  return { ...freshDialog(other, dialog.lastKeyAt, dialog.seen), armed: true };
}

function letter(dialog: Dialog, request: Request, text: string, geometry: Geometry): DialogStep {
  if (text === "?") return { dialog: { ...dialog, stage: "why", scroll: 0, note: "" } };
  if (text === "d") return { dialog: { ...dialog, stage: "full", note: "" } };
  if (text === "o") return openEditor(dialog, request);
  const choices = choicesOf(request);
  const row = choices.findIndex((choice) => keyOf[choice] === text);
  const choice = choices[row];
  if (choice === undefined) {
    if (text === keyOf.edit) return beginEdit(dialog, request);
    return { dialog: { ...dialog, note: `“${text}” is no choice here`, sure: false } };
  }
  // The wider grants are only pointed at: their rule is read before Enter.
  if (choice === "session" || choice === "project") return { dialog: { ...dialog, row, note: "", sure: false } };
  return choose({ ...dialog, row }, request, choice, geometry);
}

const answer = (dialog: Dialog, decision: CallDecision): DialogStep => ({
  dialog: { ...dialog, busy: true, note: "" },
  effect: { do: "answer", callId: dialog.callId, decision },
});

function choose(dialog: Dialog, request: Request, choice: Choice, geometry: Geometry): DialogStep {
  switch (choice) {
    case "deny":
      return answer(dialog, { decision: "deny" });
    case "reason":
      return { dialog: { ...dialog, stage: "reason", text: bufferOf(""), note: "" } };
    case "edit":
      return beginEdit(dialog, request);
    case "once":
      return approve(dialog, request, geometry);
    case "session":
    case "project":
      return grant(dialog, request, choice, geometry);
  }
}

const unseenNote = "not all shown; again approves all the same";
const partialNote = "not all shown; read it to its end first, or approve it once with y";

function approve(dialog: Dialog, request: Request, geometry: Geometry): DialogStep {
  const shown = allShown(dialog, request, geometry.total);
  if (request.call.risk === "high" || (request.partial !== undefined && !shown)) {
    const { partial } = request;
    const note = shown ? "" : partial?.why === "binary" ? partial.text : "not all of it was shown";
    return { dialog: { ...dialog, stage: "confirm", text: bufferOf(""), note } };
  }
  if (!shown && !dialog.sure) {
    return { dialog: { ...dialog, sure: true, note: "not all shown; y again approves" } };
  }
  return answer(dialog, { decision: "approve", digest: dialog.digest });
}

function grant(dialog: Dialog, request: Request, scope: "session" | "project", geometry: Geometry): DialogStep {
  const offer = request.call.grants?.find((one) => one.scope === scope);
  if (offer === undefined) return { dialog };
  const shown = allShown(dialog, request, geometry.total);
  if (!shown && request.partial !== undefined) return { dialog: { ...dialog, note: partialNote } };
  if (!shown && !dialog.sure) return { dialog: { ...dialog, sure: true, note: unseenNote } };
  return answer(dialog, { decision: "approve", digest: dialog.digest, grant: offer });
}

function lineStage(dialog: Dialog, request: Request, key: Key): DialogStep {
  if (key.name === "escape") return { dialog: { ...dialog, stage: "choose", note: "" } };
  if (key.name !== "enter" || key.alt || key.shift) return { dialog: { ...dialog, text: editKey(dialog.text, key) } };
  const text = textOf(dialog.text).trim();
  if (dialog.stage === "reason")
    return answer(dialog, text === "" ? { decision: "deny" } : { decision: "deny", reason: text });
  if (text.toLowerCase() === "yes") return answer(dialog, { decision: "approve", digest: request.call.digest });
  return { dialog: { ...dialog, stage: "choose", note: "not approved: the word was not “yes”" } };
}

/** Characters of JSON that are still comfortable to edit in place. */
const editLimit = 20_000;

function beginEdit(dialog: Dialog, request: Request): DialogStep {
  const json = editableJson(request.call);
  if (json === undefined) return { dialog: { ...dialog, note: "nothing in this call may be edited" } };
  if (json.length > editLimit)
    return { dialog: { ...dialog, note: "too long to edit here; o opens it in your editor" } };
  return { dialog: { ...dialog, stage: "edit", text: bufferOf(json), note: "" } };
}

function openEditor(dialog: Dialog, request: Request): DialogStep {
  const json = dialog.stage === "edit" ? textOf(dialog.text) : editableJson(request.call);
  if (json === undefined) return { dialog: { ...dialog, note: "nothing in this call may be edited" } };
  return { dialog, effect: { do: "editor", callId: dialog.callId, json } };
}

function editStage(dialog: Dialog, request: Request, key: Key): DialogStep {
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
  return answer(dialog, { decision: "edit", arguments: edit.arguments });
}
