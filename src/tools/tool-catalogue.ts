import type { Tool } from "../core/tool.ts";
import { checkToolName } from "../core/tool-name.ts";

/** The changes of a catalogue's tools since it was last written down. */
export interface OfferChange {
  added: string[];
  removed: string[];
}

/** The tools that calls can name, in the order given. They may become others by `refresh`, and not between two of them. */
export interface ToolCatalogue {
  get(name: string): Tool | undefined;
  all(): Tool[];
  /** Takes the tools as they are now. @throws what reading them throws, and as `createToolCatalogue` does. */
  refresh(): Promise<void>;
  /** Undefined where nothing changed since `noteOffer`. */
  offerChange(): OfferChange | undefined;
  /** The change was written down. */
  noteOffer(): void;
}

/** @throws TypeError for a limit that no observation can have. */
function checkObserve({ name, maxObserve: limit }: Pick<Tool, "name" | "maxObserve">): void {
  if (limit === undefined || limit === false || (Number.isSafeInteger(limit) && limit >= 1)) return;
  throw new TypeError(`tool ${name}: maxObserve must be a whole number of characters from 1 on, or false for all`);
}

/**
 * @param current the tools as they are now, where they may become others: the agent's own and those of whoever brings some
 * @throws TypeError for two tools of one name, a name that model servers do not accept (1 to 64 of a-z A-Z 0-9 _ -), or a
 * `maxObserve` that is none: a defect of the program or its configuration, which no model can mend.
 */
export function createToolCatalogue(first: readonly Tool[], current?: () => Promise<readonly Tool[]>): ToolCatalogue {
  let now = byNameOf(first);
  let noted = [...now.keys()];
  return Object.freeze({
    get: (name: string) => now.get(name),
    all: () => [...now.values()],
    async refresh() {
      if (current !== undefined) now = byNameOf(await current());
    },
    offerChange() {
      const added = [...now.keys()].filter((name) => !noted.includes(name));
      const removed = noted.filter((name) => !now.has(name));
      return added.length + removed.length === 0 ? undefined : { added, removed };
    },
    noteOffer() {
      noted = [...now.keys()];
    },
  });
}

function byNameOf(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    checkToolName(tool.name);
    checkObserve(tool);
    if (byName.has(tool.name)) throw new TypeError(`two tools are named ${tool.name}`);
    byName.set(tool.name, tool);
  }
  return byName;
}
