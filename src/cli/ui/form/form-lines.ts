import { form as words } from "../../../words/en/form.ts";
import { setText } from "../../terminal/text-buffer.ts";
import { textOf } from "../dialog/text-field.ts";
import { visibleJson } from "../safe-text.ts";
import type { Lines } from "../surface/surface.ts";
import type { AskedOfPerson } from "../view/view.ts";
import {
  contentOf,
  type Form,
  type FormEffect,
  fieldOf,
  goOn,
  isReview,
  newForm,
  sameForm,
  turnTo,
} from "./form-state.ts";
import { fieldLines, headOf, introLines, modelLines, reviewLines } from "./form-text.ts";

/** No line that is typed. */
const escapeLine = "\u001b";

/** The first of what is asked of the person, page by page, where lines are all there is. */
export const formLines: Lines<FormEffect, Form> = {
  asked({ forms: [asked] }, draft) {
    if (asked === undefined) return undefined;
    const form = formFor(asked, draft);
    const isText = fieldOf(form, asked) !== undefined;
    return { key: `form ${asked.ref.form} ${form.page}`, isText, text: () => pageText(form, asked) };
  },
  said({ forms: [asked] }, line, draft) {
    if (asked === undefined) return undefined;
    const form = formFor(asked, draft);
    const word = line.trim().toLowerCase();
    const { ref } = asked;
    if (line === escapeLine) return { effect: { do: "fill", ref, answer: { action: "cancel" } } };
    if (fieldOf(form, asked) !== undefined) return typed(form, asked, line);
    if (word === "no") return { effect: { do: "fill", ref, answer: { action: "decline" } } };
    if (word === "cancel") return { effect: { do: "fill", ref, answer: { action: "cancel" } } };
    if (!isReview(form, asked)) return word === "fill" ? { draft: turnTo(form, 1) } : { say: words().lines.notBegun };
    if (word === "send")
      return { effect: { do: "fill", ref, answer: { action: "accept", content: contentOf(form, asked) } } };
    if (asked.ofModel !== undefined) return { say: words().lines.notSent };
    if (word === "change") return { draft: turnTo(form, asked.fields.length === 0 ? 0 : 1) };
    return { say: words().lines.notSentOrChanged };
  },
  escaped: escapeLine,
};

const formFor = (asked: AskedOfPerson, draft: Form | undefined): Form =>
  draft !== undefined && sameForm(draft.ref, asked.ref) ? draft : newForm(asked, 0);

/** An empty line takes what stands there; a blank one leaves the field empty. */
function typed(form: Form, asked: AskedOfPerson, line: string): { draft: Form } | { say: string } {
  const next = goOn(line === "" ? form : { ...form, text: setText(form.text, line.trim() === "" ? "" : line) }, asked);
  return next.page === form.page ? { say: words().lines.onceMore({ wrong: next.note }) } : { draft: next };
}

function pageText(form: Form, asked: AskedOfPerson): string {
  const one = fieldOf(form, asked);
  const { lines } = words();
  if (one !== undefined) {
    const stands = textOf(form.text);
    const at = { at: form.page, of: asked.fields.length };
    const last = stands === "" ? lines.field(at) : lines.filledField({ ...at, stands: visibleJson(stands) });
    return [...fieldLines(one), ...(form.page === 1 ? [lines.anyLine] : []), last].join("\n");
  }
  if (asked.ofModel !== undefined)
    return [headOf(asked), ...modelLines(asked.ofModel, asked.from), lines.send].join("\n");
  if (isReview(form, asked)) return [lines.goesTo(asked), ...reviewLines(form, asked), lines.sendOrChange].join("\n");
  return [headOf(asked), ...introLines(asked), lines.begin].join("\n");
}
