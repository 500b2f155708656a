import type { Key } from "../../terminal/key.ts";
import { stopped, type TurnClock } from "../status/turn-clock.ts";
import type { Mode, SavedMemory, View } from "../view/view.ts";
import { newOpen, type Open, type SurfaceEffect } from "./surfaces.ts";

/** All that the screen shows. Keys and events are folded into it one after the other: nothing is decided from what was drawn. */
export interface Chat {
  view: View;
  /** The input, and what takes the keys in its place. */
  open: Open;
  /** The last key was Esc, with nothing to stop and nothing to clear: one more lists the messages. */
  wantsBack: boolean;
  /** The person stopped at the question: it waits, the input is free. */
  aside: boolean;
  /** The input as it was when a key, and no line of it, asked for a list: that one opens over it. */
  listedOver: Open["input"] | undefined;
  /** The time when a key asked for a list that has not come since, while the person types on: their keys may be meant for that. */
  listDueAt: number;
  /** The row of the plan is left out. */
  planFolded: boolean;
  /** The words to be said about the last key, until the next one. */
  flash: string;
  /** The time when Ctrl-C was pressed first; another key in between takes it back. */
  lastStopAt: number;
  /** The branch that is checked out; safe to draw. */
  branch: string | undefined;
  /** Background jobs of the session that run. */
  jobs: number;
  /** The clock of the agent's work on the turn. */
  clock: TurnClock;
  /** The focus, as the terminal last told it; undefined where it never did. */
  focused: boolean | undefined;
  /** The time of the person's last key. */
  lastKeyAt: number;
  /** The time when a question went away that the person had not answered: keys typed right behind it were meant for that. */
  goneAt: number;
  /** Pressed while an answer was on its way: what they are meant for is known when it has come. */
  held: readonly Key[];
  /** The terminal is being given to another program: keys are held until it is back, and go into the draft. */
  lent: boolean;
  /** Messages that no event has told of yet. */
  sending: readonly Sending[];
}

/** A message that was sent, until the session has it or has refused it. */
export interface Sending {
  id: number;
  text: string;
  /** It waits for the command that was typed before it. */
  behind: boolean;
  /** It takes so long that it is shown. */
  late: boolean;
}

export type Effect =
  | SurfaceEffect
  /** The person's messages, to go on from one of them. */
  | { do: "messages" }
  | { do: "mode"; mode: Mode; from: Mode }
  | { do: "forget"; saved: SavedMemory }
  | { do: "stop" }
  /** Messages that wait come back into the input; with `atWork` not where a question stays asked with nobody at work. */
  | { do: "take_back"; atWork?: true }
  /** Back to the shell, as Ctrl-Z does everywhere. */
  | { do: "suspend" }
  | { do: "leave" };

export interface ChatStep {
  chat: Chat;
  effects: Effect[];
}

/** A second Ctrl-C within this many milliseconds leaves. */
export const leaveWithinMs = 2000;

export const neverStopped = Number.NEGATIVE_INFINITY;

/** @param draft what is written in the input */
export const newChat = (view: View, history: readonly string[], draft = ""): Chat => ({
  view,
  open: newOpen(history, draft),
  wantsBack: false,
  aside: false,
  listedOver: undefined,
  listDueAt: neverStopped,
  planFolded: false,
  flash: "",
  lastStopAt: neverStopped,
  branch: undefined,
  jobs: 0,
  clock: stopped,
  focused: undefined,
  lastKeyAt: 0,
  goneAt: neverStopped,
  held: [],
  lent: false,
  sending: [],
});
