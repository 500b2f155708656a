import { readFileSync, rmSync } from "node:fs";
import { errnoOf } from "../../../core/errno.ts";
import { replaceFile } from "../../../files/bytes/atomic-write.ts";
import type { KnownFile, KnownTree } from "./known-tree.ts";

interface Note {
  callId: string;
  /** Milliseconds since the epoch. */
  at: number;
  files: [path: string, mark: string, isSettled: boolean, mode: number, sha: string | null][];
}

const fileOf = (base: string): string => `${base}.tree`;

/** Notes how the files lie before a call; on disk when it resolves. The note of an earlier call is replaced. */
export async function writeTreeNote(base: string, callId: string, tree: KnownTree): Promise<void> {
  const files = [...tree.files].map(([path, { mark, isSettled, mode, sha }]): Note["files"][number] => [
    path,
    mark,
    isSettled,
    mode,
    sha ?? null,
  ]);
  const note: Note = { callId, at: tree.at, files };
  await replaceFile(fileOf(base), Buffer.from(JSON.stringify(note)), 0o600);
}

/** Reads the files as they lay before that call; undefined where the note is another call's, is gone or cannot be read. */
export function readTreeNote(base: string, callId: string): KnownTree | undefined {
  try {
    const note = JSON.parse(readFileSync(fileOf(base), "utf8")) as Note;
    if (note.callId !== callId) return undefined;
    const files = note.files.map(([path, mark, isSettled, mode, sha]): [string, KnownFile] => [
      path,
      { mark, isSettled, mode, sha: sha ?? undefined },
    ]);
    return { at: note.at, files: new Map(files) };
  } catch {
    return undefined;
  }
}

/** For a call that is not covered: what an earlier note says is not about it. */
export function removeTreeNote(base: string): void {
  try {
    rmSync(fileOf(base), { force: true });
  } catch (error) {
    // Its folder is none, so there is no note in it.
    if (errnoOf(error) !== "ENOTDIR") throw error;
  }
}
