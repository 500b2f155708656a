import { finishRewind, openRewind, rewindPoints, rewindTo } from "../../records/rewind.ts";
import { undoSource } from "../../records/undo.ts";
import { undoable } from "../../tools/undo/undoable.ts";
import { createToolContext } from "../../tools/use/run-tool.ts";
import type { Composition } from "../composition.ts";
import type { RewindShelf } from "./session-services.ts";

/** Earlier messages, as the chat goes on from them. */
export function rewindShelf(composition: Composition): RewindShelf {
  const rowOf = async (id: string) => {
    const store = await composition.store();
    const row = store.sessions.get(id);
    return row && { store, row, journal: store.readJournal(id) };
  };
  return {
    points: async (id) => {
      const found = await rowOf(id);
      return found === undefined ? [] : rewindPoints(found.journal);
    },
    look: async (id, { calls }) => {
      const found = await rowOf(id);
      if (found === undefined || calls.length === 0) return { calls: [], left: [] };
      const { workspace } = found.row;
      const ctx = createToolContext({ workspace, addDirs: await composition.addDirs(workspace) });
      const { calls: kept, against } = await undoable(undoSource(found.journal), calls, ctx);
      return { calls: kept, left: against.map(({ why }) => why) };
    },
    to: async (point) => rewindTo(point),
    finish: async (id, turn) => {
      const found = await rowOf(id);
      if (found === undefined) return undefined;
      const open = openRewind(found.store, found.journal);
      const to = turn === undefined || open?.turn === turn ? open : rewindTo({ turn });
      return to && finishRewind(found.store, found.row, to);
    },
  };
}
