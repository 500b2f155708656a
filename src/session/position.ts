import type { Question } from "../graph/calls/question.ts";
import type { TurnReason } from "../graph/events.ts";
import type { AgentStateValue } from "../graph/state.ts";
import type { TurnRow } from "../store/types.ts";

/** The position of the graph of a session. */
export interface Position {
  /** The nodes that would run next; empty at the end of a turn. */
  readonly next: readonly string[];
  /** The question that it waits for, in `human_approval` or `recovery`. */
  readonly question: Question | undefined;
  readonly values: AgentStateValue;
}

/** A turn from its human message, the turn from where the graph stands, or the model once more. */
export type Start = { from: "message"; turn: TurnRow } | { from: "position" } | { from: "model" };

/** The end that a run of the graph came to. */
export type RunEnd =
  | { kind: "asks"; question: Question }
  /** Of a child: it stays where it is, not ended, until the person has mended what stopped it. */
  | { kind: "stays"; error: unknown }
  /** `exitCode` where the reason alone does not say it. */
  | { kind: "ended"; reason: TurnReason; exitCode?: number };
