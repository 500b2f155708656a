import { chmodSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A temp folder with these files (path -> text or bytes), real path, removed when the test ends. @param around the folder that it is made in */
export function tempTree(files: Record<string, string | Uint8Array> = {}, around = tmpdir()): string {
  const root = realpathSync(mkdtempSync(join(around, "holdfast-test-")));
  onTestFinished(() => {
    openFolders(root);
    rmSync(root, { recursive: true, force: true });
  });
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

/** A folder that a test closed cannot be emptied by anybody but root. */
function openFolders(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) openFolders(join(folder, entry.name));
}
