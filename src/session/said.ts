import type { ImageRef } from "../core/tool.ts";

/** What the person says, with pictures that were decoded already. */
export interface Said {
  text: string;
  images?: readonly ImageRef[];
}

/** Decodes the pictures before they are kept, whoever gives them. @throws as `messageImages`. */
export async function decoded({
  text,
  images = [],
}: {
  text: string;
  images: readonly ImageRef[] | undefined;
}): Promise<Said> {
  if (images.length === 0) return { text };
  const { messageImages } = await import("../tools/media/result-images.ts");
  return { text, images: await messageImages(images) };
}
