/** The kinds of picture that are shown to a model. */
export type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp";

/** The facts that a picture gives of itself before a pixel of it is read. */
export interface ImageHead {
  mediaType: ImageType;
  /** Pixels: the largest that any part of it claims. */
  width: number;
  height: number;
  /** Bytes that one pixel takes once it is read. */
  pixelBytes: number;
  /** The turn that brings it upright, as EXIF counts: 1 as it is, to 8. */
  orientation: number;
}

type Sides = Pick<ImageHead, "width" | "height">;

/** By the bytes that it begins with, whatever its name is; undefined for any other file, and for one that is cut off in its head. */
export function imageHead(bytes: Uint8Array): ImageHead | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return png(view) ?? jpeg(view) ?? gif(view) ?? webp(view);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // a length that leads past its end
    throw error;
  }
}

function png(bytes: Buffer): ImageHead | undefined {
  if (bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n" || bytes.toString("latin1", 12, 16) !== "IHDR")
    return undefined;
  const deep = bytes.readUInt8(24) === 16;
  const sides = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  return headOf("image/png", [sides], { pixelBytes: deep ? 8 : 4 });
}

/** All frame headers before the first scan, and what EXIF says of how the camera was held. */
function jpeg(bytes: Buffer): ImageHead | undefined {
  if (bytes.toString("latin1", 0, 3) !== "\xff\xd8\xff") return undefined;
  const frames: Sides[] = [];
  let orientation = 1;
  for (let at = 2; bytes.readUInt8(at) === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    if (marker === 0xda || marker === 0xd9) break;
    const length = bytes.readUInt16BE(at + 2);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) frames.push({ height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) });
    if (marker === 0xe1 && bytes.toString("latin1", at + 4, at + 10) === "Exif\0\0")
      orientation = orientationIn(bytes.subarray(at + 10, at + 2 + length));
    at += 2 + length;
  }
  return headOf("image/jpeg", frames, { orientation });
}

/** 1 where EXIF does not say it in the way it should. */
function orientationIn(tiff: Buffer): number {
  try {
    const little = tiff.toString("latin1", 0, 2) === "II";
    const read16 = (at: number): number => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
    const first = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    const entries = read16(first);
    for (let entry = 0; entry < entries; entry += 1) {
      const at = first + 2 + entry * 12;
      if (read16(at) !== 0x0112) continue;
      const told = read16(at + 8);
      return told >= 1 && told <= 8 ? told : 1;
    }
  } catch {
    // a length that leads past its end
  }
  return 1;
}

/** The screen, and the first frame where that is larger. */
function gif(bytes: Buffer): ImageHead | undefined {
  if (!/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return undefined;
  const screen = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const table = bytes.readUInt8(10);
  let at = 13 + ((table & 0x80) === 0 ? 0 : 3 * 2 ** ((table & 7) + 1));
  while (bytes.readUInt8(at) === 0x21) {
    at += 2;
    for (let length = bytes.readUInt8(at); length > 0; length = bytes.readUInt8(at)) at += length + 1;
    at += 1;
  }
  if (bytes.readUInt8(at) !== 0x2c) return undefined;
  const frame = {
    width: bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5),
    height: bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7),
  };
  return headOf("image/gif", [screen, frame]);
}

/** The canvas and all frames. */
function webp(bytes: Buffer): ImageHead | undefined {
  if (bytes.toString("latin1", 0, 4) !== "RIFF" || bytes.toString("latin1", 8, 12) !== "WEBP") return undefined;
  const sides: Sides[] = [];
  for (let at = 12; at + 8 <= bytes.length; ) {
    const kind = bytes.toString("latin1", at, at + 4);
    const found = webpSides(kind, bytes.subarray(at + 8));
    if (found !== undefined) sides.push(found);
    // a frame of a moving picture holds chunks of its own
    at += kind === "ANMF" ? 24 : 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) & 1);
  }
  return headOf("image/webp", sides);
}

function webpSides(kind: string, data: Buffer): Sides | undefined {
  if (kind === "VP8X") return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  if (kind === "ANMF") return { width: data.readUIntLE(6, 3) + 1, height: data.readUIntLE(9, 3) + 1 };
  if (kind === "VP8 ") return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  if (kind !== "VP8L") return undefined;
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function headOf(
  mediaType: ImageType,
  sides: readonly Sides[],
  { pixelBytes = 4, orientation = 1 }: Partial<Pick<ImageHead, "pixelBytes" | "orientation">> = {},
): ImageHead | undefined {
  const width = Math.max(0, ...sides.map((one) => one.width));
  const height = Math.max(0, ...sides.map((one) => one.height));
  return width === 0 || height === 0 ? undefined : { mediaType, width, height, pixelBytes, orientation };
}
