import type { AgentEvent, UnsettledCall, WaitingCall } from "../graph/events.ts";
import type { Session } from "../graph/session.ts";
import { sessionTaken } from "../graph/turn-end.ts";
import type { Io } from "./io.ts";
import { pause } from "./pause.ts";
import { type Problem, problemOf, reportProblem } from "./report.ts";
import { catchSignals } from "./signals.ts";

/** What a run without a screen has learned from the stream so far. */
export interface Heard {
  /** Calls that the session had when it was opened. */
  known: Set<string>;
  waiting: WaitingCall[];
  unsettled: UnsettledCall[];
  exitCode: number;
}

export interface Printer {
  print(event: AgentEvent): void;
  /** Whether it also gets the problem that ended the run, which stderr says in any case. */
  readonly problems?: boolean;
}

/**
 * Plays a session without a screen: prints its events, lets `act` say what the person has to say, waits until nothing runs
 * any more, closes. `answer` is asked whenever calls wait; it returns false when it has nothing to say, and the session
 * stays as it is, saved. A problem is reported here, so that the stream's last line can be `turn_ended` all the same.
 * @returns the exit code.
 */
export async function play(
  session: Session,
  io: Io,
  printer: Printer,
  act: (heard: Heard) => Promise<void>,
  answer: (heard: Heard) => Promise<boolean> = async () => false,
): Promise<number> {
  const heard: Heard = { known: new Set(), waiting: [], unsettled: [], exitCode: 0 };
  // The turn stays as it is: what was approved goes on when the session is resumed.
  const signals = catchSignals(io.stdout, () => void session.close());
  let failed: { error: unknown } | undefined;
  const ending = (): Ending => ({
    exitCode: signals.came(),
    problem: failed === undefined ? undefined : problemOf(failed.error),
  });
  const printed = tell(session, printer, heard, ending);
  try {
    await act(heard);
    do {
      await session.settled();
      await pause();
    } while (signals.came() === undefined && (await answer(heard)));
  } catch (error) {
    failed = { error };
  } finally {
    await session.close();
    await printed;
    signals.release();
  }
  const code = failed === undefined ? heard.exitCode : reportProblem(failed.error, io, false);
  return signals.came() ?? code;
}

/** How a run ends that does not end with its turn: by a signal's exit code, or by a problem. */
interface Ending {
  exitCode: number | undefined;
  problem: Problem | undefined;
}

/** Prints the stream. Its last `turn_ended` carries the exit code that the run ends with. */
async function tell(session: Session, printer: Printer, heard: Heard, ending: () => Ending): Promise<void> {
  let last: AgentEvent | undefined;
  let problemTold = false;
  const print = (event: AgentEvent): void => {
    last = { ...event, seq: (last?.seq ?? 0) + 1 };
    printer.print(last);
  };
  const tellProblem = ({ code, message, hint }: Problem, { v, seq, at, session: id }: AgentEvent): void => {
    if (problemTold) return;
    problemTold = true;
    const said = { type: "error" as const, code, message, ...(hint === undefined ? {} : { hint }) };
    if (printer.problems === true) print({ v, seq, at, session: id, ...said });
  };
  for await (const event of session.events()) {
    listen(heard, event);
    const { exitCode, problem } = ending();
    problemTold ||= saysTaken(event);
    if (problem !== undefined && event.type === "turn_ended") tellProblem(problem, event);
    const code = exitCode ?? problem?.exitCode;
    print(event.type === "turn_ended" && code !== undefined ? { ...event, exitCode: code } : event);
  }
  const { exitCode, problem } = ending();
  if (problem === undefined || last === undefined || printer.problems !== true) return;
  if (problemTold && last.type === "turn_ended") return;
  const { v, seq, at, session: id } = last;
  const calls = { success: 0, error: 0, cancelled: 0, interrupted: 0 };
  tellProblem(problem, last);
  print({
    v,
    seq,
    at,
    session: id,
    type: "turn_ended",
    reason: "failed",
    exitCode: exitCode ?? problem.exitCode,
    calls,
  });
}

const saysTaken = (event: AgentEvent): boolean => event.type === "error" && event.code === sessionTaken;

function listen(heard: Heard, event: AgentEvent): void {
  switch (event.type) {
    case "session_restored":
      for (const entry of event.messages) if (entry.role === "call") heard.known.add(entry.call.callId);
      break;
    case "approval_requested":
      heard.waiting = event.calls;
      break;
    case "recovery_requested":
      heard.unsettled = event.calls;
      break;
    case "decision":
      heard.waiting = heard.waiting.filter((call) => call.callId !== event.callId || event.decision === "edit");
      heard.unsettled = heard.unsettled.filter((call) => call.callId !== event.callId);
      break;
    case "tool_call":
      // A new message settles what waited without a decision of its own.
      if ("times" in event.call) heard.waiting = heard.waiting.filter(({ callId }) => callId !== event.call.callId);
      break;
    case "turn_ended":
      heard.exitCode = event.exitCode;
      break;
    default:
  }
}

/** NDJSON: one event a line on stdout. */
export const jsonPrinter = (io: Io): Printer => ({
  print: (event) => {
    io.stdout.write(`${JSON.stringify(event)}\n`);
  },
  problems: true,
});
