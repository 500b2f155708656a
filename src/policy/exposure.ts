import type { Effect } from "../core/tool.ts";
import type { Reason } from "../words/contract/policy-reasons.ts";
import { hostText } from "./hosts.ts";
import type { CallFacts } from "./types.ts";

/** The facts of a call that bear on whether it can carry something out. */
type Reach = Pick<CallFacts, "hosts" | "network" | "sandbox" | "effect"> & { commands: readonly unknown[] };

// Keeps policy 3.
/** Tells whether the past of the session has a say in this call, so that it must be found out. */
export const heedsPast = (call: Pick<CallFacts, "outlasts"> & Reach): boolean =>
  call.hosts.length > 0 || call.network === true || call.outlasts === true || isUnheld(call);

/** A command that nothing keeps from the network, whether or not it asks for it. */
export const isUnheld = ({
  commands,
  sandbox,
  effect,
}: Pick<Reach, "commands" | "sandbox"> & { effect?: Effect }): boolean =>
  commands.length > 0 && sandbox !== true && effect !== "none";

/** Gives the reason to ask about a call that sends something out once guarded content was read, or undefined. */
export function exposedReason(call: CallFacts): Reason | undefined {
  const { hosts, network, past } = call;
  if (past?.guarded === undefined) return undefined;
  const read = past.guarded;
  if (network === true) return { code: "carried_by_network", read };
  if (isUnheld(call)) return { code: "carried_unboxed", read };
  const fresh = hosts.find((fact) => !past.agreed.includes(hostText(fact)));
  return fresh && { code: "carried_to_host", read, host: hostText(fresh) };
}

/**
 * Gives the reason to ask about a call that keeps a memory, or undefined. Text read of the web stays in the model's sight for the rest of the
 * session, and a memory is told to sessions after it: so it is the session that counts, not the turn.
 */
export const strangersReason = ({ outlasts, past }: CallFacts): Reason | undefined =>
  outlasts === true && past?.web === true ? { code: "strangers_text" } : undefined;
