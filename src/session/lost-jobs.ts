import { jobGone } from "../core/job-notices.ts";
import { inOneLine } from "../core/linear-text.ts";
import { endLeftChildren } from "../graph/calls/left-children.ts";
import type { AgentEventBody } from "../graph/events.ts";
import type { Journal } from "../store/types.ts";
import { notices } from "../words/contract/session.ts";
import { told } from "../words/contract/told.ts";

/**
 * Jobs that an earlier process of this session left behind: makes sure that nothing of them runs, and keeps with what they said that
 * they are gone, so that each is told once: the person now, the model with its next request.
 */
async function endLostJobs(journal: Journal): Promise<void> {
  for (const callId of journal.runningJobs()) {
    await endLeftChildren(journal.childrenOf(callId));
    const said = Buffer.from(journal.outputOf(callId)?.bytes ?? []).toString("utf8");
    const apart = said === "" || said.endsWith("\n") ? "" : "\n";
    await journal.keepOutput(callId, Buffer.from(`${said}${apart}${told.jobGone}\n`), "lost");
  }
}

/** The parts of the journal that words about a job are made of. */
type Told = Pick<Journal, "outputOf" | "call">;

interface Stream {
  emit(body: AgentEventBody, heard: () => void): void;
  allHeard(): Promise<void>;
}

// Keeps session 3.
/**
 * Tells the person which jobs are lost. That they were told is written down when whoever shows it has shown it and reads on: where the
 * process dies before, or the terminal is gone, the next process of the session tells them.
 */
export class LostJobsTold {
  readonly #journal: Journal;
  readonly #stream: Stream;
  readonly #said = new Set<string>();
  #noted: Promise<void> = Promise.resolve();

  constructor(journal: Journal, stream: Stream) {
    this.#journal = journal;
    this.#stream = stream;
  }

  /** Says it of those that earlier processes of the session left behind. */
  async sayFound(): Promise<void> {
    await endLostJobs(this.#journal);
    this.#sayAll(this.#untold(), false);
  }

  /**
   * Says, behind the end of all that works in the session, which jobs were ended with it. Resolves when it is written down that this was
   * heard, if it was. @throws what `end` throws
   */
  async endWith(end: () => Promise<void>): Promise<void> {
    const earlier = this.#untold();
    try {
      await end();
    } finally {
      this.#sayAll(earlier, false);
      this.#sayAll(this.#untold(), true);
      await this.#stream.allHeard();
      await this.#noted;
    }
  }

  /** Those that are to be said. That the journal cannot be read is said by whatever else is done with it. */
  #untold(): string[] {
    try {
      return this.#journal.untoldJobs().filter((callId) => !this.#said.has(callId));
    } catch {
      return [];
    }
  }

  /** @param isEnded with the session, not with an earlier process */
  #sayAll(callIds: readonly string[], isEnded: boolean): void {
    for (const [at, callId] of callIds.entries()) {
      this.#said.add(callId);
      const command = commandOf(this.#journal, callId);
      const last = lastWords(this.#journal, callId);
      const text = notices.lostJob({ id: callId, command, isEnded, at: at + 1, of: callIds.length, last });
      this.#stream.emit({ type: "notice", code: jobGone, text }, () => this.#note(callId));
    }
  }

  #note(callId: string): void {
    this.#noted = this.#noted.then(() => this.#journal.noteJobTold(callId)).catch(() => undefined); // then it is told again
  }
}

const mostTold = 200;

function cut(text: string): string {
  const line = inOneLine(text);
  return line.length > mostTold ? `${line.slice(0, mostTold - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

const commandOf = (journal: Told, callId: string): string =>
  cut(String(journal.call(callId)?.arguments["command"] ?? ""));

/** The last line that is kept of a lost one says how it ended; its own words are before it. */
function lastWords(journal: Told, callId: string): string {
  const lines = keptText(journal, callId).trimEnd().split("\n").slice(0, -1);
  const last = lines.join("\n").trimEnd().split("\n").at(-1) ?? "";
  return cut(last);
}

function keptText(journal: Told, callId: string): string {
  try {
    return Buffer.from(journal.outputOf(callId)?.bytes ?? []).toString("utf8");
  } catch {
    return ""; // damaged: that it is gone is told all the same
  }
}
