const said = { allow: "allowed", deny: "denied", ask: "answered" } as const;

/** The reasons of rules that were made of answers: they stand in the person's file, and in the journal with each call that they decide. */
export const ruleWhys = {
  answered: ({ decision, times, last }: { decision: keyof typeof said; times: number; last: string }): string =>
    `you ${said[decision]} this ${times} times, last on ${last}`,
};
