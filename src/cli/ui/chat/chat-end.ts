import { saysOfJob } from "../../../core/job-notices.ts";
import type { AgentEvent } from "../../../graph/events.ts";
import { exitCodes, folderLost, sessionTaken } from "../../../session/exit-codes.ts";
import { saidAgain } from "../../../words/said-again.ts";
import { cleanLine } from "../safe-text.ts";

/** The end of the chat. `resume` is the command that goes on with the session. */
export interface ChatEnd {
  exitCode: number;
  /** The session that was on the screen last. */
  session?: string;
  resume?: string;
  /** Said before that command. */
  lead?: string;
}

/** As of a process that is ended by SIGHUP: the terminal is gone. */
export const hungUp = 129;

/** Returns the words of a session that is left about its background jobs, while it is closed. */
export const lastWordOf = (event: AgentEvent): string | undefined =>
  event.type === "notice" && saysOfJob(event) ? cleanLine(saidAgain(event.text)) : undefined;

/** Writes to the terminal. @returns whether it could be written: false where the terminal is gone. */
export const written = (stdout: NodeJS.WritableStream, text: string): Promise<boolean> =>
  new Promise((resolve) => {
    stdout.write(text, (error) => resolve(error === null || error === undefined));
  });

/** Listens once, at once where it is aborted already. Returns how to stop listening. */
export function whenAborted(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal?.aborted === true) listener();
  signal?.addEventListener("abort", listener, { once: true });
  return () => signal?.removeEventListener("abort", listener);
}

/** The exit code where nothing more can be done here for the session: another process took it over, or a folder of it is lost. */
export function lostCode(events: readonly AgentEvent[]): number | undefined {
  const codes = events.flatMap((event) => (event.type === "error" ? [event.code] : []));
  if (codes.includes(sessionTaken)) return exitCodes.busy;
  return codes.includes(folderLost) ? exitCodes.store : undefined;
}
