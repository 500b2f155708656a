import type { BaseMessage } from "@langchain/core/messages";
import { ownCommandName, stopJobName } from "../core/call.ts";
import type { Tool } from "../core/tool.ts";
import { newMessageId } from "../graph/state.ts";
import { commandMessage } from "../graph/talk/person-call.ts";
import { asBuiltIn, isBuiltIn } from "../tools/built-in.ts";
import type { OwnTurn } from "./own-turn.ts";

/** The session's tools that the person calls themselves, by names of their own, of which the model is not told. */
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

/** The person's own turn with the message that carries its call. */
export const ownTurnMessage = ({ text, call }: OwnTurn): { text: string; message: BaseMessage } => ({
  text,
  message: commandMessage(newMessageId(), text, call),
});
