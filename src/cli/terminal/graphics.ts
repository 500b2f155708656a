type Environment = Readonly<Record<string, string | undefined>>;

/** The protocol by which a terminal takes pictures: kitty's graphics protocol, or iTerm2's inline images. */
export type Graphics = "kitty" | "iterm2";

const byProgram: Readonly<Record<string, Graphics>> = { "iTerm.app": "iterm2", WezTerm: "iterm2", ghostty: "kitty" };

const byTerm: Readonly<Record<string, Graphics>> = { "xterm-kitty": "kitty", "xterm-ghostty": "kitty" };

/**
 * Finds the protocol by which this terminal shows pictures; undefined where it does not. Nobody is asked: those that cannot do it would
 * draw the question. Where another program stands between (tmux, screen, zellij) none is shown; a variable that a program inherited from
 * the terminal that it was started in does not count.
 */
export function graphicsOf(env: Environment): Graphics | undefined {
  const { TERM = "", TERM_PROGRAM = "", TMUX, STY, ZELLIJ } = env;
  const isBetween = [TMUX, STY, ZELLIJ].some((one) => one !== undefined) || /^(screen|tmux)/.test(TERM);
  if (isBetween || TERM === "" || TERM === "dumb" || TERM === "linux") return undefined;
  if (Object.hasOwn(byTerm, TERM)) return byTerm[TERM];
  if (TERM_PROGRAM !== "") return Object.hasOwn(byProgram, TERM_PROGRAM) ? byProgram[TERM_PROGRAM] : undefined;
  if (env["KITTY_WINDOW_ID"] !== undefined) return "kitty";
  return env["LC_TERMINAL"] === "iTerm2" ? "iterm2" : undefined;
}
