import { ownCommandName } from "../core/call.ts";
import type { Tool } from "../core/tool.ts";
import { asBuiltIn, isBuiltIn } from "../tools/built-in.ts";

/** What the person's `!command` runs: the session's shell under a name of its own, which the model is not told. */
export const ownCommandTool = (tools: readonly Tool[]): Tool[] =>
  tools
    .filter((tool) => tool.name === "shell" && isBuiltIn(tool))
    .map((shell) => asBuiltIn({ ...shell, name: ownCommandName, audience: "person", editable: [] }));
