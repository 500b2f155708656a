import type { Form, Unit } from "./forms.ts";

/** The extent to which a place was read, byte by byte. */
export interface PlaceState {
  next: Map<number, PlaceState>;
  /** Keys of what may be whole here. */
  ends: string[];
  /** Nothing was read of it but the break of a line before its sign. */
  pauses: boolean;
}

export interface Ending {
  name: string;
  /** No letter or digit stands beside it. */
  alone: boolean;
}

/** Forms that begin alike, up to here. */
export interface Node {
  children: Map<string, Node>;
  /** The state of the bytes that may come next; made when it is first asked for. */
  start: PlaceState | undefined;
  /** A form that is whole here. */
  ends?: Ending;
  /** Of longer forms what comes then. */
  rests: Rest[];
  /** So many places tell of one of them. */
  telling: number;
}

/** A form behind its beginning: its places are read one by one. */
export interface Rest {
  form: Form;
  ends: Ending;
  starts: (PlaceState | undefined)[];
}

/** So many places of all forms are looked for at once; the rest of one is compared where these were found. */
const beginning = 8;

/** So many tell of a secret; of a short one half of it. */
const fewest = 6;

/** Looks for forms, of which there may be more at any time. */
export interface Finder {
  root: Node;
  /** Returns the state of the bytes that may come behind a node, or behind so many places of a form. */
  startOf(node: Node, rest: Rest | undefined, places: number): PlaceState;
  add(form: Form, ends: Ending): void;
}

const newNode = (): Node => ({ children: new Map(), start: undefined, rests: [], telling: fewest });
const newState = (): PlaceState => ({ next: new Map(), ends: [], pauses: false });

export function createFinder(): Finder {
  const root = newNode();
  const units = new Map<string, Unit>();
  const alone = new Map<string, PlaceState>();
  const stateOf = (key: string): PlaceState => {
    const known = alone.get(key);
    if (known !== undefined) return known;
    const made = newState();
    addUnit(made, key, units.get(key) ?? []);
    alone.set(key, made);
    return made;
  };
  const startBehind = ({ children }: Node): PlaceState => {
    const [first, ...more] = children.keys();
    if (first !== undefined && more.length === 0) return stateOf(first);
    const made = newState();
    for (const key of children.keys()) addUnit(made, key, units.get(key) ?? []);
    return made;
  };
  const keyAt = (form: Form, at: number): string => {
    const key = form.key(at);
    if (!units.has(key)) units.set(key, form.unit(at));
    return key;
  };
  return {
    root,
    startOf(node, rest, places) {
      if (rest !== undefined) {
        rest.starts[places] ??= stateOf(keyAt(rest.form, places));
        return rest.starts[places];
      }
      node.start ??= startBehind(node);
      return node.start;
    },
    add(form, ends) {
      const telling = Math.min(fewest, Math.ceil(form.length / 2));
      let node = root;
      for (let at = 0; at < Math.min(beginning, form.length); at += 1) {
        const key = keyAt(form, at);
        const child = node.children.get(key) ?? newNode();
        if (!node.children.has(key)) node.start = undefined;
        node.children.set(key, child);
        child.telling = Math.min(child.telling, telling);
        node = child;
      }
      if (form.length <= beginning) node.ends ??= ends;
      else node.rests.push({ form, ends, starts: [] });
    },
  };
}

/** All that may stand in one place, in a tree of bytes. */
function addUnit(first: PlaceState, key: string, unit: Unit): void {
  for (const written of unit) {
    let state = first;
    for (let at = 0; at < written.length; at += 1) {
      const byte = written.charCodeAt(at);
      const next = state.next.get(byte) ?? newState();
      next.pauses ||= /^\r?\n? ?$/.test(written.slice(0, at + 1)) && written.charAt(0) !== " ";
      state.next.set(byte, next);
      state = next;
    }
    if (!state.ends.includes(key)) state.ends.push(key);
  }
}
