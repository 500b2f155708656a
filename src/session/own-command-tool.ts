import type { BaseMessage } from "@langchain/core/messages";
import { ownCommandName, stopJobName } from "../core/call.ts";
import type { JsonObject } from "../core/json.ts";
import type { Tool } from "../core/tool.ts";
import { newMessageId } from "../graph/state.ts";
import { commandMessage } from "../graph/talk/person-call.ts";
import { asBuiltIn, isBuiltIn } from "../tools/built-in.ts";

/** What of the session's tools the person calls themselves, by names of their own, of which the model is not told. */
const names: ReadonlyMap<string, string> = new Map([
  ["shell", ownCommandName],
  ["shell_stop", stopJobName],
]);

/** The tools of the person's own commands: the program's own alone, never one that has taken such a name. */
export const ownCommandTools = (tools: readonly Tool[]): Tool[] =>
  tools.flatMap((tool) => {
    const name = isBuiltIn(tool) ? names.get(tool.name) : undefined;
    return name === undefined ? [] : [asBuiltIn({ ...tool, name, audience: "person", editable: [] })];
  });

/** A turn of one call that the person gives themselves. */
export interface OwnTurn {
  name: string;
  text: string;
  message: BaseMessage;
}

const ownTurn = (text: string, call: { name: string; arguments: JsonObject }): OwnTurn => ({
  name: call.name,
  text,
  message: commandMessage(newMessageId(), text, call),
});

/** The person's own command line as their message. */
export const ownCommandTurn = (command: string): OwnTurn =>
  ownTurn(`!${command}`, { name: ownCommandName, arguments: { command, network: true } });

/** That a background job is to end, as the person's message. @param id the call that started it */
export const stopJobTurn = (id: string): OwnTurn =>
  ownTurn(`/jobs stop ${id}`, { name: stopJobName, arguments: { id } });
