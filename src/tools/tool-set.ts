import { nearestName } from "../core/nearest-name.ts";
import type { Tool } from "../core/tool.ts";

/** The tools of one session, in the order given. Immutable. */
export interface ToolSet {
  get(name: string): Tool | undefined;
  names(): string[];
  all(): Tool[];
  /** The registered name that was most likely meant, for "did you mean"; undefined where none is near. */
  nearest(name: string): string | undefined;
}

const wellFormed = /^[a-zA-Z0-9_-]{1,64}$/;

/** `__proto__`, `constructor` and the like: in a table by names they would stand for something else. */
const ofEveryObject: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** @throws TypeError for a name that model servers do not accept (1 to 64 of a-z A-Z 0-9 _ -), and for one that every object has. */
export function checkToolName(name: unknown): void {
  if (typeof name !== "string" || !wellFormed.test(name))
    throw new TypeError(`tool name ${JSON.stringify(name)} must be 1 to 64 of a-z, A-Z, 0-9, _ and -`);
  if (ofEveryObject.has(name))
    throw new TypeError(`tool name ${JSON.stringify(name)} is one that every object of JavaScript has: choose another`);
}

/** @throws TypeError for a limit that no observation can have. */
function checkObserve({ name, maxObserve: limit }: Pick<Tool, "name" | "maxObserve">): void {
  if (limit === undefined || limit === false || (Number.isSafeInteger(limit) && limit >= 1)) return;
  throw new TypeError(`tool ${name}: maxObserve must be a whole number of characters from 1 on, or false for all`);
}

/**
 * @throws TypeError for two tools of one name, a name that model servers do not accept (1 to 64 of a-z A-Z 0-9 _ -), or a
 * `maxObserve` that is none: a defect of the program or its configuration, which no model can mend.
 */
export function createToolSet(tools: readonly Tool[]): ToolSet {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    checkToolName(tool.name);
    checkObserve(tool);
    if (byName.has(tool.name)) throw new TypeError(`two tools are named ${tool.name}`);
    byName.set(tool.name, tool);
  }
  return Object.freeze({
    get: (name: string) => byName.get(name),
    names: () => [...byName.keys()],
    all: () => [...byName.values()],
    nearest: (name: string) => nearestName(name, [...byName.keys()]),
  });
}

/** What a session's tools became since it was last written down. */
export interface OfferChange {
  added: string[];
  removed: string[];
}

/** Tools that may become others while the session runs: with `refresh`, and not between two of them. */
export interface LiveToolSet extends ToolSet {
  /** Takes the tools as they are now. @throws what reading them throws, and as createToolSet does. */
  refresh(): Promise<void>;
  /** Undefined where nothing changed since `noteOffer`. */
  offerChange(): OfferChange | undefined;
  /** The change was written down. */
  noteOffer(): void;
}

export function createLiveToolSet(first: readonly Tool[], read: () => Promise<readonly Tool[]>): LiveToolSet {
  let now = createToolSet(first);
  let noted = now.names();
  return {
    get: (name) => now.get(name),
    names: () => now.names(),
    all: () => now.all(),
    nearest: (name) => now.nearest(name),
    async refresh() {
      now = createToolSet(await read());
    },
    offerChange() {
      const names = now.names();
      const change = {
        added: names.filter((name) => !noted.includes(name)),
        removed: noted.filter((name) => !names.includes(name)),
      };
      return change.added.length + change.removed.length === 0 ? undefined : change;
    },
    noteOffer() {
      noted = now.names();
    },
  };
}
