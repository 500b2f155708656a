import { lstat } from "node:fs/promises";
import { errnoOf } from "../../core/errno.ts";

/**
 * What tells cheaply whether a path was touched since: another mark means look again, the same one proves nothing. "none" where
 * there is no file, "?" where it cannot be seen.
 */
export async function fileMark(path: string): Promise<string> {
  try {
    const { dev, ino, size, mode, mtimeNs, ctimeNs } = await lstat(path, { bigint: true });
    return [dev, ino, size, mode, mtimeNs, ctimeNs].join(":");
  } catch (error) {
    return errnoOf(error) === "ENOENT" ? "none" : "?";
  }
}
