import { join, relative } from "node:path";
import { z } from "zod";
import { type Sha, sha256 } from "../../core/json.ts";
import { type FileStep, historyOf } from "../../records/lines/file-history.ts";
import { addedLines, type LineOwner, lineOwners, linesIn, type TextOf } from "../../records/lines/line-owners.ts";
import { attest as words } from "../../words/en/attest.ts";
import type { Commit, CommitFile } from "./commit.ts";

export const statementType = "https://in-toto.io/Statement/v1";
export const predicateType = "urn:holdfast:approved-lines:1";

const hash = z.string().regex(/^[0-9a-f]{64}$/u);
const place = z.int().min(1);

/** Lines one below the other that the commit added, all of one call or of none. Their hash is over their text as UTF-8, line ends too. */
const run = z.strictObject({
  from: place,
  to: place,
  sha256: hash,
  by: z.enum(["call", "other", "unknown"]),
  session: z.string().optional(),
  call: z.string().optional(),
  tool: z.string().optional(),
  models: z.array(z.string()).optional(),
  at: z.string().optional(),
  /** The one that let it be done: `person`, `script`, `policy` or `recovery`, and by which rule. */
  approved: z.strictObject({ by: z.string(), rule: z.string().optional(), digest: hash.optional() }).optional(),
});

const file = z.strictObject({ path: z.string(), sha256: hash, runs: z.array(run) });

/** An in-toto statement about the lines that a commit added. */
export const statement = z.strictObject({
  _type: z.literal(statementType),
  subject: z.tuple([z.strictObject({ name: z.literal("commit"), digest: z.strictObject({ gitCommit: z.string() }) })]),
  predicateType: z.literal(predicateType),
  predicate: z.strictObject({
    parent: z.string().nullable(),
    files: z.array(file),
    /** Files that are no text, or too large: nothing is said of them. */
    left: z.array(z.string()),
    lines: z.strictObject({ call: z.int(), other: z.int(), unknown: z.int() }),
  }),
});

export type Statement = z.infer<typeof statement>;
export type Run = z.infer<typeof run>;

/** Returns the text that is looked at in a file's bytes; undefined where they are no text. */
export type TextIn = (bytes: Buffer) => string | undefined;

/** @param all changes of files that the record has, oldest first */
export async function statementOf(commit: Commit, all: readonly FileStep[], textIn: TextIn): Promise<Statement> {
  const files: Statement["predicate"]["files"] = [];
  const left: string[] = [];
  const lines = { call: 0, other: 0, unknown: 0 };
  for (const one of commit.files) {
    const content = await contentOf(one, commit, textIn);
    if (content === undefined) {
      left.push(one.path);
      continue;
    }
    const { sha, text, old } = content;
    const steps = stepsOf(join(commit.top, one.path), all, sha, commit);
    const owners = lineOwners(text, steps, textsOf(steps, textIn, [sha, text]));
    const runs = runsOf(text, addedLines(old, text), owners);
    for (const { by, from, to } of runs) lines[by] += to - from + 1;
    files.push({ path: one.path, sha256: sha, runs });
  }
  return {
    _type: statementType,
    subject: [{ name: "commit", digest: { gitCommit: commit.id } }],
    predicateType,
    predicate: { parent: commit.parent ?? null, files, left, lines },
  };
}

interface FileContent {
  sha: Sha;
  text: string;
  /** Of the file before; empty where there was none. */
  old: string;
}

/** Undefined of what is no text, or too large. */
async function contentOf(
  { before, after }: CommitFile,
  commit: Commit,
  textIn: TextIn,
): Promise<FileContent | undefined> {
  const [bytes, was] = [await commit.blob(after), before === undefined ? Buffer.alloc(0) : await commit.blob(before)];
  const [text, old] = [bytes && textIn(bytes), was && textIn(was)];
  return bytes === undefined || text === undefined || old === undefined ? undefined : { sha: sha256(bytes), text, old };
}

/** Returns the steps in the file until the commit was made: the commit has not approved those of later calls. */
const stepsOf = (real: string, all: readonly FileStep[], sha: Sha, { at, top, paths }: Commit): FileStep[] =>
  historyOf(
    real,
    all.filter((step) => step.at <= at + 999),
    sha,
    (other) => paths.has(relative(top, other)),
  );

