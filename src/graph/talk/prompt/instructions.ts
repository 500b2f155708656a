import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { ToolRefusal } from "../../../core/codes.ts";
import { bytesInRequest, fence, oneLine } from "../../../core/fence.ts";
import type { Sha } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import { assertInsideOpened, isInside } from "../../../files/boundary.ts";
import { openRegular } from "../../../files/bytes/read-regular.ts";
import { hashFile } from "../../../files/bytes/temporaries.ts";
import { isOurs } from "../../../files/owner.ts";
import type { Verdict } from "../../../policy/types.ts";

/** One file that goes into the prompt, or was to go into it. */
export interface PromptFile {
  /** Name for people and for the model: relative to the root, one line. */
  name: string;
  /** Absolute, as it was looked for. */
  path: string;
  /** Its lines, marked; undefined where it was left out. */
  text?: string;
  /** Bytes of the file that were read. */
  bytes: number;
  /** Bytes of it were left out. */
  cut: boolean;
  /** The reason why it was left out, in words. */
  why?: string;
}

/** Largest part of one instruction file that goes into the prompt. Bytes. */
export const largestInstruction = limits.instructionFile.most;

/** More files than this nobody has written for an agent. */
export const mostFiles = limits.instructionFiles.most;

/** Bytes of a request that all files together may take. */
export const largestTotal = limits.instructions.most;

/** Judges by policy the reading of a file: as asked and as it leads. */
export type ReadVerdict = (asked: string, real: string) => Verdict;

/** The room that is left: files and bytes are counted down by what goes into the prompt. */
export interface Room {
  files: number;
  bytes: number;
}

/** The first of these that a folder has counts. */
const names = ["AGENTS.md", "CONTEXT.md", "CLAUDE.md"] as const;

interface Wanted {
  path: string;
  name: string;
  /** Folder that a link may not lead out of; undefined where it may lead anywhere that policy lets it. */
  within?: string;
  /** It counts only where this user or root owns the file that it leads to. */
  owned?: boolean;
  room: Room;
  judge: ReadVerdict;
  /** The part of the file's text that goes into the prompt, and the number of bytes of the file that are looked through for it; default the head. */
  part?: (text: string) => string;
  most?: number;
}

/**
 * One file for the prompt, through the same door as a read: judged as asked and as it leads, regular, opened without waiting.
 * @returns undefined where there is none or it is empty.
 */
export async function readForPrompt(wanted: Wanted): Promise<PromptFile | undefined> {
  const { path, name, within, owned, room, judge, part = (text) => text, most = largestInstruction } = wanted;
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const left = (why: string): PromptFile => ({ name, path, bytes: 0, cut: false, why });
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return left("it is a link that leads nowhere");
  if (within !== undefined && !isInside(within, real)) return left("it leads out of its folder");
  const { decision, why } = judge(path, real);
  if (decision !== "allow") return left(why);
  if (room.files <= 0 || room.bytes <= 0) return left("there is no room left for it");
  try {
    const { text: whole, size } = await headOf(real, within ?? dirname(real), { most, owned });
    if (whole.includes("\0")) return left("it is not a text");
    const text = part(whole);
    if (text.trim() === "") return undefined;
    const head = bytesInRequest(`## ${name}\n\n`) + 100;
    const fenced = fence(text.trim(), Math.min(room.bytes - head, largestInstruction));
    room.files -= 1;
    room.bytes -= bytesInRequest(fenced.text) + head;
    const bytes = Math.min(Buffer.byteLength(text), largestInstruction);
    return { name, path, text: fenced.text, bytes, cut: fenced.cut || size > most };
  } catch (error) {
    return left(error instanceof ToolRefusal ? error.message : "it cannot be read");
  }
}

async function headOf(
  real: string,
  within: string,
  { most, owned }: { most: number; owned: boolean | undefined },
): Promise<{ text: string; size: number }> {
  const { handle, stats } = await openRegular(real, "it");
  try {
    if (owned === true && !isOurs(stats.uid)) throw new ToolRefusal("PROTECTED", "it belongs to another user");
    await assertInsideOpened(handle, within, real);
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(stats.size, most)), 0);
    const text = new TextDecoder("utf-8").decode(buffer.subarray(0, bytesRead), { stream: true });
    return { text, size: stats.size };
  } finally {
    await handle.close();
  }
}

function foldersBetween(root: string, cwd: string): string[] {
  const folders: string[] = [];
  for (let at = cwd; ; at = dirname(at)) {
    folders.unshift(at);
    if (at === root || dirname(at) === at) return folders;
  }
}

export interface Lookup {
  /** Of the repository or the workspace. Symlinks resolved, as of `cwd`. */
  root: string;
  cwd: string;
  /** Files that the configuration names, relative to the root. */
  extra: readonly string[];
  /** Those of them that count only with the text of this hash. */
  bound: Readonly<Record<string, Sha | undefined>>;
  room: Room;
  judge: ReadVerdict;
}

/**
 * Instruction files from the root down to `cwd`, outermost first, where the root belongs to this user or to root; then those
 * that are named. Files that were left out are among them, each with the reason.
 */
export async function findInstructions(lookup: Lookup): Promise<PromptFile[]> {
  const { uid } = await stat(lookup.root);
  const found: PromptFile[] = [];
  for (const folder of foldersBetween(lookup.root, lookup.cwd))
    found.push(...(await instructionsIn(lookup, folder, isOurs(uid))));
  for (const name of lookup.extra.slice(0, mostFiles)) found.push(await readNamed(lookup, name));
  const more = lookup.extra.length - mostFiles;
  const why = `at most ${mostFiles} are read`;
  return more > 0 ? [...found, { ...none(lookup.root, `${more} more`), why }] : found;
}

type LookedAt = Pick<Lookup, "root" | "room" | "judge">;

/** Those of one folder: the first that has a text, after those that were left out. @param isOwn the root belongs to this user or to root */
export async function instructionsIn(lookup: LookedAt, folder: string, isOwn: boolean): Promise<PromptFile[]> {
  const found: PromptFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const file = isOwn ? await readOne(lookup, path) : await ofAnother(lookup, path);
    if (file !== undefined) found.push(file);
    if (file?.text !== undefined) break;
  }
  return found;
}

const nameOf = (root: string, path: string): string => oneLine(relative(root, path) || path);

const none = (path: string, name: string): PromptFile => ({ name, path, bytes: 0, cut: false });

const readOne = ({ root, room, judge }: LookedAt, path: string, owned = true): Promise<PromptFile | undefined> =>
  readForPrompt({ path, name: nameOf(root, path), within: dirname(path), owned, room, judge });

async function readNamed(lookup: Lookup, asked: string): Promise<PromptFile> {
  const path = join(lookup.root, asked);
  const named = none(path, oneLine(asked));
  if (!isInside(lookup.root, path)) return { ...named, why: "it lies outside of the project" };
  const file = (await readOne(lookup, path, false)) ?? { ...named, why: "there is no text" };
  if (file.text === undefined || !Object.hasOwn(lookup.bound, asked)) return file;
  return (await isBound(path, lookup.bound[asked]))
    ? file
    : { ...named, why: "it is not what you trusted: agent trust shows it" };
}

const isBound = async (path: string, sha: Sha | undefined): Promise<boolean> =>
  sha !== undefined && (await hashFile(path).catch(() => undefined)) === sha;

async function ofAnother({ root }: LookedAt, path: string): Promise<PromptFile | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  return { ...none(path, nameOf(root, path)), why: "the folder belongs to another user" };
}
