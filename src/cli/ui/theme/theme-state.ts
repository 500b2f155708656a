import type { Key } from "../../terminal/key.ts";
import { type ThemeChoice, themeChoices } from "../../terminal/theme.ts";
import { letterOf, rowsBy } from "../surface/rows-by.ts";

/** The person chooses the colours of the screen. */
export interface ThemeList {
  /** The row that is pointed at, which the screen shows meanwhile. */
  at: number;
  /** As it was before: it comes back where nothing is chosen. */
  before: ThemeChoice;
}

/** `preview_theme` colours the screen, `keep_theme` writes it into the settings too. */
export interface ThemeEffect {
  do: "preview_theme" | "keep_theme";
  theme: ThemeChoice;
}

export interface ThemeStep {
  /** Undefined: the person is back in the chat. */
  list: ThemeList | undefined;
  effect?: ThemeEffect;
}

export const newThemeList = (before: ThemeChoice): ThemeList => ({ at: themeChoices.indexOf(before), before });

export const themeAt = ({ at, before }: ThemeList): ThemeChoice => themeChoices[at] ?? before;

/** One key. @param page rows on the screen; where there are none of the list, nothing is chosen */
export function themeKey(list: ThemeList, key: Key, page: number): ThemeStep {
  const leaves =
    key.name === "escape" || letterOf(key) === "q" || (key.name === "char" && key.ctrl && key.text === "c");
  if (leaves) return { list: undefined, effect: { do: "preview_theme", theme: list.before } };
  if (page < 1) return { list };
  if (key.name === "enter") return { list: undefined, effect: { do: "keep_theme", theme: themeAt(list) } };
  const by = rowsBy(key, page);
  if (by === undefined) return { list };
  const moved = { ...list, at: Math.max(0, Math.min(themeChoices.length - 1, list.at + by)) };
  return { list: moved, effect: { do: "preview_theme", theme: themeAt(moved) } };
}
