const said = { allow: "allowed", deny: "denied", ask: "answered" } as const;

/** Tells why there is a rule that was made of answers: it stands in the person's file, and in the journal with each call that it decides. */
export const ruleWhy = ({
  decision,
  times,
  last,
}: {
  decision: keyof typeof said;
  times: number;
  last: string;
}): string => `you ${said[decision]} this ${times} times, last on ${last}`;
