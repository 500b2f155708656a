import { endings } from "../words/contract/session.ts";

/** The phase of a session: one of these at a time, changed by `moved` alone. */
export type Phase = OpenPhase | Halting | { readonly at: "closed" };

export type OpenPhase =
  /** Nothing runs and nothing is asked. */
  | (Working & { readonly at: "idle" })
  /** The graph runs. `over` resolves when the run has ended and its last event is out. */
  | (Working & { readonly at: "running"; readonly over: Promise<void> })
  /** The graph waits for the person. `over` resolves when the question is noted as shown. */
  | (Working & { readonly at: "asking" | "recovering"; readonly over: Promise<void> });

/** The phase in which the work that runs, or is planned, is being ended; `during` is the session's phase apart from that. */
type Halting = { readonly at: "halting"; readonly to: "stop" | "close"; readonly during: OpenPhase };

interface Working {
  /** Ends the run, or the plans that are made between runs. */
  readonly work: AbortController;
}

export type Move =
  /** A run of the graph, with a controller of its own. */
  | { do: "begin"; work: AbortController; over: Promise<void> }
  | { do: "ask_approval" | "ask_recovery"; over: Promise<void> }
  /** The turn has had its last word, or was left. */
  | { do: "end" }
  | { do: "stop" | "close" }
  /** A stop is through: work may begin anew. */
  | { do: "release"; work: AbortController }
  | { do: "closed" };

/** The moves that each phase has, and where they lead. While it is halted a session goes on with what it was. */
export const phaseMoves = {
  idle: {
    begin: "running",
    ask_approval: "asking",
    ask_recovery: "recovering",
    end: "idle",
    stop: "halting",
    close: "halting",
  },
  running: { ask_approval: "asking", ask_recovery: "recovering", end: "idle", stop: "halting", close: "halting" },
  asking: {
    begin: "running",
    ask_approval: "asking",
    ask_recovery: "recovering",
    end: "idle",
    stop: "halting",
    close: "halting",
  },
  recovering: {
    begin: "running",
    ask_approval: "asking",
    ask_recovery: "recovering",
    end: "idle",
    stop: "halting",
    close: "halting",
  },
  halting: {
    begin: "halting",
    ask_approval: "halting",
    ask_recovery: "halting",
    end: "halting",
    stop: "halting",
    close: "halting",
    release: "during",
    closed: "closed",
  },
  closed: {},
} as const satisfies Record<Phase["at"], Partial<Record<Move["do"], Phase["at"] | "during">>>;

export class IllegalPhase extends Error {
  override readonly name = "IllegalPhase";
}

/** The phase after one move. Pure. @throws IllegalPhase where the table does not have it. */
export function moved(phase: Phase, move: Move): Phase {
  if (!Object.hasOwn(phaseMoves[phase.at], move.do))
    throw new IllegalPhase(endings.noMove({ phase: phase.at, move: move.do }));
  switch (phase.at) {
    case "closed":
      return phase;
    case "halting":
      return halted(phase, move);
    default:
      return open(phase, move);
  }
}

function halted(phase: Halting, move: Move): Phase {
  switch (move.do) {
    case "stop":
      return phase;
    case "close":
      return { ...phase, to: "close" };
    case "closed":
      return { at: "closed" };
    case "release":
      // A session that is being closed begins nothing anew.
      if (phase.to === "close") throw new IllegalPhase(endings.noRelease);
      return phase.during.at === "running" ? phase.during : { ...phase.during, work: move.work };
    default:
      return { ...phase, during: moved(phase.during, move) as OpenPhase };
  }
}

function open(phase: OpenPhase, move: Move): Phase {
  const { work } = phase;
  switch (move.do) {
    case "begin":
      return { at: "running", work: move.work, over: move.over };
    case "ask_approval":
      return { at: "asking", work, over: move.over };
    case "ask_recovery":
      return { at: "recovering", work, over: move.over };
    case "end":
      return { at: "idle", work };
    case "stop":
    case "close":
      return { at: "halting", to: move.do, during: phase };
    case "release":
    case "closed":
      return phase;
  }
}

/** Returns the phase of a session apart from that it is being halted; undefined once it is closed. */
export const openPhase = (phase: Phase): OpenPhase | undefined =>
  phase.at === "halting" ? phase.during : phase.at === "closed" ? undefined : phase;

/** A turn is under way whose last word has not been said. */
export function turnIsOpen(phase: Phase): boolean {
  const open = openPhase(phase);
  return open !== undefined && open.at !== "idle";
}

export const isLeaving = (phase: Phase): boolean =>
  phase.at === "closed" || (phase.at === "halting" && phase.to === "close");

/** A question that is just being asked counts as asked. */
export async function questionShown(phase: Phase): Promise<void> {
  const open = openPhase(phase);
  if (open?.at === "asking" || open?.at === "recovering") await open.over;
}

/** Resolves when nothing is under way in any of the phases that follow each other, which `now` tells. */
export async function untilQuiet(now: () => OpenPhase | undefined): Promise<void> {
  for (let phase = now(); phase !== undefined && phase.at !== "idle"; ) {
    await phase.over;
    const next = now();
    if (next === phase) return;
    phase = next;
  }
}
