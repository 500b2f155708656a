import { parentPort, workerData } from "node:worker_threads";
import { PhotonImage, resize, SamplingFilter } from "@silvia-odwyer/photon-node";
import type { ImageJob, MadeImage } from "./fit-image.ts";

/** A file of its own beside the program: it holds what decodes pictures, and is ended when its time is up. */
const { bytes, size, mediaType, orientation, longest, largest, again } = workerData as ImageJob;
parentPort?.postMessage({ ready: true });
parentPort?.postMessage({ done: made() });

function made(): MadeImage {
  const whole = PhotonImage.new_from_byteslice(bytes);
  const sides = { width: whole.get_width(), height: whole.get_height() };
  const scale = Math.min(1, longest / Math.max(sides.width, sides.height));
  const isServed = mediaType === "image/png" || mediaType === "image/jpeg";
  if (isServed && !again && scale === 1 && orientation === 1 && size <= largest) return sides;
  const small = scale === 1 ? whole : scaled(whole, scale);
  return encoded(turned(small));
}

function scaled(whole: PhotonImage, scale: number): PhotonImage {
  const side = (pixels: number): number => Math.max(1, Math.round(pixels * scale));
  const small = resize(whole, side(whole.get_width()), side(whole.get_height()), SamplingFilter.Lanczos3);
  whole.free();
  return small;
}

function turned(image: PhotonImage): PhotonImage {
  if (orientation === 1) return image;
  const { pixels, width, height } = upright(
    { pixels: image.get_raw_pixels(), width: image.get_width(), height: image.get_height() },
    orientation,
  );
  image.free();
  return new PhotonImage(pixels, width, height);
}

/** Without loss, unless that makes a photo of it too large. */
function encoded(image: PhotonImage): MadeImage {
  const sides = { width: image.get_width(), height: image.get_height() };
  const isPhoto = mediaType === "image/jpeg" && !again;
  const lossless = isPhoto ? undefined : image.get_bytes();
  if (lossless !== undefined && lossless.byteLength <= largest)
    return { ...sides, bytes: lossless, mediaType: "image/png" };
  return { ...sides, bytes: image.get_bytes_jpeg(85), mediaType: "image/jpeg" };
}

/** Pixels of four bytes, row by row from the top. */
interface Pixels {
  pixels: Uint8Array;
  width: number;
  height: number;
}

/** The same picture as it is to be looked at. @param orientation as EXIF counts, 2 to 8 */
function upright({ pixels, width, height }: Pixels, orientation: number): Pixels {
  const isTurned = orientation >= 5;
  const [across, down] = isTurned ? [height, width] : [width, height];
  const flipsX = [2, 3, 7, 8].includes(orientation);
  const flipsY = [3, 4, 6, 7].includes(orientation);
  const from = new Uint32Array(pixels.slice().buffer);
  const to = new Uint32Array(across * down);
  for (let at = 0; at < to.length; at += 1) {
    const [x, y] = [at % across, Math.floor(at / across)];
    const [left, top] = isTurned ? [y, x] : [x, y];
    to[at] = from[(flipsY ? height - 1 - top : top) * width + (flipsX ? width - 1 - left : left)] ?? 0;
  }
  return { pixels: new Uint8Array(to.buffer), width: across, height: down };
}
