import { room } from "../room.ts";

/** Pictures that come with a message. */
export const images = room("images", {
  tooMany: ({ most }: { most: number }) => `a message has at most ${most} pictures`,
  tooManyFlags: ({ most, count }: { most: number; count: number }) =>
    `-i: a message has at most ${most} pictures, and these are ${count}`,
  noName: "-i needs the name of a picture",
});
