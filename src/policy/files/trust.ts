import { readdirSync, realpathSync, statSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { canonicalJson, type Sha, sha256 } from "../../core/json.ts";
import { lineAt, plainValue, readJsonText } from "../../core/json-text.ts";
import { limits } from "../../core/limits.ts";
import { shownName } from "../../core/shown-path.ts";
import { isInside } from "../../files/boundary.ts";
import { isKeyFile } from "../../files/bytes/file-head.ts";
import { openRegular, readBounded, readThere } from "../../files/bytes/read-regular.ts";
import { repositoryRoot } from "../../files/project-root.ts";
import { trust as words } from "../../words/en/trust.ts";
import { linesAgain } from "../../words/said-again.ts";
import { PolicyProblem } from "../problem.ts";
import { guardedReason, sealedReason } from "../protected.ts";
import { otherAgentFiles } from "./other-agents.ts";
import { otherCommandFiles } from "./other-commands.ts";
import { otherSkillFiles } from "./other-skills.ts";
import { readByHand, readPolicyFile, updatePolicyFile, writtenByHand } from "./policy-file.ts";

/** One file of the project that counts only after the person trusted it. */
export interface ProjectFile {
  /** Relative to the workspace. */
  path: string;
  /** Absolute: where its bytes lie, links resolved. */
  real: string;
  sha: Sha;
  /** To be shown; bytes that are not UTF-8 appear as U+FFFD. */
  text: string;
}

export interface TrustState {
  /** Workspace as its real path: what trust is kept under. */
  workspace: string;
  state: "trusted" | "untrusted" | "changed" | "nothing_to_trust";
  /** Over all files' paths and bytes; `trust` is bound to it. */
  digest: Sha;
  files: ProjectFile[];
  /** With `changed`: paths that were added, removed or changed since the person trusted. */
  changed: string[];
  /** The reasons why these files cannot be trusted at all (a FIFO, too large, too many), in words. */
  obstacles: string[];
}

/** More than this nobody reads before trusting it. */
const maxFiles = 1_000;
const maxFileBytes = 1_000_000;
const maxDepth = 8;
/** Names that are looked at, whatever they turn out to be. */
const maxNames = 2_000;
const maxTotalBytes = 20_000_000;

/**
 * Finds whether the person trusted the files that the project brings (`.holdfast/**`, `.mcp.json`, other programs' agents, skills and commands, and
 * the files that its settings name as instructions), exactly as they are now: one changed byte and the state is `changed`. Links are followed inside
 * the workspace, what they lead to counts; one that leads out of it, or to what may not be read without asking, is an obstacle and nothing behind it
 * is read.
 * @param trustFile the user's table of trusted workspaces.
 * @throws PolicyProblem when that table is malformed or cannot be read.
 */
export async function trustState(trustFile: string, workspace: string): Promise<TrustState> {
  const root = await realpath(workspace);
  const rows = parseTrusted(await readPolicyFile(trustFile), trustFile);
  const found: Found = { files: [], obstacles: [], names: 0, total: 0 };
  await gatherFile(root, ".mcp.json", found);
  await gatherFolder(root, ".holdfast", 0, found);
  for (const others of [otherAgentFiles, otherCommandFiles])
    for (const path of await others(root)) await gatherEntry(root, path, 0, found);
  for (const path of await otherSkillFiles(root)) await gatherFile(root, path, found);
  for (const path of namedInstructions(root, found.files)) await gatherInstructions(root, path, found);
  const hashes = hashesOf(found.files);
  const trusted = rows.find((row) => row.workspace === root);
  const changed = trusted === undefined ? [] : differences(trusted.files, hashes);
  const { files, obstacles } = found;
  const state = stateOf(found, trusted, changed);
  return { workspace: root, digest: digestOf(hashes), files, obstacles, changed, state };
}

// Keeps policy 6.
/**
 * Trusts the files as they were shown.
 * @param digest of the state that the person saw; @param at milliseconds since the epoch.
 * @returns the state now: `trusted`, or as `trustState` when the files are not what was shown or cannot be trusted
 *   (nothing was written then).
 */
export async function trust(trustFile: string, workspace: string, digest: Sha, at: number): Promise<TrustState> {
  const now = await trustState(trustFile, workspace);
  if (now.digest !== digest || now.obstacles.length > 0 || now.files.length === 0) return now;
  const row: TrustRow = { workspace: now.workspace, files: hashesOf(now.files), at };
  await updatePolicyFile(trustFile, (text) =>
    writeTrusted([...parseTrusted(text, trustFile).filter(({ workspace: other }) => other !== row.workspace), row]),
  );
  return { ...now, state: "trusted", changed: [] };
}

/** Tells whether the person trusts this file of the project with just this text. `path` relative to the workspace. */
export const isTrusted = (found: TrustState, path: string, text: string): boolean =>
  found.state === "trusted" && found.files.some((file) => file.path === path && file.sha === sha256(text));

/** Takes trust back. @returns false when the workspace was not trusted. */
export async function distrust(trustFile: string, workspace: string): Promise<boolean> {
  const root = await realpath(workspace);
  let found = false;
  await updatePolicyFile(trustFile, (text) => {
    const rows = parseTrusted(text, trustFile);
    const kept = rows.filter((row) => row.workspace !== root);
    found = kept.length < rows.length;
    return found ? writeTrusted(kept) : undefined;
  });
  return found;
}

interface Found {
  files: ProjectFile[];
  obstacles: string[];
  /** Looked at so far. */
  names: number;
  /** Bytes read so far. */
  total: number;
}

function stateOf(found: Found, trusted: TrustRow | undefined, changed: string[]): TrustState["state"] {
  if (found.files.length === 0 && found.obstacles.length === 0) return "nothing_to_trust";
  if (trusted === undefined) return "untrusted";
  return changed.length > 0 || found.obstacles.length > 0 ? "changed" : "trusted";
}

const hashesOf = (files: ProjectFile[]): Record<string, Sha> =>
  Object.fromEntries(files.map(({ path, sha }) => [path, sha]));

const digestOf = (hashes: Record<string, Sha>): Sha => sha256(canonicalJson(hashes));

function differences(before: Record<string, Sha>, after: Record<string, Sha>): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}

