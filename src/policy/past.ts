import { hostText } from "./hosts.ts";
import type { CallFacts } from "./types.ts";

/** Whether what came before in the session has a say in this call, so that it must be found out. */
export const heedsPast = ({ outlasts, hosts, network }: Pick<CallFacts, "outlasts" | "hosts" | "network">): boolean =>
  hosts.length > 0 || network === true || outlasts === true;

/** Why a call that sends something out is asked about once guarded content was read, or undefined. */
export function exposedReason({ hosts, network, past }: CallFacts): string | undefined {
  if (past?.guarded === undefined) return undefined;
  if (network === true)
    return `${past.guarded} was read in this session, and a command with the network could carry it anywhere: a person decides each time`;
  const fresh = hosts.find((fact) => !past.agreed.includes(hostText(fact)));
  return (
    fresh &&
    `${past.guarded} was read in this session, and what is sent to ${hostText(fresh)} could carry it: a person decides for each new host`
  );
}

/**
 * Why a call is asked about that keeps a memory, or undefined. What was read of the web stays in the model's sight for the rest of the session, and a
 * memory is told to sessions after it: so it is the session that counts, not the turn.
 */
export const strangersReason = ({ outlasts, past }: CallFacts): string | undefined =>
  outlasts === true && past?.web === true
    ? "this session has read text of the web, and a memory outlasts it: a person sees to it that the web has not written it"
    : undefined;
