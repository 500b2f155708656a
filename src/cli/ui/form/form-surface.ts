import type { CallRef } from "../../../core/call-ref.ts";
import type { FormRef } from "../../../session/open-forms.ts";
import { nothing } from "../draw/block.ts";
import { unarmed } from "../question/arming.ts";
import { errorText, refusalOf } from "../safe-text.ts";
import type { ChatHands } from "../surface/hands.ts";
import type { Question } from "../surface/surface.ts";
import type { AskedOfPerson, View } from "../view/view.ts";
import { formBlock } from "./form-frame.ts";
import { formLines } from "./form-lines.ts";
import { type Form, type FormEffect, formKey, formPainted, sameForm, syncForm } from "./form-state.ts";

const askedIn = ({ ref }: Form, { forms }: View): AskedOfPerson | undefined =>
  forms.find((one) => sameForm(one.ref, ref));

/** One call may ask several times. */
const isAbout = ({ ref }: Form, of: CallRef | FormRef): boolean => "form" in of && sameForm(ref, of);

/** The form by which somebody else asks the person while a call runs: nothing goes to them that the person has not read and sent. */
export const formSurface: Question<Form, FormEffect> = {
  sync: (form, view, _before, at) => syncForm(form, view.forms, at),
  whole: () => undefined,
  block(form, { view }, space) {
    const asked = askedIn(form, view);
    return asked === undefined ? nothing : formBlock(form, asked, view.forms.length, space);
  },
  key(form, key, { screen, now, view }) {
    const asked = askedIn(form, view);
    return asked === undefined ? { state: form } : formKey(form, asked, key, screen.geometry, now);
  },
  painted: formPainted,
  unseen: (form, now) => (form.paintedAt === undefined ? form : { ...form, ...unarmed(now) }),
  broughtBack: (form, now) => ({ ...form, ...unarmed(now) }),
  isBusy: ({ busy }) => busy,
  isAtMenu: ({ page }) => page === 0,
  refused: (form, ref, message) => (isAbout(form, ref) ? { ...form, busy: false, note: message } : form),
  endsWithTurn: true,
  lines: formLines,
  effects: { fill },
};

async function fill({ ref, answer }: FormEffect, hands: ChatHands): Promise<void> {
  const message = await hands.session().fill(ref, answer).then(refusalOf, errorText);
  if (message !== undefined) hands.refused(ref, message);
}
