import type { GivenImage, ImageRef } from "../core/tool.ts";
import type { AskedCall } from "../graph/talk/asked-calls.ts";
import type { EventStream } from "./event-stream.ts";

/** What the person says, with pictures that were decoded already. */
export interface Said {
  text: string;
  images?: readonly ImageRef[];
  /** Made before the model's first word on it, each judged like the model's own. */
  calls?: readonly AskedCall[];
  /** What they typed, where the text stands for that. */
  typed?: string;
  /** Not the person's words: another agent's, for a helper. */
  isTask?: true;
}

/** What comes with a message, found once the messages before it are stored. */
export interface Brought {
  images: readonly GivenImage[];
  /** Which of the pictures that it names could not be, in words. */
  problems: readonly string[];
  /** Of a message that stands for another text: that one, with the calls that it brings. */
  stands?: { text: string; calls: readonly AskedCall[] } | undefined;
}

/** Pictures that come with a message, by their bytes in base64; or who finds what comes with it. */
export type Pictures = readonly GivenImage[] | (() => Promise<Brought>);

/** Decodes the pictures before they are kept, whoever gives them; of those that were found it is told which go along. @throws as `messageImages`. */
export async function saidWith(
  text: string,
  pictures: Pictures | undefined,
  { emit }: Pick<EventStream, "emit">,
): Promise<Said> {
  const found: Brought = typeof pictures === "function" ? await pictures() : { images: pictures ?? [], problems: [] };
  for (const text of found.problems) emit({ type: "notice", code: "not_attached", text });
  const said = found.stands === undefined ? { text } : { ...found.stands, typed: text };
  if (found.images.length === 0) return said;
  const { messageImages } = await import("../tools/media/result-images.ts");
  const images = await messageImages(found.images);
  if (typeof pictures === "function") emit({ type: "notice", code: "attached", text: `attached: ${namesOf(images)}` });
  return { ...said, images };
}

const namesOf = (images: readonly ImageRef[]): string =>
  images
    .map(({ name, width, height }) => (width === undefined ? name : `${name} (${width}x${height ?? 0})`))
    .join(", ");
