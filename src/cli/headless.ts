import { addressOf, namedIn, readCallName } from "../core/call-ref.ts";
import { saysOfJob } from "../core/job-notices.ts";
import { jsonLine } from "../core/json-line.ts";
import type { AgentEvent, UnsettledCall, WaitingCall } from "../graph/events.ts";
import { sessionTaken } from "../session/exit-codes.ts";
import type { Session } from "../session/session.ts";
import { run } from "../words/en/run.ts";
import type { Composition } from "./composition.ts";
import type { Io } from "./io.ts";
import { errorLines, type Problem, problemOf, reportProblem } from "./print/report.ts";
import type { Notice } from "./services/session-services.ts";
import { catchSignals } from "./signals.ts";
import { cleanText } from "./terminal/sanitise.ts";

/** The knowledge of a run without a screen, from the stream so far. */
export interface RunState {
  /** Addresses of the calls that were there when the session was opened. */
  known: Set<string>;
  waiting: WaitingCall[];
  unsettled: UnsettledCall[];
  exitCode: number;
}

export interface Printer {
  /** @param isReported stderr is told of it elsewhere. */
  print(event: AgentEvent, isReported?: boolean): void;
  /** True if it also gets the problem that ended the run, which stderr says in any case. */
  readonly problems?: boolean;
}

// Keeps cli 2.
/**
 * Plays a session without a screen: prints its events, lets `act` say what the person has to say, waits until nothing runs
 * any more, closes. `answer` is asked whenever calls wait; it returns false when it has nothing to say, and the session
 * stays as it is, saved. A problem is reported here, so that the stream's last line can be `turn_ended` all the same.
 * @returns the exit code.
 */
export async function play(
  session: Session,
  { io, leave }: Pick<Composition, "io" | "leave">,
  printer: Printer,
  act: (heard: RunState) => Promise<void>,
  answer: (heard: RunState) => Promise<boolean> = async () => false,
  notices: readonly Notice[] = [],
): Promise<number> {
  const heard: RunState = { known: new Set(), waiting: [], unsettled: [], exitCode: 0 };
  // The turn stays as it is: what was approved goes on when the session is resumed.
  const signals = catchSignals(io.stdout, () => {
    leave();
    session.close().catch(() => undefined);
  });
  let failed: { error: unknown } | undefined;
  const ending = (): Ending => ({
    exitCode: signals.came(),
    problem: failed === undefined ? undefined : problemOf(failed.error),
  });
  let over = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    over = resolve;
  });
  const isGone = async (): Promise<boolean> => {
    await eventsHeard(); // by then it is known whether it could be written
    return io.stdout.errored !== null || io.stderr.errored !== null;
  };
  // Decided with the last line: what comes later changes neither what was told nor the exit code.
  const told = tell({ session, printer, heard, ending, closed, notices, isGone }).then((said) => {
    signals.release(said.code);
    return said;
  });
  try {
    await act(heard);
    do {
      await session.settled();
      await eventsHeard();
    } while (signals.came() === undefined && (await answer(heard)));
  } catch (error) {
    failed = { error };
  }
  try {
    await session.close();
  } catch (error) {
    failed ??= { error };
  }
  over();
  const { code, resume } = await told;
  if (failed !== undefined) reportProblem(failed.error, io, false);
  if (resume !== undefined) io.stderr.write(`${run().goOn({ resume })}\n`);
  return code;
}

/** Lets every event that this turn of the event loop has brought be heard. */
export const eventsHeard = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Said {
  code: number;
  resume: string | undefined;
}

/** The end of a run that does not end with its turn: a signal's exit code, or a problem. */
interface Ending {
  exitCode: number | undefined;
  problem: Problem | undefined;
}

interface Told {
  session: Session;
  printer: Printer;
  heard: RunState;
  ending(): Ending;
  /** Resolves when the session is closed, or has failed to close. */
  closed: Promise<void>;
  notices: readonly Notice[];
  /** Tells whether its output cannot be read any more. */
  isGone(): Promise<boolean>;
}

/**
 * Prints the stream. Its last line, a `turn_ended`, waits until nothing can change how the run ends, and carries its exit code.
 * @returns that code, and the command that goes on where no line says it.
 */
async function tell({ session, printer, heard, ending, closed, notices, isGone }: Told): Promise<Said> {
  const lines = new Lines(printer, notices);
  let held: HeldEvents | undefined;
  for await (const event of session.events()) {
    listen(heard, event);
    // At the close it comes behind the end of the last turn, whose line is the last one all the same.
    if (saysOfJob(event)) {
      lines.print(event);
      if (await isGone()) break; // it was not heard: the next process of the session tells it
      continue;
    }
    if (held !== undefined) lines.print(held.event);
    lines.problemTold ||= saysTaken(event);
    held = isLastWord(event) ? { event, problem: ending().problem } : undefined;
    if (held === undefined) lines.print(event);
    else if (held.problem !== undefined) lines.problem(held.problem, headOf(event));
  }
  await closed;
  const { problem } = ending();
  const code = sayLast(lines, held, ending(), heard.exitCode);
  return { code, resume: problem === undefined ? undefined : lines.resumeAfter(problem) };
}

