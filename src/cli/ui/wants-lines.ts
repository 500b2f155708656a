/** Whether the terminal, or whoever listens to it, wants plain lines: a dumb terminal or a screen reader. */
export const wantsLines = (env: Readonly<Record<string, string | undefined>>): boolean =>
  env["TERM"] === "dumb" || env["INK_SCREEN_READER"] === "true" || env["HOLDFAST_SCREEN_READER"] === "1";
