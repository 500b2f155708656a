import { type Dirent, lstatSync, type Stats } from "node:fs";
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { isKernelTree } from "../../files/boundary.ts";
import { type PinnedFolder, pinFolder } from "../../files/pinned-folder.ts";
import { createBreath } from "./breath.ts";
import type { HiddenNames } from "./hidden-names.ts";
import type { IgnoreRules } from "./ignore-rules.ts";

/** How many folders are read at once. */
const atOnce = 8;

export interface Walk<State> {
  /** The root it lies in: a folder that leads out of it is not entered. */
  root: string;
  /** Where it begins, absolute, real. */
  top: string;
  state: State;
  rules: IgnoreRules;
  signal: AbortSignal;
  /** Whether the place may be told of or entered at all; what may not is counted. */
  mayRead(path: string): boolean;
  /** @returns what is known in the folder, undefined where it is not entered. */
  enter(state: State, name: string): State | undefined;
  /** A file, a link or something special. `look` tells what lies there, links not followed; undefined where it cannot be told. */
  visit(state: State, entry: Dirent, path: string, look: () => Stats | undefined): void;
  /** Is told of what is ignored. */
  pass?(path: string, name: string): void;
  /** What the settings hide is noted here. */
  hidden?: HiddenNames;
  /** Enough was found. */
  isFull?(): boolean;
}

export interface Walked {
  /** Folders that could not be read. */
  unreadable: number;
  /** Files and folders that were left out because policy does not let them be read. */
  closed: number;
}

/**
 * Goes through the folders below `top`, links left alone. Each is opened and what was opened is checked before it is read, so that
 * a folder that is exchanged for a link meanwhile shows nothing of where that leads. What is ignored is not there.
 *
 * Ripgrep, by which grep searches, cannot list in its place: `rg --files` names neither links nor folders, and reads a .gitignore that is a
 * link to a device without end. Nor would the patterns here become needless: `ls` leaves out by them, and a command's undo keeps by
 * them, twice a command, in less time than a program takes to start.
 */
export async function walkFolders<State>(walk: Walk<State>): Promise<Walked> {
  const walked: Walked = { unreadable: 0, closed: 0 };
  const open: Place<State>[] = [{ path: walk.top, state: walk.state }];
  while (open.length > 0 && walk.isFull?.() !== true) {
    walk.signal.throwIfAborted();
    const next = open.splice(-atOnce);
    const found = await Promise.all(next.map((place) => readFolder(walk, place, walked)));
    for (const place of found.flat()) open.push(place);
  }
  walk.signal.throwIfAborted();
  return walked;
}

interface Place<State> {
  path: string;
  state: State;
}

async function readFolder<State>(walk: Walk<State>, place: Place<State>, walked: Walked): Promise<Place<State>[]> {
  let folder: PinnedFolder;
  try {
    folder = await pinFolder(place.path, walk.root);
  } catch (error) {
    // One that is gone, or was exchanged, is no longer there; one that is closed is told of.
    if (["EACCES", "EPERM"].includes(errnoOf(error) ?? "")) walked.unreadable += 1;
    else if (errnoOf(error) === undefined && !(error instanceof ToolRefusal)) throw error;
    return [];
  }
  try {
    await walk.rules.load(place.path);
    return await readEntries(walk, place, folder, walked);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    walked.unreadable += 1;
    return [];
  } finally {
    await folder.close();
  }
}

async function readEntries<State>(
  walk: Walk<State>,
  place: Place<State>,
  folder: PinnedFolder,
  walked: Walked,
): Promise<Place<State>[]> {
  const breath = createBreath(walk.signal);
  const below: Place<State>[] = [];
  for await (const entry of await opendir(folder.at("."), { bufferSize: 256 })) {
    if (breath.isDue()) await breath.take();
    if (walk.isFull?.() === true) break;
    const inner = meet(walk, place, entry, folder, walked);
    if (inner !== undefined) below.push(inner);
  }
  return below;
}

/** @returns the folder to be entered, where it is one. */
function meet<State>(
  walk: Walk<State>,
  { path: at, state }: Place<State>,
  entry: Dirent,
  folder: PinnedFolder,
  walked: Walked,
): Place<State> | undefined {
  const path = join(at, entry.name);
  const isFolder = entry.isDirectory();
  if (walk.rules.ignoresEntry(at, entry.name, isFolder) || isKernelTree(walk.root, path)) {
    walk.pass?.(path, entry.name);
    if (walk.rules.hidesEntry(at, entry.name, isFolder)) walk.hidden?.note(path);
    return undefined;
  }
  if (!walk.mayRead(path)) walked.closed += 1;
  else if (isFolder) {
    const inner = walk.enter(state, entry.name);
    return inner === undefined ? undefined : { path, state: inner };
  } else walk.visit(state, entry, path, () => lookAt(folder.at(entry.name)));
  return undefined;
}

function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}
