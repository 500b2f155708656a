import type { Bounds } from "../../../core/tool.ts";

/** The place where a line would run, all paths absolute. */
export interface CommandPlace extends Bounds {
  /** Links followed. */
  cwd: string;
  /** The value of `~` for bash: HOME of the command's environment. */
  home?: string;
  /** XDG_CONFIG_HOME of the command's environment: settings of git's user may lie there. */
  gitConfig?: string;
  /** PATH of the command's environment, its entries. */
  path: readonly string[];
}
