import { jobEnded, jobGone } from "../core/job-notices.ts";
import { inOneLine } from "../core/linear-text.ts";
import { endLeftChildren } from "../graph/calls/left-children.ts";
import type { AgentEventBody } from "../graph/events.ts";
import type { JobEnd, Journal } from "../store/types.ts";
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

/** The end of a lost one: an earlier process left it behind, or it was ended with the session. */
type Lost = "left" | "ended";

interface Stream {
  emit(body: AgentEventBody, heard: () => void): void;
  allHeard(): Promise<void>;
}

// Keeps session 3.
/**
 * Tells the person of the ends of jobs that no call tells of: of those that are lost, and of those that came to their own. That they were
 * told is written down when whoever shows it has shown it and reads on: where the process dies before, or the terminal is gone, the next
 * process of the session tells them.
 */
export class JobEndsTold {
  readonly #journal: Journal;
  readonly #stream: Stream;
  /** By `JobEnd.seq`. */
  readonly #said = new Set<number>();
  #noted: Promise<void> = Promise.resolve();

  constructor(journal: Journal, stream: Stream) {
    this.#journal = journal;
    this.#stream = stream;
  }

  /** Says it of those that earlier processes of the session left behind. */
  async sayFound(): Promise<void> {
    await endLostJobs(this.#journal);
    this.#sayAll(this.#untold(), "left");
  }

  /** Says it of those that came to their own ends since. */
  readonly sayEnded = (): void => {
    this.#sayAll(
      this.#untold().filter(({ how }) => how !== undefined),
      "left",
    );
  };

  /**
   * Says, behind the end of all that works in the session, which jobs were ended with it. Resolves when it is written down that this was
   * heard, if it was. @throws what `end` throws
   */
  async endWith(end: () => Promise<void>): Promise<void> {
    const earlier = this.#untold();
    try {
      await end();
    } finally {
      this.#sayAll(earlier, "left");
      this.#sayAll(this.#untold(), "ended");
      await this.#stream.allHeard();
      await this.#noted;
    }
  }

  /** The ends that are to be said, of each job its newest. That the journal cannot be read is said by whatever else is done with it. */
  #untold(): JobEnd[] {
    try {
      const ends = new Map(this.#journal.jobEnds().map((end) => [end.callId, end]));
      return this.#journal.untoldJobs().flatMap((callId) => {
        const end = ends.get(callId);
        return end === undefined || this.#said.has(end.seq) ? [] : [end];
      });
    } catch {
      return [];
    }
  }

  /** @param lost how those ended that came to no end of their own */
  #sayAll(found: readonly JobEnd[], lost: Lost): void {
    const ends = found.filter(({ seq }) => !this.#said.has(seq));
    const gone = ends.filter(({ how }) => how === undefined);
    for (const end of ends) {
      const { callId: id, how, seq } = end;
      this.#said.add(seq);
      const job = { id, command: commandOf(this.#journal, id), last: lastWords(this.#journal, id) };
      const place = { at: gone.indexOf(end) + 1, of: gone.length };
      const [code, text] =
        how === undefined
          ? [jobGone, notices.lostJob({ ...job, ...place, isEnded: lost === "ended" })]
          : [jobEnded, notices.endedJob({ ...job, how })];
      this.#stream.emit({ type: "notice", code, text }, () => this.#note(id, seq));
    }
  }

  #note(callId: string, end: number): void {
    this.#noted = this.#noted.then(() => this.#journal.noteJobTold(callId, end)).catch(() => undefined); // then it is told again
  }
}

const mostTold = 200;

function cut(text: string): string {
  const line = inOneLine(text);
  return line.length > mostTold ? `${line.slice(0, mostTold - 1).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

const commandOf = (journal: Told, callId: string): string =>
  cut(String(journal.call(callId)?.arguments["command"] ?? ""));

/** The last line that is kept of one says how it ended; its own words are before it. */
function lastWords(journal: Told, callId: string): string {
  const lines = keptText(journal, callId).trimEnd().split("\n").slice(0, -1);
  const last = lines.join("\n").trimEnd().split("\n").at(-1) ?? "";
  return cut(last);
}

function keptText(journal: Told, callId: string): string {
  try {
    return Buffer.from(journal.outputOf(callId)?.bytes ?? []).toString("utf8");
  } catch {
    return ""; // damaged: its end is told all the same
  }
}
