import { countText } from "../../core/count-text.ts";
import { shownPath } from "../../core/shown-path.ts";
import { comparePaths, counted } from "./search-path.ts";

/** The names that the settings' `ignore` left out of a search, whatever was searched for: a folder counts once, with all that is in it. */
export interface HiddenNames {
  /** @param path absolute. Noted again it counts no more. */
  note(path: string): void;
  /** In one line, with the first of the names that may be told; undefined where nothing was left out. */
  notice(workspace: string): string | undefined;
}

const mostNamed = 5;

export function createHiddenNames(mayTell: (path: string) => boolean): HiddenNames {
  const found = new Set<string>();
  return {
    note: (path) => void found.add(path),
    notice: (workspace) => {
      if (found.size === 0) return undefined;
      const named = [...found]
        .filter((path) => mayTell(path))
        .sort(comparePaths)
        .slice(0, mostNamed);
      const rest = found.size - named.length;
      const names = [
        ...named.map((path) => shownPath(workspace, path)),
        ...(rest === 0 ? [] : [`and ${countText(rest)} more`]),
      ];
      const which = named.length === 0 ? "" : `: ${names.join(", ")}`;
      return `(the settings' ignore left out ${counted(found.size, "name")}${which})`;
    },
  };
}
