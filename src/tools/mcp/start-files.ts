import { realpath, stat } from "node:fs/promises";
import { extname, resolve } from "node:path";
import { type Sha, sha256 } from "../../core/json.ts";
import { isInside } from "../../files/boundary.ts";
import { openRegular, readBounded } from "../../files/bytes/read-regular.ts";
import { findProgram } from "../../process/find-program.ts";
import type { ServerEntry } from "./entry.ts";

/** A program that is larger than that nobody keeps in a workspace; bytes. */
const mostBytes = 200_000_000;

const scriptEndings = new Set(
  ".js .mjs .cjs .ts .mts .cts .jsx .tsx .py .pyz .sh .bash .rb .pl .php .lua .jar .wasm".split(" "),
);

/**
 * Programs and scripts of the workspace that the words of an entry name: absolute real path -> sha256 of what is in it. Of these the model
 * can write, and what starts is to be what was trusted.
 * @param roots the workspace and the folders added to it, real. @throws where one of them cannot be read
 */
export async function startFiles(
  { command, args }: ServerEntry,
  { cwd, roots, path }: { cwd: string; roots: readonly string[]; path: string | undefined },
): Promise<Record<string, Sha>> {
  const program = await findProgram(command, cwd, path);
  const named = args.flatMap((word) => [word, ...(word.includes("=") ? [word.slice(word.indexOf("=") + 1)] : [])]);
  const candidates = [...(program === undefined ? [] : [program]), ...named.map((word) => resolve(cwd, word))];
  const found: Record<string, Sha> = {};
  for (const candidate of candidates) {
    const real = await realpath(candidate).catch(() => undefined);
    if (real === undefined || found[real] !== undefined || !roots.some((root) => isInside(root, real))) continue;
    if ((await stat(real)).isFile() !== true) continue;
    const { handle, stats } = await openRegular(real, real);
    const bytes = await readBounded(handle, stats.size, mostBytes, real).finally(() => handle.close());
    if (candidate === program || isProgram(real, stats.mode, bytes)) found[real] = sha256(bytes);
  }
  return found;
}

const isProgram = (real: string, mode: number, bytes: Buffer): boolean =>
  (mode & 0o111) !== 0 ||
  scriptEndings.has(extname(real).toLowerCase()) ||
  bytes.subarray(0, 2).toString("latin1") === "#!";
