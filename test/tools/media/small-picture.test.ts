import { expect, test } from "vitest";
import { smallPicture } from "../../../src/tools/media/small-picture.ts";
import { makeJpeg, makePng, pixelAt, pngChunk } from "../../support/pictures.ts";

const asked = { name: "a.png", signal: new AbortController().signal, largest: 200_000 };

const kindsIn = (png: Uint8Array): string[] => {
  const view = Buffer.from(png);
  const kinds = new Set<string>();
  for (let at = 8; at + 12 <= view.length; at += 12 + view.readUInt32BE(at))
    kinds.add(view.toString("latin1", at + 4, at + 8));
  return [...kinds];
};

test("a small picture is the picture's pixels as a PNG, and nothing that its file says", async () => {
  const text = pngChunk("tEXt", Buffer.from("Comment\0\x1b]52;c;aGk=\x07"));
  const green = makePng(640, 320, { paint: () => [0, 255, 0, 255], extra: [text] });
  const made = await smallPicture(green, asked);
  const view = Buffer.from(made ?? []);
  expect([view.readUInt32BE(16), view.readUInt32BE(20), kindsIn(view)]).toEqual([320, 160, ["IHDR", "IDAT", "IEND"]]);
  expect(pixelAt(view, 5, 5)).toEqual([0, 255, 0, 255]);
  const small = await smallPicture(makePng(30, 20, { extra: [text] }), asked);
  expect(kindsIn(small ?? Buffer.alloc(0))).toEqual(["IHDR", "IDAT", "IEND"]);
});

test("a photo is a PNG too, smaller where it would have too many bytes, and none where that does not help", async () => {
  let seed = 1;
  const next = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed >> 12) & 255;
  };
  const noise = makeJpeg(400, 400, { paint: () => [next(), next(), next(), 255] });
  const made = Buffer.from((await smallPicture(noise, asked)) ?? []);
  expect(made.readUInt32BE(16)).toBe(200);
  expect(made.length).toBeLessThanOrEqual(200_000);
  expect(await smallPicture(noise, { ...asked, largest: 1_000 })).toBeUndefined();
});
