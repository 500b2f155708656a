import { ToolRefusal } from "../../core/codes.ts";
import { limits } from "../../core/limits.ts";
import type { GivenImage, ImageRef } from "../../core/tool.ts";
import { mcp } from "../../words/contract/mcp.ts";

/** Pictures of a server that can go with a message, decoded; and what is told of those that cannot, in words. */
export interface KeptPictures {
  images: ImageRef[];
  left: string[];
}

/** @throws the signal's reason */
export async function keptPictures(given: readonly GivenImage[], signal: AbortSignal): Promise<KeptPictures> {
  const kept: KeptPictures = { images: [], left: [] };
  if (given.length === 0) return kept;
  const { shownImage } = await import("../../tools/media/result-images.ts");
  const { most } = limits.resultImages;
  for (const { name, data = "" } of given.slice(0, most)) {
    try {
      kept.images.push(await shownImage(Buffer.from(data, "base64"), { name, signal }));
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
      kept.left.push(mcp.pictureLeft({ why: error.message }));
    }
  }
  if (given.length > most) kept.left.push(mcp.picturesLeft({ left: given.length - most, most }));
  return kept;
}
