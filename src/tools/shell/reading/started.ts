import type { Words } from "./options.ts";

/** A command or a text that a program starts, by its own words. */
export type Started =
  | {
      kind: "words";
      words: Words;
      assignments?: { name: string; value?: string }[];
      /** It goes to another folder first, which is not known; `folder`: to this one. */
      isElsewhere?: boolean;
      folder?: string;
    }
  /** A program text; `reader` is the shell that reads it. */
  | { kind: "code"; code: string; reader: string }
  | { kind: "unknown"; why: string };
