import { answererOf } from "../../core/call.ts";
import { servedKey } from "../../model/port.ts";
import { isUnheld } from "../../policy/exposure.ts";
import { hostText } from "../../policy/hosts.ts";
import type { PastFacts, Verdict } from "../../policy/types.ts";
import type { HeardCall, Journal } from "../../store/types.ts";

/**
 * Returns the facts that the session has come upon, by its journal: the guarded content that was read last, the hosts that a person let be
 * reached after that, and whether text of the web was read at all, by a command with the network too, or in a message that holds what a server
 * gave.
 */
export function pastOf(journal: Pick<Journal, "heardCalls" | "holdsMark">): PastFacts {
  const heard = journal.heardCalls();
  const last = heard.filter(isGuardedRead).at(-1);
  const isAgreed = ({ by, decided = 0 }: HeardCall): boolean =>
    answererOf(by) !== undefined && decided > (last?.settled ?? Number.POSITIVE_INFINITY);
  const agreed = heard.filter(isAgreed).flatMap(({ plan }) => (plan?.hosts ?? []).map(hostText));
  const isOfWeb = ({ plan }: HeardCall): boolean =>
    plan?.hosts !== undefined || plan?.network === true || (plan !== undefined && isUnheld({ commands: [], ...plan }));
  return {
    ...(last === undefined ? {} : { guarded: nameOf(last) }),
    agreed: [...new Set(agreed)],
    ...(heard.some(isOfWeb) || journal.holdsMark(servedKey) ? { web: true as const } : {}),
  };
}

/** A call that changes files tells the model nothing of what was in them. */
function isGuardedRead({ plan, verdict }: HeardCall): boolean {
  const told = verdict as unknown as Verdict | undefined;
  const judged: readonly Pick<Verdict, "rule" | "exposes">[] = told?.parts ?? (told === undefined ? [] : [told]);
  if (!judged.some(({ rule, exposes }) => rule.source === "guarded" && exposes !== true)) return false;
  return plan?.hosts === undefined && plan?.files === undefined;
}

const nameOf = ({ plan, toolName }: HeardCall): string => plan?.reads?.[0]?.asked ?? plan?.command ?? toolName;
