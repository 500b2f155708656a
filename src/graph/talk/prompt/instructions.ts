import { open, realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { limits } from "../../../core/limits.ts";

/** One instruction file that goes into the prompt. */
export interface Instruction {
  path: string;
  text: string;
  /** Bytes of it were left out. */
  cut: boolean;
}

/** Largest part of one instruction file that goes into the prompt. Bytes. */
export const largestInstruction = limits.instructionFile.most;

/** The first of these that a folder has counts. */
const names = ["AGENTS.md", "CONTEXT.md", "CLAUDE.md"] as const;

/** A regular file's text, cut to `largestInstruction`; undefined where there is none or it cannot be read. */
export async function readInstruction(path: string): Promise<Instruction | undefined> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(size, largestInstruction)), 0);
    const text = buffer.subarray(0, bytesRead).toString("utf8").trim();
    return text === "" ? undefined : { path, text, cut: size > largestInstruction };
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

function foldersBetween(root: string, cwd: string): string[] {
  const folders: string[] = [];
  for (let at = cwd; ; at = dirname(at)) {
    folders.unshift(at);
    if (at === root || dirname(at) === at) return folders;
  }
}

/**
 * Instruction files from the repository's (or workspace's) root down to `cwd`, outermost first. `extra` are files that the
 * configuration names, relative to the root; those that resolve outside of it are left out.
 */
export async function findInstructions(
  root: string,
  cwd: string,
  extra: readonly string[] = [],
): Promise<Instruction[]> {
  const found: Instruction[] = [];
  for (const folder of foldersBetween(root, cwd)) {
    for (const name of names) {
      const instruction = await readInside(root, join(folder, name));
      if (instruction === undefined) continue;
      found.push(instruction);
      break;
    }
  }
  for (const name of extra) {
    const instruction = await readInside(root, join(root, name));
    if (instruction !== undefined) found.push(instruction);
  }
  return found;
}

async function readInside(root: string, path: string): Promise<Instruction | undefined> {
  const real = await realpath(path).catch(() => undefined);
  if (real === undefined) return undefined;
  const from = relative(await realpath(root), real);
  return from.startsWith("..") ? undefined : readInstruction(path);
}
