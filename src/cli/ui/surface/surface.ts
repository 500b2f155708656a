import type { CallRef } from "../../../core/call-ref.ts";
import type { Key } from "../../terminal/key.ts";
import type { StyledLine } from "../../terminal/span.ts";
import type { Block, Space } from "../draw/block.ts";
import type { ReaderText } from "../full-view/reader-state.ts";
import type { Moment } from "../question/arming.ts";
import type { Layouts } from "../question/body-lines.ts";
import type { Geometry, WindowBlock } from "../question/window.ts";
import type { Item, View } from "../view/view.ts";
import type { Hands } from "./hands.ts";

/** The facts of the layout that the keys need: the width of the screen, the window of the question's body. */
export interface Screen {
  columns: number;
  geometry: Geometry;
  /** The text that fills the screen, where one does. */
  text?: ReaderText;
}

/** The place that a surface is laid out for, beside its own state. */
export interface ScreenPlace {
  columns: number;
  rows: number;
  /** Milliseconds since the epoch. */
  now: number;
  /** The person's home folder, for which `~` stands. */
  home?: string | undefined;
  layouts: Layouts;
  view: View;
}

/** The block that fills the terminal's other screen; `text` is the one that is read there, where there is one. */
export type Whole = WindowBlock & { text?: ReaderText };

/** The situation that a key meets: the screen as it was laid out last, milliseconds of one clock, and the view of all that the session told. */
export interface KeyPlace {
  screen: Screen;
  now: number;
  view: View;
}

/** A request to the world outside; `do` names it, and no two surfaces have one of the same name. */
export interface SurfaceRequest {
  do: string;
}

export interface SurfaceStep<State, Effect extends SurfaceRequest> {
  /** Undefined: the person goes back to where they came from. */
  state: State | undefined;
  effect?: Effect | undefined;
  /** The key came before the question could be answered: it belongs to the draft. */
  toDraft?: boolean;
  /** Said about the key, until the next one. */
  flash?: string;
}

/** Does what a surface asks for; its name for each effect. May fail: its error is said in the transcript. */
export type Effects<State, Effect extends SurfaceRequest> = {
  readonly [Do in Effect["do"]]: (effect: Extract<Effect, { do: Do }>, hands: Hands<State>) => Promise<void>;
};

/**
 * A part of the screen that takes the keys while it is in front: its state, what a key makes of it, its rows for the space there is, and
 * what it asks of the world outside. Keys and rows are pure. All are registered in `chat/surfaces.ts`, those that are read or chosen from in `chat/views.ts`.
 */
export interface Surface<State, Effect extends SurfaceRequest> {
  /** Returns the block that fills the terminal's other screen; undefined where the surface stands among the rows of the chat. */
  whole(state: State, place: ScreenPlace): Whole | undefined;
  key(state: State, key: Key, at: KeyPlace): SurfaceStep<State, Effect>;
  /** A frame with it in front was written. The same state where nothing is new by that. */
  painted?(state: State, geometry: Geometry, now: number): State;
  /** It was not what the person saw: it must be seen anew before a key decides. The same state where it had to be anyway. */
  unseen?(state: State, now: number): State;
  /** A long search is gone on with; the same state where none is under way. */
  goOn?(state: State, text: ReaderText): State;
  readonly effects: Effects<State, Effect>;
}

/** The place where a view is opened: milliseconds of the clock that keys are timed by, or since the epoch for lines; and the session that it is opened from. */
export interface OpeningPlace {
  now: number;
  present: string;
}

/** The first state of a view, and what it asks for then. */
interface First<State, Effect extends SurfaceRequest> {
  state: State;
  effect?: Effect;
}

/** A view that a command opens: drawn as it stands at first, or said in lines where these are all there is. */
export interface Opening {
  readonly surface: object;
  /** Undefined where there is nothing to read or to choose from: only what stands beside it is said. */
  first(at: OpeningPlace): First<unknown, SurfaceRequest> | undefined;
  /** Said in the transcript where it is drawn, in front of it. */
  readonly beside: readonly Item[];
  /** Returns all that is said of it in lines, with what a typed line does in the place of its keys. */
  lines(at: OpeningPlace): readonly Item[];
  /** A command that is typed behind its lines goes by what they said. */
  readonly isGoneBy?: true;
}

