import type { Rewind, RewindPoint } from "../../../records/rewind.ts";
import type { TakeBack } from "./rewind-state.ts";

/** Earlier messages of stored sessions, and going on from them. */
export interface RewindShelf {
  /** The person's messages, newest first; none of a session that is not stored. */
  points(session: string): Promise<RewindPoint[]>;
  /** What an undo for the message would do, as the files are now. */
  look(session: string, point: RewindPoint): Promise<TakeBack>;
  /** Where the talk is to go on once the undo that bears this is done. */
  to(point: RewindPoint): Promise<Rewind>;
  /**
   * Forks the talk before a message, or where an undo that was made for it is done and the fork is left to do. Done again it finds the
   * fork. @param turn of the message; absent: only what is left to do
   * @returns the message, and the new session, where anything was said before it; undefined where nothing is left to do.
   */
  finish(session: string, turn?: number): Promise<{ draft: string; id?: string } | undefined>;
}
