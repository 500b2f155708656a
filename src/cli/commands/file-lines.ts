import { lstatSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { addressOf, refOf } from "../../core/call-ref.ts";
import { type Sha, sha256 } from "../../core/json.ts";
import { jsonLine } from "../../core/json-line.ts";
import { readThere } from "../../files/bytes/read-regular.ts";
import { allChanges, type FileStep, historyOf } from "../../records/lines/file-history.ts";
import { type LineOwner, lineOwners, linesIn, type TextOf } from "../../records/lines/line-owners.ts";
import { textIn } from "../../records/lines/text-in.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { provenance } from "../../words/en/provenance.ts";
import { titleAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { momentText } from "../print/moments.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";
import type { Span } from "../terminal/span.ts";

/** More of a file than this is not looked at line by line. */
const largest = 16 * 1024 * 1024;

/**
 * `agent blame FILE`: which call wrote each line, as far as the record and the bytes on disk show; with --json a line for each run of lines of one call.
 * @throws CliProblem where there is no such file, or it is no text
 */
export async function blameFile(composition: Composition, asked: string): Promise<number> {
  const { io, flags } = composition;
  const file = await fileOf(composition, asked);
  if (file.bytes === undefined) throw new CliProblem("usage", provenance().noSuchFile({ file: asked }));
  const text = textIn(file.bytes);
  if (text === undefined) throw new CliProblem("usage", provenance().noText({ file: asked }));
  const owners = lineOwners(text, file.history, file.textOf);
  const runs = runsOf(owners);
  if (flags.json === true) {
    for (const run of runs) io.stdout.write(jsonLine(runLine(run)));
    return 0;
  }
  const lines = linesIn(text);
  const utc = flags.utc === true;
  const rows = runs.flatMap(({ owner, from, to }) =>
    lines
      .slice(from, to)
      .map((line, at): Span[] => [
        ...(at === 0 ? ownerCells(owner, utc) : noCells),
        span(String(from + at + 1).padStart(String(lines.length).length), { dim: true }),
        span(line.replace(/\r?\n$/u, "")),
      ]),
  );
  await printRows(io, tableRows(rows, pageOf(io).width, "cut"));
  return 0;
}

/** `agent log FILE`: what calls did in a file, newest first, also in one that is gone; with --json a line each. */
export async function logFile(composition: Composition, asked: string): Promise<number> {
  const { io, flags, workspace } = composition;
  const { real, history, now } = await fileOf(composition, asked);
  if (flags.json === true)
    for (const step of history) io.stdout.write(jsonLine({ ...stepLine(step), at: iso(step.at) }));
  else if (history.length === 0) io.stdout.write(`${provenance().noCall}\n`);
  else {
    const last = history[0];
    if (last !== undefined && last.after !== now) io.stdout.write(`${provenance().changedSince}\n`);
    const rows = history.map((step): Span[] => [
      ...ownerCells(step, flags.utc === true),
      span(
        step.real === real
          ? cellWords().changed[kindOf(step)]
          : cellWords().asFile({ kind: cellWords().changed[kindOf(step)], path: relative(workspace, step.real) }),
      ),
      span(titleAgain(step.toolName, step.told().summary ?? step.toolName)),
    ]);
    await printRows(io, tableRows(rows, pageOf(io).width, "wrap"));
  }
  return 0;
}

interface Looked {
  real: string;
  /** Undefined where no file lies there. */
  bytes: Buffer | undefined;
  now: Sha | null;
  history: FileStep[];
  textOf: TextOf;
}

async function fileOf(composition: Composition, asked: string): Promise<Looked> {
  const path = resolve(composition.workspace, asked);
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const real = await realpath(path).catch(() => join(folder, basename(path)));
  const bytes = bytesAt(real, asked);
  const now = bytes === undefined ? null : sha256(bytes);
  const { steps, unread } = await allChanges(await composition.reading());
  sayUnread(composition, unread);
  const history = historyOf(real, steps, now, (other) => lstatSync(other, { throwIfNoEntry: false }) !== undefined);
  const texts = new Map<Sha, string | undefined>();
  if (bytes !== undefined && now !== null) texts.set(now, textIn(bytes));
  const textOf: TextOf = (sha, step) => {
    if (!texts.has(sha)) texts.set(sha, keptText(sha, [step, ...history]));
    return texts.get(sha);
  };
  return { real, bytes, now, history, textOf };
}

/** Says on stderr which sessions are not known, whatever is claimed beside it. */
export function sayUnread({ io }: Pick<Composition, "io">, unread: readonly string[]): void {
  for (const id of unread) io.stderr.write(cleanText(`${provenance().damaged({ session: id })}\n`));
}

/** @throws CliProblem where something else than a file lies there, or it is too large */
function bytesAt(real: string, asked: string): Buffer | undefined {
  const found = lstatSync(real, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new CliProblem("usage", provenance().noFile({ file: asked }));
  if (found.size > largest)
    throw new CliProblem("usage", provenance().tooLarge({ file: asked, size: found.size, most: largest }));
  const bytes = readThere(real, ({ read }) => read(0, largest));
  if (bytes === undefined) throw new CliProblem("usage", provenance().unreadable({ file: asked }));
  return bytes;
}

function keptText(sha: Sha, steps: readonly FileStep[]): string | undefined {
  for (const step of steps) {
    const kept = step.bytesOf(sha);
    if (kept !== undefined) return textIn(Buffer.from(kept));
  }
  return undefined;
}

/** Lines of one owner, one behind the other: from the first to before the last, from 0. */
interface LineRun {
  owner: LineOwner;
  from: number;
  to: number;
}

function runsOf(owners: readonly LineOwner[]): LineRun[] {
  const runs: LineRun[] = [];
  owners.forEach((owner, at) => {
    const last = runs.at(-1);
    if (last?.owner === owner) last.to = at + 1;
    else runs.push({ owner, from: at, to: at + 1 });
  });
  return runs;
}

const iso = (at: number): string => new Date(at).toISOString();

function runLine({ owner, from, to }: LineRun) {
  const lines = { from: from + 1, to };
  return typeof owner === "string"
    ? { ...lines, by: owner }
    : { ...lines, by: "call", ...stepLine(owner), at: iso(owner.at) };
}

/** A change as JSON: whose call it is, and who let it be done with which digest. */
const stepLine = ({ session, callId, toolName, real, before, after, by, digest, told }: FileStep) => ({
  ...{ session, callId, toolName, path: real, before, after, ...told() },
  ...(by === undefined ? {} : { decided: by }),
  ...(digest === undefined ? {} : { digest }),
});

const kindOf = ({ before, after }: FileStep): "made" | "removed" | "changed" =>
  before === null ? "made" : after === null ? "removed" : "changed";

const noCells: Span[] = Array.from({ length: 4 }, () => span(""));

function ownerCells(owner: LineOwner, utc: boolean): Span[] {
  if (typeof owner === "string") {
    const words = { other: provenance().owners.other, unknown: provenance().owners.unknown } as const;
    return [span(words[owner], { dim: true }), span(""), span(""), span("")];
  }
  const { session, callId, at, told } = owner;
  return [
    span(addressOf(refOf({ session, callId })), { bold: true }),
    span(momentText(at, utc), { dim: true }),
    span(told().models.join(", ")),
    span(decidedBy(owner)),
  ];
}

/** Names the one that let it be done, as the record has it. */
function decidedBy({ by }: FileStep): string {
  if (by === undefined) return provenance().by.unrecorded;
  const words = {
    person: provenance().by.person,
    script: provenance().by.script,
    policy: provenance().by.policy,
    recovery: provenance().by.recovery,
  } as const;
  return by.rule === undefined ? words[by.actor] : cellWords().byRule({ by: words[by.actor], rule: by.rule });
}
