import type { CallRef } from "../../../core/call-ref.ts";
import type { Key } from "../../terminal/key.ts";
import { newComposer, withDraft } from "../composer/composer-state.ts";
import { composerSurface } from "../composer/composer-surface.ts";
import { dialogSurface } from "../dialog/dialog-surface.ts";
import type { Space } from "../draw/block.ts";
import { formSurface } from "../form/form-surface.ts";
import type { ReaderText } from "../full-view/reader-state.ts";
import type { Moment } from "../question/arming.ts";
import type { Geometry, WindowBlock } from "../question/window.ts";
import { recoverySurface } from "../recovery/recovery-surface.ts";
import type { ChatHands, Hands } from "../surface/hands.ts";
import type {
  Input,
  KeyPlace,
  Opening,
  OpeningPlace,
  Question,
  Screen,
  ScreenPlace,
  Surface,
  SurfaceRequest,
  SurfaceStep,
  Whole,
} from "../surface/surface.ts";
import type { View } from "../view/view.ts";
import { views } from "./views.ts";

/** All surfaces, with `views`. In each list the first that is open is in front; behind them the input, which is always there. */
const questions = { recovery: recoverySurface, dialog: dialogSurface, form: formSurface } as const;

type Questions = typeof questions;
type Views = typeof views;
type InputState = StateOf<typeof composerSurface>;
export const input: Input<InputState, WantedOf<typeof composerSurface>> = composerSurface;
type StateOf<One> = One extends { whole(state: infer State, place: ScreenPlace): unknown } ? State : never;
type WantedOf<One> = One extends { effects: infer Record }
  ? {
      [Do in keyof Record]: Record[Do] extends (effect: infer Effect, hands: never) => unknown ? Effect : never;
    }[keyof Record]
  : never;

export type QuestionName = keyof Questions;
export type ViewName = keyof Views;
type Fronts = Questions & Views;
type Registered = Fronts & { input: typeof composerSurface };
export type SurfaceName = keyof Registered;

/** The states of the input and of those that are open, by their names. */
export type Open = { readonly input: InputState } & {
  readonly [Name in keyof Fronts]?: StateOf<Fronts[Name]> | undefined;
};

/** A request that one of them makes of the world outside. */
export type SurfaceEffect = WantedOf<Registered[SurfaceName]>;

/** Nothing but the input, with this written in it. @param history what was sent before */
export const newOpen = (history: readonly string[], draft: string): Open => ({
  input: draft === "" ? newComposer(history) : withDraft(newComposer(history), draft),
});

export const questionNames = Object.keys(questions) as QuestionName[];
const viewNames = Object.keys(views) as ViewName[];
const registered: Registered = { ...questions, ...views, input: composerSurface };
export const surfaceNames = Object.keys(registered) as SurfaceName[];

/** Each surface keeps its own state under its own name: here alone that is taken for granted. */
const questionOf = (name: QuestionName) => questions[name] as unknown as Question<unknown, SurfaceRequest>;
const surfaceOf = (name: SurfaceName) => registered[name] as unknown as Surface<unknown, SurfaceRequest>;
const withState = (open: Open, name: SurfaceName, state: unknown): Open =>
  open[name] === state ? open : ({ ...open, [name]: state } as Open);

/** The question that is in front. */
export const questionIn = (open: Open): QuestionName | undefined =>
  questionNames.find((name) => open[name] !== undefined);

/** Returns the name of the view that is read or chosen from, where one is. */
export const viewIn = (open: Open): ViewName | undefined => viewNames.find((name) => open[name] !== undefined);

/** A view as it stands at first, under its name, and what it asks for then. Undefined where there is none to be opened. */
export function firstOf(
  { surface, first }: Opening,
  at: OpeningPlace,
): { open: Pick<Open, ViewName>; effects: SurfaceEffect[] } | undefined {
  const begun = first(at);
  if (begun === undefined) return undefined;
  const { state, effect } = begun;
  const name = viewNames.find((one) => views[one] === surface);
  const open = name === undefined ? {} : ({ [name]: state } as Pick<Open, ViewName>);
  return { open, effects: effect === undefined ? [] : [effect as SurfaceEffect] };
}

/** Only the questions: they come before what is only read or chosen. */
export const withoutViews = (open: Open): Open =>
  viewNames.reduce<Open>((before, name) => withState(before, name, undefined), open);

/** The questions as they belong to what waits now. */
export const synced = (open: Open, view: View, before: View, at: Moment): Open =>
  questionNames.reduce<Open>(
    (kept, name) => withState(kept, name, questionOf(name).sync(open[name], view, before, at)),
    open,
  );

/** Each open question as `change` makes it; the same where it changes none. */
function changed(open: Open, change: (question: Question<unknown, SurfaceRequest>, state: unknown) => unknown): Open {
  return questionNames.reduce<Open>((kept, name) => {
    const state = open[name];
    return state === undefined ? kept : withState(kept, name, change(questionOf(name), state));
  }, open);
}

/** A frame with this one in front was written; all others are out of sight. With none in front a question is only put off. */
export const painted = (open: Open, front: SurfaceName | undefined, geometry: Geometry, now: number): Open => {
  if (front === undefined) return open;
  const state = open[front];
  const hidden = hiddenBy(front, open, now);
  if (state === undefined) return hidden;
  return withState(hidden, front, surfaceOf(front).painted?.(state, geometry, now) ?? state);
};

/** Back on the screen each is a new one, which must be seen before a key decides. */
export const unseen = (open: Open, now: number): Open => hiddenBy(undefined, open, now);

