import type { JsonObject } from "../json.ts";
import type { AskableModel, ModelAnswer, ModelQuestion } from "../model-question.ts";

interface FieldBase {
  /** Under which its value is sent. */
  name: string;
  title?: string;
  description?: string;
  required: boolean;
}

/** One of the texts that may be sent, and what people read in its place. */
export interface FormChoice {
  value: string;
  title?: string;
}

export type TextFormat = "email" | "uri" | "date" | "date-time";

/** A field of a form: one value of a plain kind that is asked for. `least` and `most` are characters, amounts, or how many are chosen. */
export type FormField = FieldBase &
  (
    | { kind: "text"; format?: TextFormat; least?: number; most?: number; default?: string }
    | { kind: "number"; isWhole: boolean; least?: number; most?: number; default?: number }
    | { kind: "yes_no"; default?: boolean }
    | { kind: "choice"; choices: FormChoice[]; default?: string }
    | { kind: "choices"; choices: FormChoice[]; least?: number; most?: number; default?: string[] }
  );

/** The questions that another program has for the person while a call is under way. */
export interface AskedForm {
  /** The one that asks and gets the answer, e.g. "small", and over the network its place. */
  from: string;
  place?: string;
  /** The part of it that the call uses. */
  tool: string;
  /** Its own words: not safe to draw. */
  message: string;
  fields: FormField[];
  /** It wants the session's model to answer: then it has no message and no fields, and a yes sends just this. */
  ofModel?: AskedOfModel;
}

/** A question that would go to the model, or the model's answer that would go to the one that asked. */
export type AskedOfModel = { model: string } & (
  | ({ step: "question" } & ModelQuestion)
  | ({ step: "answer" } & ModelAnswer)
);

/** `decline`: the person said no. `cancel`: nothing was decided. */
export type FormAnswer = { action: "accept"; content: JsonObject } | { action: "decline" } | { action: "cancel" };

export interface FormAsking {
  /** Returns the problem with sending this, in words for the person. */
  check(content: JsonObject): string | undefined;
  /** Nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** Resolves with the person's answer, or `cancel` where the signal came first. Never rejects. */
export type AskPerson = (form: AskedForm, asking: FormAsking) => Promise<FormAnswer>;

export interface AsksPerson {
  /**
   * In `execute` only: asks the person something for whoever the tool speaks to; undefined where nobody is there to answer. The call's time
   * limit does not run meanwhile. Once the call is stopped it resolves with `cancel`.
   */
  askPerson?: AskPerson;
  /** In `execute` only: the session's model, to be asked for whoever the tool speaks to; undefined where it plays a script. */
  askableModel?: AskableModel;
}
