import { constants } from "node:os";

/** The errno name (`ENOENT` ...) of a failed system call, else undefined. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  // Node has no name for it.
  if ("errno" in error && error.errno === -constants.errno.EDQUOT) return "EDQUOT";
  return typeof error.code === "string" ? error.code : undefined;
}
