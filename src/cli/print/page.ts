import type { Io } from "../io.ts";
import { backgroundOfEnv } from "../terminal/background.ts";
import { type ColorSupport, colorSupport } from "../terminal/colors.ts";
import { type Theme, type ThemeChoice, themeOf } from "../terminal/theme.ts";

/** The page for which a listing is made. */
export interface Page {
  /** Columns of the terminal; undefined where stdout is none: then nothing is cut, wrapped or put in other words. */
  readonly width: number | undefined;
  readonly support: ColorSupport;
  readonly theme: Theme;
}

type Stdout = Pick<Io, "stdout" | "env">;

/** @param choice what the config says of colours; nobody waits for a terminal's answer here, so of an unknown one its own are taken. */
export const pageOf = ({ stdout, env }: Stdout, choice: ThemeChoice = "ansi-16"): Page => {
  const isTty = stdout.isTTY === true;
  const support = colorSupport(env, isTty);
  const known = choice !== "auto" || backgroundOfEnv(env) !== undefined;
  const theme = themeOf(known ? choice : "ansi-16", env, support.color);
  return { width: isTty ? Math.max(20, stdout.columns || 80) : undefined, support, theme };
};
