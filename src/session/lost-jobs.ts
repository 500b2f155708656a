import { jobGone } from "../core/job-notices.ts";
import { inOneLine } from "../core/linear-text.ts";
import { endLeftChildren } from "../graph/calls/left-children.ts";
import type { AgentEventBody } from "../graph/events.ts";
import type { Journal } from "../store/types.ts";

/**
 * Jobs that an earlier process of this session left behind: makes sure that nothing of them runs, and keeps with what they said that
 * they are gone, so that each is told once: the person now, the model with its next request.
 */
async function endLostJobs(journal: Journal): Promise<void> {
  for (const callId of journal.runningJobs()) {
    await endLeftChildren(journal.childrenOf(callId));
    const said = Buffer.from(journal.outputOf(callId)?.bytes ?? []).toString("utf8");
    const apart = said === "" || said.endsWith("\n") ? "" : "\n";
    await journal.keepOutput(callId, Buffer.from(`${said}${apart}${goneLine}\n`), "lost");
  }
}

/** What the words about a job are made of. */
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
    this.#sayAll(this.#untold(), goneWithEarlier);
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
      this.#sayAll(earlier, goneWithEarlier);
      this.#sayAll(this.#untold(), endedHere);
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

  #sayAll(callIds: readonly string[], how: string): void {
    for (const [at, callId] of callIds.entries()) {
      this.#said.add(callId);
      const which = callIds.length === 1 ? "" : `, ${at + 1} of ${callIds.length}`;
      const text = `the background job ${callId} (${commandOf(this.#journal, callId)}) ${how}${which}; ${lastWords(this.#journal, callId)}`;
      this.#stream.emit({ type: "notice", code: jobGone, text }, () => this.#note(callId));
    }
  }

  #note(callId: string): void {
    this.#noted = this.#noted.then(() => this.#journal.noteJobTold(callId)).catch(() => undefined); // then it is told again
  }
}

const goneWithEarlier = "is gone with the process that ran it";
const endedHere = "was ended with its session";

const goneLine =
  "(it is gone: it ended with the process that this session ran in; this is the last that was kept of it)";

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
  return last === "" ? "it had said nothing" : `its last words: ${cut(last)}`;
}

function keptText(journal: Told, callId: string): string {
  try {
    return Buffer.from(journal.outputOf(callId)?.bytes ?? []).toString("utf8");
  } catch {
    return ""; // damaged: that it is gone is told all the same
  }
}
