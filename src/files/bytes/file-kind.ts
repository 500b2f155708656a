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
 * What kind of binary file the first bytes show, undefined for a text. A text may be UTF-8, UTF-16 with a byte order
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