/** A view for which something has to be read before it can be drawn; its lines need nothing of that. */
export interface UnreadOpening extends Pick<Opening, "lines"> {
  read(): Promise<Opening>;
}

/** The same of a surface that is known. */
interface ViewOpening<State, Effect extends SurfaceRequest> extends Opening {
  first(at: OpeningPlace): First<State, Effect>;
}

/** Each view that commands open has its own, beside its surface. @param lines what is printed of its first state, where lines are all there is */
export const opening = <State, Effect extends SurfaceRequest>(
  surface: Surface<State, Effect>,
  first: (at: OpeningPlace) => First<State, NoInfer<Effect>>,
  lines: (state: NoInfer<State>, at: OpeningPlace) => readonly Item[],
): ViewOpening<State, Effect> => ({
  surface,
  first,
  beside: [],
  lines: (at) => lines(first(at).state, at),
});

/** Returns a text of the program's own, as it is said in the chat. */
export const notice = (text: string): Item => ({ kind: "notice", level: "info", text });

/** The input that the person writes in. It is always there, and has the keys that nothing in front of it takes. All but its effects is pure. */
export interface Input<State, Effect extends SurfaceRequest> extends Surface<State, Effect> {
  /** Its rows, as part of those of the chat, and what stands below them, such as a menu. */
  rows(state: State, view: View, space: Space): { input: Block; below: StyledLine[] };
  /** Returns the rows of it that stand below a question. */
  kept(state: State, columns: number): StyledLine[];
  /** A key that was meant for what is written, while something else was in front: it sends nothing and chooses nothing. */
  keep(state: State, key: Key, screen: Screen): State;
  /** Nothing is written. */
  isBlank(state: State): boolean;
  /** Esc is its own: something of it can be closed. */
  takesEscape(state: State): boolean;
  cleared(state: State): State;
  /** Messages come back into it, in front of what is written. */
  takenBack(state: State, texts: readonly string[]): State;
  /** Returns the written text, whole. */
  unsent(state: State): string;
}

/** A question where lines are all there is; pure. One that is answered in several lines has what they came to so far as its draft. */
export interface Lines<Effect extends SurfaceRequest, Draft = never> {
  /**
   * Returns the question that is asked now, whole and safe to draw, and the key that tells it from another question. `isText`: any line
   * answers it, also one that begins as a command does. Undefined where nothing waits for it.
   */
  asked(view: View, draft?: Draft): { key: string; isText?: boolean; text(): string } | undefined;
  /**
   * Returns the request of a typed line to the world outside, or the words to be said, as nothing was decided. Undefined where nothing
   * waits for it.
   */
  said(view: View, line: string, draft?: Draft): { effect: Effect } | { say: string } | { draft: Draft } | undefined;
  /** The line that Esc stands for. */
  readonly escaped: string;
}

/** A surface that asks the person: it opens by itself with what waits, and comes before all that is only read or chosen. */
export interface Question<State, Effect extends SurfaceRequest> extends Surface<State, Effect> {
  readonly lines: Lines<Effect, State>;
  /** It is asked by what runs and ends with it: it cannot be put off. */
  readonly endsWithTurn?: true;
  /** Its rows among those of the chat. */
  block(state: State, place: ScreenPlace, space: Space): WindowBlock;
  /** Its state for what waits now; undefined where nothing waits for it. @param before what the screen was drawn from until now */
  sync(state: State | undefined, view: View, before: View, at: Moment): State | undefined;
  painted(state: State, geometry: Geometry, now: number): State;
  unseen(state: State, now: number): State;
  /** Put off, and brought back by Enter: one that is held down must not answer it. */
  broughtBack(state: State, now: number): State;
  /** An answer is on its way. */
  isBusy(state: State): boolean;
  /** Nothing is typed in it. */
  isAtMenu(state: State): boolean;
  /** An answer did not count; `message` says why. The same state where it is about another call. */
  refused(state: State, ref: CallRef, message: string): State;
}
