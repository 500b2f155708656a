import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { jsonLine } from "../../core/json-line.ts";
import { repositoryRoot } from "../../files/project-root.ts";
import { readPolicyFile } from "../../policy/files/policy-file.ts";
import { entryText, readEntry } from "../../tools/mcp/entry.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { importWritten } from "../../words/en/import-written.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import type { FoundSetting, Scope } from "../import/found.ts";
import { withoutKnown } from "../import/servers.ts";
import type { Looked } from "../import/sources.ts";
import { type Change, changesFor, knownIn, projectTargets } from "../import/written.ts";
import { askLine, atTerminal } from "../io.ts";
import { writeChange } from "../policy-change.ts";
import { CliProblem } from "../problem.ts";
import { cleanEffect, cleanLine } from "../ui/safe-text.ts";

type Reader = (at: Looked) => Promise<FoundSetting[]>;

const readers: Readonly<Record<string, () => Promise<Reader>>> = {
  claude: async () => (await import("../import/claude.ts")).fromClaude,
  codex: async () => (await import("../import/codex.ts")).fromCodex,
  gemini: async () => (await import("../import/gemini.ts")).fromGemini,
  vscode: async () => (await import("../import/vscode.ts")).fromVscode,
  opencode: async () => (await import("../import/opencode.ts")).fromOpencode,
};

/**
 * `agent import NAME`: what another program's settings say, and the change that it would make to ours; made where the person (or --yes)
 * says so. @returns 1 where a file could not be read, or the person said no
 */
export async function importSettings(composition: Composition, name: string, yes: boolean): Promise<number> {
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (read === undefined)
    throw new CliProblem("usage", importWritten().noProgram({ name: cleanLine(name) }), {
      hint: importWritten().isOneOf({ names: Object.keys(readers) }),
    });
  const { io, flags } = composition;
  const at = await lookedAt(composition);
  const { config } = composition.places;
  const settings = await readPolicyFile(config);
  const found = withoutKnown(await (await read())(at), knownIn(settings, config));
  const changes = await allChanges(composition, found, at, settings);
  tell(composition, found, changes);
  const failed = found.some(({ kind }) => kind === "unread") ? 1 : 0;
  if (changes.length === 0) {
    io.stderr.write(
      found.length === 0 ? `${importWritten().nothingFound({ name })}\n` : `${importWritten().nothingToWrite}\n`,
    );
    return failed;
  }
  if (flags.json === true && !yes) return failed;
  if (!yes && !(await confirmed(composition, name))) {
    io.stderr.write(`${importWritten().nothingWritten}\n`);
    return 1;
  }
  await writeAll(composition, changes);
  tellServers(composition, found);
  return failed;
}

async function writeAll({ io, flags }: Composition, changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    await writeChange(change, cellWords().importAgain);
    if (flags.json === true) io.stdout.write(jsonLine({ kind: "wrote", file: change.file }));
    io.stderr.write(cleanEffect(`${cellWords().wrote({ file: change.file })}\n`));
  }
  if (changes.some(({ scope }) => scope === "project")) io.stderr.write(`${importWritten().takesEffect}\n`);
}

/** A home in which somebody works is not a project of itself: its files are the person's. */
async function lookedAt({ io, workspace }: Composition): Promise<Looked> {
  const home = io.env["HOME"] || undefined;
  const real = home === undefined ? undefined : await realpath(home).catch(() => undefined);
  const belowRoot = relative(repositoryRoot(workspace) ?? workspace, workspace);
  return { home: real, workspace: real === workspace ? undefined : workspace, belowRoot, env: io.env };
}

async function allChanges(
  { places, workspace }: Composition,
  found: readonly FoundSetting[],
  at: Looked,
  settings: string | undefined,
): Promise<Change[]> {
  const has = (scope: Scope): boolean =>
    found.some((one) => one.scope === scope || (scope === "user" && one.kind === "server"));
  const user = has("user") ? await changesFor("user", places, found, settings) : [];
  if (!has("project") || at.workspace === undefined) return user;
  const targets = projectTargets(workspace);
  return [...user, ...(await changesFor("project", targets, found, await readPolicyFile(targets.config)))];
}

/** Each file once, with what is in it below. */
function listOf(found: readonly FoundSetting[]): string {
  const files = [...new Set(found.map(({ from }) => from))];
  return files
    .map(
      (from) =>
        `${cleanLine(from)}\n${found
          .filter((one) => one.from === from)
          .map(lineOf)
          .join("")}`,
    )
    .join("");
}

function lineOf(one: FoundSetting): string {
  switch (one.kind) {
    case "rule":
      return `  + ${cleanLine(one.was)}\n`;
    case "instructions":
      return `  ${one.named ? "+" : " "} ${one.note}\n`;
    case "server":
      return serverLines(one);
    case "hook": {
      const { matcher, hooks } = one.hook;
      const said = (command: string): string =>
        matcher === undefined
          ? cellWords().hook({ event: one.event, command })
          : cellWords().hookOf({ event: one.event, matcher: cleanLine(matcher), command });
      return hooks.map(({ command }) => `  + ${said(cleanLine(command))}\n`).join("");
    }
    case "left_out":
      return `  ${one.restricts === true ? "!" : "-"} ${cellWords().notWritten({ what: cleanLine(one.what), why: cleanLine(saidAgain(one.why)) })}\n`;
    case "unread":
      return `  ! ${cellWords().notRead({ why: cleanLine(saidAgain(one.why)) })}\n`;
  }
}

function serverLines({ name, from, entry, needs, why, add }: Extract<FoundSetting, { kind: "server" }>): string {
  const read = entry === undefined ? undefined : readEntry(entry);
  const set = needs.map((need) => `      ${importWritten().set({ variable: need, from: cleanLine(from) })}\n`).join("");
  if (read !== undefined && typeof read !== "string")
    return `  + ${cellWords().server({ name, entry: cleanLine(entryText(read)) })}\n${set}`;
  const line = add === undefined ? "" : `      ${importWritten().toBeCompleted({ command: cleanLine(add) })}\n${set}`;
  return `    ${importWritten().notWritten({ name, why: cleanLine(why ?? "") })}\n${line}`;
}

/** Tells the person the steps that are left before a server is used. */
function tellServers({ io }: Composition, found: readonly FoundSetting[]): void {
  const names = found.flatMap((one) => (one.kind === "server" && one.entry !== undefined ? [one.name] : []));
  if (names.length > 0) io.stderr.write(`${importWritten().off({ names })}\n`);
}

function tell(composition: Composition, found: readonly FoundSetting[], changes: readonly Change[]): void {
  const { io, flags } = composition;
  if (flags.json === true) tellJson(composition, found, changes);
  else io.stdout.write(cleanEffect(listOf(found) + changes.map(({ diff }) => diff).join("")));
  const lost = found.filter((one) => one.kind === "left_out" && one.restricts === true).length;
  if (lost > 0) io.stderr.write(`${importWritten().lost({ count: lost })}\n`);
}

function tellJson({ io }: Composition, told: readonly FoundSetting[], changes: readonly Change[]): void {
  for (const one of told) io.stdout.write(jsonLine(one));
  for (const change of changes)
    io.stdout.write(jsonLine({ kind: "change", scope: change.scope, file: change.file, diff: change.diff }));
}

async function confirmed({ io }: Composition, name: string): Promise<boolean> {
  if (!atTerminal(io))
    throw new CliProblem("usage", importWritten().asks, { hint: importWritten().asksHint({ name }) });
  const answer = await askLine(io.stdin, io.stdout, importWritten().question);
  return answer?.trim() === "yes";
}
