import type { Graphics } from "./graphics.ts";

/** A small picture for a terminal: a PNG that was made here, and the sides of what it shows, in pixels. */
export interface Picture {
  png: Uint8Array;
  width: number;
  height: number;
}

interface Size {
  columns: number;
  rows: number;
}

/** Bytes of the PNG; a terminal takes them all before it draws anything else. */
export const mostPictureBytes = 200_000;

const mostRows = 10;
const mostColumns = 60;

/** Cells left of a picture, as left of what a call displays. */
const indent = 2;

/** A cell's pixels, roughly: terminals differ, and scale it themselves. */
const cell = { width: 10, height: 20 };

/** Characters of base64 in a piece, as kitty takes them. */
const pieceLength = 4_096;

const pngHead = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** The cells that a picture fills, not larger than it is; undefined where the window has no room for one. */
export function pictureSize({ width, height }: Omit<Picture, "png">, window: Size): Size | undefined {
  const most = {
    columns: Math.min(mostColumns, window.columns - 2 * indent),
    rows: Math.min(mostRows, Math.floor(window.rows / 3)),
  };
  if (most.columns < 8 || most.rows < 3 || !(width >= 1) || !(height >= 1)) return undefined;
  const scale = Math.min(1, (most.columns * cell.width) / width, (most.rows * cell.height) / height);
  const cells = (pixels: number, a: number): number => Math.max(1, Math.round((pixels * scale) / a));
  return { columns: cells(width, cell.width), rows: cells(height, cell.height) };
}

/**
 * A picture in rows of its own, from the beginning of one row to the beginning of the one below it. The rows are made first, so that
 * nothing scrolls while the terminal draws. In it are base64 and numbers, and nothing that anyone else wrote.
 * @returns undefined for what is no PNG or too large, and where there is no room
 */
export function pictureSequence(picture: Picture, graphics: Graphics, window: Size): string | undefined {
  const { png } = picture;
  const size = pictureSize(picture, window);
  if (size === undefined || png.byteLength > mostPictureBytes || !pngHead.equals(png.subarray(0, pngHead.length)))
    return undefined;
  const base64 = Buffer.from(png).toString("base64");
  const drawn = graphics === "kitty" ? byKitty(base64, size) : byIterm2(base64, png.byteLength, size);
  const { rows } = size;
  return `${"\n".repeat(rows)}\x1b[${rows}A\r\x1b[${indent}C\x1b7${drawn}\x1b8\x1b[${rows}B\r`;
}

/** `q=2`: the terminal answers nothing, which would come as keys; `C=1`: the cursor stays. */
function byKitty(base64: string, { columns, rows }: Size): string {
  const pieces: string[] = [];
  for (let at = 0; at < base64.length; at += pieceLength) {
    const keys = at === 0 ? `a=T,f=100,t=d,C=1,c=${columns},r=${rows},` : "";
    const more = at + pieceLength < base64.length ? 1 : 0;
    pieces.push(`\x1b_G${keys}q=2,m=${more};${base64.slice(at, at + pieceLength)}\x1b\\`);
  }
  return pieces.join("");
}

const byIterm2 = (base64: string, bytes: number, { columns, rows }: Size): string =>
  `\x1b]1337;File=inline=1;size=${bytes};width=${columns};height=${rows};preserveAspectRatio=1:${base64}\x07`;
