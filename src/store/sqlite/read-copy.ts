import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeBusy, storeFailure } from "./failures.ts";
import { cutOff, damageBefore } from "./file-damage.ts";
import { copyAside } from "./read-aside.ts";

/** The number of times that a copy is made anew because the store was written to meanwhile. */
const attempts = 5;

/**
 * SQLite wants to write beside a store even to read it. Where that may not be, a private copy of it and its log is read.
 * @returns the copy's path, and what takes it away again.
 * @throws StoreFailure corrupt; SessionBusy where others write all the time; what the system says where it cannot be read.
 */
export function copyToRead(file: string): { path: string; remove: () => void } {
  const damage = damageBefore(file) ?? cutOff(file);
  if (damage !== undefined) throw storeFailure("corrupt", file, damage);
  const folder = mkdtempSync(join(tmpdir(), "holdfast-store-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const path = join(folder, "agent.db");
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const before = stampOf(file);
      rmSync(`${path}-wal`, { force: true });
      copyAside(file, path);
      if (existsSync(`${file}-wal`)) copyAside(`${file}-wal`, `${path}-wal`);
      // What is only appended to the log meanwhile is whole or is passed over.
      if (stampOf(file) === before) return { path, remove };
    }
    throw storeBusy(file);
  } catch (error) {
    remove();
    throw error;
  }
}

function stampOf(file: string): string {
  const { ino, size, mtimeMs } = statSync(file);
  return `${ino}:${size}:${mtimeMs}`;
}
