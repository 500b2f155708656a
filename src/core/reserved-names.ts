import { ownCommandName, stopJobName, toolSearchName, undoToolName } from "./call.ts";
import { planToolName } from "./proposed-plan.ts";

/** Names that no tool of a person or a program may have: by them calls are known for what the person gave or approved, in records too. */
export const reservedNames: ReadonlySet<string> = new Set([
  undoToolName,
  ownCommandName,
  stopJobName,
  planToolName,
  toolSearchName,
]);
