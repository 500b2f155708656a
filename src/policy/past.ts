import type { Effect } from "../core/tool.ts";
import { hostText } from "./hosts.ts";
import type { CallFacts } from "./types.ts";

/** What of a call bears on whether it can carry something out. */
type Reach = Pick<CallFacts, "hosts" | "network" | "sandbox" | "effect"> & { commands: readonly unknown[] };

// Keeps policy 3.
/** Whether what came before in the session has a say in this call, so that it must be found out. */
export const heedsPast = (call: Pick<CallFacts, "outlasts"> & Reach): boolean =>
  call.hosts.length > 0 || call.network === true || call.outlasts === true || isUnheld(call);

/** A command that nothing keeps from the network, whether or not it asks for it. */
export const isUnheld = ({
  commands,
  sandbox,
  effect,
}: Pick<Reach, "commands" | "sandbox"> & { effect?: Effect }): boolean =>
  commands.length > 0 && sandbox !== true && effect !== "none";

/** Why a call that sends something out is asked about once guarded content was read, or undefined. */
export function exposedReason(call: CallFacts): string | undefined {
  const { hosts, network, past } = call;
  if (past?.guarded === undefined) return undefined;
  const told = `${past.guarded} was read in this session`;
  if (network === true)
    return `${told}, and a command with the network could carry it anywhere: a person decides each time`;
  if (isUnheld(call))
    return `${told}, and without the sandbox nothing keeps a command from carrying it anywhere: a person decides each time`;
  const fresh = hosts.find((fact) => !past.agreed.includes(hostText(fact)));
  return fresh && `${told}, and what is sent to ${hostText(fresh)} could carry it: a person decides for each new host`;
}

/**
 * Why a call is asked about that keeps a memory, or undefined. What was read of the web stays in the model's sight for the rest of the session, and a
 * memory is told to sessions after it: so it is the session that counts, not the turn.
 */
export const strangersReason = ({ outlasts, past }: CallFacts): string | undefined =>
  outlasts === true && past?.web === true
    ? "this session has read text of the web or of a server, and a memory outlasts it: a person sees to it that neither has written it"
    : undefined;
