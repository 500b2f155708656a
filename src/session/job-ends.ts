import { jobEnded, jobGone, jobLine } from "../core/job-notices.ts";
import { endLeftChildren } from "../graph/calls/left-children.ts";
import type { AgentEventBody } from "../graph/events.ts";
import type { JobEnd, Journal } from "../store/types.ts";
import { notices } from "../words/contract/session.ts";
import { told } from "../words/contract/told.ts";
import { EndsToKeep } from "./ends-to-keep.ts";

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
  readonly #toKeep = new EndsToKeep();
  /** Calls with the attempt that is recovered. */
  readonly #recovered = new Map<string, number>();
  #noted: Promise<void> = Promise.resolve();

  constructor(journal: Journal, stream: Stream) {
    this.#journal = journal;
    this.#stream = stream;
  }

  /** This attempt of a call is recovered: what it started is ended, and comes to no end of its own. */
  recover(callId: string, attempt: number): void {
    this.#recovered.set(callId, attempt);
  }

  isRecovered(callId: string, attempt: number | undefined): boolean {
    return attempt !== undefined && attempt <= (this.#recovered.get(callId) ?? 0);
  }

  /** Keeps what a job has said, as `Journal.keepOutput`; an end that cannot be kept is kept later. @throws what that throws */
  keep(...of: Parameters<Journal["keepOutput"]>): Promise<void> {
    const job = of[2];
    const write = (): Promise<void> => this.#journal.keepOutput(...of);
    if (job === undefined || job === "running") return write();
    return this.#toKeep.keep(async () => {
      await write();
      if (typeof job === "object") this.sayEnded();
    });
  }

  keepAll(): Promise<void> {
    return this.#toKeep.keepAll();
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
      await this.#toKeep.end();
      this.#sayAll(earlier, "left");
      this.#sayAll(this.#untold(), "ended");
      await this.#stream.allHeard();
      await this.#noted;
    }
  }

  /** The ends that are to be said, of each attempt of a call. That the journal cannot be read is said by whatever else is done with it. */
  #untold(): JobEnd[] {
    try {
      return this.#journal.jobEnds().filter(({ seq, isTold }) => !isTold && !this.#said.has(seq));
    } catch {
      return [];
    }
  }

  /** @param lost how those ended that came to no end of their own */
  #sayAll(found: readonly JobEnd[], lost: Lost): void {
    const ends = found.filter(({ seq }) => !this.#said.has(seq));
    const gone = ends.filter(({ how }) => how === undefined);
    for (const end of ends) {
      const { callId: id, how, last, seq } = end;
      this.#said.add(seq);
      const job = { id, command: commandOf(this.#journal, id), last };
      const place = { at: gone.indexOf(end) + 1, of: gone.length };
      const [code, text] =
        how === undefined
          ? [jobGone, notices.lostJob({ ...job, ...place, isEnded: lost === "ended" })]
          : [jobEnded, notices.endedJob({ ...job, how })];
      this.#stream.emit({ type: "notice", code, text }, () => this.#note(seq));
    }
  }

  #note(end: number): void {
    this.#noted = this.#noted.then(() => this.#journal.noteJobTold(end)).catch(() => undefined); // then it is told again
  }
}

const commandOf = (journal: Pick<Journal, "call">, callId: string): string =>
  jobLine(String(journal.call(callId)?.arguments["command"] ?? ""));
