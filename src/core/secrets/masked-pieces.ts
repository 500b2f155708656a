import type { MaskedStream } from "./masked-stream.ts";

/** Texts of which each takes the place of the one before it. */
export interface MaskedPieces {
  /** Returns the part of this text that is to be shown; undefined where all of it may be more of a value that texts before it began. */
  next(text: string): string | undefined;
  /** The last text whole, at the end; undefined where it was shown so. */
  end(): string | undefined;
}

interface Masks {
  text(text: string): string;
  stream(): MaskedStream;
}

/**
 * Takes values out of them, also one that is told in several: what may become a value is kept back as a stream does where no more comes for now,
 * and known as its beginning whatever the next text is.
 */
export function maskedPieces(masking: Masks): MaskedPieces {
  /** The end of the texts before, where it may be the beginning of a value. */
  let open = "";
  let last: string | undefined;
  return {
    next(text) {
      // A value that is whole in it stays masked whatever was open before.
      const own = masking.text(text);
      const { whole, shown, isWhole, end } = open === "" ? readIn(own, masking) : readBehind(open, own, masking);
      open = end;
      last = isWhole ? undefined : whole;
      return isWhole ? whole : shown;
    },
    end() {
      const rest = last;
      [open, last] = ["", undefined];
      return rest;
    },
  };
}

/** The reading of a text: as it is told at the end, the part of it that may be shown now, whether that is all, and its end that may begin a value. */
interface Reading {
  whole: string;
  shown: string | undefined;
  isWhole: boolean;
  end: string;
}

function readIn(text: string, masking: Masks): Reading {
  const stream = masking.stream();
  const begun = stream.push(Buffer.from(text));
  const end = stream.open().toString("utf8");
  const shown = Buffer.concat([begun, stream.quiet()]).toString("utf8");
  return { whole: text, shown, isWhole: stream.end().length === 0, end };
}

function readBehind(before: string, own: string, masking: Masks): Reading {
  const joined = readIn(before + own, masking);
  const whole = masking.text(before + own);
  if (whole !== masking.text(before) + own) return { ...joined, whole };
  const isMore = Buffer.byteLength(joined.end) > Buffer.byteLength(own);
  return isMore ? { ...joined, whole: own, shown: undefined } : readIn(own, masking);
}
