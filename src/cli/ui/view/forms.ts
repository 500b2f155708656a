import { refOf, sameCall } from "../../../core/call-ref.ts";
import type { FormField } from "../../../core/forms/asked-form.ts";
import type { AgentEvent } from "../../../graph/events.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import { cleanLine } from "../safe-text.ts";
import type { AskedOfPerson, Item, View } from "./view.ts";

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

/** What something that a call speaks to asks the person; all its words pass the sanitiser here, once. */
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
    ...(agent === undefined ? {} : { agent: cleanLine(agent) }),
  };
  return { ...view, forms: [...view.forms, one] };
}

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
  const { from } = known;
  const names = (event.sent ?? []).map((name) => cleanLine(JSON.stringify(name)));
  const words = {
    accept: names.length === 0 ? `said yes to ${from}` : `answered ${from}: ${names.join(", ")}`,
    decline: `declined what ${from} asked`,
    cancel: `what ${from} asked got no answer`,
  };
  const mark = ({ accept: "yes", decline: "no", cancel: "other" } as const)[event.action];
  return {
    view: { ...view, forms: view.forms.filter((one) => !isIt(one)) },
    said: [{ kind: "decision", mark, text: words[event.action] }],
  };
}
