import { type CallRef, sameCall } from "../core/call-ref.ts";
import type { AskedForm, AskPerson, FormAnswer, FormAsking } from "../core/forms/asked-form.ts";
import { contentProblem } from "../core/forms/field-values.ts";
import type { AnswerOutcome } from "../graph/decisions.ts";
import type { AgentEventBody } from "../graph/events.ts";
import { refusals } from "../words/contract/session.ts";

/** The reference to one question of a call. */
export interface FormRef extends CallRef {
  form: number;
}

interface Open {
  ref: CallRef;
  asked: AskedForm;
  check: FormAsking["check"];
  close(answer: FormAnswer): void;
}

// Keeps session 11.
/**
 * The questions that calls under way ask the person, of a session and of those that its calls drive. They live as long as the calls do:
 * nothing of them is stored, and what was open when the process ended is asked no more.
 */
export class OpenForms {
  readonly #open = new Map<number, Open>();
  #asked = 0;

  /** Makes the function by which one call asks. @param emit as the call's session tells what happens */
  askerOf(ref: CallRef, emit: (body: AgentEventBody) => void): AskPerson {
    return (asked, { check, signal }) =>
      new Promise<FormAnswer>((resolve) => {
        if (signal.aborted) return resolve({ action: "cancel" });
        this.#asked += 1;
        const form = this.#asked;
        const of = { callId: ref.call, form } as const;
        const close = (answer: FormAnswer): void => {
          if (!this.#open.delete(form)) return;
          signal.removeEventListener("abort", given);
          const sent = answer.action === "accept" ? { sent: Object.keys(answer.content) } : {};
          emit({ type: "form_closed", ...of, action: answer.action, from: asked.from, ...sent });
          resolve(answer);
        };
        const given = (): void => close({ action: "cancel" });
        signal.addEventListener("abort", given, { once: true });
        this.#open.set(form, { ref, asked, check, close });
        emit({ type: "form_requested", ...of, asked });
      });
  }

  /** The person's answer: what does not fit is not sent, and can be given anew. */
  reply(ref: FormRef, answer: FormAnswer): AnswerOutcome {
    const open = this.#open.get(ref.form);
    if (open === undefined || !sameCall(open.ref, ref))
      return { ok: false, code: "not_waiting", message: refusals.formClosed };
    const problem =
      answer.action === "accept"
        ? (contentProblem(open.asked.fields, answer.content) ?? open.check(answer.content))
        : undefined;
    if (problem !== undefined) return { ok: false, code: "invalid", message: problem };
    open.close(answer);
    return { ok: true };
  }
}
