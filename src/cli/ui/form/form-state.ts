import { sameCall } from "../../../core/call-ref.ts";
import type { FormAnswer } from "../../../core/forms/asked-form.ts";
import { readField, typedDefault } from "../../../core/forms/field-values.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { FormRef } from "../../../session/open-forms.ts";
import { form as words } from "../../../words/en/form.ts";
import { saidAgain } from "../../../words/said-again.ts";
import type { Key } from "../../terminal/key.ts";
import { emptyBuffer, setText, type TextBuffer } from "../../terminal/text-buffer.ts";
import { editKey, textOf } from "../dialog/text-field.ts";
import { type Arming, type Moment, onKey, painted, unarmed } from "../question/arming.ts";
import { type RowRange, rowsLeftOut, rowWords, withRows } from "../question/seen-rows.ts";
import { type Geometry, readBy, scrolledBy } from "../question/window.ts";
import type { AskedField, AskedOfPerson } from "../view/view.ts";

/** A question of somebody else to the person: what it asks, a page for each field, then what would be sent. */
export interface Form extends Arming {
  ref: FormRef;
  /** 0: what is asked; then the fields in their order; behind them what would be sent. */
  page: number;
  /** A key led to this page: it must have been looked at before one decides there. */
  turned: boolean;
  /** The text in each field. */
  texts: readonly string[];
  /** The field of the page. */
  text: TextBuffer;
  scroll: number;
  /** Rows of the page that were on the screen, at this width. */
  seen: readonly RowRange[];
  seenAt: number;
  busy: boolean;
  note: string;
}

export type FormEffect = { do: "fill"; ref: FormRef; answer: FormAnswer };

export interface FormStep {
  state: Form;
  effect?: FormEffect;
  toDraft?: boolean;
}

export const sameForm = (one: FormRef, other: FormRef): boolean => one.form === other.form && sameCall(one, other);

/** A yes sends what this page shows. What is of the model has no other page. */
export const isReview = ({ page }: Pick<Form, "page">, { fields, ofModel }: AskedOfPerson): boolean =>
  page > fields.length || ofModel !== undefined;

/** The field of the page; undefined on the first and the last one. */
export const fieldOf = ({ page }: Pick<Form, "page">, { fields }: AskedOfPerson): AskedField | undefined =>
  fields[page - 1];

export const newForm = ({ ref, fields }: AskedOfPerson, keyAt: number): Form => ({
  ...unarmed(keyAt),
  ...{ ref, page: 0, texts: fields.map(({ field }) => typedDefault(field)), text: emptyBuffer() },
  ...{ turned: false, scroll: 0, seen: [], seenAt: 0, busy: false, note: "" },
});

/** The first question that is open; one that follows it begins anew. */
export function syncForm(form: Form | undefined, [first]: readonly AskedOfPerson[], at: Moment): Form | undefined {
  if (first === undefined) return undefined;
  return form !== undefined && sameForm(form.ref, first.ref) ? form : newForm(first, at.keyAt);
}

/** Another page; what stands in the field of this one is kept. */
export function turnTo(form: Form, page: number, note = ""): Form {
  const texts = form.texts.map((text, at) => (at === form.page - 1 ? textOf(form.text) : text));
  const text = setText({ ...emptyBuffer(), done: [] }, texts[page - 1] ?? "");
  return { ...form, page, texts, text, note, scroll: 0, seen: [], paintedAt: undefined };
}

/** Takes over what stands in the field and goes on, where it fits. */
export function goOn(form: Form, asked: AskedOfPerson): Form {
  const one = fieldOf(form, asked);
  const read = one === undefined ? undefined : readField(one.field, textOf(form.text));
  return read?.ok === false ? { ...form, note: saidAgain(read.message) } : turnTo(form, form.page + 1);
}

/** Returns the content that would be sent: nothing else is. */
export function contentOf({ texts }: Pick<Form, "texts">, { fields }: AskedOfPerson): JsonObject {
  const values = fields.flatMap(({ field }, at) => {
    const read = readField(field, texts[at] ?? "");
    return read.ok && read.value !== undefined ? [[field.name, read.value] as const] : [];
  });
  return Object.fromEntries(values);
}

/** A page of it was written. */
export function formPainted(form: Form, geometry: Geometry, now: number): Form {
  const { columns, window, total } = geometry;
  const isOther = form.seenAt !== columns;
  const from = Math.max(0, Math.min(form.scroll, total - window));
  const before = isOther ? [] : form.seen;
  const seen = withRows(before, from, Math.min(total, from + window));
  if (form.paintedAt !== undefined && seen === form.seen && !isOther) return form;
  return { ...form, ...painted(form, now), seen, seenAt: columns };
}

