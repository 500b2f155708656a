import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";

const mostBytes = 200;

const beginnings =
  /^\ufeff?\s*(?:-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-|AGE-SECRET-KEY-|-----BEGIN OPENVPN STATIC KEY|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY)/u;

/** Whether the first bytes of a file are those of a private key. */
export const isKeyHead = (head: Uint8Array): boolean =>
  beginnings.test(
    Buffer.from(head.subarray(0, mostBytes))
      .toString("latin1")
      .replace(/^\u00ef\u00bb\u00bf/u, ""),
  );

/** The same of the file itself; false for what is no regular file or cannot be opened. Waits for nothing. */
export function isKeyFile(real: string): boolean {
  let file: number | undefined;
  try {
    if (lstatSync(real, { throwIfNoEntry: false })?.isFile() !== true) return false;
    file = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) return false;
    const head = Buffer.alloc(mostBytes);
    return isKeyHead(head.subarray(0, readSync(file, head, 0, mostBytes, 0)));
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
