import { grants as words } from "../../../words/en/grants.ts";
import type { Permissions } from "../../services/session-services.ts";
import type { Key } from "../../terminal/key.ts";
import { cleanLine } from "../safe-text.ts";
import { letterOf, rowsBy } from "../surface/rows-by.ts";

/** The person looks at the rules and grants of the session. */
export interface GrantList {
  /** As they are; not yet safe to draw. */
  rows: Permissions["rows"];
  /** The one that is pointed at. */
  at: number;
  /** True while the person is asked whether to revoke the grant that is pointed at. */
  revoking: boolean;
  note: string;
}

/** It is found by its id: what it is called in the list may have another place by then. */
export interface GrantsEffect {
  do: "revoke_grant";
  id: string;
}

export interface GrantsStep {
  /** Undefined: the person is back in the chat. */
  list: GrantList | undefined;
  effect?: GrantsEffect;
}

/** The first grant is pointed at, where there is one. */
export function newGrantList(rows: Permissions["rows"]): GrantList {
  const first = rows.findIndex(({ grant }) => grant !== undefined);
  return { rows, at: Math.max(0, first), revoking: false, note: "" };
}

/** One key. @param page rows on the screen; where there are none, nothing is decided */
export function grantsKey(before: GrantList, key: Key, page: number): GrantsStep {
  const list: GrantList = { ...before, note: "" };
  if (key.name === "char" && key.ctrl && key.text === "c") return { list: undefined };
  const { grant } = list.rows[list.at] ?? {};
  if (list.revoking) {
    const isYes = letterOf(key) === "y" && page >= 1 && grant !== undefined;
    const next = { ...list, revoking: false };
    return isYes
      ? { list: next, effect: { do: "revoke_grant", id: grant } }
      : { list: { ...next, note: words().kept } };
  }
  if (key.name === "escape" || letterOf(key) === "q") return { list: undefined };
  if (page < 1) return { list };
  const by = rowsBy(key, page);
  if (by !== undefined) return { list: { ...list, at: Math.max(0, Math.min(list.rows.length - 1, list.at + by)) } };
  if (letterOf(key) !== "x" || list.rows.length === 0) return { list };
  return { list: grant === undefined ? { ...list, note: words().aRule } : { ...list, revoking: true } };
}

/** Takes back the question whether to revoke a grant: it was out of sight. */
export const unasked = (list: GrantList): GrantList =>
  list.revoking ? { ...list, revoking: false, note: words().kept } : list;

/** It is in force no more. @param wasThere false: somebody else had revoked it before */
export function withoutGrant(list: GrantList, id: string, wasThere: boolean): GrantList {
  const rows = list.rows.filter(({ grant }) => grant !== id);
  const note = wasThere ? words().revoked({ id: cleanLine(id) }) : words().isGone({ id: cleanLine(id) });
  return { ...list, rows, at: Math.max(0, Math.min(list.at, rows.length - 1)), note };
}
