import type { AgentEventBody } from "../graph/events.ts";
import { notices } from "../words/contract/session.ts";
import type { OpenSession } from "./open-session.ts";

/** The time for which a stop waits for a locked store before the person is told. */
const quietMs = 1_000;

const unwritten: AgentEventBody = {
  type: "notice",
  code: "stop_unwritten",
  text: notices.stopUnwritten,
};

/** Tells the person where the end of work cannot be written down soon: the work itself is ended at once, whatever the store does. */
export async function sayIfHeldUp(
  stopping: Promise<void>,
  opened: Promise<OpenSession> | undefined,
  emit: (body: AgentEventBody) => void,
): Promise<void> {
  let over = false;
  const say = async (): Promise<void> => {
    const session = await opened?.catch(() => undefined);
    if (!over && session?.journal.isHeldUp === true) emit(unwritten);
  };
  const saying = setTimeout(() => void say(), quietMs);
  try {
    await stopping;
  } finally {
    over = true;
    clearTimeout(saying);
  }
}