/** Finds the real path of a name of the project; undefined where there is nothing, or nothing that may be looked at. */
function realOf(root: string, path: string, found: Found): string | undefined {
  const asked = join(root, path);
  const real = orNone(() => realpathSync.native(asked), path, found);
  if (real === undefined || real === asked) return real;
  // What lies above the workspace may lead to wherever the project is.
  const isAbove = path.startsWith("../");
  const within = isAbove ? (repositoryRoot(root) ?? root) : root;
  const isClosed = sealedReason(real, within, { roots: [] }) ?? guardedReason(real, within, "read");
  // What a link in .holdfast leads to may lie there itself.
  const isOwn = isInside(join(root, ".holdfast"), real);
  if (isInside(within, real) && (isOwn || isClosed === undefined)) return real;
  const leadsOut = isAbove ? words().leadsOutOfProject : words().leadsOutOfWorkspace;
  found.obstacles.push((isInside(within, real) ? words().leadsToProtected : leadsOut)({ path }));
  return undefined;
}

async function gatherFolder(root: string, path: string, depth: number, found: Found): Promise<void> {
  const real = realOf(root, path, found);
  const entries = real === undefined ? undefined : orNone(() => readdirSync(real), path, found);
  if (entries === undefined) return;
  if (depth > maxDepth) {
    found.obstacles.push(words().tooDeep({ path, most: maxDepth }));
    return;
  }
  for (const entry of entries.sort()) await gatherEntry(root, `${path}/${entry}`, depth, found);
}

async function gatherEntry(root: string, path: string, depth: number, found: Found): Promise<void> {
  found.names += 1;
  if (found.names > maxNames) return tooMany(found, words().tooManyNames({ most: maxNames }));
  const kind = orNone(() => statSync(join(root, path)), path, found);
  if (kind === undefined) found.obstacles.push(words().leadsNowhere({ path: shownName(path) }));
  else if (kind.isDirectory()) await gatherFolder(root, path, depth + 1, found);
  else await gatherFile(root, path, found);
}

/** Absolute paths of the files that the project's settings name as instructions, from the root of its repository on. */
function namedInstructions(root: string, files: readonly ProjectFile[]): string[] {
  const text = files.find(({ path }) => path === ".holdfast/config.json")?.text;
  const project = repositoryRoot(root) ?? root;
  const paths = instructionsIn(text).map((name) => join(project, name));
  return [...new Set(paths)].filter((path) => isInside(project, path) && !isInside(join(root, ".holdfast"), path));
}

/** Lists the files that the text of settings names as instructions; [] where it is no such text, of which whoever reads the settings tells. */
export function instructionsIn(text: string | undefined): string[] {
  const read = text === undefined ? undefined : readJsonText(text, writtenByHand);
  const settings = read === undefined || "wrong" in read ? undefined : plainValue(read);
  const named = instructionSettings.safeParse(settings);
  return named.success ? (named.data.instructions ?? []).slice(0, limits.instructionFiles.most) : [];
}

