import { lstatSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Artifact, type ArtifactVersion, currentOf, textOf, versionOf } from "../../core/artifacts.ts";
import { addressOf, nameIn, readCallName, refOf } from "../../core/call-ref.ts";
import { ToolRefusal } from "../../core/codes.ts";
import { jsonLine } from "../../core/json-line.ts";
import { replaceFile } from "../../files/bytes/atomic-write.ts";
import { diffOf } from "../../files/diff/diff.ts";
import { diffText, type NamedDiff } from "../../files/diff/diff-text.ts";
import { recordedArtifacts } from "../../records/artifacts.ts";
import type { SessionRow, Store } from "../../store/types.ts";
import { artifacts as artifactWords } from "../../words/en/artifacts.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { findSession } from "../find-session.ts";
import { writeNew } from "../new-file.ts";
import { changeRows } from "../print/change-rows.ts";
import { momentText } from "../print/moments.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";
import { CliProblem } from "../problem.ts";
import { cleanText } from "../terminal/sanitise.ts";
import type { Span } from "../terminal/span.ts";
import { fileNameOf } from "./artifact-file.ts";

/** `agent artifacts list`: of one session and its helpers, or of all sessions of this folder; with --json an object a line. */
export async function listArtifacts(composition: Composition, id: string | undefined, all: boolean): Promise<number> {
  const { io, flags, workspace } = composition;
  const store = await composition.reading();
  const rows =
    id === undefined ? store.sessions.list(all ? {} : { workspace }) : await withHelpers(composition, store, id);
  const found = rows.flatMap((row) => recordedArtifacts(store, row.id).map((artifact) => ({ row, artifact })));
  if (flags.json === true) {
    for (const one of found) io.stdout.write(jsonLine(listed(one.row.id, one.artifact)));
    return 0;
  }
  if (found.length === 0) io.stdout.write(`${artifactWords().none}\n`);
  const cells = found.map(({ row, artifact }): Span[] => [
    span(addressOf({ session: row.id, call: artifact.id }), { bold: true }),
    span(standing(artifact), { dim: true }),
    span(momentText(Math.max(...artifact.versions.map(({ at }) => at)), flags.utc === true), { dim: true }),
    span(artifact.type),
    span(artifact.name),
  ]);
  await printRows(io, tableRows(cells, pageOf(io).width, "wrap"));
  return 0;
}

async function withHelpers(composition: Composition, store: Store, id: string): Promise<SessionRow[]> {
  const row = await findSession({ store: composition.reading }, id);
  const below = (one: SessionRow): SessionRow[] => [
    one,
    ...store.sessions.children(one.id).flatMap((child) => {
      const found = store.sessions.get(child.id);
      return found === undefined ? [] : below(found);
    }),
  ];
  return below(row);
}

function standing(artifact: Artifact): string {
  const { length } = artifact.versions;
  const now = currentOf(artifact);
  if (now === undefined) return cellWords().takenBack;
  return now.version === artifact.versions.at(-1)?.version
    ? cellWords().versions({ versions: length })
    : cellWords().versionsAt({ versions: length, now: now.version });
}

const iso = (at: number): string => new Date(at).toISOString();

function listed(session: string, artifact: Artifact) {
  const { id, name, type, versions } = artifact;
  return {
    ...{ session, id, name, type, version: currentOf(artifact)?.version ?? null },
    versions: versions.map(({ version, how, callId, sha, at, takenBack }) => ({
      ...{ version, how, callId, sha, at: iso(at) },
      ...(takenBack === undefined ? {} : { takenBack }),
    })),
  };
}

/** `agent artifacts show`: the text alone on stdout, what it is on stderr. */
export async function showArtifact(composition: Composition, name: string): Promise<number> {
  const { io, flags } = composition;
  const { session, artifact, version } = await named(composition, name);
  const text = wholeText(artifact, version);
  if (flags.json === true) {
    const { version: number, how, callId, sha, at } = version;
    const { id, name: called, type } = artifact;
    io.stdout.write(
      jsonLine({ session, id, name: called, type, version: number, how, callId, sha, at: iso(at), text }),
    );
    return 0;
  }
  const call = addressOf(refOf({ session, callId: version.callId }));
  const head = artifactWords().head({
    name: artifact.name,
    type: artifact.type,
    version: version.version,
    last: artifact.versions.at(-1)?.version,
    call,
    isTakenBack: version.takenBack === true,
  });
  io.stderr.write(cleanText(`${head}\n`));
  io.stdout.write(cleanText(text.endsWith("\n") || text === "" ? text : `${text}\n`));
  return 0;
}

/** `agent artifacts diff`: what a version changed in the one that it was made of, or from one version to another. */
export async function diffArtifact(composition: Composition, name: string, other?: string): Promise<number> {
  const { io, flags } = composition;
  const first = await named(composition, name);
  const { from, to } =
    other === undefined ? { from: beforeOf(first), to: first } : { from: first, to: await named(composition, other) };
  const [before, after] = [from && wholeText(from.artifact, from.version), wholeText(to.artifact, to.version)];
  const change: NamedDiff = {
    ...{ name: to.artifact.name, kind: before === undefined ? "new" : "modify" },
    ...diffOf(before ?? null, after, to.artifact.name),
  };
  const page = pageOf(io, composition.config.theme);
  if (flags.json === true) {
    const ends = { from: from?.version.version ?? null, to: to.version.version };
    const { added, removed } = change;
    io.stdout.write(
      jsonLine({ session: to.session, id: to.artifact.id, ...ends, added, removed, diff: diffText([change]) }),
    );
  } else if (page.width === undefined) io.stdout.write(cleanText(diffText([change])));
  else await printRows(io, await changeRows([change], page.width, page), page);
  return 0;
}

