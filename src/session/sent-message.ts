import { limits } from "../core/limits.ts";
import type { GivenImage, ImageRef } from "../core/tool.ts";
import type { AskedCall } from "../graph/talk/asked-calls.ts";
import { notices } from "../words/contract/session.ts";
import type { EventStream } from "./event-stream.ts";

/** A message of the person, with pictures that were decoded already. */
export interface SentMessage {
  text: string;
  images?: readonly ImageRef[];
  /** Made before the model's first word on it, each judged like the model's own. */
  calls?: readonly AskedCall[];
  /** The text that they typed, where `text` stands for that. */
  typed?: string;
  /** Below that it has what servers gave: no word of the person's. */
  isServed?: true;
  /** Not the person's words: another agent's, for a helper. */
  isTask?: true;
}

/** Returns the part of it that the person typed, whatever it stands for by now. */
export const typedIn = ({ typed, text }: SentMessage): string => typed ?? text;

/** The text that a message stands for, with what it brings. */
export interface Stands {
  text: string;
  calls: readonly AskedCall[];
  images?: readonly GivenImage[];
  /** Servers gave it. */
  isServed?: true;
}

/** The things that come with a message, found once all that was typed before it is on its way to be stored. */
export interface Brought {
  images: readonly GivenImage[];
  /** The pictures that it names and that could not be brought, in words. */
  problems: readonly string[];
  /** Of a message that stands for another text: that one, with the calls and the pictures that it brings. */
  stands?: Stands | undefined;
}

/** A function that finds the things that come with a message, until the signal says to stop. */
export type FindsBrought = (signal: AbortSignal) => Promise<Brought>;

/** Pictures that come with a message, by their bytes in base64; or who finds what comes with it. */
export type Pictures = readonly GivenImage[] | FindsBrought;

/** Decodes the pictures before they are kept, whoever gives them; of those that were found it is told which go along. @throws as `messageImages`. */
export async function saidWith(
  text: string,
  pictures: Pictures | undefined,
  { emit }: Pick<EventStream, "emit">,
  signal: AbortSignal,
): Promise<SentMessage> {
  const found: Brought =
    typeof pictures === "function" ? await pictures(signal) : { images: pictures ?? [], problems: [] };
  for (const text of found.problems) emit({ type: "notice", code: "not_attached", text });
  const { stands } = found;
  const said: SentMessage = stands === undefined ? { text } : { ...wordsOf(stands), typed: text };
  const given = stands?.images === undefined ? found.images : withServed(found.images, stands.images, emit);
  if (given.length === 0) return said;
  const { messageImages } = await import("../tools/media/result-images.ts");
  const images = await messageImages(given);
  if (typeof pictures === "function")
    emit({ type: "notice", code: "attached", text: notices.attached({ pictures: namesOf(images) }) });
  return { ...said, images };
}

/** The person's own pictures, and of those that servers gave as many as a message has beside them. */
function withServed(
  own: readonly GivenImage[],
  served: readonly GivenImage[],
  emit: EventStream["emit"],
): readonly GivenImage[] {
  const { most } = limits.resultImages;
  const taken = served.slice(0, Math.max(0, most - own.length));
  const left = served.length - taken.length;
  const text = notices.servedLeft({ left, most });
  if (left > 0) emit({ type: "notice", code: "not_attached", text });
  return [...own, ...taken];
}

const wordsOf = ({ text, calls, isServed }: Stands): SentMessage => ({ text, calls, ...(isServed && { isServed }) });

const namesOf = (images: readonly ImageRef[]): string[] =>
  images.map(({ name, width, height }) => (width === undefined ? name : `${name} (${width}x${height ?? 0})`));
