import type { BaseMessage } from "@langchain/core/messages";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { RawCall } from "../../model/port.ts";

/** A call that comes with a message of the person, before the model's first word on it. */
export interface AskedCall {
  name: string;
  arguments: JsonObject;
}

/** Key in `additional_kwargs` of a message of the person. */
export const askedCallsKey = "asked_calls";

/** They are made from the stored message, so that a death between the two loses nothing. */
export const markAskedCalls = (calls: readonly AskedCall[] = []): Record<string, unknown> =>
  calls.length === 0 ? {} : { [askedCallsKey]: calls.map((call) => ({ ...call })) };

/** The calls that a message of the person brings, as the journal has it; they are judged and asked about like the model's own. */
export function askedCallsOf(message: BaseMessage | undefined): RawCall[] {
  const calls: unknown = message?.getType() === "human" ? message.additional_kwargs[askedCallsKey] : undefined;
  return (Array.isArray(calls) ? (calls as unknown[]) : []).slice(0, limits.askedCalls.most).flatMap((call) => {
    if (!isJsonObject(call) || typeof call["name"] !== "string") return [];
    const rawArguments = JSON.stringify(call["arguments"] ?? {});
    const fits = call["name"].length <= limits.callName.most && rawArguments.length <= limits.callArguments.most;
    return fits ? [{ id: "", name: call["name"], rawArguments }] : [];
  });
}
