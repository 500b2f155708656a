import { realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { plainValue, readJsonText } from "../../core/json-text.ts";
import { isInside } from "../../files/boundary.ts";
import { repositoryRoot } from "../../files/project-root.ts";
import { readPolicyFile, readProjectFile, writtenByHand } from "../../policy/files/policy-file.ts";
import type { Decision } from "../../policy/types.ts";
import { importing } from "../../words/en/importing.ts";
import type { Gathered, Scope } from "./found.ts";
import { withoutSecrets } from "./masked.ts";

/** The places where another program's files are looked for. */
export interface Looked {
  /** Real path of the project's folder; undefined where that is the home itself: its files are the person's. */
  workspace: string | undefined;
  /** From the root of the repository, or of the workspace, to the workspace: what settings name is relative to that root. */
  belowRoot: string;
  /** Of the person; undefined where none is known. */
  home: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

export interface Source {
  scope: Scope;
  /** As the person knows it: `~/.codex/config.toml`, `.mcp.json`. */
  from: string;
  text: string;
}

/** A file of another program: `rules` where it may deny something, `most` bytes where it is no file of settings alone. */
export interface SourceFile {
  path: string;
  rules?: true;
  most?: number;
}

/** Variables that say where a program's folder of the person lies. */
const moved: readonly (readonly [folder: string, variable: string, below: string])[] = [
  [".claude", "CLAUDE_CONFIG_DIR", ""],
  [".codex", "CODEX_HOME", ""],
  [".gemini", "GEMINI_CLI_HOME", ".gemini"],
  [".config/opencode", "XDG_CONFIG_HOME", "opencode"],
  ...["Code", "Code - Insiders", "VSCodium"].map((name) => [`.config/${name}`, "XDG_CONFIG_HOME", name] as const),
];

/** `isMoved`: a variable says where its folder is. */
interface Place {
  real: string;
  from: string;
  isMoved: boolean;
}

/** Finds the place of a path of a scope, and the name by which the person knows it; undefined where there is no such place. */
export function placeOf(at: Looked, scope: Scope, path: string): Place | undefined {
  if (scope === "project")
    return at.workspace === undefined ? undefined : { real: join(at.workspace, path), from: path, isMoved: false };
  for (const [folder, variable, below] of moved) {
    const told = at.env[variable];
    if (told === undefined || !isAbsolute(told) || (path !== folder && !path.startsWith(`${folder}/`))) continue;
    const real = join(told, below, path.slice(folder.length));
    return { real, from: real, isMoved: true };
  }
  return at.home === undefined ? undefined : { real: join(at.home, path), from: `~/${path}`, isMoved: false };
}

/**
 * Reads these files of a scope, as far as they are there: plain UTF-8 files of at most 1 MB, or as it is wanted; of a project none that lies
 * outside of it, and for the person none that a variable moves into it.
 */
export async function readSources(
  at: Looked,
  scope: Scope,
  files: readonly SourceFile[],
  into: Gathered,
): Promise<Source[]> {
  const sources: Source[] = [];
  for (const { path, rules, most } of files) {
    const place = placeOf(at, scope, path);
    if (place === undefined) continue;
    const { from } = place;
    try {
      const text = await (scope === "project"
        ? readProjectFile(at.workspace ?? "", path)
        : readPersonsFile(at, place, most));
      if (text?.includes("\0") === true) throw new Error(importing().noText);
      if (text !== undefined) sources.push({ scope, from, text: text.replace(/^\ufeff/u, "") });
    } catch (error) {
      unreadable(into, { scope, from }, wordsOf(error), rules);
    }
  }
  return sources;
}

/** @throws Error also where a variable leads into the project: what lies there is the project's, whatever is said of it. */
async function readPersonsFile(at: Looked, { real, isMoved }: Place, most?: number): Promise<string | undefined> {
  const text = await readPolicyFile(real, most);
  const { workspace, home } = at;
  if (text === undefined || !isMoved || workspace === undefined) return text;
  const file = await realpath(real);
  const isOf = (folder: string): boolean =>
    isInside(folder, file) && !(home !== undefined && isInside(folder, home) && isInside(home, file));
  if (![workspace, repositoryRoot(workspace) ?? workspace].some(isOf)) return text;
  throw new Error(importing().isProjects);
}

/** Notes a file that was not read. What it may deny is not known, where it has rules. */
export function unreadable(
  { found, entries }: Gathered,
  { scope, from }: Pick<Source, "scope" | "from">,
  why: string,
  rules: true | undefined,
): void {
  if (rules === undefined) found.push({ kind: "unread", scope, from, why });
  else
    entries.push({
      scope,
      from,
      was: from,
      decision: "deny",
      said: { why },
      reach: { of: "all", head: "" },
      isFile: rules,
    });
}

const wordsOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);

/** The value of JSON as people write it. @throws Error naming the line. */
function parseByHand(text: string): unknown {
  const read = readJsonText(text, writtenByHand);
  if (!("wrong" in read)) return plainValue(read);
  // A key that is there twice may be a secret as well as a value.
  throw new Error(`line ${read.line}: ${read.wrong.replace(/"(?:[^"\\]|\\.)*"/gu, "…")}`);
}

/** Reads a file as one object; undefined where it is no such thing, which is noted. */
export function objectOf(
  source: Source,
  into: Gathered,
  rules?: true,
  parse: (text: string) => unknown = parseByHand,
): Record<string, unknown> | undefined {
  try {
    const value = parse(source.text);
    if (isObject(value)) return value;
    unreadable(into, source, importing().noObject, rules);
  } catch (error) {
    unreadable(into, source, wordsOf(error), rules);
  }
  return undefined;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** Tells whether a list of names has it, or may have it: of a value that is no list nobody knows. */
export const isListed = (list: unknown, name: string): boolean =>
  list !== undefined && (!Array.isArray(list) || list.includes(name));

export const objectAt = (value: unknown, key: string): Record<string, unknown> => {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
};

/** The texts of a list of rules, or one text. What is none is noted: it may have been meant to deny. */
export function textsAt(value: unknown, key: string, decision: Decision, source: Source, into: Gathered): string[] {
  const given = isObject(value) ? value[key] : undefined;
  if (given === undefined) return [];
  const items: unknown[] = Array.isArray(given) ? given : [given];
  return items.flatMap((one) => {
    if (Array.isArray(given) && typeof one === "string") return [one];
    wrongType(into, source, key, decision);
    return [];
  });
}

/** Notes what is no rule at all, where one was looked for. */
export function wrongType(into: Gathered, { scope, from }: Source, what: string, decision: Decision): void {
  into.entries.push({
    scope,
    from,
    was: what,
    decision,
    said: { why: importing().wrongType },
    reach: { of: "all", head: "" },
  });
}

/** Settings that are not taken over: those with a reason of their own, and the others in one line. */
export function otherSettings(
  { scope, from }: Source,
  settings: Record<string, unknown>,
  known: readonly string[],
  reasons: Readonly<Record<string, string>>,
  { found }: Gathered,
): void {
  const keys = Object.keys(settings).filter((key) => !known.includes(key) && key !== "$schema");
  const own = keys.filter((key) => Object.hasOwn(reasons, key));
  for (const what of own) found.push({ kind: "left_out", scope, from, what, why: reasons[what] ?? "" });
  const others = keys
    .filter((key) => !own.includes(key))
    .slice(0, mostNamed)
    .map(withoutSecrets);
  if (others.length > 0)
    found.push({ kind: "left_out", scope, from, what: others.join(", "), why: importing().othersLeft });
}

const mostNamed = 40;

/** Finds the real path of a place of a scope; undefined where it is not there or, of a project, not in it. */
export async function realOf(at: Looked, scope: Scope, path: string): Promise<string | undefined> {
  const place = placeOf(at, scope, path);
  const real = place && (await realpath(place.real).catch(() => undefined));
  return real === undefined || (scope === "project" && !isInside(at.workspace ?? "", real)) ? undefined : real;
}
