import type { AnswerGiver, AnswerRow, CallEvent } from "../../store/types.ts";
import type { CallLife } from "../call-life.ts";

/** One word that let a call be done or kept it from being done. */
export interface Decision {
  /** Milliseconds since the epoch. */
  at: number;
  text: string;
  /** The digest that it is bound to. */
  digest?: string;
}

const givers: Readonly<Record<AnswerGiver, string>> = {
  person: "the person",
  flag: "the person, by a flag",
  script: "a script",
  typed: "the person, who typed the command",
};

const verbs: Readonly<Record<AnswerRow["decision"], string>> = {
  approve: "approved",
  deny: "denied",
  edit: "arguments changed",
  retry: "to be run again, said",
  done: "done, said",
  cancel: "given up",
};

/** Lists the decisions about a call, by its answers and by rules or a mode; in the order of time. */
export function decisionsOf({ call, events, answers }: Pick<CallLife, "call" | "events" | "answers">): Decision[] {
  const byPolicy = events.flatMap((event) => policyDecision(event, call.digest));
  return [...answers.map(answerDecision), ...byPolicy].toSorted((one, other) => one.at - other.at);
}

function answerDecision({ at, by, decision, digest, reason, grant, request }: AnswerRow): Decision {
  const who = by === undefined ? "whom the record does not name" : givers[by];
  const text = [
    `${verbs[decision]} by ${who}${request === undefined ? "" : ", from another process"}`,
    ...(reason === undefined ? [] : [`: ${reason}`]),
    ...(grant === undefined ? [] : [`, and from then on: ${JSON.stringify(grant)}`]),
  ].join("");
  return { at, text, digest };
}

function policyDecision({ at, by, to, rule, digest }: CallEvent, last: string | undefined): Decision[] {
  if (by !== "policy" || (to !== "executing" && to !== "cancelled")) return [];
  const bound = digest ?? last;
  const text = `${to === "executing" ? "allowed" : "denied"} by policy${rule === undefined ? "" : `, rule ${rule}`}`;
  return [{ at, text, ...(bound === undefined ? {} : { digest: bound }) }];
}
