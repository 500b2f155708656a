import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { commandMark, type RawCall } from "../../model/port.ts";
import type { CallStanding } from "../../store/types.ts";
import type { ToolCatalogue } from "../../tools/tool-catalogue.ts";

/**
 * A message of the person that is a command, not words for the model: it carries the one call to be made. The call is made
 * from the stored message, so that a death between the two loses nothing, and nothing a person types can look like one.
 * @param text says in words what is asked, for the model to read later.
 */
export const commandMessage = (id: string, text: string, call: { name: string; arguments: JsonObject }): HumanMessage =>
  new HumanMessage({ id, content: text, additional_kwargs: { [commandMark]: { ...call } } });

/** The call that a message carries; undefined where it is for the model. */
export function personCallOf(message: BaseMessage | undefined): RawCall | undefined {
  const call: unknown = message?.getType() === "human" ? message.additional_kwargs[commandMark] : undefined;
  if (!isJsonObject(call) || typeof call["name"] !== "string") return undefined;
  return { id: "", name: call["name"], rawArguments: JSON.stringify(call["arguments"] ?? {}) };
}

/** Tells whether the person's command made this call. A model that names such a tool gets UNKNOWN_TOOL. */
export const isCommandCall = (catalogue: ToolCatalogue, call: CallStanding): boolean =>
  catalogue.get(call.toolName)?.audience === "person" &&
  !(call.status === "error" && call.errorCode === "UNKNOWN_TOOL");
