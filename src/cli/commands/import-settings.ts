import { realpath } from "node:fs/promises";
import { jsonLine } from "../../core/json-line.ts";
import { diffOf } from "../../files/diff/diff.ts";
import { diffText } from "../../files/diff/diff-text.ts";
import type { Composition } from "../composition.ts";
import type { Found, Scope } from "../import/found.ts";
import type { Looked } from "../import/sources.ts";
import { type Change, changesFor, projectTargets, write } from "../import/written.ts";
import { askLine, atTerminal } from "../io.ts";
import { CliProblem } from "../problem.ts";
import { cleanEffect, cleanLine } from "../ui/safe-text.ts";

type Reader = (at: Looked) => Promise<Found[]>;

const readers: Readonly<Record<string, () => Promise<Reader>>> = {
  claude: async () => (await import("../import/claude.ts")).fromClaude,
  codex: async () => (await import("../import/codex.ts")).fromCodex,
  gemini: async () => (await import("../import/gemini.ts")).fromGemini,
  opencode: async () => (await import("../import/opencode.ts")).fromOpencode,
};

/**
 * `agent import NAME`: what another program's settings say, and the change that it would make to ours; made where the person (or --yes)
 * says so. @returns 1 where a file could not be read, or the person said no
 */
export async function importSettings(composition: Composition, name: string, yes: boolean): Promise<number> {
  const read = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (read === undefined)
    throw new CliProblem("usage", `nothing is imported from "${cleanLine(name)}"`, {
      hint: `it is one of ${Object.keys(readers).join(", ")}`,
    });
  const { io, flags } = composition;
  const at = await lookedAt(composition);
  const found = await (await read())(at);
  const { changes, leftOut } = await allChanges(composition, found, at);
  const told = [...found.filter((one) => !leftOut.some((left) => isOf(left, one))), ...leftOut];
  if (flags.json === true) tellJson(composition, told, changes);
  else io.stdout.write(cleanEffect(told.map(lineOf).join("") + changes.map(changeText).join("")));
  const failed = found.some(({ kind }) => kind === "unread") ? 1 : 0;
  if (changes.length === 0) {
    io.stderr.write(found.length === 0 ? `nothing of ${name} was found here\n` : "there is nothing to write\n");
    return failed;
  }
  if (flags.json === true && !yes) return failed;
  if (!yes && !(await confirmed(composition, name))) {
    io.stderr.write("nothing was written\n");
    return 1;
  }
  for (const change of changes) await write(change);
  if (flags.json === true) io.stdout.write(jsonLine({ kind: "wrote", files: changes.map(({ file }) => file) }));
  io.stderr.write(cleanEffect(`wrote ${changes.map(({ file }) => file).join(", ")}\n`));
  if (changes.some(({ scope }) => scope === "project"))
    io.stderr.write("what this project allows, and its instructions, take effect with agent trust\n");
  return failed;
}

/** A home in which somebody works is not a project of itself: its files are the person's. */
async function lookedAt({ io, workspace }: Composition): Promise<Looked> {
  const home = io.env["HOME"] || undefined;
  const real = home === undefined ? undefined : await realpath(home).catch(() => undefined);
  return { home: real, workspace: real === workspace ? undefined : workspace };
}

async function allChanges({ places, workspace }: Composition, found: readonly Found[], at: Looked) {
  const has = (scope: Scope): boolean => found.some((one) => one.scope === scope);
  const user = has("user") ? await changesFor("user", places, found) : none;
  const project =
    has("project") && at.workspace !== undefined ? await changesFor("project", projectTargets(workspace), found) : none;
  return { changes: [...user.changes, ...project.changes], leftOut: [...user.leftOut, ...project.leftOut] };
}

const none: { changes: Change[]; leftOut: Found[] } = { changes: [], leftOut: [] };

/** A rule that was found, and could not be said here after all. */
const isOf = (left: Found, one: Found): boolean =>
  one.kind === "rule" &&
  left.kind === "left_out" &&
  one.from === left.from &&
  one.scope === left.scope &&
  one.was === left.what;

function lineOf(one: Found): string {
  const at = cleanLine(one.from);
  switch (one.kind) {
    case "rule":
      return `+ ${at}: ${cleanLine(one.was)}\n`;
    case "instructions":
      return `${one.named ? "+" : " "} ${at}: ${one.note}\n`;
    case "server": {
      const given = [...one.env.map((key) => `$${key}`), ...one.headers].map(cleanLine);
      const needs = given.length === 0 ? "" : `, with ${given.join(", ")} (their values are not copied)`;
      return `  ${at}: server ${cleanLine(one.name)} (${cleanLine(one.at)})${needs}: not yet in force, servers are not there yet\n`;
    }
    case "left_out":
      return `- ${at}: ${cleanLine(one.what)}: not written: ${cleanLine(one.why)}\n`;
    case "unread":
      return `! ${at}: not read: ${cleanLine(one.why)}\n`;
  }
}

const changeText = ({ file, before, after }: Change): string =>
  diffText([{ ...diffOf(before ?? null, after), kind: before === undefined ? "new" : "modify", name: file }]);

function tellJson({ io }: Composition, told: readonly Found[], changes: readonly Change[]): void {
  for (const one of told) io.stdout.write(jsonLine(one));
  for (const change of changes)
    io.stdout.write(jsonLine({ kind: "change", scope: change.scope, file: change.file, diff: changeText(change) }));
}

async function confirmed({ io }: Composition, name: string): Promise<boolean> {
  if (!atTerminal(io))
    throw new CliProblem("usage", "nothing was written: agent import asks at a terminal", {
      hint: `after reading the changes above: agent import ${name} --yes`,
    });
  const answer = await askLine(io.stdin, io.stdout, "Write these changes? Type yes: ");
  if (answer === undefined) io.stdout.write("\n");
  return answer?.trim() === "yes";
}
