/** The order that a call hands to a session of its own. */
export interface ChildSpec {
  /** The first words of that session, which is told nothing else. */
  readonly task: string;
  /** By which the person knows it, wherever it is shown; default "helper". */
  readonly agent?: string;
  /**
   * Those of the session's tools that it has, by names in which `*` stands for any text, and with `!` before one those that it has not; all
   * but those of effect `child` by default.
   */
  readonly tools?: readonly string[];
  /** The kind of its work, as a part of its id: "delegate"; 1 to 16 of a-z. */
  readonly kind?: string;
  /** The id of its parent's goal that it works for: the plan names it there. */
  readonly goal?: string;
  /** Its own instructions, sent behind the prompt that each session has. */
  readonly instructions?: string;
  /** As the person names models, or `:NAME` for one of its parent's server; its parent's by default. */
  readonly model?: string;
  /**
   * The id of a child of the same session that has come to its end: this one is told what that one was told, said and did. What is not given
   * here is as it was there.
   */
  readonly continues?: string;
  /** It is gone on with where it has begun, and else not begun: what it was to work as is not there any more. */
  readonly begins?: false;
  /** Steps that it may take in all; those of its parent's turn, with all that it drives, are a limit beside it. */
  readonly maxSteps?: number;
  /** The most that its replies may cost in all, in the currency of the settings; the turn's limit of cost stands beside it. */
  readonly maxCost?: number;
  /**
   * The number of children of its call that work at once: it begins, or goes on, where fewer do, those that have begun first, and those that have not
   * in the order in which they were asked for. One that waits for the person does not work, and one that has ended says so at once. One that had to
   * wait for a place is not begun any more once its tool has ended: it rejects. No limit by default.
   */
  readonly atOnce?: number;
}

/** By which the person knows a child, on cards, in questions, events and records: what it was begun with says it, and nothing else makes one. */
export const childName = ({ agent }: { readonly agent?: unknown }): string => String(agent ?? "helper");

/** The outcome of a session that a call drives. */
export interface ChildEnd {
  /** Empty where it was not begun: a limit of the turn had been reached, or (`no_agent`) it was only to be gone on with. */
  readonly session: string;
  /** Its name, which is that of the one before where it goes on with that one's work. */
  readonly agent: string;
  readonly status: "done" | "failed" | "max_steps" | "max_cost" | "stuck" | "context_full" | "cancelled" | "no_agent";
  /** The limit that ended it, where one did: its own, or that of the turn with all its helpers. Not known of one that an older version ended. */
  readonly limit?: "own" | "turn";
  /** Its last words. */
  readonly text: string;
  /** Files that it changed: absolute, symlinks resolved. */
  readonly files: readonly string[];
  readonly steps: number;
  /** Of all its requests, as far as the server told. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Its cost, where the prices are known. */
  readonly cost?: number;
}
