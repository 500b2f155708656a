import type { AgentEvent } from "../../src/graph/events.ts";
import type { Ended, FaultPlace } from "./place.ts";
import { type Fault, faultText } from "./points.ts";

/** Processes that one case may take, the first one included. */
const maxProcesses = 6;

/** How the processes of one case ended, in their order, and the session that they worked at. */
export interface Played {
  session: string;
  processes: Ended[];
  events: AgentEvent[];
  /** How many of the faults came to pass. */
  struck: number;
  /** System calls failed with these errors: a call may have ended with one of them. */
  errors: readonly string[];
  /** What was to be removed could not be. */
  leaves: boolean;
}

/** A process of the case: the environment that brings its fault, or a wrapper that does. */
export interface Trouble {
  env?: Readonly<Record<string, string>>;
  wrapper?: (place: FaultPlace) => readonly string[];
  /** The error that system calls fail with, e.g. ENOSPC. */
  error?: string;
  /** Files cannot be removed. */
  leaves?: boolean;
}

export const troubleOf = (fault: Fault): Trouble => ({ env: { HOLDFAST_FAULT: faultText(fault) } });

const finished = ({ code, events }: Ended): boolean => {
  const end = events.findLast((event) => event.type === "turn_ended");
  // An undo that was refused has failed for good: there is nothing to resume.
  return (code === 0 || code === 10 || code === 1) && end !== undefined && end.resume === undefined;
};

/**
 * Starts the agent again and again, the first processes each with a trouble of its own, until the session is done.
 * @param before a process that has worked at it and ended.
 * @throws Error where it is not done after so many processes.
 */
export async function play(place: FaultPlace, troubles: readonly Trouble[], before?: Ended): Promise<Played> {
  const processes: Ended[] = before === undefined ? [] : [before];
  let session = before?.events[0]?.session;
  for (let index = 0; index < maxProcesses; index += 1) {
    const { env, wrapper } = troubles[index] ?? {};
    const ended = await place.start(session === undefined ? [] : [session], env, wrapper?.(place)).done;
    processes.push(ended);
    if (finished(ended)) break;
    session = sessionAfter(ended, session);
  }
  const last = processes.at(-1);
  if (last === undefined || !finished(last)) throw new Error(`the session was never done:\n${tellAll(processes)}`);
  const events = processes.flatMap((one) => one.events);
  const id = last.events[0]?.session;
  if (id === undefined) throw new Error("the last process named no session");
  const errors = troubles.flatMap(({ error }) => error ?? []);
  const leaves = troubles.some((trouble) => trouble.leaves === true);
  return { session: id, processes, events, struck: processes.filter((one) => one.struck).length, errors, leaves };
}

/** The session to go on with: none where the store does not know it, since it was never saved nor said to be. */
function sessionAfter({ code, events, stderr }: Ended, before: string | undefined): string | undefined {
  const named = events[0]?.session ?? before;
  return code === 2 && stderr.includes("no session") ? undefined : named;
}

/** What the processes said, for the report of a failure: without what only shows that something goes on. */
export function tellAll(processes: readonly Ended[]): string {
  return processes
    .map(({ code, signal, events, stderr }, index) => {
      const said = events.flatMap((event) => {
        if (event.type === "tool_progress" || event.type === "text_delta" || event.type === "usage") return [];
        const { v: _v, at: _at, session: _session, ...rest } = event;
        return [JSON.stringify(rest).slice(0, 200)];
      });
      return [`process ${index + 1} ended with ${code ?? signal}`, ...said.slice(-12), stderr.trim()].join("\n  ");
    })
    .join("\n");
}