/** @param held the session's own last word, and the problem that was known by then. */
function sayLast(lines: Lines, held: HeldEvents | undefined, { exitCode, problem }: Ending, ownCode: number): number {
  const code = exitCode ?? problem?.exitCode ?? ownCode;
  const isLast = problem === undefined || held?.problem !== undefined;
  if (held !== undefined) lines.print(isLast ? { ...held.event, exitCode: code } : held.event);
  if (problem !== undefined) lines.endWith(problem, code);
  return code;
}

interface HeldEvents {
  event: Extract<AgentEvent, { type: "turn_ended" }>;
  problem: Problem | undefined;
}

/** The lines that were printed: numbered without a gap, whatever is told between the session's own events. */
class Lines {
  last: AgentEvent | undefined;
  problemTold = false;
  readonly #printer: Printer;
  readonly #notices: readonly Notice[];

  /** @param notices to be printed behind the first line. */
  constructor(printer: Printer, notices: readonly Notice[]) {
    this.#printer = printer;
    this.#notices = notices;
  }

  print(event: AgentEvent, isReported = false): void {
    const first = this.last === undefined;
    this.last = { ...event, seq: (this.last?.seq ?? 0) + 1 };
    this.#printer.print(this.last, isReported);
    if (first) for (const notice of this.#notices) this.print({ ...headOf(event), type: "notice", ...notice });
  }

  problem({ code, message, hint }: Problem, near: Head): void {
    if (this.problemTold) return;
    this.problemTold = true;
    const said = { type: "error" as const, code, message, ...(hint === undefined ? {} : { hint }) };
    if (this.#printer.problems === true) this.print({ ...near, ...said }, true);
  }

  /** A problem that came when the session had said its last, or before its first: then there is no session. */
  endWith(problem: Problem, exitCode: number): void {
    const { last } = this;
    if (this.#printer.problems !== true || (this.problemTold && last?.type === "turn_ended")) return;
    const head = last === undefined ? noSession() : headOf(last);
    this.problem(problem, head);
    const calls = { success: 0, error: 0, cancelled: 0, interrupted: 0 };
    const resume = this.#goesOn(problem);
    const goesOn = resume === undefined ? {} : { resume };
    this.print({ ...head, type: "turn_ended", reason: "failed", exitCode, calls, ...goesOn });
  }

  /** For whoever reads no `turn_ended`: how to go on where the session's own end does not say it. */
  resumeAfter(problem: Problem): string | undefined {
    return this.#printer.problems === true || this.last?.type === "turn_ended" ? undefined : this.#goesOn(problem);
  }

  /** Returns the command by which it goes on. Events of a session have its name, which is then stored. A mistaken command says itself what to do. */
  #goesOn({ code }: Problem): string | undefined {
    const session = this.last?.parent ?? this.last?.session;
    return !session || code === "COMMAND" || code === sessionTaken ? undefined : `agent resume ${session}`;
  }
}

type Head = Pick<AgentEvent, "v" | "seq" | "at" | "session">;

/** As of the session that is driven, beside a line of a child of its too. */
const headOf = ({ v, seq, at, session, parent = session }: AgentEvent): Head => ({ v, seq, at, session: parent });

const noSession = (): Head => ({ v: 1, seq: 0, at: new Date().toISOString(), session: "" });

/** A child's turn is a part of its parent's. */
const isLastWord = (event: AgentEvent): event is HeldEvents["event"] =>
  event.type === "turn_ended" && event.parent === undefined;

const saysTaken = (event: AgentEvent): boolean => event.type === "error" && event.code === sessionTaken;

function listen(heard: RunState, event: AgentEvent): void {
  const { session } = event;
  const others = <Call extends { session: string; callId: string }>(calls: Call[], callId: string) =>
    calls.filter((one) => one.session !== session || one.callId !== callId);
  switch (event.type) {
    case "session_restored":
      for (const ref of callsIn(event)) heard.known.add(addressOf(ref));
      break;
    // One question over the session and all that it drives.
    case "approval_requested":
      heard.waiting = event.calls;
      break;
    case "recovery_requested":
      heard.unsettled = event.calls;
      break;
    case "decision":
      if (event.decision !== "edit") heard.waiting = others(heard.waiting, event.callId);
      heard.unsettled = others(heard.unsettled, event.callId);
      break;
    case "tool_call":
      // A new message settles what waited without a decision of its own.
      if ("times" in event.call) heard.waiting = others(heard.waiting, event.call.callId);
      break;
    case "turn_ended":
      if (event.parent === undefined) heard.exitCode = event.exitCode;
      break;
    default:
  }
}

/** Those of the session, and those of its helpers that wait: one of them is asked about once another helper has gone on. */
function callsIn({ session, messages, waiting, interrupted }: Extract<AgentEvent, { type: "session_restored" }>) {
  const own = messages.flatMap((entry) => (entry.role === "call" ? [{ session, call: entry.call.callId }] : []));
  const named = [...waiting, ...interrupted].map(readCallName).filter((name) => name !== undefined);
  return [...own, ...named.map((name) => namedIn(session, name))];
}

/** NDJSON: one event a line on stdout. What went wrong stands on stderr too, in a person's words. */
export const jsonPrinter = (io: Io): Printer => ({
  print: (event, isReported) => {
    io.stdout.write(jsonLine(event));
    if (event.type === "error" && isReported !== true)
      for (const line of errorLines(event)) io.stderr.write(`${cleanText(line)}\n`);
  },
  problems: true,
});
