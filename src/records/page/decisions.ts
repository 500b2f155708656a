import type { AnswerRow, CallEvent } from "../../store/types.ts";
import { sessionPage as words } from "../../words/en/session-page.ts";
import type { CallLife } from "../call-life.ts";

/** One word that let a call be done or kept it from being done. */
export interface Decision {
  /** Milliseconds since the epoch. */
  at: number;
  text: string;
  /** The digest that it is bound to. */
  digest?: string;
}

/** Lists the decisions about a call, by its answers and by rules or a mode; in the order of time. */
export function decisionsOf({ call, events, answers }: Pick<CallLife, "call" | "events" | "answers">): Decision[] {
  const byPolicy = events.flatMap((event) => policyDecision(event, call.digest));
  return [...answers.map(answerDecision), ...byPolicy].toSorted((one, other) => one.at - other.at);
}

function answerDecision({ at, by, decision, digest, reason, grant, request }: AnswerRow): Decision {
  const { verbs, givers, decided, because, fromThenOn } = words();
  const text = [
    decided({ what: verbs[decision], who: givers[by ?? "unknown"], elsewhere: request !== undefined }),
    ...(reason === undefined ? [] : [because({ reason })]),
    ...(grant === undefined ? [] : [fromThenOn({ grant: JSON.stringify(grant) })]),
  ].join("");
  return { at, text, digest };
}

function policyDecision({ at, by, to, rule, digest }: CallEvent, last: string | undefined): Decision[] {
  if (by !== "policy" || (to !== "executing" && to !== "cancelled")) return [];
  const bound = digest ?? last;
  const text = words().byPolicy({ allowed: to === "executing", rule });
  return [{ at, text, ...(bound === undefined ? {} : { digest: bound }) }];
}