/** One key. Pure; a paste is text in a field, and decides nothing elsewhere. */
export function formKey(form: Form, asked: AskedOfPerson, key: Key, geometry: Geometry, now: number): FormStep {
  const next: Form = { ...form, ...onKey(form, now) };
  // What is typed at a page that came by a key before was meant for the page before.
  if (!next.armed) return next.page === 0 && !next.turned ? { state: next, toDraft: true } : { state: next };
  if (next.busy) return { state: next };
  const one = fieldOf(next, asked);
  const step =
    one === undefined ? pageKey(next, asked, key, geometry) : { state: fieldKey(next, asked, one, key, geometry) };
  const isTurned = step.state.page !== next.page && fieldOf(step.state, asked) === undefined;
  return isTurned ? { ...step, state: { ...step.state, ...unarmed(now), turned: true } } : step;
}

/** A page with keys that decide. */
function pageKey(next: Form, asked: AskedOfPerson, key: Key, geometry: Geometry): FormStep {
  const by = readBy(key, geometry.window);
  if (by !== undefined) return { state: { ...next, scroll: scrolledBy(next.scroll, by, geometry), note: "" } };
  if (key.name === "escape") return back(next);
  if (key.name === "paste") return { state: { ...next, note: words().pasted } };
  const letter = key.name === "char" && !key.ctrl && !key.alt ? key.text : undefined;
  return isReview(next, asked) ? reviewKey(next, asked, letter, geometry) : introKey(next, key, letter, geometry);
}

/** Handles a key of the introduction: its words are read before one goes on, as a yes alone is a yes to them. */
function introKey(form: Form, key: Key, letter: string | undefined, geometry: Geometry): FormStep {
  if (letter === "n") return answered(form, { action: "decline" });
  if (letter === "f" || key.name === "enter") return { state: withUnread(form, geometry) ?? turnTo(form, 1) };
  return { state: letter === undefined ? form : { ...form, note: words().noChoice({ typed: letter }) } };
}

/** The same saying which rows were not on the screen; undefined where all were. @param by the key that goes there */
function withUnread(form: Form, { total }: Geometry, by = "space"): Form | undefined {
  const unread = rowsLeftOut(form.seen, total);
  const note = words().unread({ rows: rowWords(unread), key: by });
  return unread.length === 0 ? undefined : { ...form, note };
}

function reviewKey(form: Form, asked: AskedOfPerson, letter: string | undefined, geometry: Geometry): FormStep {
  if (letter === "n") return answered(form, { action: "decline" });
  if (letter === "e" && asked.ofModel === undefined) return { state: turnTo(form, asked.fields.length === 0 ? 0 : 1) };
  if (letter === "y") {
    const state = withUnread(form, geometry);
    if (state !== undefined) return { state };
    return answered(form, { action: "accept", content: contentOf(form, asked) });
  }
  return { state: letter === undefined ? form : { ...form, note: words().noChoice({ typed: letter }) } };
}

const answered = (form: Form, answer: FormAnswer): FormStep => ({
  state: { ...form, busy: true, note: "" },
  effect: { do: "fill", ref: form.ref, answer },
});

/** Esc goes one page back; from the first one it leaves the question without an answer. */
const back = (form: Form): FormStep =>
  form.page > 0 ? { state: turnTo(form, form.page - 1) } : answered(form, { action: "cancel" });

function fieldKey(
  form: Form,
  asked: AskedOfPerson,
  { field, choices }: AskedField,
  key: Key,
  geometry: Geometry,
): Form {
  if (key.name === "escape" || (key.name === "tab" && key.shift)) return back(form).state;
  if (key.name === "tab" || (key.name === "enter" && !key.alt && !key.shift)) return onward(form, asked, geometry);
  if (key.name === "pageup" || key.name === "pagedown") {
    const by = readBy(key, geometry.window) ?? 0;
    return { ...form, scroll: scrolledBy(form.scroll, by, geometry) };
  }
  const isOne = field.kind === "choice" || field.kind === "yes_no";
  if (isOne && (key.name === "up" || key.name === "down"))
    return withNextChoice(form, field.kind === "yes_no" ? choices : field.choices.map(({ value }) => value), key.name);
  return { ...form, text: editKey(form.text, key, geometry.field), note: "" };
}

/** To the next page, once all of this one was on the screen; a key that came before any of it was meant for the page before. */
const onward = (form: Form, asked: AskedOfPerson, geometry: Geometry): Form =>
  form.paintedAt === undefined ? form : (withUnread(form, geometry, "pgdn") ?? goOn(form, asked));

/** The arrows put the choices into the field, one after the other. */
function withNextChoice(form: Form, choices: readonly string[], by: "up" | "down"): Form {
  const at = choices.indexOf(textOf(form.text));
  const next = at < 0 ? (by === "down" ? 0 : choices.length - 1) : at + (by === "down" ? 1 : -1);
  const choice = choices[Math.max(0, Math.min(choices.length - 1, next))] ?? "";
  return { ...form, text: setText(form.text, choice), note: "" };
}
