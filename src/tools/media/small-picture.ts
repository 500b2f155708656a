import { fitImage } from "./fit-image.ts";

/** Pixels of the longer side: the second where the first makes too many bytes. So small, even noise has less than 170 kB. */
const sides = [320, 200];

/**
 * A small PNG of a picture, encoded anew: its pixels and nothing else that the file has.
 * @param largest bytes that it may have
 * @returns undefined where it comes out larger. @throws as `fitImage`
 */
export async function smallPicture(
  bytes: Uint8Array,
  { name, signal, largest }: { name: string; signal: AbortSignal; largest: number },
): Promise<Uint8Array | undefined> {
  for (const longest of sides) {
    const made = await fitImage(bytes, { name, signal, longest, again: true });
    if (made.mediaType === "image/png" && made.bytes.byteLength <= largest) return made.bytes;
  }
  return undefined;
}