const instructionSettings = z.looseObject({ instructions: z.array(z.string()).optional() });

/** One that the prompt would not have either (it leads out of its folder, or is protected, or is not there) has nothing to be trusted. */
async function gatherInstructions(root: string, path: string, found: Found): Promise<void> {
  const label = relative(root, path);
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined || !isInside(dirname(path), real) || isKeyFile(real)) return;
  const project = repositoryRoot(root) ?? root;
  const isClosed = [path, real].some(
    (one) => sealedReason(one, project, { roots: [] }) ?? guardedReason(one, project, "read"),
  );
  if (isClosed || (await stat(real).catch(() => undefined))?.isFile() !== true) return;
  await addFile(real, label, found);
}

/** Once is enough to be told. */
function tooMany(found: Found, said: string): void {
  if (!found.obstacles.includes(said)) found.obstacles.push(said);
}

async function gatherFile(root: string, path: string, found: Found): Promise<void> {
  if (found.files.length >= maxFiles) return tooMany(found, words().tooManyFiles({ most: maxFiles }));
  const asked = join(root, path);
  const there = smallThere(asked);
  if (there !== undefined) {
    addBytes(there, { path, real: asked }, found);
    return;
  }
  try {
    const real = realOf(root, path, found);
    if (real !== undefined) await addFile(real, path, found);
  } catch (error) {
    found.obstacles.push(error instanceof Error ? error.message : String(error));
  }
}

/** @param path as it is shown. */
async function addFile(real: string, path: string, found: Found): Promise<void> {
  if (found.files.length >= maxFiles) return tooMany(found, words().tooManyFiles({ most: maxFiles }));
  try {
    addBytes(smallThere(real) ?? (await bytesOf(real, path)), { path, real }, found);
  } catch (error) {
    found.obstacles.push(error instanceof Error ? error.message : String(error));
  }
}

function addBytes(bytes: Buffer, { path, real }: { path: string; real: string }, found: Found): void {
  found.total += bytes.length;
  if (found.total > maxTotalBytes) tooMany(found, words().tooManyBytes({ megabytes: maxTotalBytes / 1_000_000 }));
  else found.files.push({ path, real, sha: sha256(bytes), text: bytes.toString("utf8") });
}

/** Most are small, no link leads to them, and there may be hundreds: in one go. */
const smallThere = (real: string): Buffer | undefined =>
  readThere(real, ({ size, read }) => (size <= smallBytes ? read(0, size) : undefined));

/** Reads in steps a file that cannot be read at once; the steps say why not. */
async function bytesOf(real: string, path: string): Promise<Buffer> {
  const { handle, stats } = await openRegular(real, path);
  return readBounded(handle, stats.size, maxFileBytes, path).finally(() => handle.close());
}

const smallBytes = 64_000;

function orNone<T>(look: () => T, path: string, found: Found): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") found.obstacles.push(`${path}: ${message}`);
    return undefined;
  }
}

const isSha = (value: unknown): value is Sha => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
/** There may be hundreds: looked at in one go. */
const hashes = z.custom<Record<string, Sha>>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value) && Object.values(value).every(isSha),
  { error: () => words().hashes },
);
const table = z.strictObject({
  v: z.literal(1),
  trusted: z.array(z.strictObject({ workspace: z.string().min(1), files: hashes, at: z.number() })),
});

/** One trusted workspace: the bytes of each file, relative path -> sha256, that the person was shown. */
type TrustRow = z.infer<typeof table>["trusted"][number];

/** @throws PolicyProblem when the text is not a table of trusted workspaces; it is never taken for an empty one. */
function parseTrusted(text: string | undefined, file: string): TrustRow[] {
  if (text === undefined) return [];
  const own = table.safeParse(asWritten(text));
  if (own.success) return own.data.trusted;
  const root = readByHand(text, file);
  const read = table.safeParse(plainValue(root));
  if (read.success) return read.data.trusted;
  const message = words().notWorkspaces({ wrong: linesAgain(z.prettifyError(read.error)) });
  throw new PolicyProblem([{ file, line: lineAt(root, read.error.issues[0]?.path ?? []), message }]);
}

const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const writeTrusted = (trusted: TrustRow[]): string => textOf({ v: 1, trusted });

/** Parses a text as no hand has touched it, for which it takes no slow reader; undefined where it is another one. */
function asWritten(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text);
    return textOf(read) === text ? read : undefined;
  } catch {
    return undefined;
  }
}
