import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isAgentFolder } from "../../policy/files/other-agents.ts";
import { isCommandFolder } from "../../policy/files/other-commands.ts";
import { isSkillFolder } from "../../policy/files/other-skills.ts";
import { importing } from "../../words/en/importing.ts";
import type { Gathered, Scope } from "./found.ts";
import { withoutSecrets } from "./masked.ts";
import { type Looked, placeOf, readSources, realOf } from "./sources.ts";

/** Folders of commands, skills and agents: named with how much lies in them. */
export async function placesIn(
  at: Looked,
  scope: Scope,
  folders: readonly string[],
  { found }: Gathered,
): Promise<void> {
  for (const folder of folders) {
    const real = await realOf(at, scope, folder);
    const names = real === undefined ? [] : await readdir(real).catch(() => []);
    if (names.length === 0) continue;
    const from = placeOf(at, scope, folder)?.from ?? folder;
    const what = `${names.length} ${names.length === 1 ? "entry" : "entries"}`;
    const why = readAsTheyAre(scope, folder) ?? importing().notUsed;
    found.push({ kind: "left_out", scope, from, what, why });
  }
}

function readAsTheyAre(scope: Scope, folder: string): string | undefined {
  const isSkills = isSkillFolder(folder, scope);
  if (isSkills && scope === "user") return importing().skillsReadHere;
  if (scope === "user" || !(isSkills || isAgentFolder(folder) || isCommandFolder(folder))) return undefined;
  const lists = isAgentFolder(folder) ? "agent agents" : "agent skills";
  return importing().readOnceTrusted({ command: lists });
}

/** Of these the first that a folder has is read here. */
const readHere = ["AGENTS.md", "CONTEXT.md", "CLAUDE.md"];

/** Instruction files: of the project those that are read here anyway, and those that settings can name. */
export async function instructionsIn(
  at: Looked,
  scope: Scope,
  paths: readonly string[],
  into: Gathered,
): Promise<void> {
  const wanted = paths.map((path) => ({ path }));
  for (const { from, text } of await readSources(at, scope, wanted, into)) {
    if (text.trim() === "") continue;
    const path = join(at.belowRoot, from);
    const first = scope === "project" && (await isReadHere(at, from));
    const named = scope === "project" && !first;
    const note = first ? importing().isReadHere : named ? importing().isNamed : importing().canBeSaved;
    into.found.push({ kind: "instructions", scope, from, path, named, note });
    for (const what of importsOf(text).map(withoutSecrets))
      into.found.push({ kind: "left_out", scope, from, what, why: importing().importsUnread });
  }
}

async function isReadHere(at: Looked, path: string): Promise<boolean> {
  for (const name of readHere) {
    const real = await realOf(at, "project", name);
    if (real !== undefined) return name === path || real === (await realOf(at, "project", path));
  }
  return false;
}

const mostImports = 20;

/** `@file` in a text, outside of code. */
const importsOf = (text: string): string[] =>
  [
    ...text
      .replace(/```.*?(?:```|$)|`[^`\n]*`/gsu, "")
      .matchAll(/(?<=^|\s)@(?:~?[\w.-]*\/[\w./-]+|[\w-]+\.(?:md|txt))/gu),
  ]
    .map(([name]) => name)
    .slice(0, mostImports);
