import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { fileURLToPath } from "node:url";
import { afterEach, expect } from "vitest";
import { isLocked } from "../../src/files/locked-files.ts";

/*
 * While a test has a store open, our own code in this process may open none of its files: closing a descriptor drops the locks of the
 * connection (src/files/locked-files.ts). Every way of `node:fs` to open a file is watched; a test may open what it likes.
 */

const installed = Symbol.for("holdfast.test.beside-connection");
const shared = globalThis as { [installed]?: string[] };
const isFirst = shared[installed] === undefined;

/** What was opened by our own code beside a connection, since the last look: one list a process, however often this file is loaded. */
export const openedBeside: string[] = shared[installed] ?? [];
shared[installed] = openedBeside;

const opening = [
  ...["open", "openSync", "readFile", "readFileSync", "writeFile", "writeFileSync", "appendFile", "appendFileSync"],
  ...["copyFile", "copyFileSync", "truncate", "truncateSync", "createReadStream", "createWriteStream", "cp", "cpSync"],
] as const;

/** The innermost file that asks and is not Node's own or this one: ours, where it lies in src or is built of it. */
function isOurs(stack: string): boolean {
  const [, ...frames] = stack.split("\n").filter((frame) => !/node:|beside-connection\.ts/u.test(frame));
  return /[/\\](?:src|dist)[/\\]/u.test(frames[0] ?? "") && !/[/\\]node_modules[/\\]/u.test(frames[0] ?? "");
}

function look(name: string, path: unknown): void {
  const named = path instanceof URL ? fileURLToPath(path) : path;
  if (typeof named !== "string" && !Buffer.isBuffer(named)) return;
  const found = fs.statSync(named, { throwIfNoEntry: false });
  if (found?.isFile() !== true || !isLocked(found)) return;
  const stack = new Error(`${name} ${String(named)}`).stack ?? "";
  if (isOurs(stack)) openedBeside.push(stack);
}

function watch(of: Record<string, unknown>): void {
  for (const name of opening) {
    const original = of[name];
    if (typeof original !== "function") continue;
    of[name] = Object.assign((...args: unknown[]): unknown => {
      try {
        look(name, args[0]);
      } catch {
        // What cannot be looked at cannot be opened either.
      }
      return Reflect.apply(original, of, args);
    }, original);
  }
}

if (isFirst) {
  watch(fs as unknown as Record<string, unknown>);
  watch(fs.promises as unknown as Record<string, unknown>);
  syncBuiltinESMExports();
}

afterEach(() => {
  expect(openedBeside.splice(0)).toEqual([]);
});
