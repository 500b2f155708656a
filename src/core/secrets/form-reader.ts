import type { Ending, Finder, Node, PlaceState, Rest } from "./finder.ts";

/** The extent to which forms were read: `places` of them whole, and of the next as far as `state`. */
export interface Way {
  from: number;
  places: number;
  node: Node;
  /** The one form that it is by now. */
  rest: Rest | undefined;
  state: PlaceState | undefined;
}

/** A value that repeats itself may be begun at many places of a text that does: so many of one form are followed. */
const mostWays = 16;

/** Reads bytes for the forms of a finder. */
export interface FormReader {
  /** @param at the byte's place */
  read(byte: number, at: number): void;
  /** Lists the ways that may become a form by the bytes to come. */
  ways(): readonly Way[];
  forget(): void;
}

/** @param whole is told each form that is whole, from its first byte to behind its last */
export function createReader(finder: Finder, whole: (from: number, ends: Ending, to: number) => void): FormReader {
  const { root } = finder;
  let ways: Way[] = [];
  /** It has read one more byte, and may be through with a place. */
  const goOn = ({ from, places, node, rest }: Way, state: PlaceState, at: number, now: Way[]): void => {
    if (state.next.size > 0) put(now, { from, places, node, rest, state });
    const read: Way = { from, places: places + 1, node, rest, state: undefined };
    if (rest === undefined)
      for (const key of state.ends) arrive({ ...read, node: node.children.get(key) ?? node }, at, now);
    else if (state.ends.length > 0 && read.places === rest.form.length) whole(from, rest.ends, at + 1);
    else if (state.ends.length > 0) put(now, read);
  };
  const arrive = (way: Way, at: number, now: Way[]): void => {
    const { node, from } = way;
    if (node.ends !== undefined) whole(from, node.ends, at + 1);
    if (node.children.size > 0) put(now, way);
    for (const rest of node.rests) put(now, { ...way, rest });
  };
  const nextOf = ({ state, node, rest, places }: Way, byte: number): PlaceState | undefined =>
    (state ?? finder.startOf(node, rest, places)).next.get(byte);
  return {
    read(byte, at) {
      const fresh: Way = { from: at, places: 0, node: root, rest: undefined, state: undefined };
      const begun = nextOf(fresh, byte);
      if (begun === undefined && ways.length === 0) return;
      const now: Way[] = [];
      for (const way of ways) {
        const next = nextOf(way, byte);
        if (next !== undefined) goOn(way, next, at, now);
      }
      if (begun !== undefined) goOn(fresh, begun, at, now);
      ways = now.length > mostWays ? bounded(now) : now;
    },
    ways: () => ways,
    forget() {
      ways = [];
    },
  };
}

/** Of two that have come to the same the earlier counts. */
function put(now: Way[], way: Way): void {
  const same = now.find(
    ({ node, rest, places, state }) =>
      state === way.state && places === way.places && rest === way.rest && node === way.node,
  );
  if (same === undefined) now.push(way);
  else same.from = Math.min(same.from, way.from);
}

/** Of one form the earliest are followed. */
function bounded(now: readonly Way[]): Way[] {
  const counts = new Map<Rest, number>();
  return now.filter(({ rest }) => {
    if (rest === undefined) return true;
    const count = (counts.get(rest) ?? 0) + 1;
    counts.set(rest, count);
    return count <= mostWays;
  });
}
