import type { AgentEvent, UnsettledCall, WaitingCall } from "../graph/events.ts";
import type { Session } from "../graph/session.ts";
import type { Io } from "./io.ts";
import { pause } from "./pause.ts";
import { catchSignals } from "./signals.ts";

/** What a run without a screen has learned from the stream so far. */
export interface Heard {
  waiting: WaitingCall[];
  unsettled: UnsettledCall[];
  exitCode: number;
}

export interface Printer {
  print(event: AgentEvent): void;
}

/**
 * Plays a session without a screen: prints its events, lets `act` say what the person has to say, waits until nothing runs
 * any more, closes. `answer` is asked whenever calls wait; it returns false when it has nothing to say, and the session
 * stays as it is, saved.
 * @returns the exit code.
 */
export async function play(
  session: Session,
  io: Io,
  printer: Printer,
  act: (heard: Heard) => Promise<void>,
  answer: (heard: Heard) => Promise<boolean> = async () => false,
): Promise<number> {
  const heard: Heard = { waiting: [], unsettled: [], exitCode: 0 };
  const signals = catchSignals(io.stdout, () => void session.stop());
  const printed = (async () => {
    for await (const event of session.events()) {
      listen(heard, event);
      printer.print(event);
    }
  })();
  try {
    await act(heard);
    do {
      await session.settled();
      await pause();
    } while (signals.came() === undefined && (await answer(heard)));
  } finally {
    await session.close();
    await printed;
    signals.release();
  }
  return signals.came() ?? heard.exitCode;
}

function listen(heard: Heard, event: AgentEvent): void {
  switch (event.type) {
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
});
