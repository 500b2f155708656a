import { room } from "../room.ts";

/** The choice of colours. */
export const theme = room("theme", {
  /** Its line of /help. */
  help: { argument: "NAME", text: "choose the colours of the screen" },
  title: "the colours of the screen",
  about: {
    auto: "dark or light, as the terminal's background is",
    dark: "for a dark background",
    light: "for a light background",
    "ansi-16": "the terminal's own sixteen colours",
    none: "no colours: changed words stand in ⟦ ⟧",
  },
  /** A change that shows the one that is pointed at; `before` and `after` are comments in its code. */
  sample: "so a change looks:",
  before: "never more",
  after: "as the settings say",
  hint: "enter keeps it · esc back",
  position: ({ at, of }: { at: number; of: number }) => `${at} of ${of}`,
  kept: ({ theme, file }: { theme: string; file: string }) => `theme ${theme}, kept in ${file}`,
  now: ({ theme, themes }: { theme: string; themes: readonly string[] }) =>
    `theme ${theme}; /theme NAME keeps another one: ${themes.join(", ")}`,
  unknown: ({ theme, themes }: { theme: string; themes: readonly string[] }) =>
    `there is no theme ${theme}; there are ${themes.join(", ")}`,
  noColors: "this terminal shows no colours (NO_COLOR, or TERM): a theme changes nothing here",
});
