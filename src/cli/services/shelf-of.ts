import { rootSessions } from "../../records/session-info.ts";
import { standingOfRow, standingText } from "../../records/session-progress.ts";
import type { SessionRow, Store } from "../../store/types.ts";
import type { Composition } from "../composition.ts";
import { standingAgain, titleOf } from "../print/standing-words.ts";
import { removeRows } from "./remove-sessions.ts";
import type { Listed, SessionLook, SessionShelf } from "./session-services.ts";

/** The sessions of a workspace, or of all, for whoever chooses among them. */
export function sessionShelf(composition: Composition, workspace = composition.workspace): SessionShelf {
  return {
    list: async (all) => listed(await composition.store(), all ? undefined : workspace),
    rename: async (id, title) =>
      (await import("../../records/title.ts")).renameSession(await composition.store(), id, title),
    remove: async (id) => {
      const row = (await composition.store()).sessions.get(id);
      const said: string[] = [];
      if (row !== undefined) await removeRows(composition, [row], (text) => said.push(text));
      return said;
    },
  };
}

/** Each session's records are read once, when it is looked at. */
function listed(store: Store, workspace: string | undefined): Listed {
  const rows = rootSessions(store, workspace);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const looks = new Map<string, SessionLook>();
  const look = (id: string): SessionLook => {
    const known = looks.get(id) ?? lookAt(store, byId.get(id));
    looks.set(id, known);
    return known;
  };
  return { rows, look };
}

const damaged: SessionLook = { words: "damaged", waits: false, filesChanged: 0 };

function lookAt(store: Store, row: SessionRow | undefined): SessionLook {
  if (row === undefined) return damaged;
  try {
    const standing = standingOfRow(store, row);
    if (standing === undefined) return damaged;
    const waits = standing.waitsFor.length + standing.unseen.length > 0;
    return {
      words: standingAgain(standingText(row.state, standing, titleOf)),
      waits,
      filesChanged: standing.filesChanged,
    };
  } catch {
    return damaged;
  }
}