/** `agent artifacts export`: its bytes as a file that the person names. @param file a folder gets a file of the artifact's name; `-` is stdout */
export async function exportArtifact(
  composition: Composition,
  name: string,
  file: string,
  force: boolean,
): Promise<number> {
  const { io } = composition;
  const { artifact, version } = await named(composition, name);
  const text = wholeText(artifact, version);
  if (file === "-") {
    io.stdout.write(io.stdout.isTTY === true ? cleanText(text) : text);
    return 0;
  }
  const asked = resolve(io.cwd(), file);
  const isFolder = statSync(asked, { throwIfNoEntry: false })?.isDirectory() === true;
  const path = isFolder ? join(asked, fileNameOf(artifact)) : asked;
  if (force && lstatSync(path, { throwIfNoEntry: false }) !== undefined) await replace(path, text);
  else await writeNew(path, text, cellWords().forceReplaces);
  io.stderr.write(cleanText(`${artifactWords().wrote({ version: version.version, name: artifact.name, path })}\n`));
  return 0;
}

async function replace(path: string, text: string): Promise<void> {
  if (lstatSync(path).isFile()) {
    await replaceFile(path, Buffer.from(text, "utf8"), 0o600).catch((cause: unknown) => {
      if (!(cause instanceof ToolRefusal)) throw cause;
      throw new CliProblem("failed", cellWords().cannotWrite({ path, why: saidAgain(cause.message) }), { cause });
    });
    return;
  }
  throw new CliProblem("failed", artifactWords().noFile({ path }));
}

/** `agent artifacts rm`: an undo of all the calls that made it, which is asked about like any. */
export async function removeArtifact(composition: Composition, name: string, yes: boolean): Promise<number> {
  const store = await composition.reading();
  const { session, artifact } = await named(composition, name);
  const left = artifact.versions.filter(({ takenBack }) => takenBack !== true);
  if (left.length === 0) throw new CliProblem("failed", artifactWords().allTakenBack({ name }));
  const root = rootOf(store, session);
  const calls = left.map(({ callId }) => nameIn(root, refOf({ session, callId })));
  const { undo } = await import("./undo.ts");
  return undo(composition, root, calls, { turn: undefined, yes, rest: false });
}

const rootOf = (store: Store, id: string): string => {
  const parent = store.sessions.get(id)?.parent;
  return parent === undefined ? id : rootOf(store, parent);
};

interface Named {
  session: string;
  artifact: Artifact;
  version: ArtifactVersion;
}

/** Finds the artifact that `SESSION:a1@2` names; without a session one of this folder's newest that has any. @throws CliProblem usage */
async function named(composition: Composition, text: string): Promise<Named> {
  const read = readCallName(text);
  const store = await composition.reading();
  const session =
    read?.session === undefined
      ? newestWithAny(composition, store)
      : (await findSession({ store: composition.reading }, read.session)).id;
  const artifacts = recordedArtifacts(store, session);
  const artifact = artifacts.find(({ id }) => id === read?.call);
  if (artifact === undefined)
    throw new CliProblem("usage", artifactWords().noArtifact({ text, session }), {
      hint:
        artifacts.length === 0
          ? artifactWords().hasNone
          : artifactWords().has({ names: artifacts.map(({ id }) => id) }),
    });
  const version =
    read?.digest === undefined
      ? (currentOf(artifact) ?? artifact.versions.at(-1))
      : versionOf(artifact, Number(read.digest));
  if (version !== undefined) return { session, artifact, version };
  throw new CliProblem("usage", artifactWords().noVersion({ artifact: artifact.id, version: read?.digest }), {
    hint: cellWords().hasVersions({ versions: artifact.versions.map((one) => one.version) }),
  });
}

function newestWithAny({ workspace }: Composition, store: Store): string {
  const row = store.sessions.list({ workspace }).find(({ id }) => recordedArtifacts(store, id).length > 0);
  if (row !== undefined) return row.id;
  throw new CliProblem("usage", artifactWords().noneKept({ workspace }), { hint: artifactWords().noneKeptHint });
}

/** The version that this one was made of, as its call had it. */
function beforeOf({ session, artifact, version }: Named): Named | undefined {
  const { from } = version;
  const earlier = artifact.versions.filter((one) => one.version < version.version);
  const base = from === undefined ? earlier.at(-1) : versionOf(artifact, from);
  return base === undefined ? undefined : { session, artifact, version: base };
}

/** @throws CliProblem where the record is damaged */
function wholeText(artifact: Artifact, version: ArtifactVersion): string {
  const text = textOf(artifact, version);
  if (text !== undefined) return text;
  throw new CliProblem("store", artifactWords().damaged({ artifact: artifact.id, version: version.version }), {
    hint: artifactWords().damagedHint,
  });
}
