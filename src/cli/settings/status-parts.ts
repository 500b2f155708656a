/** The parts that the last row can show behind the mode, in the order that they have where nothing else is set. */
export const statusParts = ["jobs", "place", "model", "context", "tokens", "time", "session", "keys"] as const;

export type StatusPart = (typeof statusParts)[number];
