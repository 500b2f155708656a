import type { AskedOfModel, FormChoice } from "../../../core/forms/asked-form.ts";
import { areNumbered, wantedOf } from "../../../core/forms/field-values.ts";
import type { Json } from "../../../core/json.ts";
import { type ModelLine, tookWords } from "../../../core/model-question.ts";
import { form as words } from "../../../words/en/form.ts";
import { saidAgain } from "../../../words/said-again.ts";
import { visibleJson } from "../safe-text.ts";
import type { AskedField, AskedOfPerson } from "../view/view.ts";
import { contentOf, type Form } from "./form-state.ts";

/** Stands before each row of words that are none of ours. */
export const theirs = "│ ";

/** Says who asks, in one line. */
export function headOf({ from, tool, agent, ofModel }: AskedOfPerson): string {
  const about = { from, tool, agent };
  if (ofModel === undefined) return words().asks(about);
  return ofModel.step === "question" ? words().asksModel(about) : words().answerGoes(about);
}

const marked = (text: string): string[] => text.split("\n").map((line) => `${theirs}${line}`);

/** All that would go to the model, or all that it answered: words of others behind a mark. */
export function modelLines(asked: AskedOfModel, from: string): string[] {
  if (asked.step === "answer") {
    const { isCut, text, model } = asked;
    const about = { model, took: tookWords(asked) };
    return [isCut ? words().answeredCut(about) : words().answered(about), ...marked(text), words().getsThis({ from })];
  }
  return [
    words().wouldGet(asked),
    ...(asked.system === undefined ? [] : [words().toSystem, ...marked(asked.system)]),
    ...asked.messages.flatMap(messageLines),
    words().mayAnswer({ tokens: asked.maxTokens, from }),
  ];
}

function messageLines({ role, text, picture }: ModelLine): string[] {
  const who = role === "user" ? words().asUser : words().asModel;
  if (picture === undefined) return [who, ...marked(text)];
  const { mediaType, width, height } = picture;
  const kind = mediaType.replace("image/", "").toUpperCase();
  return [words().picture({ who, kind, width, height })];
}

/** Lists the words and the wants of the one that asks, line by line: its own words behind a mark. */
export function introLines({ from, message, fields }: AskedOfPerson): string[] {
  const wants = fields.map(({ label, name, field }) => {
    const named = label === name ? name : `${label} (${name})`;
    const about = { field: named, type: saidAgain(wantedOf(field)) };
    return `· ${field.required ? words().wants(about) : words().mayWant(about)}`;
  });
  return [
    ...marked(message),
    ...(wants.length === 0 ? [words().wantsYes] : [words().wantsFields, ...wants]),
    words().asItIs({ from }),
  ];
}

function markedBy(choices: readonly FormChoice[], shown: readonly string[]): string[] {
  const isNumbered = areNumbered(choices);
  return shown.map((choice, at) => `${isNumbered ? at + 1 : "·"} ${choice}`);
}

/** Lists the lines that ask for one field. */
export function fieldLines({ field, label, name, description, choices }: AskedField): string[] {
  const about = { field: label === name ? name : `${label} (${name})`, type: saidAgain(wantedOf(field)) };
  return [
    field.required ? words().wants(about) : words().mayBeEmpty(about),
    ...(description === "" ? [] : description.split("\n").map((line) => `${theirs}${line}`)),
    ...(field.kind === "choice" || field.kind === "choices" ? markedBy(field.choices, choices) : []),
  ];
}

/** Exactly what goes out; signs that nobody sees are written as their escapes. */
export function reviewLines(form: Pick<Form, "texts">, asked: AskedOfPerson): string[] {
  const content = contentOf(form, asked);
  const shown = (value: Json): string =>
    Array.isArray(value) ? `[${value.map(visibleJson).join(", ")}]` : visibleJson(value);
  const sent = Object.entries(content).map(([name, value]) => `${visibleJson(name)}: ${shown(value)}`);
  const left = asked.fields.filter(({ field }) => !Object.hasOwn(content, field.name)).map(({ name }) => name);
  return [
    ...(sent.length === 0 ? [words().sendsYes] : sent),
    ...(left.length === 0 ? [] : [words().notSent({ names: left })]),
  ];
}
