import type { Permissions } from "../../services/session-services.ts";
import { cleanEffect } from "../safe-text.ts";
import { notice, type Opening, opening, type Surface } from "../surface/surface.ts";
import { grantsFrame, grantsText } from "./grants-frame.ts";
import { type GrantList, type GrantsEffect, grantsKey, newGrantList, unasked, withoutGrant } from "./grants-state.ts";

/** The rules and grants that decide about the session's calls. */
export const grantsSurface: Surface<GrantList, GrantsEffect> = {
  whole: grantsFrame,
  key(before, key, { screen }) {
    const { list, effect } = grantsKey(before, key, screen.geometry.window);
    return { state: list, effect };
  },
  unseen: unasked,
  effects: {
    async revoke_grant({ id }, { services, set }) {
      const wasThere = await services.about.revokeGrant(id);
      set((list) => withoutGrant(list, id, wasThere));
    },
  },
};

/** The list of these, with what holds for all calls beside it. */
export const grantsOpening = ({ heads, rows }: Permissions): Opening => ({
  ...opening(
    grantsSurface,
    () => ({ state: newGrantList(rows) }),
    () => [notice(grantsText({ heads, rows }))],
  ),
  beside: [notice(cleanEffect(heads.join("\n")))],
});
