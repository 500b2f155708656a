import { refOf, sameCall } from "../../../core/call-ref.ts";
import type { AskedOfModel, FormField } from "../../../core/forms/asked-form.ts";
import type { AgentEvent } from "../../../graph/events.ts";
import { view as words } from "../../../words/en/view.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import { cleanLine } from "../safe-text.ts";
import type { AskedOfPerson, Item, View } from "./view.ts";

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** Adds the form by which something that a call speaks to asks the person; all its words pass the sanitiser here, once. */
export function withForm(view: View, event: EventOf<"form_requested">): View {
  const { asked, form, agent } = event;
  const one: AskedOfPerson = {
    ref: { ...refOf(event), form },
    from: cleanLine(asked.place === undefined ? asked.from : `${asked.from} (${asked.place})`),
    tool: cleanLine(asked.tool),
    message: cleanText(asked.message),
    fields: asked.fields.map((field) => ({
      field,
      name: cleanLine(field.name),
      label: cleanLine(field.title ?? field.name),
      description: cleanText(field.description ?? ""),
      choices: choicesOf(field).map(cleanLine),
    })),
    ...(asked.ofModel === undefined ? {} : { ofModel: cleanOfModel(asked.ofModel) }),
    ...(agent === undefined ? {} : { agent: cleanLine(agent) }),
  };
  return { ...view, forms: [...view.forms, one] };
}

const cleanOfModel = (asked: AskedOfModel): AskedOfModel =>
  asked.step === "answer"
    ? { ...asked, model: cleanLine(asked.model), text: cleanText(asked.text) }
    : {
        ...asked,
        model: cleanLine(asked.model),
        ...(asked.system === undefined ? {} : { system: cleanText(asked.system) }),
        messages: asked.messages.map((line) => ({ ...line, text: cleanText(line.text) })),
      };

function choicesOf(field: FormField): string[] {
  if (field.kind === "yes_no") return ["yes", "no"];
  if (field.kind !== "choice" && field.kind !== "choices") return [];
  return field.choices.map(({ value, title }) =>
    title === undefined || title === value ? value : `${title} (${value})`,
  );
}

/** It is asked no more; what the person did stays in the transcript. */
export function withoutForm(view: View, event: EventOf<"form_closed">): { view: View; said: Item[] } {
  const ref = refOf(event);
  const isIt = (one: AskedOfPerson): boolean => one.ref.form === event.form && sameCall(one.ref, ref);
  const known = view.forms.find(isIt);
  if (known === undefined) return { view, said: [] };
  const { from, ofModel } = known;
  const names = (event.sent ?? []).map((name) => cleanLine(JSON.stringify(name)));
  const said = ofModel === undefined ? personWords(from, names) : modelWords(from, ofModel);
  const mark = ({ accept: "yes", decline: "no", cancel: "other" } as const)[event.action];
  return {
    view: { ...view, forms: view.forms.filter((one) => !isIt(one)) },
    said: [{ kind: "decision", mark, text: said[event.action] }],
  };
}

type Said = Record<EventOf<"form_closed">["action"], string>;

function modelWords(from: string, { step, model }: AskedOfModel): Said {
  const { accept, decline, cancel } = words().forms[step];
  const about = { from, model };
  return { accept: accept(about), decline: decline(about), cancel: cancel(about) };
}

const personWords = (from: string, names: readonly string[]): Said => ({
  accept: names.length === 0 ? words().forms.saidYes({ from }) : words().forms.answered({ from, names }),
  decline: words().forms.declined({ from }),
  cancel: words().forms.left({ from }),
});
