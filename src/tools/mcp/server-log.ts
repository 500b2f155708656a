import { appendFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { countText } from "../../core/count-text.ts";
import { limits } from "../../core/limits.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { visibleText } from "../use/visible-text.ts";

/** The log of a server's words that are no message, kept for a person; it never fails, and holds nothing that a terminal would obey. */
export interface ServerLog {
  /** Lines that come together are written together; of far too many the number is. */
  write(line: string): void;
  /** Writes what was not written yet. */
  flush(): void;
}

/**
 * @param file begun anew when it is full, with the one before kept beside it as `.1`; several sessions may write it
 * @param masked takes out of each line what nobody may read
 */
export function openServerLog(file: string, masked: (line: string) => string = (line) => line): ServerLog {
  let [pending, left] = ["", 0];
  let next: NodeJS.Immediate | undefined;
  const flush = (): void => {
    if (next !== undefined) clearImmediate(next);
    next = undefined;
    const text = left === 0 ? pending : `${pending}[${countText(left)} lines left out]\n`;
    [pending, left] = ["", 0];
    if (text !== "") append(file, text);
  };
  return {
    flush,
    write(line) {
      next ??= setImmediate(flush);
      if (pending.length > mostPending) left += 1;
      else pending += `${visibleText(masked(line).slice(0, longestLine)).replaceAll("\n", " ")}\n`;
    },
  };
}

/** Returns the path of the log before this one, where it was begun anew. */
export const earlierLog = (file: string): string => `${file}.1`;

function append(file: string, text: string): void {
  try {
    makeFolder(dirname(file));
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > limits.mcpLog.most) renameSync(file, earlierLog(file));
    appendFileSync(file, text, { mode: 0o600 });
  } catch {
    // A full disk costs the log and nothing else.
  }
}

const longestLine = 4_000;
/** Characters that wait to be written. */
const mostPending = 100_000;
