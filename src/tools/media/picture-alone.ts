/** Chunks of a PNG without which it would look otherwise. */
const pngChunks = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "pHYs"]);

/**
 * A picture without what is not seen in it: texts, place and camera, a second file behind its end. A part that cannot be told apart is
 * left as it is; the picture has been decoded before.
 */
export const pictureAlone = (bytes: Uint8Array, mediaType: string): Uint8Array => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Buffer.concat(mediaType === "image/png" ? pngParts(view) : jpegParts(view));
};

function pngParts(bytes: Buffer): Buffer[] {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    const kind = bytes.toString("latin1", at + 4, at + 8);
    if (pngChunks.has(kind)) parts.push(bytes.subarray(at, end));
    if (kind === "IEND") break;
    at = end;
  }
  return parts;
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
