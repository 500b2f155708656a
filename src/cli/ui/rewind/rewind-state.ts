import type { RewindPoint } from "../../../records/undo/rewind.ts";
import type { TakeBack } from "../../services/session-services.ts";
import type { Key } from "../../terminal/key.ts";
import { breathMs } from "../question/arming.ts";

export type RewindChoice = "both" | "talk" | "files";

/** The person looks for the message from which they go on. */
export interface Rewinding {
  /** Their messages, newest last. */
  points: readonly RewindPoint[];
  /** The one that is pointed at. */
  at: number;
  /** It was chosen: what would happen is on the screen. */
  chosen: boolean;
  /** Undefined until it is known. */
  takeBack: TakeBack | undefined;
  /** The choice that is pointed at. */
  row: number;
  /** The time when Enter last went to the choices, or was held down there: it chooses nothing for a breath. Milliseconds of one clock. */
  enteredAt: number;
}

export type RewindEffect =
  /** The effect of an undo is wanted; it comes with `withTakeBack`. */
  | { do: "rewind_look"; point: RewindPoint }
  | { do: "rewind"; point: RewindPoint; choice: RewindChoice; takeBack: TakeBack };

export interface RewindStep {
  /** Undefined: the person is back in the chat. */
  rewinding: Rewinding | undefined;
  effect?: RewindEffect;
}

/** @param points newest first */
export const newRewinding = (points: readonly RewindPoint[]): Rewinding => ({
  points: points.toReversed(),
  at: points.length - 1,
  chosen: false,
  takeBack: undefined,
  row: 0,
  enteredAt: Number.NEGATIVE_INFINITY,
});

export const rewindKeyOf: Record<RewindChoice | "back", string> = { both: "u", talk: "t", files: "f", back: "esc" };

/** Lists the choices, as far as they are known. */
export function rewindChoices({ takeBack }: Pick<Rewinding, "takeBack">): (RewindChoice | "back")[] {
  if (takeBack === undefined) return ["back"];
  return takeBack.calls.length === 0 ? ["talk", "back"] : ["both", "talk", "files", "back"];
}

/** Dropped where the person has gone on to another message meanwhile. */
export function withTakeBack(rewinding: Rewinding, turn: number, takeBack: TakeBack): Rewinding {
  const isHere = rewinding.chosen && rewinding.points[rewinding.at]?.turn === turn;
  return isHere ? { ...rewinding, takeBack, row: 0 } : rewinding;
}

/** One key. Esc goes one step back. @param page messages on the screen; where there are none of it, nothing is decided */
export function rewindKey(rewinding: Rewinding, key: Key, page: number, now: number): RewindStep {
  if (key.name === "char" && key.ctrl && key.text === "c") return { rewinding: undefined };
  if (key.name === "escape") return back(rewinding);
  if (page < 1) return { rewinding };
  if (!rewinding.chosen) return listKey(rewinding, key, page, now);
  const isHeld = key.name === "enter" && now - rewinding.enteredAt < breathMs;
  return isHeld ? { rewinding: { ...rewinding, enteredAt: now } } : choiceKey(rewinding, key);
}

/** Back among the messages, where no key decides: what was chosen was out of sight. */
export const unchosen = (rewinding: Rewinding): Rewinding =>
  rewinding.chosen ? { ...rewinding, chosen: false, takeBack: undefined, row: 0 } : rewinding;

const back = (rewinding: Rewinding): RewindStep => ({
  rewinding: rewinding.chosen ? unchosen(rewinding) : undefined,
});

const letterOf = (key: Key): string | undefined =>
  key.name === "char" && !key.ctrl && !key.alt ? key.text : undefined;

function listKey(rewinding: Rewinding, key: Key, page: number, now: number): RewindStep {
  const { points, at } = rewinding;
  const to = (place: number): RewindStep => ({
    rewinding: { ...rewinding, at: Math.max(0, Math.min(points.length - 1, place)) },
  });
  const letter = letterOf(key);
  if (key.name === "up" || letter === "k") return to(at - 1);
  if (key.name === "down" || letter === "j") return to(at + 1);
  if (key.name === "pageup") return to(at - page);
  if (key.name === "pagedown") return to(at + page);
  if (key.name === "home" || letter === "g") return to(0);
  if (key.name === "end" || letter === "G") return to(points.length);
  const point = points[at];
  if (key.name !== "enter" || point === undefined) return { rewinding };
  const chosen = { ...rewinding, chosen: true, takeBack: undefined, row: 0, enteredAt: now };
  return { rewinding: chosen, effect: { do: "rewind_look", point } };
}

function choiceKey(rewinding: Rewinding, key: Key): RewindStep {
  const choices = rewindChoices(rewinding);
  const letter = letterOf(key);
  const last = choices.length - 1;
  if (key.name === "up" || letter === "k") return { rewinding: { ...rewinding, row: Math.max(0, rewinding.row - 1) } };
  if (key.name === "down" || letter === "j")
    return { rewinding: { ...rewinding, row: Math.min(last, rewinding.row + 1) } };
  const choice = key.name === "enter" ? choices[rewinding.row] : choices.find((one) => rewindKeyOf[one] === letter);
  const { takeBack, points, at } = rewinding;
  const point = points[at];
  if (choice === undefined || point === undefined) return { rewinding };
  if (choice === "back" || takeBack === undefined) return back(rewinding);
  return { rewinding: undefined, effect: { do: "rewind", point, choice, takeBack } };
}
