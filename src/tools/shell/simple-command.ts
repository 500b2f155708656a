import type { Assignment, Command, Redirection } from "unbash";
import type { PlannedCommand } from "../../core/command.ts";
import { type Folders, onlyFolder } from "./folders.ts";
import { readRedirect } from "./redirects.ts";
import { fixedValue } from "./words.ts";

/** What is known of the line where a command stands in it. */
export interface Standing {
  folders: Folders;
  home: string | undefined;
  workspace: string;
}

/** The words of a command after unquoting; `a=1` behind `export` is a word too. */
export function wordsOf({ name, args }: Command, home: string | undefined): (string | null)[] {
  if (name === undefined) return [];
  const suffix = args.map((one) => {
    if (one.type === "Word") return fixedValue(one, home);
    const value = assignedValue(one);
    return value === undefined ? null : `${one.name}=${value}`;
  });
  return [fixedValue(name, home), ...suffix];
}

export const assignmentsOf = ({ prefix }: Command): PlannedCommand["assignments"] =>
  prefix.filter((one) => one.type === "Assignment").map(readAssignment);

function readAssignment(node: Assignment): { name: string; value?: string } {
  const value = assignedValue(node);
  return value === undefined ? { name: node.name } : { name: node.name, value };
}

function assignedValue({ value, append, index }: Assignment): string | undefined {
  if (value.type !== "Word" || append === true || index !== undefined || value.text.includes("~")) return undefined;
  return fixedValue(value, undefined) ?? undefined;
}

/** A command as it stands, before anything is known of its program. */
export function plainCommand(
  text: string,
  words: {
    argv: (string | null)[];
    assignments: PlannedCommand["assignments"];
    redirects: readonly Redirection[];
    troubles: readonly string[];
  },
  { folders, home, workspace }: Standing,
): PlannedCommand {
  const redirects = words.redirects.map((node) => readRedirect(node, folders, home, workspace));
  const lost = redirects.some(({ isUnknown }) => isUnknown)
    ? ["where it is redirected to is not known before it runs"]
    : [];
  const nameless = words.argv[0] === null ? ["which program it runs is not known before it runs"] : [];
  const [why] = [...words.troubles, ...nameless, ...lost];
  const cwd = onlyFolder(folders);
  return {
    text,
    argv: words.argv,
    assignments: words.assignments,
    redirects: redirects.map(({ redirect }) => redirect),
    ...(cwd === undefined ? {} : { cwd }),
    paths: redirects.flatMap(({ paths }) => paths),
    isPathsKnown: words.argv.length === 0,
    understood: why === undefined,
    ...(why === undefined ? {} : { why }),
  };
}
