import { ownCommandName, stopJobName } from "../core/call.ts";
import type { JsonObject } from "../core/json.ts";
import type { Question } from "../graph/calls/question.ts";
import type { WaitingCall } from "../graph/events.ts";

/** A turn of one call that the person gives themselves, as they said it. */
export interface OwnTurn {
  text: string;
  call: { name: string; arguments: JsonObject };
}

/** The person's own command line. */
export const ownCommandTurn = (command: string): OwnTurn => ({
  text: `!${command}`,
  call: { name: ownCommandName, arguments: { command, network: true } },
});

/** That a background job is to end. @param id the call that started it */
export const stopJobTurn = (id: string): OwnTurn => ({
  text: `/jobs stop ${id}`,
  call: { name: stopJobName, arguments: { id } },
});

const ownNames: ReadonlySet<string> = new Set([ownCommandName, stopJobName]);

/** The one call that is asked about, where the person gave it themselves, by typing it or by a key, and it is as they gave it. */
export function ownCallIn(question: Question | undefined): WaitingCall | undefined {
  const [call, ...more] = question?.kind === "approval" ? question.calls : [];
  return call !== undefined && ownNames.has(call.toolName) && more.length === 0 && call.changed === undefined
    ? call
    : undefined;
}
