import { accessSync, constants, rmSync, statfsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Bytes that the cases of one moment may need. */
const roomForCases = 256 * 1024 * 1024;

/**
 * A folder that all temporary files of this process and its children lie below, and that goes however it ends. No disk loses its
 * power here: so memory will do for one, and nobody waits for it. Files get the permissions that the cases are judged by.
 */
export async function openQuickFolder(): Promise<string> {
  process.umask(0o022);
  const folder = await mkdtemp(join(quickest(), "holdfast-faults-"));
  process.env["TMPDIR"] = folder;
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    process.once(signal, () => process.exit(code));
  return folder;
}

function quickest(): string {
  const memory = "/dev/shm";
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > roomForCases ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
