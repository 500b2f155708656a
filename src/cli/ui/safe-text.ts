import { GrowingObject } from "../../core/growing-object.ts";
import type { JsonObject } from "../../core/json.ts";
import { inOneLine } from "../../core/linear-text.ts";
import { planTitle } from "../../core/proposed-plan.ts";
import type { AnswerOutcome } from "../../graph/decisions.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { saidAgain } from "../../words/said-again.ts";
import { cleanText, escapedJson, sanitise } from "../terminal/sanitise.ts";

/** Text that will be written or run: escape sequences stay readable instead of vanishing, tabs stay tabs. */
export const cleanEffect = (text: string): string =>
  sanitise(text, { keepNewlines: true, tabWidth: 0, showSequences: true });

/** Text from outside on one line: line ends become one blank. Names are in it, so that nothing of it vanishes. */
export const cleanLine = (text: string): string => sanitise(inOneLine(text).trim(), { showSequences: true });

/** A path on one line; quoted where a line end or a blank at its edge would not be seen. */
export const cleanPath = (path: string): string => cleanLine(/[\n\r\t]|^ | $/.test(path) ? JSON.stringify(path) : path);

/** A path as a person of this workspace reads it: relative inside it, whole outside, and where the rest would be none or look like a whole one. */
export function relativeTo(workspace: string, path: string): string {
  const inside = workspace !== "" && path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : "";
  return inside === "" || inside.startsWith("/") ? path : inside;
}

/** A longer one-line text cut in the middle of nothing: first `limit` characters and an ellipsis. */
export const shorten = (text: string, limit: number): string =>
  text.length <= limit ? text : `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;

/** An error in words that are safe to draw. */
export const errorText = (error: unknown): string =>
  cleanText(saidAgain(error instanceof Error ? error.message : String(error)));

/** Returns the reason why an answer did not count, in one line; undefined when it did. */
export const refusalOf = (outcome: AnswerOutcome): string | undefined =>
  outcome.ok ? undefined : cleanLine(saidAgain(outcome.message));

const subjects = ["file_path", "path", "pattern", "command", "url", "fact", "query", "name"] as const;

/**
 * Returns the subject of a call, in one line: its path, pattern or command; else its first text argument.
 * @param workspace a path in it is shown as `relativeTo` has it; without one as it was written
 */
export function subjectOf(written: JsonObject, workspace?: string): string {
  const args = workspace === undefined ? written : withNearPaths(written, workspace);
  const named = subjects.map((key) => args[key]).find((value) => typeof value === "string" && value !== "");
  const pattern = args["pattern"];
  const path = args["path"];
  if (typeof pattern === "string" && typeof path === "string")
    return cleanLine(shorten(cellWords().pattern({ pattern, path }), 400));
  const file = args["file_path"];
  if (typeof file === "string" && file !== "") return cleanPath(shorten(file, 400));
  const plan = args["plan"];
  if (typeof plan === "string") return cleanLine(shorten(planTitle(plan), 400));
  const value = named ?? Object.values(args).find((one) => typeof one === "string");
  return typeof value === "string" ? cleanLine(shorten(value, 400)) : "";
}

/** Returns the arguments with their paths as a person of this workspace reads them. */
function withNearPaths(args: JsonObject, workspace: string): JsonObject {
  const near = (value: JsonObject[string] | undefined) =>
    typeof value === "string" ? relativeTo(workspace, value) : value;
  const paths = Object.entries({ file_path: near(args["file_path"]), path: near(args["path"]) });
  return {
    ...args,
    ...Object.fromEntries(paths.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]]))),
  };
}

/** The subject in arguments that are still being written: the beginning of JSON text. */
export function subjectOfPartial(partial: string, workspace?: string): string {
  const growing = new GrowingObject();
  growing.push(partial);
  const args = growing.value();
  const named = Object.entries(args).filter(([key]) => subjects.some((one) => one === key));
  return subjectOf(named.length > 0 ? Object.fromEntries(named) : shortest(args), workspace);
}

/** Of text that may be a whole file's only the beginning. */
const shortest = (args: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === "string" ? shorten(value, 60) : value]),
  );

/** JSON in which every character that is not seen as what it is is written as its escape: safe to draw and the same value. */
export const visibleJson = (value: unknown): string => escapedJson(JSON.stringify(value, null, 2) ?? "null");
