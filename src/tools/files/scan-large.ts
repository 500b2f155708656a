import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import { ToolRefusal } from "../../core/codes.ts";
import type { TextEncoding } from "../../core/tool.ts";
import { binaryKind } from "../../files/bytes/file-head.ts";
import { binary, encodingOf } from "../../files/bytes/text-form.ts";
import type { collectLines, LineWindow } from "./line-window.ts";

/** Even, so that no two-byte unit is torn. */
const chunkBytes = 256 * 1024;
/** So much is read after the window to count the lines; beyond it "more than" has to do. */
const countedBytes = 64 * 1024 * 1024;

export interface Scan extends LineWindow {
  /** The file was read to its end: `total` is exact. */
  ended: boolean;
}

/**
 * Reads a file of any size in constant memory until the window is full, and some way on to count its lines.
 * @throws ToolRefusal BINARY by its first bytes; CANCELLED.
 */
export async function scanLarge(
  handle: FileHandle,
  window: ReturnType<typeof collectLines>,
  file: { asked: string; size: number; signal: AbortSignal },
): Promise<Scan> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let decode: ((bytes: Buffer) => string) | undefined;
  let fullAt: number | undefined;
  for (let position = 0; ; ) {
    if (file.signal.aborted) throw new ToolRefusal("CANCELLED", "reading was cancelled");
    const { bytesRead } = await handle.read(chunk, 0, chunkBytes, position);
    if (bytesRead === 0) return { ...window.end(), ended: true };
    const bytes = chunk.subarray(0, bytesRead);
    decode ??= decoderFor(bytes, file);
    window.push(decode(bytes));
    position += bytesRead;
    if (window.state.full) fullAt ??= position;
    if (fullAt !== undefined && position - fullAt > countedBytes) return { ...window.state, ended: false };
  }
}

function decoderFor(head: Buffer, file: { asked: string; size: number }): (bytes: Buffer) => string {
  const kind = binaryKind(head);
  if (kind !== undefined) throw binary(file.asked, kind, file.size);
  const { encoding, bom } = headEncoding(head);
  const decoder = new StringDecoder(encoding === "utf-16be" ? "utf16le" : encoding);
  let marked = bom;
  return (bytes) => {
    const text = decoder.write(encoding === "utf-16be" ? bytes.subarray(0, bytes.length & ~1).swap16() : bytes);
    const shown = marked ? text.slice(1) : text;
    marked = false;
    return shown;
  };
}

/** The last character of the head may be cut in two: up to three bytes of it are left out of the judgement. */
function headEncoding(head: Buffer): { encoding: TextEncoding; bom: boolean } {
  for (let cut = 0; cut <= 3; cut += 1) {
    const found = encodingOf(head.subarray(0, head.length - cut));
    if (found.encoding !== "latin1") return found;
  }
  return { encoding: "latin1", bom: false };
}
