import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { deflateSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import { fitImage } from "../../src/tools/media/fit-image.ts";
import { makeGif, makeJpeg, makePng, makeWebp, pixelAt, pngChunk } from "../support/pictures.ts";

/** Shows a picture in a process of its own. @returns by how much that one grew, in kilobytes, and what it came to in bytes. */
async function shown(picture: Buffer): Promise<{ grown: number; bytes: number; error: string }> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-bomb-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.img");
  writeFileSync(file, picture);
  const fit = new URL("../../src/tools/media/fit-image.ts", import.meta.url).href;
  const program = `
    const { readFileSync } = await import("node:fs");
    const { fitImage } = await import(${JSON.stringify(fit)});
    const picture = readFileSync(${JSON.stringify(file)});
    const before = process.resourceUsage().maxRSS;
    const made = await fitImage(picture, { name: "a.img", signal: new AbortController().signal }).catch((error) => error);
    const grown = process.resourceUsage().maxRSS - before;
    console.log(JSON.stringify({ grown, bytes: made.bytes?.byteLength ?? 0, error: made.message ?? "" }));`;
  const argv = ["--import", "tsx", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, argv);
  return JSON.parse(stdout) as { grown: number; bytes: number; error: string };
}

const zeros = deflateSync(Buffer.alloc(400_000_000));
const named = (name: string, between: readonly number[], data = zeros): Buffer =>
  Buffer.concat([Buffer.from(name), Buffer.from(between), data]);

const withChunks = (...extra: Buffer[]): Buffer => makePng(4, 3, { extra });

/** The chunk behind the head of a WebP, and the sizes as they become. */
function webpWith(kind: string, data: Buffer): Buffer {
  const plain = makeWebp(4, 3);
  const wide = Buffer.from([0x20, 0, 0, 0, 3, 0, 0, 2, 0, 0]);
  const chunk = (name: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.write(name, "latin1");
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body]);
  };
  const all = Buffer.concat([plain.subarray(0, 12), chunk("VP8X", wide), chunk(kind, data), plain.subarray(12)]);
  all.writeUInt32LE(all.length - 8, 4);
  return all;
}

const segments = (marker: number, count: number): Buffer =>
  Buffer.concat(
    Array.from({ length: count }, () => Buffer.concat([Buffer.from([0xff, marker, 0xff, 0xff]), Buffer.alloc(65_533)])),
  );

describe("a small picture that holds hundreds of megabytes takes no more room than a small picture", () => {
  test.each<[string, () => Buffer]>([
    ["a PNG's colour profile", () => withChunks(pngChunk("iCCP", named("p", [0, 0])))],
    ["several of them", () => withChunks(...Array.from({ length: 3 }, () => pngChunk("iCCP", named("p", [0, 0]))))],
    ["a PNG's packed text", () => withChunks(pngChunk("zTXt", named("Comment", [0, 0])))],
    ["a PNG's packed text of a language", () => withChunks(pngChunk("iTXt", named("Comment", [0, 1, 0, 0, 0])))],
    [
      "frames of a PNG that moves",
      () => withChunks(pngChunk("acTL", Buffer.alloc(8, 1)), pngChunk("fdAT", named("\0\0\0\x01", []))),
    ],
    ["a PNG's pixels beyond its sides", () => makePng(4, 3, { packed: zeros })],
    [
      "a JPEG's profile and camera",
      () => {
        const plain = makeJpeg(16, 16);
        return Buffer.concat([plain.subarray(0, 2), segments(0xe2, 100), segments(0xe1, 100), plain.subarray(2)]);
      },
    ],
    ["a WebP's profile", () => webpWith("ICCP", zeros)],
    [
      "a GIF's notes",
      () => {
        const plain = makeGif(4, 3);
        const note = Buffer.concat([Buffer.from([255]), Buffer.alloc(255, 0x20)]);
        const notes = Buffer.concat([
          Buffer.from([0x21, 0xfe]),
          ...Array.from({ length: 20_000 }, () => note),
          Buffer.from([0]),
        ]);
        return Buffer.concat([plain.subarray(0, 19), notes, plain.subarray(19)]);
      },
    ],
  ])("%s", async (_, make) => {
    const { grown, bytes, error } = await shown(make());
    expect(grown).toBeLessThan(200_000);
    if (error === "") expect(bytes).toBeLessThan(14_000_000);
    else expect(error).toContain("a.img cannot be decoded");
  });
});

test("an honest WebP with a profile is shown", async () => {
  const { bytes, error } = await shown(webpWith("ICCP", Buffer.alloc(600, 7)));
  expect([error, bytes > 0]).toEqual(["", true]);
});

describe("what a PNG says of its colours", () => {
  const fitted = async (picture: Buffer) =>
    (await fitImage(picture, { name: "a.png", signal: new AbortController().signal })).bytes;

  test("goes along where it is a profile, and its pixels are the same with and without", async () => {
    const profile = pngChunk("iCCP", named("p", [0, 0], deflateSync(Buffer.alloc(3_000, 7))));
    const bytes = await fitted(withChunks(profile));
    expect(Buffer.from(bytes).includes(profile)).toBe(true);
    expect(pixelAt(bytes, 1, 1)).toEqual([255, 0, 0, 255]);
  });

  test.each([
    ["is a bomb", zeros],
    ["is broken", Buffer.from("no zlib at all")],
  ])("is left out where it %s, and the picture is shown", async (_, data) => {
    const bytes = await fitted(withChunks(pngChunk("iCCP", named("p", [0, 0], data))));
    expect(Buffer.from(bytes).equals(makePng(4, 3))).toBe(true);
  });
});
