import { endedByRecovery } from "../../../core/job-notices.ts";
import type { KeptJob, KeptOutputs } from "../../../core/kept-outputs.ts";
import { bytesOfOutput, type CappedOutput } from "../../../process/capped-output.ts";
import type { ChildEnd, RunningChild } from "../../../process/run-child.ts";
import { jobEndWords, wholeCharacters } from "../command-words.ts";

/** A command in the background, from its start to the end of its session. */
export interface Job {
  /** The call that started it. */
  readonly id: string;
  /** The attempt of that call; undefined where that is not known. */
  readonly attempt: number | undefined;
  readonly command: string;
  /** Returns how it ended; undefined while it runs. */
  end(): ChildEnd | undefined;
  /** Returns its output from that byte on, and the byte to go on from. */
  since(offset: number): { output: CappedOutput; next: number };
  /** TERM, and KILL after two seconds; resolves when nothing of it runs any more. */
  stop(): Promise<ChildEnd>;
  /** No call tells of its end from now on, but for one that stops it: the person and the model are told when it has come. */
  leave(): void;
  /** Resolves when it has ended, or after so many milliseconds. */
  wait(ms: number): Promise<void>;
}

/** The background jobs of one session. */
export interface Jobs {
  add(job: {
    id: string;
    command: string;
    child: RunningChild;
    stop: AbortController;
    outputs: KeptOutputs | undefined;
  }): Job;
  get(id: string): Job | undefined;
  ids(): string[];
  /** Ends all that run, with the session: each is kept as lost, so that the person and the model are told. */
  endAll(): Promise<void>;
}

/** The interval at which a job's output is kept while it runs, in milliseconds; and the length of its end that is kept, in bytes. */
const keepEveryMs = 2_000;
const keptWhileRunning = 64_000;

export function createJobs(): Jobs {
  const jobs = new Map<string, Job>();
  const ending: (() => Promise<void>)[] = [];
  return {
    add({ id, command, child, stop, outputs }) {
      let ended: ChildEnd | undefined;
      const over = child.ended.then((end) => {
        ended = end;
        return end;
      });
      let fate: Fate = "of its call";
      const attempt = outputs?.attemptOf?.(id);
      const kept = keepOutput({ id, attempt, child, over, outputs, fate: () => fate });
      const job: Job = {
        id,
        attempt,
        command,
        end: () => ended,
        since(asked) {
          const offset = Math.min(asked, child.output.size());
          const { head, omitted, tail } = child.output.since(offset);
          const whole = ended === undefined ? wholeCharacters(tail.length === 0 ? head : tail) : undefined;
          const output = whole === undefined ? { head, omitted, tail } : cutLast({ head, omitted, tail }, whole);
          return { output, next: offset + output.head.length + output.omitted + output.tail.length };
        },
        leave() {
          fate = "by itself";
        },
        async stop() {
          if (fate === "by itself" && ended === undefined) fate = "of its call";
          stop.abort(new Error("the job was stopped"));
          const end = await over;
          await kept;
          return end;
        },
        wait: (ms) => raceTime(over, ms),
      };
      ending.push(async () => {
        const isLost = ended === undefined && !stop.signal.aborted;
        if (isLost) fate = "with its session";
        await job.stop();
      });
      jobs.set(id, job);
      return job;
    },
    get: (id) => jobs.get(id),
    ids: () => [...jobs.keys()],
    endAll: async () => {
      await Promise.all(ending.map((end) => end()));
    },
  };
}

const cutLast = (output: CappedOutput, last: Buffer): CappedOutput =>
  output.tail.length === 0 ? { ...output, head: last } : { ...output, tail: last };

/** The way of its end, as far as it is known: a call tells of it, or nobody does yet, or its session ends it. */
type Fate = "of its call" | "by itself" | "with its session";

interface Kept {
  id: string;
  attempt: number | undefined;
  child: RunningChild;
  over: Promise<ChildEnd>;
  outputs: KeptOutputs | undefined;
  fate(): Fate;
}

/**
 * The last of what it says while it runs, all of it and how it ended at its end: what a session that is opened again, or read_file,
 * finds. That it cannot be kept must not end what runs.
 */
async function keepOutput({ id, attempt, child, over, outputs, fate }: Kept): Promise<void> {
  if (outputs === undefined) return void (await over);
  let known = 0;
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    if (child.output.size() === known) return;
    known = child.output.size();
    const { head, tail } = child.output.take();
    const last = Buffer.concat([head, tail]).subarray(-keptWhileRunning);
    writing = writing.then(() => outputs.keep(id, last, "running", attempt)).catch(() => undefined);
  }, keepEveryMs);
  timer.unref();
  const end = await over;
  const way = fate();
  // Asked at once: what has ended by then came to its own end, whatever is recovered from now on.
  const isRecovered = way === "by itself" && isBySignal(end) && outputs.isRecovered?.(id, attempt) === true;
  clearInterval(timer);
  await writing;
  const said = bytesOfOutput(child.output.take());
  const apart = said.length === 0 || said.at(-1) === 0x0a ? "" : "\n";
  // One that ends by itself in the same instant came to its own end.
  const lost = way === "with its session" && end.how === "aborted";
  const own = lost ? `ended with its session: ${jobEndWords(end)}` : jobEndWords(end);
  const words = isRecovered ? endedByRecovery : own;
  const job: KeptJob = lost ? "lost" : way === "of its call" ? "ended" : { over: words };
  await outputs
    .keep(id, Buffer.concat([said, Buffer.from(`${apart}(${words})\n`)]), job, attempt)
    .catch(() => undefined);
}

/** A sandbox tells the signal that ended what ran in it as a shell does: 128 and its number, here of TERM or KILL. */
const isBySignal = ({ code, signal }: ChildEnd): boolean => signal !== null || code === 143 || code === 137;

async function raceTime(over: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([over, late]);
  clearTimeout(timer);
}
