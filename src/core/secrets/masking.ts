import { createFinder, type Finder } from "./finder.ts";
import { formsOf } from "./forms.ts";
import { type MaskedPieces, maskedPieces } from "./masked-pieces.ts";
import { type MaskedStream, maskedStream } from "./masked-stream.ts";
import { partsOfSecret } from "./secret-parts.ts";

export type { MaskedStream } from "./masked-stream.ts";

/** A value that nobody is shown, and the name that stands in its place. */
export interface NamedValue {
  name: string;
  value: string;
}

export interface Masking {
  /** The text with the name of a secret in the place of each of its values, in any form; the very text where it has none. */
  text(text: string): string;
  /** The same of a text of which more came behind it: what may be the beginning of a value at its end is left out. */
  beginning(text: string): string;
  bytes(bytes: Uint8Array): Uint8Array;
  /** @param written what stands in the place of a value; default its tag. Values that are known later are taken out too. */
  stream(written?: (name: string) => string): MaskedStream;
  /** Texts of which each takes the place of the one before it. */
  pieces(): MaskedPieces;
}

/** Looks for all forms of all values at once, byte by byte, so that a piece may end anywhere. */
export function createMasking(values: readonly NamedValue[]): Masking {
  const finder = createFinder();
  for (const { name, value } of values)
    for (const part of partsOfSecret(value)) for (const form of formsOf(part)) finder.add(form, { name, alone: false });
  return maskingOf(finder);
}

export interface CodeMasking extends Masking {
  add(code: NamedValue): void;
}

/** Of codes, which are few digits: as they are they count only where no letter or digit is beside them. */
export function createCodeMasking(): CodeMasking {
  const finder = createFinder();
  return {
    ...maskingOf(finder),
    add({ name, value }) {
      for (const [index, form] of formsOf(value).entries()) finder.add(form, { name, alone: index === 0 });
    },
  };
}

/** Joins two maskings: the second is given the output of the first. */
export const bothMaskings = (first: Masking, second: Masking): Masking =>
  withPieces({
    text: (text) => second.text(first.text(text)),
    beginning: (text) => second.beginning(first.beginning(text)),
    bytes: (bytes) => second.bytes(first.bytes(bytes)),
    stream(written) {
      const [one, other] = [first.stream(written), second.stream(written)];
      return {
        push: (chunk) => other.push(one.push(chunk)),
        quiet: () => Buffer.concat([other.push(one.quiet()), other.quiet()]),
        open: () => Buffer.concat([other.open(), one.open()]),
        end: () => Buffer.concat([other.push(one.end()), other.end()]),
      };
    },
  });

const withPieces = (masking: Omit<Masking, "pieces">): Masking => ({ ...masking, pieces: () => maskedPieces(masking) });

function maskingOf(finder: Finder): Masking {
  const masked = (bytes: Uint8Array): Buffer | undefined => {
    if (finder.root.children.size === 0) return undefined;
    const stream = maskedStream(finder);
    const first = stream.push(bytes);
    const rest = stream.end();
    return stream.found() ? Buffer.concat([first, rest]) : undefined;
  };
  return withPieces({
    text: (text) => masked(Buffer.from(text, "utf8"))?.toString("utf8") ?? text,
    beginning: (text) => maskedStream(finder).push(Buffer.from(text, "utf8")).toString("utf8"),
    bytes: (bytes) => masked(bytes) ?? bytes,
    stream: (written) => maskedStream(finder, written),
  });
}
