import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";

export function tempFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-process-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Ended after the test, whatever happened in it. */
export function endLater(pid: number): void {
  onTestFinished(() => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // gone, as it should be
    }
  });
}

/** A dead process that nobody has waited for yet does not run. */
export function runs(pid: number): boolean {
  try {
    const state = /^State:\s+(\w)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return state !== "Z" && state !== "X";
  } catch {
    return false;
  }
}

/** The number that a program wrote into a file, once it is there: it may have to be compiled first, on a machine that is busy. */
export async function pidIn(file: string): Promise<number> {
  const read = (): number => {
    try {
      const text = readFileSync(file, "utf8");
      return text.endsWith("\n") ? Number(text) : 0;
    } catch {
      return 0;
    }
  };
  await expect.poll(read).toBeGreaterThan(0);
  const pid = read();
  endLater(pid);
  return pid;
}
