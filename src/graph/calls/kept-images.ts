import { sha256 } from "../../core/json.ts";
import type { ImageRef } from "../../core/tool.ts";

/** Pictures as a journal names them, and the bytes that are to be kept with it in the same transaction. */
export interface KeptImages {
  images: ImageRef[];
  keep: Uint8Array[];
}

// Keeps graph 9.
/** Takes the bytes out of pictures that were decoded (tools/media); those that are named by their hash already stay as they are. */
export function keptImages(given: readonly ImageRef[]): KeptImages {
  const keep: Uint8Array[] = [];
  const images = given.map((image): ImageRef => {
    const { name, mediaType, data, width = 0, height = 0 } = image;
    if (data === undefined) return image;
    const bytes = Buffer.from(data, "base64");
    keep.push(bytes);
    return { name, mediaType, sha: sha256(bytes), bytes: bytes.byteLength, width, height };
  });
  return { images, keep };
}
