import type { Question } from "../graph/calls/question.ts";
import type { OpenSession } from "./open-session.ts";
import type { RunEnd, Start } from "./position.ts";

/**
 * Lets the graph run until the turn has ended or the person is asked, past what they typed themselves and past what was asked by sessions
 * that have been stopped meanwhile. @param ask called as soon as it is known what is asked yet, so that no stop comes between
 */
export async function runToQuestion(
  session: Pick<OpenSession, "run" | "approveOwn" | "stillAsked" | "goesOnBeside" | "all">,
  start: Start,
  signal: AbortSignal,
  ask: (question: Question) => void,
): Promise<RunEnd> {
  const again = () => session.run({ from: "position" }, signal, true);
  let end = await session.run(start, signal);
  if (end.kind === "asks" && (await session.approveOwn(end.question, signal))) end = await again();
  let tried: string | undefined;
  while (end.kind === "asks") {
    // One that was answered as its call came to rest goes on before the others are asked about; once as it stands.
    const idle = session.goesOnBeside() ? idleIn(session) : undefined;
    if (idle !== undefined && idle !== tried) {
      tried = idle;
      end = await again();
      continue;
    }
    const question = session.stillAsked(end.question);
    if (question !== undefined) {
      ask(question);
      return end;
    }
    end = await again();
  }
  return end;
}

/** Names the sessions that have nothing to ask, with the statuses of their calls. */
const idleIn = (session: Pick<OpenSession, "all">): string =>
  session
    .all()
    .filter((one) => one.waitsFor() === undefined)
    .map(({ id, journal }) => `${id} ${journal.allCalls().map(({ status }) => status)}`)
    .join("\n");
