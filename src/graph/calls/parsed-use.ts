import { isDeepStrictEqual } from "node:util";
import type { ToolCallInfo } from "../../core/call.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Tool } from "../../core/tool.ts";
import { isBuiltIn } from "../../tools/built-in.ts";

/** A call's arguments, as its tool takes them and as they are written down. */
export interface Parsed {
  args: unknown;
  canonical: JsonObject;
}

/** The same, with the tool that they were parsed for. */
export type ParsedUse = Parsed & { tool: Tool };

/**
 * What was parsed when the call was proposed, or planned before: not of another process, not for a tool that has another's name by now, and not of
 * arguments that a person has edited since. A tool that is none of the program's own may change what it is given, so what was parsed for it is
 * used once.
 */
export function parsedUse(
  { parsed }: { readonly parsed: Map<string, ParsedUse> },
  { callId, arguments: given }: Pick<ToolCallInfo, "callId" | "arguments">,
  tool: Tool,
): Parsed | undefined {
  const known = parsed.get(callId);
  if (known === undefined || known.tool !== tool || !isDeepStrictEqual(known.canonical, given)) return undefined;
  if (!isBuiltIn(tool)) parsed.delete(callId);
  return known;
}
