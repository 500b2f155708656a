import { type Dirent, lstatSync, type Stats } from "node:fs";
import { ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import { isKernelTree } from "../../files/boundary.ts";
import { type ListedFolder, listPinned } from "../../files/pinned-folder.ts";
import type { HiddenNames } from "./hidden-names.ts";
import { type IgnoreRules, patternFileName } from "./ignore-rules.ts";
import { createBreath } from "./let-others-work.ts";

/** The number of folders that are read at once. */
const atOnce = 8;

export interface FolderWalk<State> {
  /** The root it lies in: a folder that leads out of it is not entered. */
  root: string;
  /** The folder where it begins, absolute, real. */
  top: string;
  state: State;
  rules: IgnoreRules;
  signal: AbortSignal;
  /** Tells whether the place may be told of or entered at all; a place that may not is counted. */
  mayRead(path: string): boolean;
  /** @returns what is known in the folder, undefined where it is not entered. */
  enter(state: State, name: string): State | undefined;
  /** A file, a link or something special. `look` tells what lies there, links not followed; undefined where it cannot be told. */
  visit(state: State, entry: Dirent, path: string, look: () => Stats | undefined): void;
  /** Is told of what is ignored. */
  pass?(path: string, entry: Dirent): void;
  /** The note of names that the settings hide. */
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
 * Ripgrep cannot list in its place: `rg --files` names neither links nor folders, and opens a .gitignore whatever it is, a pipe
 * or a link to a device too. So grep searches what is found here, which takes more of the processor's time than `rg --files` would (bench/README.md).
 * Where a folder does not answer, a stop is heard all the same.
 */
export async function walkFolders<State>(walk: FolderWalk<State>): Promise<Walked> {
  const walked: Walked = { unreadable: 0, closed: 0 };
  const open: Place<State>[] = [{ path: walk.top, state: walk.state }];
  while (open.length > 0 && walk.isFull?.() !== true) {
    walk.signal.throwIfAborted();
    const next = open.splice(-atOnce);
    const found = await orStop(Promise.all(next.map((place) => readFolder(walk, place, walked))), walk.signal);
    for (const place of found.flat()) open.push(place);
  }
  walk.signal.throwIfAborted();
  return walked;
}

/** @throws the signal's reason where it aborts first. */
async function orStop<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

interface Place<State> {
  path: string;
  state: State;
}

async function readFolder<State>(
  walk: FolderWalk<State>,
  place: Place<State>,
  walked: Walked,
): Promise<Place<State>[]> {
  let folder: ListedFolder;
  try {
    folder = await listPinned(place.path, walk.root);
  } catch (error) {
    // One that is gone, or was exchanged, is no longer there; one that is closed is told of.
    const code = errnoOf(error);
    if (code === undefined && !(error instanceof ToolRefusal)) throw error;
    if (code !== undefined && !["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) walked.unreadable += 1;
    return [];
  }
  try {
    await walk.rules.load(
      place.path,
      folder.entries.some(({ name }) => name === patternFileName),
    );
    return await readEntries(walk, place, folder, walked);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    walked.unreadable += 1;
    return [];
  } finally {
    folder.close();
  }
}

async function readEntries<State>(
  walk: FolderWalk<State>,
  place: Place<State>,
  folder: ListedFolder,
  walked: Walked,
): Promise<Place<State>[]> {
  const breath = createBreath(walk.signal);
  const below: Place<State>[] = [];
  for (const entry of folder.entries) {
    if (breath.isDue()) await breath.take();
    if (walk.isFull?.() === true) break;
    const inner = meet(walk, place, entry, folder, walked);
    if (inner !== undefined) below.push(inner);
  }
  return below;
}

/** @returns the folder to be entered, where it is one. */
function meet<State>(
  walk: FolderWalk<State>,
  { path: at, state }: Place<State>,
  entry: Dirent,
  folder: ListedFolder,
  walked: Walked,
): Place<State> | undefined {
  const path = at === "/" ? `/${entry.name}` : `${at}/${entry.name}`;
  const isFolder = entry.isDirectory();
  if (walk.rules.ignoresEntry(at, entry.name, isFolder) || isKernelTree(walk.root, path)) {
    walk.pass?.(path, entry);
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
