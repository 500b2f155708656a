import { ToolRefusal } from "../../core/codes.ts";
import { limitText } from "../../core/limit-text.ts";
import { limits } from "../../core/limits.ts";
import { type ImageHead, imageHead } from "../../files/bytes/image-head.ts";
import { runWorker } from "../run-worker.ts";
import { pictureAlone, pixelsAlone } from "./picture-alone.ts";

/** The input of the worker. */
export interface ImageJob extends Pick<ImageHead, "mediaType" | "orientation"> {
  bytes: Uint8Array;
  /** Bytes of the whole file, from which these were taken. */
  size: number;
  /** Pixels of the longer side that it may have. */
  longest: number;
  /** Bytes that it may have. */
  largest: number;
  /** It is to be encoded anew, whatever it is, and without loss where it can be. */
  again: boolean;
}

/** The output of the worker; without bytes the image is good as it is. */
export type MadeImage = { width: number; height: number } & (
  | { bytes: Uint8Array; mediaType: "image/png" | "image/jpeg" }
  | { bytes?: undefined }
);

/** A picture that every server takes: PNG or JPEG, upright, nothing in it but what is seen. */
export interface FittedImage {
  bytes: Uint8Array;
  mediaType: "image/png" | "image/jpeg";
  width: number;
  height: number;
}

/** Pixels of the longer side of a picture that is shown to a model. */
export const longestSide = 1_568;

/**
 * Makes of a picture what is shown of it. It is decoded in any case, so that no broken one ever reaches a server.
 * @param name for messages
 * @throws ToolRefusal TOO_LARGE by what its head says, before anything is decoded; BINARY for one that is none; TIMEOUT; the signal's reason.
 */
export async function fitImage(
  bytes: Uint8Array,
  {
    name,
    signal,
    longest = longestSide,
    again = false,
  }: { name: string; signal: AbortSignal; longest?: number; again?: boolean },
): Promise<FittedImage> {
  const head = imageHead(bytes);
  if (head === undefined) throw new ToolRefusal("BINARY", `${name} is no picture: it is cut off, or of another kind`);
  const { width, height, pixelBytes, mediaType, orientation } = head;
  // Twice the room for a pixel counts as two pixels.
  if ((width * height * pixelBytes) / 4 > limits.imagePixels.most)
    throw new ToolRefusal(
      "TOO_LARGE",
      `${name} has ${width}x${height} pixels; at most ${limitText(limits.imagePixels)} are decoded`,
    );
  const job: ImageJob = {
    ...{ bytes: pixelsAlone(bytes, mediaType), size: bytes.byteLength },
    ...{ mediaType, orientation, longest, largest: limits.shownImage.most, again },
  };
  const worked = await afterOthers(() => runWorker("image-worker", job, { deadlineMs: limits.imageTime.most, signal }));
  if (!worked.ok) {
    if (worked.why === "time") throw new ToolRefusal("TIMEOUT", `${name} cannot be decoded: ${worked.message}`);
    throw new ToolRefusal("BINARY", `${name} cannot be decoded: its data is broken, or needs too much memory`);
  }
  const made = worked.value as MadeImage;
  if (made.bytes !== undefined) return made;
  const served = mediaType as FittedImage["mediaType"];
  return { bytes: pictureAlone(bytes, served), mediaType: served, width: made.width, height: made.height };
}

/** A large picture takes half a gigabyte while it is decoded: however many are asked for, one is at a time. */
let before: Promise<unknown> = Promise.resolve();

function afterOthers<T>(work: () => Promise<T>): Promise<T> {
  const done = before.then(work);
  before = done.catch(() => undefined);
  return done;
}
