import type { BaseMessage } from "@langchain/core/messages";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { misfitsOf, misfitText } from "../core/json-schema/misfits.ts";
import { limits } from "../core/limits.ts";
import type { StepId } from "../core/step-id.ts";
import { readStrictJson } from "../core/strict-json.ts";
import type { Journal } from "../store/types.ts";
import { completionName } from "../tools/ending/end-tools.ts";
import { timesAskedOn } from "./talk/follow-up.ts";

/** So often may the model try to end a turn with JSON by its schema. */
export const mostTries = 3;

/** On the person's message: the turn that it begins ends with JSON that fits this schema. So it is stored with the turn. */
const mark = "holdfast_output";

export const markOutput = (schema: JsonObject | undefined): Record<string, unknown> =>
  schema === undefined ? {} : { [mark]: schema };

/** Returns the keyword arguments of a message of a graph's input, as they are to be stored: how its turn ends is not for the message to say. */
export function markedOutput(kwargs: Record<string, unknown>, schema: JsonObject | undefined): Record<string, unknown> {
  if (kwargs[mark] === undefined && schema === undefined) return kwargs;
  const { [mark]: _, ...others } = kwargs;
  return { ...others, ...markOutput(schema) };
}

export function outputSchemaOf(message: BaseMessage | undefined): JsonObject | undefined {
  const schema: unknown = message?.getType() === "human" ? message.additional_kwargs[mark] : undefined;
  return isJsonObject(schema) ? schema : undefined;
}

export type OutputRead = { ok: true; value: Json } | { ok: false; wrong: string };

/** The form in which a turn is to end. */
export interface Output {
  readonly schema: JsonObject;
  /** The JSON of the model's last words, or what is wrong with them. */
  read(text: string): OutputRead;
}

/** Of the turn that was asked about last: the message that began a turn does not change. */
const lastAsked = new WeakMap<object, { turn: number; schema: JsonObject | undefined }>();

/** @returns undefined where the turn may end with any words. */
export function outputOf(journal: Pick<Journal, "turnMessage">, turn: number): Output | undefined {
  let asked = lastAsked.get(journal);
  if (asked?.turn !== turn) {
    asked = { turn, schema: outputSchemaOf(journal.turnMessage(turn)) };
    lastAsked.set(journal, asked);
  }
  const { schema } = asked;
  return schema === undefined ? undefined : { schema, read: (text) => readOutput(schema, text) };
}

function readOutput(schema: JsonObject, text: string): OutputRead {
  const read = readStrictJson(withoutFence(text));
  if (!read.ok) return { ok: false, wrong: read.message };
  const misfits = misfitsOf(schema, read.value, limits.outputCheckTime.most);
  return misfits.length === 0
    ? read
    : { ok: false, wrong: `it does not fit the schema: ${misfits.map(misfitText).join("; ")}` };
}

/** Models put JSON into a block of code, however they are asked. */
const withoutFence = (text: string): string => /^\s*```(?:json)?[ \t]*\n(.*)\n[ \t]*```\s*$/is.exec(text)?.[1] ?? text;

/** Counts the model's tries in vain in this turn, before this step: by its words, or by a result that was refused. */
export function triesBefore(journal: Pick<Journal, "steps" | "findReply" | "callsOf">, stepId: StepId): number {
  const refused = journal
    .steps()
    .filter(({ id, calls }) => calls > 0 && id.turn === stepId.turn && id.step < stepId.step)
    .filter(({ id }) => hasRefused(journal, id));
  return refused.length + timesAskedOn(journal, stepId, "no_output");
}

/** Tells whether a result was refused at this step. */
export const hasRefused = (journal: Pick<Journal, "callsOf">, stepId: StepId): boolean =>
  journal.callsOf(stepId).some(({ toolName, status }) => toolName === completionName && status === "error");
