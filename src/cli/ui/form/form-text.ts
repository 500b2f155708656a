import { type ModelLine, tookWords } from "../../../core/asked-model.ts";
import type { AskedOfModel, FormChoice } from "../../../core/forms/asked-form.ts";
import { areNumbered, wantedOf } from "../../../core/forms/field-values.ts";
import type { Json } from "../../../core/json.ts";
import { visibleJson } from "../safe-text.ts";
import type { AskedField, AskedOfPerson } from "../view/view.ts";
import { contentOf, type Form } from "./form-state.ts";

/** Stands before each row of words that are none of ours. */
export const theirs = "│ ";

/** Who asks, in one line. */
export function headOf({ from, tool, agent, ofModel }: AskedOfPerson): string {
  const during = `while its tool ${tool} runs${agent === undefined ? "" : ` for ${agent}`}`;
  if (ofModel === undefined) return `the MCP server ${from} asks you something ${during}`;
  return ofModel.step === "question"
    ? `the MCP server ${from} wants to ask your model ${during}`
    : `this answer of your model goes to the MCP server ${from}`;
}

const marked = (text: string): string[] => text.split("\n").map((line) => `${theirs}${line}`);

/** All that would go to the model, or all that it answered: words of others behind a mark. */
export function modelLines(asked: AskedOfModel, from: string): string[] {
  if (asked.step === "answer") {
    const { isCut, text } = asked;
    return [
      `${asked.model} answered (${tookWords(asked)})${isCut ? " and was cut off" : ""}:`,
      ...marked(text),
      `${from} gets this, as it is.`,
    ];
  }
  return [
    `${asked.model} would get this, and nothing of this session, and no tools:`,
    ...(asked.system === undefined ? [] : ["to the system:", ...marked(asked.system)]),
    ...asked.messages.flatMap(messageLines),
    `It may answer up to ${asked.maxTokens} tokens, which you pay for, and you read it before ${from} has it.`,
  ];
}

function messageLines({ role, text, picture }: ModelLine): string[] {
  const who = role === "user" ? "as the user:" : "as the model:";
  if (picture === undefined) return [who, ...marked(text)];
  const { mediaType, width, height } = picture;
  const kind = mediaType.replace("image/", "").toUpperCase();
  return [`${who} a picture, ${kind}, ${width}x${height} pixels, which is not shown here`];
}

/** What it says and wants, line by line: its own words behind a mark. */
export function introLines({ from, message, fields }: AskedOfPerson): string[] {
  const wants = fields.map(({ label, name, field }) => {
    const named = label === name ? name : `${label} (${name})`;
    return `· ${named}: ${wantedOf(field)}${field.required ? "" : ", or nothing"}`;
  });
  return [
    ...marked(message),
    ...(wants.length === 0 ? ["It wants your yes, and no more."] : ["It wants:", ...wants]),
    `What you send goes to ${from}, as it is: never a password, a token or a key.`,
  ];
}

function markedBy(choices: readonly FormChoice[], shown: readonly string[]): string[] {
  const isNumbered = areNumbered(choices);
  return shown.map((choice, at) => `${isNumbered ? at + 1 : "·"} ${choice}`);
}

/** What is asked for in one field. */
export function fieldLines({ field, label, name, description, choices }: AskedField): string[] {
  const more = field.required ? "" : " · leave it empty to send nothing";
  return [
    `${label === name ? name : `${label} (${name})`}: ${wantedOf(field)}${more}`,
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
    ...(sent.length === 0 ? ["your yes, and nothing else"] : sent),
    ...(left.length === 0 ? [] : [`not sent: ${left.join(", ")}`]),
  ];
}
