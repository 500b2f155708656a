import { canonicalJson, isJsonObject, type JsonObject } from "../../../core/json.ts";
import { tooDeepWords } from "../../../core/json-depth.ts";
import { planToolName } from "../../../core/proposed-plan.ts";
import type { WaitingCall } from "../../../graph/events.ts";
import { dialog as words } from "../../../words/en/dialog.ts";
import { saidAgain } from "../../../words/said-again.ts";
import { plainBlanks } from "../../terminal/sanitise.ts";
import { cleanInput } from "../../terminal/text-units.ts";
import { cleanLine, visibleJson } from "../safe-text.ts";

type Editable = Pick<WaitingCall, "arguments" | "editable">;

/** The arguments that the person may edit, as JSON text; undefined where there are none. */
export function editableJson({ arguments: args, editable }: Editable): string | undefined {
  if (editable === undefined) return visibleJson(args);
  const open = editable.filter((key) => Object.hasOwn(args, key));
  return open.length === 0 ? undefined : visibleJson(Object.fromEntries(open.map((key) => [key, args[key]])));
}

/** The argument that a person means who edits a call, by tool. */
const meant: Readonly<Record<string, { argument: string; file?: string }>> = {
  write_file: { argument: "content" },
  edit_file: { argument: "new_string" },
  shell: { argument: "command", file: "command.sh" },
  [planToolName]: { argument: "plan", file: "plan.md" },
};

/** A text that is edited as it is. */
export interface PlainField {
  argument: string;
  text: string;
  /** A file's name, by which an editor knows the language. */
  file: string;
}

/** Undefined where no single text is meant or may be edited, or where characters of it would not be seen: JSON shows them. */
export function plainField({
  toolName,
  arguments: args,
  editable,
}: Editable & { toolName: string }): PlainField | undefined {
  const { argument, file = "command.sh" } = (Object.hasOwn(meant, toolName) ? meant[toolName] : undefined) ?? {};
  const text = argument === undefined ? undefined : args[argument];
  if (argument === undefined || typeof text !== "string") return undefined;
  if (editable !== undefined && !editable.includes(argument)) return undefined;
  // A blank of another kind is a blank in prose, and something else to a shell.
  const seen = argument === "command" ? text : plainBlanks(text);
  if (cleanInput(text) !== text || visibleJson(seen) !== JSON.stringify(seen)) return undefined;
  const path = args["file_path"];
  const name = typeof path === "string" ? (path.split("/").at(-1) ?? "").replace(/[^\w.-]/g, "_") : "";
  return { argument, text, file: name === "" || /^\.*$/.test(name) ? file : name };
}

/** The call's arguments with another text for one of them. */
export function withField({ arguments: args }: Editable, argument: string, text: string): Edit {
  return args[argument] === text ? { kind: "same" } : { kind: "edited", arguments: { ...args, [argument]: text } };
}

export type Edit = { kind: "edited"; arguments: JsonObject } | { kind: "same" } | { kind: "bad"; message: string };

/** Reads the person's text as whole arguments: fields that may not be edited stay as they are. The tool's schema is judged later. */
export function parseEdit({ arguments: args, editable }: Editable, text: string): Edit {
  const deep = tooDeepWords(text);
  if (deep !== undefined) return { kind: "bad", message: words().tooDeep({ deep }) };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = cleanLine(saidAgain(error instanceof Error ? error.message : String(error)));
    return { kind: "bad", message: words().notJson({ why }) };
  }
  if (!isJsonObject(value)) return { kind: "bad", message: words().notObject };
  const locked = editable === undefined ? [] : Object.keys(value).filter((key) => !editable.includes(key));
  if (locked.length > 0) return { kind: "bad", message: words().notEditable({ names: cleanLine(locked.join(", ")) }) };
  const next = editable === undefined ? value : { ...args, ...value };
  return canonicalJson(next) === canonicalJson(args) ? { kind: "same" } : { kind: "edited", arguments: next };
}
