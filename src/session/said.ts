import type { ImageRef } from "../core/tool.ts";
import type { EventStream } from "./event-stream.ts";

/** What the person says, with pictures that were decoded already. */
export interface Said {
  text: string;
  images?: readonly ImageRef[];
}

/**
 * Pictures that come with a message, by their bytes in base64; or who finds them once the messages before it are stored, and says in words
 * which of those that it names could not be.
 */
export type Pictures =
  | readonly ImageRef[]
  | (() => Promise<{ images: readonly ImageRef[]; problems: readonly string[] }>);

/** Decodes the pictures before they are kept, whoever gives them. @throws as `messageImages`. */
export async function saidWith(
  text: string,
  pictures: Pictures | undefined,
  { emit }: Pick<EventStream, "emit">,
): Promise<Said> {
  const found = typeof pictures === "function" ? await pictures() : { images: pictures ?? [], problems: [] };
  for (const text of found.problems) emit({ type: "notice", code: "not_attached", text });
  if (found.images.length === 0) return { text };
  const { messageImages } = await import("../tools/media/result-images.ts");
  return { text, images: await messageImages(found.images) };
}
