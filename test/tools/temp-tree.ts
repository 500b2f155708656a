import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A temp folder with these files (path -> text or bytes), real path, removed when the test ends. */
export function tempTree(files: Record<string, string | Uint8Array> = {}): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdfast-test-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}
