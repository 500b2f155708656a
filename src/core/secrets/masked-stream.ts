import type { Finder } from "./finder.ts";
import { createReader, type Way } from "./form-reader.ts";
import { secretTag } from "./secret-tags.ts";

/** Takes values out of bytes that come piece by piece. */
export interface MaskedStream {
  /** Returns the bytes that are known by now to be no part of a value; the rest comes with later pieces. */
  push(chunk: Uint8Array): Buffer;
  /** Returns the bytes kept back, where they are too few to tell of a value and no more come for now; those that may be more of one are kept. */
  quiet(): Buffer;
  /** The end of what came, where it may be the beginning of a value, as it came; asked before `quiet`. */
  open(): Buffer;
  /** Returns the bytes that are left at the end. */
  end(): Buffer;
}

/** A value that was found, from its first byte to behind its last. */
interface Hit {
  from: number;
  to: number;
  name: string;
}

/** A break between two lines is a part of a value where so many of its signs stood before it. */
const placesBeforeBreak = 4;

/** Of what was given out, so much is looked at before a code. */
const contextBytes = 16;

/** @param written what stands in the place of a value */
export function maskedStream(
  finder: Finder,
  written: (name: string) => string = secretTag,
): MaskedStream & { found(): boolean } {
  let held: Buffer = Buffer.alloc(0);
  /** Place of the first byte that is held. */
  let base = 0;
  let hits: Hit[] = [];
  /** Codes that are whole, unless a letter or a digit comes now. */
  let waiting: Hit[] = [];
  let context = "";
  let isFound = false;

  const lastBytes = (to: number): string =>
    (context + held.subarray(Math.max(0, to - base - contextBytes), to - base).toString("latin1")).slice(-contextBytes);

  const reader = createReader(finder, (from, { name, alone }, to) => {
    if (!alone) joined(hits, { from, to, name });
    else if (!isBeside(lastBytes(from))) waiting.push({ from, to, name });
  });
  const settle = (): void => {
    for (const hit of waiting) joined(hits, hit);
    waiting = [];
  };
  const look = (byte: number, at: number): void => {
    if (!isLetterOrDigit(byte)) settle();
    waiting = [];
    reader.read(byte, at);
  };
  /** Up to where no byte is part of what may be found yet; what was found is given out whole. */
  const settledTo = (isPart: (way: Way) => boolean): number => {
    let safe = base + held.length;
    for (const way of reader.ways()) if (way.from < safe && isPart(way)) safe = way.from;
    for (const { from } of waiting) safe = Math.min(safe, from);
    const open = hits.find((hit) => hit.from < safe && hit.to > safe);
    return open?.from ?? safe;
  };
  const take = (to: number): Buffer => {
    const parts: Uint8Array[] = [];
    let done = base;
    const ready = hits.filter((hit) => hit.to <= to);
    for (const { from, to: end, name } of ready) {
      parts.push(held.subarray(done - base, from - base), Buffer.from(written(name)));
      done = end;
    }
    if (ready.length > 0) isFound = true;
    hits = hits.slice(ready.length);
    parts.push(held.subarray(done - base, to - base));
    context = lastBytes(to);
    held = Buffer.from(held.subarray(to - base));
    base = to;
    // What was given out cannot be taken back: what comes of a value then is.
    for (const way of reader.ways()) way.from = Math.max(way.from, to);
    return Buffer.concat(parts);
  };
  return {
    push(chunk) {
      const start = base + held.length;
      held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
      for (let index = 0; index < chunk.length; index += 1) look(chunk[index] ?? 0, start + index);
      return take(settledTo(({ state, places }) => state?.pauses !== true || places >= placesBeforeBreak));
    },
    open: () => held.subarray(Math.min(held.length, ...reader.ways().map(({ from }) => Math.max(0, from - base)))),
    quiet() {
      settle();
      return take(settledTo(({ places, node }) => places >= node.telling));
    },
    end() {
      settle();
      reader.forget();
      return take(base + held.length);
    },
    found: () => isFound,
  };
}

/** In the order of their places; those that overlap are one. @param hit ends behind all others */
function joined(hits: Hit[], hit: Hit): void {
  let { from, name } = hit;
  for (let last = hits.at(-1); last !== undefined && last.to > from; last = hits.at(-1)) {
    if (last.to - last.from >= hit.to - hit.from) name = last.name;
    from = Math.min(from, last.from);
    hits.pop();
  }
  hits.push({ from, to: hit.to, name });
}

const isLetterOrDigit = (byte: number): boolean => /[A-Za-z0-9]/.test(String.fromCharCode(byte));

/** Tells whether a text ends with a letter or digit that is no end of an escape or of a colour. */
const isBeside = (before: string): boolean =>
  /[A-Za-z0-9]$/.test(before) && !/(?:\\[nrt]|%[\da-f]{2}|\\u[\da-f]{4}|\u001b\[[\d;]*[A-Za-z])$/i.test(before);
