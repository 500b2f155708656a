import { formsOfSecret } from "./forms.ts";
import { secretTag } from "./secret-tags.ts";

/** A value that nobody is shown, and the name that stands in its place. */
export interface NamedValue {
  name: string;
  value: string;
}

/** Takes values out of bytes that come piece by piece. */
export interface MaskedStream {
  /** What is known by now to be no part of a value; the rest comes with later pieces. */
  push(chunk: Uint8Array): Buffer;
  /** What is left at the end. */
  end(): Buffer;
}

export interface Masking {
  /** The text with the name of a secret in the place of each of its values, in any form; the very text where it has none. */
  text(text: string): string;
  bytes(bytes: Uint8Array): Uint8Array;
  stream(): MaskedStream;
}

interface State {
  next: Map<number, State[]>;
  /** Where a form ends here: whose it is. */
  ends?: string;
}

const newState = (): State => ({ next: new Map() });

/** What was found, from its first byte to behind its last. */
interface Hit {
  from: number;
  to: number;
  name: string;
}

/** Looks for all forms of all values at once, byte by byte, so that a piece may end anywhere. */
export function createMasking(values: readonly NamedValue[]): Masking {
  const root = newState();
  for (const { name, value } of values) for (const form of formsOfSecret(value)) addForm(root, form, name);
  const masked = (bytes: Uint8Array): Buffer | undefined => {
    const stream = createStream(root);
    const first = stream.push(bytes);
    const rest = stream.end();
    return stream.found() ? Buffer.concat([first, rest]) : undefined;
  };
  return {
    text: (text) => masked(Buffer.from(text, "utf8"))?.toString("utf8") ?? text,
    bytes: (bytes) => masked(bytes) ?? bytes,
    stream: () => createStream(root),
  };
}

function addForm(root: State, form: ReturnType<typeof formsOfSecret>[number], name: string): void {
  let at = root;
  for (const [index, unit] of form.entries()) {
    const after = newState();
    if (index === form.length - 1) after.ends = name;
    addUnit(at, unit, after);
    at = after;
  }
}

/** All that may stand in one place; what begins in the same way shares its states. */
function addUnit(from: State, unit: readonly string[], to: State): void {
  const begun = new Map([["", from]]);
  for (const written of new Set(unit))
    for (let index = 0; index < written.length; index += 1) {
      const [before, after] = [written.slice(0, index), written.slice(0, index + 1)];
      const isEnd = index === written.length - 1;
      if (!isEnd && begun.has(after)) continue;
      const step = isEnd ? to : newState();
      if (!isEnd) begun.set(after, step);
      const at = begun.get(before) ?? from;
      const byte = written.charCodeAt(index);
      at.next.set(byte, [...(at.next.get(byte) ?? []), step]);
    }
}

/** `from` of each state that is reached: the earliest of the ways to it. */
type Reached = Map<State, number>;

function createStream(root: State): MaskedStream & { found(): boolean } {
  let held: Buffer = Buffer.alloc(0);
  /** Place of the first byte that is held. */
  let base = 0;
  let reached: Reached = new Map();
  let hits: Hit[] = [];
  let isFound = false;

  const look = (byte: number, at: number): void => {
    const begun = root.next.get(byte);
    if (begun === undefined && reached.size === 0) return;
    const now: Reached = new Map();
    for (const [state, from] of reached) step(state.next.get(byte), from, now);
    step(begun, at, now);
    for (const [state, from] of now) if (state.ends !== undefined) joined(hits, { from, to: at + 1, name: state.ends });
    reached = now;
  };
  /** Up to where no byte is part of what may be found yet; what was found is given out whole. */
  const settledTo = (end: number): number => {
    let safe = end;
    for (const from of reached.values()) safe = Math.min(safe, from);
    const open = hits.find((hit) => hit.from < safe && hit.to > safe);
    return open?.from ?? safe;
  };
  const take = (to: number): Buffer => {
    const parts: Uint8Array[] = [];
    let done = base;
    const ready = hits.filter((hit) => hit.to <= to);
    for (const { from, to: end, name } of ready) {
      parts.push(held.subarray(done - base, from - base), Buffer.from(secretTag(name)));
      done = end;
    }
    if (ready.length > 0) isFound = true;
    hits = hits.slice(ready.length);
    parts.push(held.subarray(done - base, to - base));
    held = Buffer.from(held.subarray(to - base));
    base = to;
    return Buffer.concat(parts);
  };
  return {
    push(chunk) {
      const start = base + held.length;
      held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
      for (let index = 0; index < chunk.length; index += 1) look(chunk[index] ?? 0, start + index);
      return take(settledTo(start + chunk.length));
    },
    end() {
      reached = new Map();
      return take(base + held.length);
    },
    found: () => isFound,
  };
}

function step(states: readonly State[] | undefined, from: number, now: Reached): void {
  for (const state of states ?? []) {
    const known = now.get(state);
    if (known === undefined || from < known) now.set(state, from);
  }
}

/** In the order of their places; those that overlap are one. @param hit ends behind all others */
function joined(hits: Hit[], hit: Hit): Hit[] {
  let { from, name } = hit;
  for (let last = hits.at(-1); last !== undefined && last.to > from; last = hits.at(-1)) {
    if (last.to - last.from >= hit.to - hit.from) name = last.name;
    from = Math.min(from, last.from);
    hits.pop();
  }
  hits.push({ from, to: hit.to, name });
  return hits;
}
