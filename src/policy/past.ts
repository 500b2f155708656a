import { hostText } from "./hosts.ts";
import type { CallFacts } from "./types.ts";

/** Tools whose results were written by strangers, whatever hosts their plans name. */
export const webTools: readonly string[] = ["web_fetch", "web_search"];

/** Whether what came before in the session has a say in this call, so that it must be found out. */
export const heedsPast = ({ tool, hosts, network }: Pick<CallFacts, "tool" | "hosts" | "network">): boolean =>
  hosts.length > 0 || network === true || tool === "save_memory";

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
 * Why a memory is asked about, or undefined. What was read of the web stays in the model's sight for the rest of the session, and a
 * memory is told to sessions after it: so it is the session that counts, not the turn.
 */
export const strangersReason = ({ tool, past }: CallFacts): string | undefined =>
  tool === "save_memory" && past?.web === true
    ? "this session has read text of the web, and a memory outlasts it: a person sees to it that the web has not written it"
    : undefined;
