import { closeSync, constants, openSync, readlinkSync, realpathSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { assertInsideOpened } from "../../files/boundary.ts";
import { openRegular, readBounded } from "../../files/read-regular.ts";
import { cutLine, type HitLine } from "./grep-search.ts";

/** Bytes read of one line, on either side of where its match begins. */
const around = 1_600;
/** A larger file in UTF-16 is not shown: it has to be read whole to find a line. */
const maxWide = 64 * 1024 * 1024;

/**
 * The lines of a file, read from what is opened under its path and found to be there: `texts` cut to be shown, undefined where the
 * file was changed or exchanged since it was searched.
 */
export async function readHits(
  path: string,
  lines: readonly HitLine[],
  workspace: string,
): Promise<string[] | undefined> {
  try {
    const { handle, stats } = await openRegular(path, path);
    try {
      await assertInsideOpened(handle, workspace, path);
      const head = await readAt(handle, 0, 3);
      if (isWide(head)) return wideTexts(await readBounded(handle, stats.size, maxWide, path), lines);
      const shift = head.equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
      const texts: string[] = [];
      for (const line of lines) {
        const text = await textAt(handle, line, shift);
        if (text === undefined) return undefined;
        texts.push(text);
      }
      return texts;
    } finally {
      await handle.close();
    }
  } catch {
    // It is gone, closed, or no longer what was searched: nothing of it is shown.
    return undefined;
  }
}

const isWide = ([first, second]: Buffer): boolean =>
  (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function textAt(handle: FileHandle, { offset, start }: HitLine, shift: number): Promise<string | undefined> {
  const at = offset + shift;
  if (at > 0 && offset > 0 && (await readAt(handle, at - 1, 1))[0] !== 10) return undefined;
  const from = Math.max(0, start - around);
  const bytes = await readAt(handle, at + from, start - from + around);
  if (bytes.length === 0) return undefined;
  const end = bytes.indexOf(10);
  const line = end === -1 ? bytes : bytes.subarray(0, end);
  const before = line.subarray(0, start - from).toString("utf8");
  const whole = before + line.subarray(start - from).toString("utf8");
  const isCut = end === -1 && bytes.length === start - from + around;
  return cutLine(isCut ? whole : whole.replace(/\r$/, ""), before.length, { head: from > 0, tail: isCut });
}

function wideTexts(bytes: Buffer, lines: readonly HitLine[]): string[] | undefined {
  const isLittle = bytes[0] === 0xff;
  const little = isLittle ? bytes : Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();
  const all = new TextDecoder("utf-16le").decode(little).split(/\r?\n/);
  const texts = lines.map(({ line, start }) => {
    const text = all[line - 1];
    return text === undefined ? undefined : cutLine(text, Buffer.from(text).subarray(0, start).toString("utf8").length);
  });
  return texts.includes(undefined) ? undefined : (texts as string[]);
}

const openFlags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;

/** Whether a file can be opened and is where its path says, no link on the way: what leads elsewhere by now is not told of. */
export function isThere(path: string): boolean {
  let fd: number | undefined;
  try {
    fd = openSync(path, openFlags);
    return openedPath(fd, path) === path;
  } catch {
    return false;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** As far as the system tells. */
function openedPath(fd: number, path: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return realpathSync(path);
  }
}
