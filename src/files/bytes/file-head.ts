import { constants, fstatSync, lstatSync, readSync } from "node:fs";
import { closeUnlocked, openUnlocked } from "../locked-files.ts";

/** This many bytes from the start tell a binary file from a text. */
export const sniffedBytes = 8_192;

const magic: readonly (readonly [name: string, bytes: readonly number[]])[] = [
  ["PNG image", [0x89, 0x50, 0x4e, 0x47]],
  ["JPEG image", [0xff, 0xd8, 0xff]],
  ["GIF image", [0x47, 0x49, 0x46, 0x38]],
  ["PDF document", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["ZIP archive (or a format built on it)", [0x50, 0x4b, 0x03, 0x04]],
  ["gzip archive", [0x1f, 0x8b]],
  ["xz archive", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["Zstandard archive", [0x28, 0xb5, 0x2f, 0xfd]],
  ["ELF program", [0x7f, 0x45, 0x4c, 0x46]],
  ["WebAssembly module", [0x00, 0x61, 0x73, 0x6d]],
  ["Java class", [0xca, 0xfe, 0xba, 0xbe]],
  ["SQLite database", [...Buffer.from("SQLite format 3\0", "latin1")]],
];

/**
 * Returns the kind of binary file that the first bytes show, undefined for a text. A text may be UTF-8, UTF-16 with a byte order
 * mark, or an 8-bit encoding; it has no NUL, and hardly any control characters.
 */
export function binaryKind(head: Uint8Array): string | undefined {
  const known = magic.find(([, bytes]) => bytes.every((byte, index) => head[index] === byte));
  if (known !== undefined) return known[0];
  const sniffed = head.subarray(0, sniffedBytes);
  if (isUtf16(sniffed)) return hasNulUnit(sniffed) ? "binary data" : undefined;
  if (sniffed.includes(0)) return "binary data";
  const controls = sniffed.filter((byte) => byte < 0x20 && !textControls.has(byte)).length;
  return controls * 10 > sniffed.length ? "binary data" : undefined;
}

/** Tab, line feed, vertical tab, form feed, carriage return, backspace, escape. */
const textControls = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

export const isUtf16 = (head: Uint8Array): boolean =>
  (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);

function hasNulUnit(bytes: Uint8Array): boolean {
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) return true;
  }
  return false;
}

export type MediaKind = "image" | "pdf" | "notebook";

/** So many bytes of its beginning tell the kind of a file that is not read as lines. */
export const mediaHeadBytes = 16;

/** Returns the kind of a file that is not read as lines: a picture or a PDF by its first bytes, a notebook by its name. */
export function mediaKind(head: Uint8Array, path: string): MediaKind | undefined {
  const begin = Buffer.from(head).toString("latin1");
  if (begin.startsWith("%PDF-")) return "pdf";
  if (begin.startsWith("RIFF") && begin.startsWith("WEBP", 8)) return "image";
  if (/^(?:PNG|JPEG|GIF) image$/.test(binaryKind(head) ?? "")) return "image";
  return path.endsWith(".ipynb") ? "notebook" : undefined;
}

/** As much as tells a key from other files. */
export const keyHeadBytes = 512;

/** The text that programs write before the key itself: openssl the curve, and the attributes of what it took out of a store. */
const beforeKey = String.raw`(?:-----BEGIN EC PARAMETERS-----[^-]*-----END EC PARAMETERS-----\s*|(?:Bag|Key) Attributes\b(?:[^-]|-(?!----))*)?`;

/** The last is what clouds give a program as its key, under a name of the project's. */
const keyKinds = [
  "-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----",
  "PuTTY-User-Key-File-",
  "AGE-SECRET-KEY-",
  "-----BEGIN OPENVPN STATIC KEY",
  "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY",
  String.raw`\{\s*"type"\s*:\s*"(?:service_account|authorized_user)"`,
];

const keyBeginnings = new RegExp(String.raw`^\s*${beforeKey}(?:${keyKinds.join("|")})`, "u");

/** Tells whether the first bytes of a file are those of a private key, in whatever encoding of text. */
export const isKeyHead = (head: Uint8Array): boolean =>
  keyBeginnings.test(
    Buffer.from(head.subarray(0, keyHeadBytes))
      .toString("latin1")
      .replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/u, "")
      .replaceAll("\0", ""),
  );

/** The same of the file itself; false for what is no regular file or cannot be opened. Waits for nothing. */
export function isKeyFile(real: string): boolean {
  const head = headOf(real);
  return head !== undefined && isKeyHead(head);
}

/** Tells whether the file is no text, as compiled programs are; false for what is no regular file or cannot be opened. Waits for nothing. */
export function isBinaryFile(real: string): boolean {
  const head = headOf(real);
  return head !== undefined && binaryKind(head) !== undefined;
}

function headOf(real: string): Uint8Array | undefined {
  let file: number | undefined;
  try {
    if (lstatSync(real, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
    file = openUnlocked(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(file).isFile()) return undefined;
    const head = Buffer.alloc(keyHeadBytes);
    return head.subarray(0, readSync(file, head, 0, keyHeadBytes, 0));
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeUnlocked(file);
  }
}
