import { endLeftChildren } from "../graph/calls/left-children.ts";
import type { Journal } from "../store/types.ts";

/** A background job that did not come to its end with the session: that of the process which ran it. */
interface LostJob {
  callId: string;
  command: string;
  /** The last line of what was kept of it; empty where nothing was. */
  last: string;
}

/**
 * Jobs that an earlier process of this session left behind: makes sure that nothing of them runs, and keeps with what they said that
 * they are gone, so that each is told once: the person now, the model with its next request.
 */
export async function endLostJobs(journal: Journal): Promise<LostJob[]> {
  const lost: LostJob[] = [];
  for (const callId of journal.runningJobs()) {
    await endLeftChildren(journal.childrenOf(callId));
    const said = Buffer.from(journal.outputOf(callId)?.bytes ?? []).toString("utf8");
    const apart = said === "" || said.endsWith("\n") ? "" : "\n";
    await journal.keepOutput(callId, Buffer.from(`${said}${apart}${goneLine}\n`), "lost");
    const last = said.trimEnd().split("\n").at(-1) ?? "";
    lost.push({ callId, command: String(journal.call(callId)?.arguments["command"] ?? ""), last });
  }
  return lost;
}

/**
 * Jobs that run now, and will be ended with the session: asked before its tools are closed. That the journal cannot be read is said by
 * whatever else is done with it.
 * @returns what tells, once the tools are closed, which of them were ended and are kept as lost, in words for the person
 */
export function jobsToEnd(journal: Pick<Journal, "runningJobs" | "lostJobs" | "outputOf" | "call">): () => string[] {
  const running = readOr([], () => journal.runningJobs());
  return () =>
    readOr([], () => {
      const lost = new Set(journal.lostJobs().map(({ callId }) => callId));
      return running.filter((callId) => lost.has(callId)).map((callId) => endedJobText(journal, callId));
    });
}

function readOr<T>(other: T, read: () => T): T {
  try {
    return read();
  } catch {
    return other;
  }
}

/** The last line that is kept of it says how it ended; its own words are before it. */
function endedJobText(journal: Pick<Journal, "outputOf" | "call">, callId: string): string {
  const kept = Buffer.from(journal.outputOf(callId)?.bytes ?? []).toString("utf8");
  const last = kept.trimEnd().split("\n").slice(0, -1).join("\n").trimEnd().split("\n").at(-1) ?? "";
  const command = String(journal.call(callId)?.arguments["command"] ?? "");
  return `the background job ${callId} (${cut(command)}) was ended with this process; ${lastWords(last)}`;
}

const goneLine =
  "(it is gone: it ended with the process that this session ran in; this is the last that was kept of it)";

const mostTold = 200;
const cut = (text: string): string => (text.length > mostTold ? `${text.slice(0, mostTold - 1)}…` : text);

/** In words for the person. */
export function lostJobText({ callId, command, last }: LostJob): string {
  return `the background job ${callId} (${cut(command)}) is gone with the process that ran it; ${lastWords(last)}`;
}

const lastWords = (last: string): string => (last === "" ? "it had said nothing" : `its last words: ${cut(last)}`);
