import { lstat, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type JsonForm, type JsonNode, readJsonText } from "../../core/json-text.ts";
import { isInside } from "../../files/boundary.ts";
import { replaceFile } from "../../files/bytes/atomic-write.ts";
import { type LockOptions, withFileLock } from "../../files/bytes/file-lock.ts";
import { openRegular, readBounded, tooLarge } from "../../files/bytes/read-regular.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { policyFile as words } from "../../words/en/policy-file.ts";
import { PolicyProblem } from "../problem.ts";

/** Bytes; a file of rules that is larger was not written by a person. */
const maxBytes = 1_000_000;

/** The form of files that people write and mend: comments and trailing commas are theirs to use. */
export const writtenByHand: JsonForm = { byHand: true, maxDepth: 64 };

/** The text of a file of settings as JSON. @throws PolicyProblem naming file and line. */
export function readByHand(text: string, file: string): JsonNode {
  const root = readJsonText(text, writtenByHand);
  if ("wrong" in root) throw new PolicyProblem([{ file, line: root.line, message: root.wrong }]);
  return root;
}

/**
 * The text of one of the policy's files, undefined where there is none. Reading blocks on nothing (a FIFO is refused).
 * @throws PolicyProblem naming the file: unreadable, not a regular file, not UTF-8, too large, a link that leads nowhere.
 */
export async function readPolicyFile(file: string, most = maxBytes): Promise<string | undefined> {
  try {
    if ((await lstat(file).catch(orAbsent)) === undefined) return undefined;
    const { handle, stats } = await openRegular(await realpath(file), file);
    const bytes = await readBounded(handle, stats.size, most, file).finally(() => handle.close());
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw unusable(file, words().unread, cause);
  }
}

/**
 * The same of a file that a project brings, which is followed to no place outside of the project.
 * @param workspace real path. @param path relative to it.
 */
export async function readProjectFile(workspace: string, path: string): Promise<string | undefined> {
  const file = join(workspace, path);
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined || isInside(workspace, real)) return readPolicyFile(file);
  throw new PolicyProblem([{ file, line: 1, message: words().leadsOut }]);
}

/**
 * Changes one of the user's own files under a lock, so that two processes lose nothing of each other: `change` gets the
 * text that is there now and returns the whole new one, or undefined to leave it. Written atomically, mode 0600, and never so large that
 * it could not be read again.
 * @throws PolicyProblem naming the file (or the lock and its holder); nothing was written then.
 */
export async function updatePolicyFile(
  file: string,
  change: (text: string | undefined) => string | undefined,
  { most = maxBytes, ...lock }: LockOptions & { most?: number } = {},
): Promise<void> {
  try {
    makeFolder(dirname(file));
    await withFileLock(file, lock, async (assertHeld) => {
      const text = change(await readPolicyFile(file, most));
      if (text === undefined) return;
      const size = Buffer.byteLength(text);
      if (size > most) throw tooLarge(file, size, most);
      await assertHeld();
      await replaceFile(file, Buffer.from(text), 0o600);
    });
  } catch (cause) {
    throw cause instanceof PolicyProblem ? cause : unusable(file, words().unwritten, cause);
  }
}

function unusable(file: string, said: (about: { why: string }) => string, cause: unknown): PolicyProblem {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new PolicyProblem([{ file, line: 1, message: said({ why }) }], { cause });
}

function orAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
  throw error;
}
