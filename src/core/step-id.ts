/** Names one step of a session: both numbers count from 1, the step within its turn. */
export interface StepId {
  readonly turn: number;
  readonly step: number;
}

/** As the store, the messages' ids and a tool's context write it: "3.2". */
export const stepText = ({ turn, step }: StepId): string => `${turn}.${step}`;

export const isSameStep = (one: StepId, other: StepId): boolean => one.turn === other.turn && one.step === other.step;

/** Reads the text that `stepText` wrote. @throws TypeError for anything else. */
export function parseStep(text: string): StepId {
  const found = /^(\d+)\.(\d+)$/.exec(text);
  if (found === null) throw new TypeError(`${JSON.stringify(text)} names no step`);
  return { turn: Number(found[1]), step: Number(found[2]) };
}
