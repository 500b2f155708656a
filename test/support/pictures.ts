import { deflateSync } from "node:zlib";
import { PhotonImage } from "@silvia-odwyer/photon-node";

/** Red, green, blue and how much of it covers, of the pixel in this place. */
type Paint = (x: number, y: number) => readonly [number, number, number, number];

const red: Paint = () => [255, 0, 0, 255];

const crcTable = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit += 1) c = (c & 1) === 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc(bytes: Buffer): number {
  let c = 0xffffffff;
  for (const byte of bytes) c = (crcTable[(c ^ byte) & 0xff] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

/** One chunk of a PNG. */
export function pngChunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc(body), body.length + 4);
  return framed;
}

const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** A PNG; `claims`: the sides that its head names, where they are others; `extra`: chunks behind the head; `packed`: in the place of its packed pixels. */
export function makePng(
  width: number,
  height: number,
  {
    paint = red,
    claims,
    extra = [],
    packed,
  }: { paint?: Paint; claims?: [number, number]; extra?: Buffer[]; packed?: Buffer } = {},
): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(claims?.[0] ?? width, 0);
  head.writeUInt32BE(claims?.[1] ?? height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const rows = Buffer.alloc(height * (1 + width * 4));
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) rows.set(paint(x, y), y * (1 + width * 4) + 1 + x * 4);
  const parts = [
    pngChunk("IHDR", head),
    ...extra,
    pngChunk("IDAT", packed ?? deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ];
  return Buffer.concat([signature, ...parts]);
}

const imageOf = (width: number, height: number, paint: Paint): PhotonImage => {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) for (let x = 0; x < width; x += 1) pixels.set(paint(x, y), (y * width + x) * 4);
  return new PhotonImage(pixels, width, height);
};

/** A JPEG; `orientation`: as EXIF has it; `note`: a comment in it. */
export function makeJpeg(
  width: number,
  height: number,
  { paint = red, orientation, note }: { paint?: Paint; orientation?: number; note?: string } = {},
): Buffer {
  const plain = Buffer.from(imageOf(width, height, paint).get_bytes_jpeg(90));
  const segments: Buffer[] = [];
  if (orientation !== undefined) {
    const tiff = Buffer.from("MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0", "latin1");
    tiff.writeUInt16BE(orientation, 18);
    segments.push(segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0", "latin1"), tiff])));
  }
  if (note !== undefined) segments.push(segment(0xfe, Buffer.from(note)));
  return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)]);
}

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

export const makeWebp = (width: number, height: number, paint: Paint = red): Buffer =>
  Buffer.from(imageOf(width, height, paint).get_bytes_webp());

/** A GIF of one colour; `claims`: the sides that it names, where they are others. */
export function makeGif(width: number, height: number, claims: [number, number] = [width, height]): Buffer {
  const head = Buffer.alloc(13);
  head.write("GIF89a", "latin1");
  head.writeUInt16LE(claims[0], 6);
  head.writeUInt16LE(claims[1], 8);
  head.set([0x80, 0, 0], 10);
  const frame = Buffer.alloc(10);
  frame[0] = 0x2c;
  frame.writeUInt16LE(width, 5);
  frame.writeUInt16LE(height, 7);
  return Buffer.concat([head, Buffer.from([255, 0, 0, 0, 0, 0]), frame, lzw(width * height), Buffer.from([0x3b])]);
}

/** Pixels of colour 0 in codes of three bits: the table is cleared before it grows. */
function lzw(pixels: number): Buffer {
  const codes: number[] = [];
  for (let at = 0; at < pixels; at += 1) codes.push(...(at % 2 === 0 ? [4, 0] : [0]));
  codes.push(5);
  const bytes = Buffer.alloc(Math.ceil((codes.length * 3) / 8));
  codes.forEach((code, index) => {
    for (let bit = 0; bit < 3; bit += 1) {
      const place = index * 3 + bit;
      bytes[place >> 3] = (bytes[place >> 3] ?? 0) | (((code >> bit) & 1) << (place & 7));
    }
  });
  const blocks: Buffer[] = [Buffer.from([2])];
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255);
    blocks.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}

/** The pixel in this place of a picture in any of the kinds. */
export function pixelAt(bytes: Uint8Array, x: number, y: number): number[] {
  const image = PhotonImage.new_from_byteslice(bytes);
  const at = (y * image.get_width() + x) * 4;
  return [...image.get_raw_pixels().subarray(at, at + 4)];
}
