import { setImmediate as breath } from "node:timers/promises";
import { createMasking, type MaskedStream, type NamedValue } from "../../core/secrets/masking.ts";

/** The words of a server, without values of its entry that may be keys. */
export interface MaskedWords {
  /** Of what is short. */
  now(text: string): string;
  /** Piece by piece: between two of them the program does its other work. */
  inPieces(text: string): Promise<string>;
}

/** Bytes of a piece: a few milliseconds' work. */
const pieceBytes = 32_768;

export function maskedWords(keys: readonly NamedValue[]): MaskedWords {
  if (keys.length === 0) return { now: (text) => text, inPieces: async (text) => text };
  const masking = createMasking(keys);
  const begin = (): MaskedStream => masking.stream((name) => `(its ${name})`);
  return {
    now(text) {
      const stream = begin();
      return Buffer.concat([stream.push(Buffer.from(text)), stream.end()]).toString("utf8");
    },
    async inPieces(text) {
      const [stream, bytes, done] = [begin(), Buffer.from(text), [] as Buffer[]];
      for (let from = 0; from < bytes.length; from += pieceBytes) {
        if (from > 0) await breath();
        done.push(stream.push(bytes.subarray(from, from + pieceBytes)));
      }
      return Buffer.concat([...done, stream.end()]).toString("utf8");
    },
  };
}
