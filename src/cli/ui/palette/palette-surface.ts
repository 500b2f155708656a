import { notice, type Opening, opening, type Surface } from "../surface/surface.ts";
import { paletteFrame } from "./palette-frame.ts";
import { type Entry, newPalette, type Palette, type PaletteEffect, paletteKey } from "./palette-state.ts";

/** All that can be done from the chat, in one list. */
export const paletteSurface: Surface<Palette, PaletteEffect> = {
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
