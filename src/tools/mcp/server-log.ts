import { appendFileSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { limits } from "../../core/limits.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { visibleText } from "../use/visible-text.ts";

/** What a server says that is no message, kept for a person; it never fails, and holds nothing that a terminal would obey. */
export interface ServerLog {
  write(line: string): void;
}

/** @param file begun anew when it is full, with the one before kept beside it as `.1` */
export function openServerLog(file: string): ServerLog {
  let size: number | undefined;
  return {
    write(line) {
      try {
        if (size === undefined) {
          makeFolder(dirname(file));
          size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
        }
        if (size > limits.mcpLog.most) {
          renameSync(file, `${file}.1`);
          size = 0;
        }
        const text = `${visibleText(line).replaceAll("\n", " ").slice(0, longestLine)}\n`;
        appendFileSync(file, text, { mode: 0o600 });
        size += Buffer.byteLength(text);
      } catch {
        // A full disk costs the log and nothing else.
      }
    },
  };
}

const longestLine = 4_000;