const hiddenBy = (front: SurfaceName | undefined, open: Open, now: number): Open =>
  surfaceNames.reduce<Open>((before, name) => {
    const state = before[name];
    if (state === undefined || name === front) return before;
    return withState(before, name, surfaceOf(name).unseen?.(state, now) ?? state);
  }, open);

export const broughtBack = (open: Open, now: number): Open =>
  changed(open, (question, state) => question.broughtBack(state, now));

export const refused = (open: Open, ref: CallRef, message: string): Open =>
  changed(open, (question, state) => question.refused(state, ref, message));

/** The question in front is answered, and whether that counts is not known yet. */
export function isBusy(open: Open): boolean {
  const name = questionIn(open);
  return name !== undefined && questionOf(name).isBusy(open[name]);
}

/** A question that the person has not answered waits no more, as where somebody else answered it or took it back. One that comes in its place must be seen first. */
export const isGone = (before: Open, after: Open): boolean =>
  questionNames.some(
    (name) => before[name] !== undefined && after[name] === undefined && !questionOf(name).isBusy(before[name]),
  );

/** Nothing is typed in the question in front. */
export function isAtMenu(open: Open): boolean {
  const name = questionIn(open);
  return name === undefined || questionOf(name).isAtMenu(open[name]);
}

/** The question of that name ends with the turn that asks it. */
export const endsWithTurn = (name: QuestionName): boolean => questionOf(name).endsWithTurn === true;

/** The question in front, where lines are all there is. */
export interface AskedInLines {
  key: string;
  endsWithTurn: boolean;
  isText?: boolean;
  text(): string;
  /** The line that Esc stands for. */
  escaped: string;
  /**
   * Returns the answer that a typed line gives; the words to be said where nothing was decided by it; else the draft that the next line
   * goes on from.
   */
  said(line: string): { say: string } | { draft: unknown } | { answer(hands: ChatHands): Promise<void> };
}

/** @param draft what the lines before came to */
export function askedInLines(view: View, draft?: unknown): AskedInLines | undefined {
  for (const name of questionNames) {
    const { lines, effects } = questionOf(name);
    const asked = lines.asked(view, draft as never);
    if (asked === undefined) continue;
    const said: AskedInLines["said"] = (line) => {
      const heard = lines.said(view, line, draft as never) ?? { say: "" };
      if ("say" in heard || "draft" in heard) return heard;
      const done = doneBy(effects, heard.effect);
      // Nothing of it is drawn: there is no state to change.
      return {
        answer: async (hands) => done?.(heard.effect, { ...hands, state: () => undefined, set: () => undefined }),
      };
    };
    return { ...asked, endsWithTurn: endsWithTurn(name), escaped: lines.escaped, said };
  }
  return undefined;
}

export interface OpenStep extends Pick<SurfaceStep<unknown, SurfaceEffect>, "toDraft" | "flash"> {
  open: Open;
  effects: SurfaceEffect[];
}

/** One key for the surface of this name, which is open. */
export function pressed(open: Open, name: SurfaceName, key: Key, at: KeyPlace): OpenStep {
  const { state, effect, ...more } = surfaceOf(name).key(open[name], key, at) as SurfaceStep<unknown, SurfaceEffect>;
  return { ...more, open: withState(open, name, state), effects: effect === undefined ? [] : [effect] };
}

/** Keys that were meant for the input, whatever is in front of it. */
export const kept = (open: Open, keys: readonly Key[], screen: Screen): Open =>
  withState(
    open,
    "input",
    keys.reduce((state, key) => input.keep(state, key, screen), open.input),
  );

export const cleared = (open: Open): Open => withState(open, "input", input.cleared(open.input));

/** Messages come back into the input. */
export const takenBack = (open: Open, texts: readonly string[]): Open =>
  withState(open, "input", input.takenBack(open.input, texts));

export const wholeOf = (open: Open, name: SurfaceName, place: ScreenPlace): Whole | undefined =>
  surfaceOf(name).whole(open[name], place);

export const blockOf = (open: Open, name: QuestionName, place: ScreenPlace, space: Space): WindowBlock =>
  questionOf(name).block(open[name], place, space);

/** A long search in the surface of this name, gone on with. */
export const goneOn = (open: Open, name: SurfaceName, text: ReaderText): Open =>
  withState(open, name, surfaceOf(name).goOn?.(open[name], text) ?? open[name]);

/** The chat, for whoever does what a surface asks for. */
export interface ChatOfSurfaces {
  hands: ChatHands;
  open(): Open;
  setOpen(open: Open): void;
}

/** Does what a surface asked for. @returns undefined where none of them does such a thing */
export function served(effect: SurfaceRequest, chat: ChatOfSurfaces): Promise<void> | undefined {
  for (const name of surfaceNames) {
    const done = doneBy(registered[name].effects, effect);
    if (done === undefined) continue;
    const set = (state: unknown): void => chat.setOpen(withState(chat.open(), name, state));
    const hands = handsOn(chat, () => chat.open()[name], set);
    return done(effect, hands);
  }
  return undefined;
}

type Done = (effect: SurfaceRequest, hands: Hands<unknown>) => Promise<void>;

const doneBy = (effects: object, { do: name }: SurfaceRequest): Done | undefined =>
  Object.hasOwn(effects, name) ? (effects as Record<string, Done>)[name] : undefined;

function handsOn({ hands }: ChatOfSurfaces, state: () => unknown, set: (state: never) => void): Hands<unknown> {
  return {
    ...hands,
    state,
    set(change) {
      const now = state();
      if (now !== undefined) set(change(now) as never);
    },
  };
}
