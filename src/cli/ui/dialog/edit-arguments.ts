import { canonicalJson, isJsonObject, type JsonObject } from "../../../core/json.ts";
import type { WaitingCall } from "../../../graph/events.ts";
import { cleanLine, visibleJson } from "../safe-text.ts";

type Editable = Pick<WaitingCall, "arguments" | "editable">;

/** The arguments that the person may edit, as JSON text; undefined where there are none. */
export function editableJson({ arguments: args, editable }: Editable): string | undefined {
  if (editable === undefined) return visibleJson(args);
  const open = editable.filter((key) => Object.hasOwn(args, key));
  return open.length === 0 ? undefined : visibleJson(Object.fromEntries(open.map((key) => [key, args[key]])));
}

export type Edit = { kind: "edited"; arguments: JsonObject } | { kind: "same" } | { kind: "bad"; message: string };

/** What the person wrote, as whole arguments: fields that may not be edited stay as they are. The tool's schema is judged later. */
export function parseEdit({ arguments: args, editable }: Editable, text: string): Edit {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "bad", message: `not JSON: ${cleanLine(error instanceof Error ? error.message : String(error))}` };
  }
  if (!isJsonObject(value)) return { kind: "bad", message: "the arguments must be one JSON object" };
  const locked = editable === undefined ? [] : Object.keys(value).filter((key) => !editable.includes(key));
  if (locked.length > 0) return { kind: "bad", message: `not editable: ${cleanLine(locked.join(", "))}` };
  const next = editable === undefined ? value : { ...args, ...value };
  return canonicalJson(next) === canonicalJson(args) ? { kind: "same" } : { kind: "edited", arguments: next };
}
