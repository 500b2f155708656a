import { ownCommandName, stopJobName } from "../core/call.ts";
import type { JsonObject } from "../core/json.ts";

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