function textsOf(steps: readonly FileStep[], textIn: TextIn, [sha, text]: [Sha, string]): TextOf {
  const known = new Map<Sha, string | undefined>([[sha, text]]);
  return (wanted, step) => {
    if (!known.has(wanted)) {
      const bytes = [step, ...steps].map((one) => one.bytesOf(wanted)).find((kept) => kept !== undefined);
      known.set(wanted, bytes === undefined ? undefined : textIn(Buffer.from(bytes)));
    }
    return known.get(wanted);
  };
}

function runsOf(text: string, added: ReadonlySet<number>, owners: readonly LineOwner[]): Run[] {
  const lines = linesIn(text);
  const runs: { owner: LineOwner; from: number; to: number }[] = [];
  for (const at of added) {
    const owner = owners[at] ?? "other";
    const last = runs.at(-1);
    if (last?.owner === owner && last.to === at - 1) last.to = at;
    else runs.push({ owner, from: at, to: at });
  }
  return runs.map(({ owner, from, to }) => ({
    ...{ from: from + 1, to: to + 1, sha256: sha256(lines.slice(from, to + 1).join("")) },
    ...(typeof owner === "string" ? { by: owner } : { by: "call" as const, ...factsOf(owner) }),
  }));
}

const factsOf = ({ session, callId, toolName, at, by, digest, told }: FileStep) => ({
  ...{ session, call: callId, tool: toolName, models: [...told().models], at: new Date(at).toISOString() },
  ...(by === undefined
    ? {}
    : {
        approved: {
          by: by.actor,
          ...(by.rule === undefined ? {} : { rule: by.rule }),
          ...(digest === undefined ? {} : { digest }),
        },
      }),
});

/** Returns the part of a statement that does not fit the commit that is there, in words; undefined where all of it fits. */
export async function misfit(
  { subject, predicate }: Statement,
  commit: Commit,
  textIn: TextIn,
): Promise<string | undefined> {
  const [{ digest }] = subject;
  if (digest.gitCommit !== commit.id) return words().otherCommit({ said: digest.gitCommit, commit: commit.id });
  if (predicate.parent !== (commit.parent ?? null)) return words().otherParent;
  const told = [...predicate.files.map(({ path }) => path), ...predicate.left];
  const missing = commit.files.find(({ path }) => !told.includes(path));
  if (missing !== undefined) return words().missing(missing);
  if (new Set(told).size !== told.length) return words().twice;
  for (const path of told) {
    const wrong = await wrongFile(path, predicate, commit, textIn);
    if (wrong !== undefined) return wrong;
  }
  const runs = predicate.files.flatMap((one) => one.runs);
  const isCounted = (["call", "other", "unknown"] as const).every((by) => predicate.lines[by] === linesOf(runs, by));
  return isCounted ? undefined : words().wrongSums;
}

const linesOf = (runs: readonly Run[], by: Run["by"]): number =>
  runs.filter((one) => one.by === by).reduce((sum, { from, to }) => sum + to - from + 1, 0);

async function wrongFile(
  path: string,
  { files }: Statement["predicate"],
  commit: Commit,
  textIn: TextIn,
): Promise<string | undefined> {
  const there = commit.files.find((one) => one.path === path);
  if (there === undefined) return words().notChanged({ path });
  const content = await contentOf(there, commit, textIn);
  const said = files.find((one) => one.path === path);
  if (said === undefined) return content === undefined ? undefined : words().isText({ path });
  if (content?.sha !== said.sha256) return words().otherBytes({ path });
  return wrongRun(path, content, said.runs);
}

/** All added lines, each once, with their bytes. */
function wrongRun(path: string, { text, old }: FileContent, runs: readonly Run[]): string | undefined {
  const lines = linesIn(text);
  const added = addedLines(old, text);
  if (runs.some(({ from, to }) => from > to || to > lines.length)) return words().noSuchLines({ path });
  const told = runs.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from - 1 + at));
  if (told.length !== added.size || !told.every((at) => added.has(at)) || new Set(told).size !== told.length)
    return words().otherLines({ path });
  const wrong = runs.find(({ from, to, sha256: said }) => sha256(lines.slice(from - 1, to).join("")) !== said);
  return wrong && words().linesDiffer({ path, ...wrong });
}
