import { type SpawnSyncOptions, type SpawnSyncReturns, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Reads a file of SQLite's from outside. A process that closes any descriptor of a file drops all locks that it holds on it, those of
 * its connection too (sqlite.org/howtocorrupt.html, 2.2), and nobody here can know that no other part of the process has a connection.
 * So the store, its -wal, -shm and -journal are never opened here: what they hold is read by a process of its own.
 */

/** The places of a small program that prints the beginning of a file; it starts ten times as fast as another Node. */
const heads = ["/usr/bin/head", "/bin/head"];

/** The same where there is none. */
const asNode = `const fs = require("node:fs"), [, path, length] = process.argv, bytes = Buffer.alloc(Number(length));
process.stdout.write(bytes.subarray(0, fs.readSync(fs.openSync(path, "r"), bytes, 0, bytes.length, 0)));`;

/** The time that a look may take, in milliseconds: a disk that does not answer, or a machine that starts no process. */
const longestLookMs = 10_000;
type Limit = Pick<SpawnSyncOptions, "timeout" | "killSignal">;
const look: Limit = { timeout: longestLookMs, killSignal: "SIGKILL" };

/** A copy takes as long as the store is large. */
const copying = `const fs = require("node:fs"), [, from, to] = process.argv; fs.copyFileSync(from, to);`;

// Keeps store 4.
/** Nobody knows what a file holds: the process that was to look could not be started, or did not come to its end. */
export class NotLooked extends Error {
  override readonly name = "NotLooked";
}

/**
 * The first bytes of a file; undefined where it has fewer, or cannot be read: then opening it says why.
 * @throws NotLooked
 */
export function beginning(path: string, length: number): Buffer | undefined {
  const head = heads.find((program) => existsSync(program));
  const read = head === undefined ? node(asNode, [path, String(length)]) : run(head, ["-c", String(length), path]);
  // 1 is what both say of a file that they cannot read.
  if (read.status !== 0 && read.status !== 1) {
    const why = read.error?.message ?? `it ended by ${read.signal ?? `code ${read.status}`}`;
    throw new NotLooked(`${path} could not be looked at: ${why}`, { cause: read.error });
  }
  return read.status === 0 && read.stdout.length === length ? read.stdout : undefined;
}

/** Copies a file. @throws Error with what the system said */
export function copyAside(from: string, to: string): void {
  const copied = node(copying, [from, to], {});
  if (copied.status === 0) return;
  const said = copied.error?.message ?? copied.stderr.toString("utf8").trim();
  const [code] = /\b(?:E[A-Z]{3,})\b/u.exec(said) ?? [];
  throw Object.assign(
    new Error(`${from} cannot be copied: ${said.split("\n", 1)[0]}`),
    code === undefined ? {} : { code },
  );
}

const run = (program: string, args: readonly string[], limit: Limit = look): SpawnSyncReturns<Buffer> =>
  spawnSync(program, args, { stdio: ["ignore", "pipe", "pipe"], env: {}, ...limit });

const node = (program: string, args: readonly string[], limit?: Limit): SpawnSyncReturns<Buffer> =>
  run(process.execPath, ["-e", program, ...args], limit);
