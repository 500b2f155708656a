import { toolSearchName } from "../core/call.ts";
import { namesFound } from "../tools/offering/search-tools.ts";
import { type EndedCalls, readOnceEnded } from "./ended-calls.ts";

// Keeps graph 25.
/** Names of the tools that a session's calls of `search_tools` found, by these calls alone. */
export const foundTools = (journal: EndedCalls): (() => ReadonlySet<string>) =>
  readOnceEnded(
    journal,
    () => new Set(journal.succeeded(toolSearchName).flatMap(({ call }) => namesFound(call))),
    (found, call) => new Set([...found, ...namesFound(call)]),
  );
