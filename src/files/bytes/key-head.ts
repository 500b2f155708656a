import { constants, fstatSync, lstatSync, readSync } from "node:fs";
import { closeUnlocked, openUnlocked } from "../locked-files.ts";

/** As much as tells a key from other files. */
export const headBytes = 512;

/** What programs write before the key itself: openssl the curve, and the attributes of what it took out of a store. */
const before = String.raw`(?:-----BEGIN EC PARAMETERS-----[^-]*-----END EC PARAMETERS-----\s*|(?:Bag|Key) Attributes\b(?:[^-]|-(?!----))*)?`;

/** The last is what clouds give a program as its key, under a name of the project's. */
const kinds = [
  "-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
  "PuTTY-User-Key-File-",
  "AGE-SECRET-KEY-",
  "-----BEGIN OPENVPN STATIC KEY",
  "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY",
  String.raw`\{\s*"type"\s*:\s*"(?:service_account|authorized_user)"`,
];

const beginnings = new RegExp(String.raw`^\s*${before}(?:${kinds.join("|")})`, "u");

/** Whether the first bytes of a file are those of a private key, in whatever encoding of text. */
export const isKeyHead = (head: Uint8Array): boolean =>
  beginnings.test(
    Buffer.from(head.subarray(0, headBytes))
      .toString("latin1")
      .replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/u, "")
      .replaceAll("\0", ""),
  );

/** The same of the file itself; false for what is no regular file or cannot be opened. Waits for nothing. */
export function isKeyFile(real: string): boolean {
  let file: number | undefined;
  try {
    if (lstatSync(real, { throwIfNoEntry: false })?.isFile() !== true) return false;
    file = openUnlocked(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) return false;
    const head = Buffer.alloc(headBytes);
    return isKeyHead(head.subarray(0, readSync(file, head, 0, headBytes, 0)));
  } catch {
    return false;
  } finally {
    if (file !== undefined) closeUnlocked(file);
  }
}
