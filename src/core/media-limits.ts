import type { Limit } from "./limit-text.ts";

/** Of pictures and documents; part of the one table of limits. */
export const mediaLimits = {
  mediaFile: {
    what: "a picture, PDF or notebook that is read",
    most: 32_000_000,
    unit: "bytes",
    why: "photos and papers fit, and it is held in memory twice; a larger one is TOO_LARGE",
  },
  imagePixels: {
    what: "pixels of a picture, by what its head says",
    most: 40_000_000,
    unit: "pixels",
    why: "a phone's photos fit, and decoding them takes half a gigabyte; of more nothing is decoded, and it is TOO_LARGE",
  },
  imageTime: {
    what: "decoding and scaling a picture",
    most: 30_000,
    unit: "ms",
    why: "the largest takes three, and longer on a busy machine; past it the worker is ended, and the call is TIMEOUT",
  },
  shownImage: {
    what: "one picture as it is shown to the model",
    most: 3_000_000,
    unit: "bytes",
    why: "servers take five, as base64; a larger one is made a JPEG",
  },
  resultImages: {
    what: "pictures of one result or message",
    most: 10,
    unit: "files",
    why: "each is sent with every request of two turns; the rest is left out, and told",
  },
  documentPages: {
    what: "pages of a PDF, or cells of a notebook, that are read at once",
    most: 200,
    unit: "pages",
    why: "what they say would not fit into one result; more are INVALID_ARGUMENT",
  },
} as const satisfies Record<string, Limit>;
