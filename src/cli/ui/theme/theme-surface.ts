import { theme as words } from "../../../words/en/theme.ts";
import type { ThemeChoice } from "../../terminal/theme.ts";
import { cleanLine } from "../safe-text.ts";
import { type Opening, opening, type Surface } from "../surface/surface.ts";
import { themeFrame } from "./theme-frame.ts";
import { newThemeList, type ThemeEffect, type ThemeList, themeKey } from "./theme-state.ts";

/** The colours of the screen, seen as each is pointed at. */
export const themeSurface: Surface<ThemeList, ThemeEffect> = {
  whole: themeFrame,
  key(before, key, { screen }) {
    const { list, effect } = themeKey(before, key, screen.geometry.window);
    return { state: list, effect };
  },
  effects: {
    preview_theme: async ({ theme }, { paintIn }) => paintIn?.(theme),
    async keep_theme({ theme }, { paintIn, services, say }) {
      paintIn?.(theme);
      const file = cleanLine(await services.about.keepTheme(theme));
      say({ kind: "notice", level: "info", text: words().kept({ theme, file }) });
    },
  },
};

/** The list of these. @param before the one that is on the screen */
export const themeOpening = (before: ThemeChoice): Opening =>
  opening(themeSurface, () => ({ state: newThemeList(before) }));
