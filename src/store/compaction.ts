/** A cut in what the model is shown of a session: nothing that is stored becomes less. */
export type NewCompaction = {
  by: "auto" | "person";
  /** Id of the last stored message that it is about; calls that were open then come after it. */
  upTo: string;
  /** Id of the last message that there was. */
  madeAfter: string;
  /** Tokens of the next request without it and with it, estimated. */
  before: number;
  after: number;
} & (
  | /** Of what calls said up to there so many characters are shown. */
  { kind: "prune"; kept: number }
  /** In the place of all up to there `shown` is read, in which the model's summary stands. */
  | { kind: "summary"; summary: string; shown: string }
);

export type Compaction = NewCompaction & {
  /** `k1`, `k2`, … in the session. */
  id: string;
  at: number;
  /** The time when the person took it back. */
  undone?: number;
};
