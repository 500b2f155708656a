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
export const cleanPath = (path: string): string =>
  cleanLine(/[\n\r\t\v\f]|^\s|\s$/u.test(path) ? JSON.stringify(path) : path);

/** Tells whether a path is one in this folder, by its text alone. */
export const isIn = (folder: string, path: string): boolean => folder !== "" && path.startsWith(`${folder}/`);

/** Written without their folder these are something else: a whole path, one of the home, the output of a call, an address, one with other blanks. */
const readsOtherwise = /^(?:$|\/|~(?:\/|$)|call:\w+$|[a-z][\w+.-]*:\/|\s)|\s$/iu;

/** A path as a person of this workspace reads it: relative inside it, whole outside, and where the rest would be none or mean something else. */
export function relativeTo(workspace: string, path: string): string {
  const inside = isIn(workspace, path) ? path.slice(workspace.length + 1) : "";
  return readsOtherwise.test(inside) ? path : inside;
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

/** The agent's own tools whose `file_path` and `path` are paths of the workspace; what others mean by these names only they know. */
const ofWorkspace: ReadonlySet<string> = new Set(["edit_file", "write_file", "read_file", "grep", "glob", "ls"]);

/** The tool of a call, by its own name, and the workspace of whoever reads of it; without both paths stay as they were written. */
interface Reading {
  toolName?: string | undefined;
  workspace?: string | undefined;
}

/** The subject of a call in one line. `isPath`: it is a path, which is known by its end; of anything else the beginning says what it is. */
export interface Subject {
  text: string;
  isPath: boolean;
}

const ofPath = (path: string): Subject => ({ text: cleanPath(shorten(path, 400)), isPath: true });
const ofText = (text: string): Subject => ({ text: cleanLine(shorten(text, 400)), isPath: false });

/** Returns the subject of a call: its path, pattern or command; else its first text argument. */
export function subjectOf(written: JsonObject, reading: Reading = {}): Subject {
  const args = withNearPaths(written, reading);
  const { pattern, path, file_path: file, plan } = args;
  if (typeof pattern === "string" && typeof path === "string")
    return ofText(cellWords().pattern({ pattern, path: cleanPath(path) }));
  if (typeof file === "string" && file !== "") return ofPath(file);
  if (typeof plan === "string") return ofText(planTitle(plan));
  const named = subjects.find((key) => typeof args[key] === "string" && args[key] !== "");
  const value = named === undefined ? Object.values(args).find((one) => typeof one === "string") : args[named];
  return typeof value !== "string" ? ofText("") : named === "path" ? ofPath(value) : ofText(value);
}

/** Returns the arguments with their paths as a person of this workspace reads them. */
function withNearPaths(args: JsonObject, { toolName = "", workspace }: Reading): JsonObject {
  if (workspace === undefined || !ofWorkspace.has(toolName)) return args;
  const paths = ["file_path", "path"].flatMap((key) => {
    const value = args[key];
    return typeof value === "string" ? [[key, relativeTo(workspace, value)]] : [];
  });
  return { ...args, ...Object.fromEntries(paths) };
}

/** The subject in arguments that are still being written: the beginning of JSON text. */
export function subjectOfPartial(partial: string, reading: Reading = {}): string {
  const growing = new GrowingObject();
  growing.push(partial);
  const args = growing.value();
  const named = Object.entries(args).filter(([key]) => subjects.some((one) => one === key));
  return subjectOf(named.length > 0 ? Object.fromEntries(named) : shortest(args), reading).text;
}

/** Of text that may be a whole file's only the beginning. */
const shortest = (args: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === "string" ? shorten(value, 60) : value]),
  );

/** JSON in which every character that is not seen as what it is is written as its escape: safe to draw and the same value. */
export const visibleJson = (value: unknown): string => escapedJson(JSON.stringify(value, null, 2) ?? "null");
