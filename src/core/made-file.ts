import type { Sha } from "./json.ts";

/** A file that a session made whole: its real path and the hash of its bytes; `runs`: it may be run as a program. */
export interface MadeFile {
  path: string;
  sha: Sha;
  runs?: true;
}
