import { palette as words } from "../../../words/en/palette.ts";
import { whenText } from "../../print/moments.ts";
import type { CommandName } from "../../typed.ts";
import { type CommandedChat, type CommandedSurface, leadsElsewhere } from "../surface/commanded-chat.ts";
import { notice, type Opening, opening } from "../surface/surface.ts";
import { modeCycle } from "../view/modes.ts";
import { paletteFrame } from "./palette-frame.ts";
import { type Entry, newPalette, type Palette, type PaletteEffect, paletteKey } from "./palette-state.ts";

/** All that can be done from the chat, in one list. */
export const paletteSurface: CommandedSurface<Palette, PaletteEffect> = {
  command: { name: "palette", help: () => words().help, showsItself: true, run: palette },
  whole: paletteFrame,
  key(before, key, { screen }) {
    const { palette, effect } = paletteKey(before, key, screen.geometry.window);
    return { state: palette, effect };
  },
  effects: {
    run_chosen: ({ command, argument, leads }, hands) => hands.inOrder(() => hands.command(command, argument), leads),
    write_chosen: async ({ text }, hands) => hands.write(text),
  },
};

/** The list of these. @param text the same in lines, to be read: there is no key to choose one by */
export const paletteOpening = (entries: readonly Entry[], text: string): Opening =>
  opening(
    paletteSurface,
    () => ({ state: newPalette(entries) }),
    () => [notice(text)],
  );

/** The groups of commands, in their order. */
const groups = ["chat", "session", "work", "rules"] as const;
const groupOf: Readonly<Record<CommandName, (typeof groups)[number]>> = {
  ...{ help: "chat", model: "chat", mode: "chat", theme: "chat", status: "chat", context: "chat", tools: "chat" },
  ...{ palette: "chat", exit: "chat" },
  ...{ new: "session", sessions: "session", rename: "session", fork: "session", rewind: "session", compact: "session" },
  ...{ copy: "session", export: "session", talk: "session" },
  ...{ diff: "work", undo: "work", run: "work", background: "work", jobs: "work", agents: "work", goals: "work" },
  ...{ page: "work", init: "work" },
  ...{ permissions: "rules", trust: "rules", suggest: "rules" },
};

/** Lists commands, those of files too, modes and sessions; in lines the text of /help. */
async function palette(_: string, chat: CommandedChat): Promise<void> {
  await chat.openUnread({
    lines: () => [notice(chat.help())],
    read: async () => paletteOpening(await entriesOf(chat), chat.help()),
  });
}

async function entriesOf(chat: CommandedChat): Promise<Entry[]> {
  const { session, mode: present } = chat.present();
  const [ofFiles, sessions] = await Promise.all([
    chat.services.folder.commands(session.workspace),
    chat.services.sessions.shelf(session.workspace).then((shelf) => shelf.list(false)),
  ]);
  const ran = (command: string, argument = ""): Entry["does"] => ({
    ...{ command, argument, leads: leadsElsewhere(chat.commands, { name: command, argument }) },
  });
  return [
    ...groups
      .flatMap((group) => chat.commands.filter(({ name }) => groupOf[name] === group))
      .filter(({ name }) => name !== "palette")
      .map(({ name, help, opensAlone, key }) => {
        const { argument, text } = help();
        const does: Entry["does"] = argument === "" || opensAlone ? ran(name) : { write: `/${name} ` };
        return {
          name: `/${name}`,
          text,
          does,
          ...(key !== undefined && { key }),
          group: words().groups[groupOf[name]],
        };
      }),
    ...modeCycle
      .filter((mode) => mode !== present)
      .map((mode) => ({
        name: words().mode({ mode }),
        text: words().fromNowOn,
        does: ran("mode", mode),
        group: words().groups.modes,
      })),
    ...ofFiles.map(({ name, text }) => ({
      name: `/${name}`,
      text,
      does: { write: `/${name} ` },
      group: words().groups.files,
    })),
    ...sessions.rows
      .filter(({ id }) => id !== session.id)
      .map(({ id, title, updatedAt }) => ({
        ...{
          name: title || words().untitled,
          text: words().session({ id, when: whenText(updatedAt, Date.now()) }),
        },
        does: ran("sessions", id),
        group: words().groups.sessions,
      })),
  ];
}
