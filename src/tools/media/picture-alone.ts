import { inflateSync } from "node:zlib";

/** Chunks of a PNG without which its pixels would be others. All but IDAT are as long as they say. */
const pixelChunks = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "pHYs"]);

/** Bytes that a colour profile may come to; the largest that devices have are below it. */
const longestProfile = 4_000_000;

/**
 * A picture without what is not seen in it: texts, place and camera, a second file behind its end. A part that cannot be told apart is
 * left as it is; the picture has been decoded before. A colour profile stays where it comes to no more than a profile does.
 */
export const pictureAlone = (bytes: Uint8Array, mediaType: string): Uint8Array => {
  const view = viewOf(bytes);
  const isKept = (kind: string, chunk: Buffer): boolean =>
    pixelChunks.has(kind) || (kind === "iCCP" && isProfile(chunk.subarray(8, -4)));
  return Buffer.concat(mediaType === "image/png" ? pngParts(view, isKept) : jpegParts(view));
};

/**
 * Returns the bytes of a picture that its decoder is given. A PNG's decoder inflates profiles and texts, whatever they come to, for
 * nothing that is shown. In JPEG, GIF and WebP only pixels are packed, and of those the head has told.
 */
export const pixelsAlone = (bytes: Uint8Array, mediaType: string): Uint8Array =>
  mediaType === "image/png" ? Buffer.concat(pngParts(viewOf(bytes), (kind) => pixelChunks.has(kind))) : bytes;

const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function pngParts(bytes: Buffer, isKept: (kind: string, chunk: Buffer) => boolean): Buffer[] {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const kind = bytes.toString("latin1", at + 4, at + 8);
    const chunk = bytes.subarray(at, end);
    if (isKept(kind, chunk)) parts.push(chunk);
    if (kind === "IEND") break;
    at = end;
  }
  return parts;
}

/** Of an iCCP chunk: a name, a zero, the way it is packed, the packed profile. */
function isProfile(data: Buffer): boolean {
  try {
    return inflateSync(data.subarray(data.indexOf(0) + 2), { maxOutputLength: longestProfile }).length > 0;
  } catch {
    return false;
  }
}

/** JFIF, colour profile and Adobe's colour word stay; scans are copied up to the picture's end. */
function jpegParts(bytes: Buffer): Buffer[] {
  const parts = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0xda || marker === 0xd9) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const isApplication = marker >= 0xe0 && marker <= 0xef;
    const isNeeded = isApplication ? [0xe0, 0xe2, 0xee].includes(marker) : marker !== 0xfe;
    if (isNeeded) parts.push(bytes.subarray(at, end));
    at = end;
  }
  const eoi = bytes.indexOf(Buffer.from([0xff, 0xd9]), at);
  parts.push(bytes.subarray(at, eoi === -1 ? bytes.length : eoi + 2));
  return parts;
}
