import type { CommandPlace } from "./command-place.ts";
import type { Known } from "./expansions.ts";
import type { Folders } from "./folders.ts";
import type { Binder } from "./runners/binder.ts";

/** The known facts of the line where a command stands in it. */
export interface LineState {
  folders: Folders;
  home: string | undefined;
  place: CommandPlace;
  /** Names that the line itself gives a meaning. */
  functions: ReadonlySet<string>;
  /** As `Known` has them. */
  variables: Known["variables"];
  isLoose: boolean;
  left: Known["left"];
  binder: Binder;
}
