import { goOnBefore, isRewinding, rewindPoints, rewindTo } from "../../records/undo/rewind.ts";
import { undoLook } from "../../records/undo/undo-command.ts";
import type { Composition } from "../composition.ts";
import type { RewindShelf } from "./session-services.ts";

/** Earlier messages, as the chat goes on from them. */
export function rewindShelf(composition: Composition): RewindShelf {
  const rowOf = async (id: string) => {
    const store = await composition.store();
    const row = store.sessions.get(id);
    return row && { store, row };
  };
  return {
    points: async (id) => {
      const found = await rowOf(id);
      return found === undefined ? [] : rewindPoints({ store: found.store, journal: found.store.readJournal(id) });
    },
    look: async (id, { calls }) => {
      const found = await rowOf(id);
      if (found === undefined) return { calls: [], left: [] };
      const { workspace } = found.row;
      const addDirs = await composition.addDirs(workspace);
      return undoLook({ store: found.store, journal: found.store.readJournal(id) }, { workspace, addDirs }, calls);
    },
    to: async (point) => rewindTo(point),
    isUnderWay: async (id) => {
      const found = await rowOf(id);
      return found !== undefined && isRewinding(found.store.readJournal(id));
    },
    finish: async (id, turn) => {
      const found = await rowOf(id);
      return found && goOnBefore(found.store, found.row, turn);
    },
  };
}
