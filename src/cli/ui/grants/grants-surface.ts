import { grants as words } from "../../../words/en/grants.ts";
import type { Permissions } from "../../services/session-services.ts";
import { cleanEffect, cleanLine } from "../safe-text.ts";
import { type CommandedChat, type CommandedSurface, say } from "../surface/commanded-chat.ts";
import { notice, type Opening, opening } from "../surface/surface.ts";
import { grantsFrame, grantsText } from "./grants-frame.ts";
import { type GrantList, type GrantsEffect, grantsKey, newGrantList, unasked, withoutGrant } from "./grants-state.ts";

/** The rules and grants that decide about the session's calls. */
export const grantsSurface: CommandedSurface<GrantList, GrantsEffect> = {
  command: { name: "permissions", help: () => words().help, run: permissions },
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
const grantsOpening = ({ heads, rows }: Permissions): Opening => ({
  ...opening(
    grantsSurface,
    () => ({ state: newGrantList(rows) }),
    () => [notice(grantsText({ heads, rows }))],
  ),
  beside: [notice(cleanEffect(heads.join("\n")))],
});

async function permissions(argument: string, chat: CommandedChat): Promise<void> {
  const { about } = chat.services;
  const [word = "", id = "", ...more] = argument.split(/\s+/);
  if (more.length > 0 || (word === "") !== (id === "") || (word !== "" && word !== "revoke"))
    return say(chat, words().unclear, "warn");
  if (word === "revoke") {
    const named = { id: cleanLine(id) };
    const wasThere = await about.revokeGrant(id);
    return say(chat, wasThere ? words().revoked(named) : words().isGone(named), wasThere ? "info" : "warn");
  }
  const { session, mode } = chat.present();
  const { heads, rows } = await about.permissions(session, mode);
  if (rows.length === 0) return say(chat, cleanEffect([...heads, words().none].join("\n")));
  chat.open(grantsOpening({ heads, rows }));
}
