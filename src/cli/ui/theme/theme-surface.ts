import { theme as words } from "../../../words/en/theme.ts";
import { type ThemeChoice, themeChoices } from "../../terminal/theme.ts";
import { cleanLine } from "../safe-text.ts";
import { type CommandedChat, type CommandedSurface, say } from "../surface/commanded-chat.ts";
import type { ChatHands } from "../surface/hands.ts";
import { notice, type Opening, opening } from "../surface/surface.ts";
import { themeFrame } from "./theme-frame.ts";
import { newThemeList, type ThemeEffect, type ThemeList, themeKey } from "./theme-state.ts";

/** The colours of the screen, seen as each is pointed at. */
export const themeSurface: CommandedSurface<ThemeList, ThemeEffect> = {
  command: { name: "theme", help: () => words().help, run: theme },
  whole: themeFrame,
  key(before, key, { screen }) {
    const { list, effect } = themeKey(before, key, screen.geometry.window);
    return { state: list, effect };
  },
  effects: {
    preview_theme: async ({ theme }, { paintIn }) => paintIn?.(theme),
    keep_theme: ({ theme }, hands) => keepTheme(theme, hands),
  },
};

/** The list of these. @param before the one that is on the screen */
const themeOpening = (before: ThemeChoice): Opening =>
  opening(
    themeSurface,
    () => ({ state: newThemeList(before) }),
    (list) => [notice(words().now({ theme: list.before, themes: themeChoices }))],
  );

/** Colours the screen so, and writes it into the settings. */
async function keepTheme(theme: ThemeChoice, { paintIn, services, say }: ChatHands): Promise<void> {
  paintIn?.(theme);
  const file = cleanLine(await services.about.keepTheme(theme));
  say(notice(words().kept({ theme, file })));
}

/** A list on the screen, which shows each as it is pointed at; by its name one is kept at once. */
async function theme(argument: string, chat: CommandedChat): Promise<void> {
  const screen = chat.theme?.();
  if (screen?.hasColors === false) return say(chat, words().noColors, "warn");
  if (argument === "") {
    await chat.loadColors();
    return chat.open(themeOpening(screen?.choice ?? chat.services.about.theme()));
  }
  const chosen = themeChoices.find((one) => one === argument);
  if (chosen === undefined)
    return say(chat, words().unknown({ theme: cleanLine(argument), themes: themeChoices }), "warn");
  await keepTheme(chosen, chat.hands());
}
