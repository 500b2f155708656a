import { type CallRef, sameCall } from "../../../core/call-ref.ts";
import type { Change } from "../../../files/diff-text.ts";
import type { AgentEvent } from "../../../graph/events.ts";
import type { Key } from "../../terminal/key.ts";
import {
  type Composer,
  type ComposerEffect,
  clearDraft,
  composerKey,
  draftOf,
  newComposer,
} from "../composer/composer-state.ts";
import { nextMode, parseTyped, unknownCommandText } from "../composer/slash-commands.ts";
import { dialogKey } from "../dialog/dialog-keys.ts";
import { type Dialog, type DialogEffect, requestOf, syncDialog } from "../dialog/dialog-state.ts";
import { type Reader, type ReaderText, readerKey } from "../full-view/reader-state.ts";
import { type Picker, type PickerEffect, pickerKey } from "../picker/picker-state.ts";
import type { Geometry } from "../question/window.ts";
import { type RecoveryMenu, type RecoveryStep, recoveryKey, syncRecovery } from "../recovery/recovery-state.ts";
import { type RewindEffect, type Rewinding, type RewindStep, rewindKey } from "../rewind/rewind-state.ts";
import { stopped, type TurnClock, ticked } from "../status/turn-clock.ts";
import type { Mode, SavedMemory, View } from "../view/view.ts";
import { reduce } from "../view/view-state.ts";
import { broughtBack } from "./out-of-sight.ts";
import type { Sending } from "./sending.ts";

/** All that the screen shows. Keys and events are folded into it one after the other: nothing is decided from what was drawn. */
export interface Chat {
  view: View;
  composer: Composer;
  dialog: Dialog | undefined;
  menu: RecoveryMenu | undefined;
  /** Changes that the person reads on the whole screen. */
  reading: Reading | undefined;
  /** Sessions that the person chooses among, on the whole screen. */
  picker: Picker | undefined;
  /** Messages from one of which the person goes on, on the whole screen. */
  rewinding: Rewinding | undefined;
  /** The last key was Esc, with nothing to stop and nothing to clear: one more lists the messages. */
  wantsBack: boolean;
  /** The person stopped at the question: it waits, the input is free. */
  aside: boolean;
  /** What is to be said about the last key, until the next one. */
  flash: string;
  /** When Ctrl-C was pressed first; another key in between takes it back. */
  lastStopAt: number;
  /** The branch that is checked out; safe to draw. */
  branch: string | undefined;
  /** How long the agent has worked on the turn. */
  clock: TurnClock;
  /** What the terminal last said of its focus; undefined where it never did. */
  focused: boolean | undefined;
  /** When the person last pressed a key. */
  lastKeyAt: number;
  /** Pressed while an answer was on its way: what they are meant for is known when it has come. */
  held: readonly Key[];
  /** The terminal is being given to another program: keys are held until it is back, and go into the draft. */
  lent: boolean;
  /** Messages that no event has told of yet. */
  sending: readonly Sending[];
}

export type Effect =
  | DialogEffect
  | NonNullable<RecoveryStep["effect"]>
  | Exclude<ComposerEffect, { do: "submit" }>
  /** `steer`: to the turn under way. `instead`: of the calls that the screen says to wait. */
  | { do: "submit"; text: string; steer: boolean; instead?: true }
  | { do: "command"; name: string; argument: string }
  | Exclude<PickerEffect, { do: "back" }>
  | RewindEffect
  /** The person's messages, to go on from one of them. */
  | { do: "messages" }
  | { do: "mode"; mode: Mode; from: Mode }
  | { do: "forget"; saved: SavedMemory }
  | { do: "stop" }
  /** Messages that wait come back into the input. */
  | { do: "take_back" }
  /** Back to the shell, as Ctrl-Z does everywhere. */
  | { do: "suspend" }
  | { do: "leave" };

/** Changes under a title, and where the person is in them. */
export interface Reading {
  title: string;
  changes: readonly Change[];
  reader: Reader;
}

export interface ChatStep {
  chat: Chat;
  effects: Effect[];
}

/** What the layout knows and the keys need: the input's width, the window of the question's body. */
export interface Screen {
  inputWidth: number;
  geometry: Geometry;
  /** What fills the screen, where something does. */
  text?: ReaderText;
}

/** A second Ctrl-C within this many milliseconds leaves. */
export const leaveWithinMs = 2000;

const neverStopped = Number.NEGATIVE_INFINITY;

export const newChat = (view: View, history: readonly string[]): Chat => ({
  view,
  composer: newComposer(history),
  dialog: undefined,
  menu: undefined,
  reading: undefined,
  picker: undefined,
  rewinding: undefined,
  wantsBack: false,
  aside: false,
  flash: "",
  lastStopAt: neverStopped,
  branch: undefined,
  clock: stopped,
  focused: undefined,
  lastKeyAt: 0,
  held: [],
  lent: false,
  sending: [],
});

/** Brings the dialogs in line with what waits now. */
export function synced(chat: Chat, view: View, now: number): Chat {
  const menu = syncRecovery(chat.menu, view.recovery, now, chat.view.recovery[0]);
  const dialog =
    menu === undefined ? syncDialog(chat.dialog, view.ask, now, requestOf(chat.view.ask, chat.dialog)) : undefined;
  const news =
    (view.ask !== undefined && chat.view.ask === undefined) || view.recovery.length > chat.view.recovery.length;
  // A question comes before what is only read or chosen.
  const calm = news ? { ...chat, reading: undefined, picker: undefined, rewinding: undefined } : chat;
  return { ...calm, view, menu, dialog, aside: chat.aside && !news };
}

/** Neighbouring pieces of one message become one, so that a fast model costs one step of the screen, not hundreds. */
function joined(events: readonly AgentEvent[]): AgentEvent[] {
  const out: AgentEvent[] = [];
  for (const event of events) {
    const last = out.at(-1);
    const goesOn =
      event.type === "text_delta" &&
      last?.type === "text_delta" &&
      last.id === event.id &&
      last.parent === event.parent;
    if (goesOn) out[out.length - 1] = { ...event, text: last.text + event.text };
    else out.push(event);
  }
  return out;
}

/** Many events at once: one step of the screen. */
export function withEvents(chat: Chat, events: readonly AgentEvent[], now: number): Chat {
  const next = synced(chat, joined(events).reduce(reduce, chat.view), now);
  const work = { running: next.view.running, asking: isAsking(next.view) };
  return { ...next, clock: ticked(chat.clock, work, events.some(beginsTurn), now) };
}

const beginsTurn = (event: AgentEvent): boolean =>
  event.type === "user_message" && event.queued !== true && event.steer !== true && event.parent === undefined;

export const modalOf = (chat: Chat): "approval" | "recovery" | undefined => {
  if (chat.aside) return undefined;
  return chat.menu !== undefined ? "recovery" : chat.dialog !== undefined ? "approval" : undefined;
};

const still = (chat: Chat): ChatStep => ({ chat, effects: [] });

const isControl = (key: Key, letter: string): boolean =>
  key.name === "char" && key.ctrl && !key.alt && key.text === letter;

const silent: ReadonlySet<Key["name"]> = new Set(["reply", "unknown"]);

/** One key of the person. Pure; what must be done outside comes back as effects, in order. */
export function press(chat: Chat, key: Key, screen: Screen, now: number): ChatStep {
  if (key.name === "focus-in" || key.name === "focus-out") return still({ ...chat, focused: key.name === "focus-in" });
  if (silent.has(key.name)) return still(chat);
  if (chat.lent && !isControl(key, "c")) return still({ ...chat, held: [...chat.held, key] });
  const step = pressed({ ...chat, lastKeyAt: now }, key, screen, now);
  return step.effects.some(lends) ? { ...step, chat: { ...step.chat, lent: true } } : step;
}

/** The keys behind this one are for another program, until it gives the terminal back. */
const lends = ({ do: what }: Effect): boolean => what === "suspend" || what === "editor" || what === "compose";

/** The terminal is back. What was typed for the other program and came here is kept, and sends nothing. */
export const returned = (chat: Chat, { inputWidth }: Screen): Chat =>
  chat.held.reduce((before: Chat, key) => toDraft(before, key, inputWidth), { ...chat, lent: false, held: [] });

/** A key that came while the question that waits could not be seen. */
export const pressUnseen = (chat: Chat, key: Key, { inputWidth }: Screen): Chat => toDraft(chat, key, inputWidth);

function pressed(chat: Chat, key: Key, screen: Screen, now: number): ChatStep {
  const { text } = screen;
  if (chat.reading !== undefined && text !== undefined && modalOf(chat) === undefined)
    return isControl(key, "z") ? { chat, effects: [{ do: "suspend" }] } : still(readOn(chat, chat.reading, key, text));
  if (chat.picker !== undefined && modalOf(chat) === undefined)
    return picked(chat, pickerKey(chat.picker, key, screen.geometry.window));
  if (chat.rewinding !== undefined && modalOf(chat) === undefined)
    return rewound(chat, rewindKey(chat.rewinding, key, screen.geometry.window, now));
  if (isControl(key, "c")) return interrupt({ ...chat, flash: "", wantsBack: false }, now);
  const calm: Chat = { ...chat, flash: "", lastStopAt: neverStopped, wantsBack: false };
  if (key.name === "escape" && isAtRest(chat)) return escapeAtRest(calm, chat.wantsBack);
  if (isControl(key, "z")) return { chat: calm, effects: [{ do: "suspend" }] };
  if (isControl(key, "d") && mayLeave(calm)) return { chat: calm, effects: [{ do: "leave" }] };
  return isAnswering(calm) ? still({ ...calm, held: [...calm.held, key] }) : keyInFront(calm, key, screen, now);
}

/** A key for what is in front of the person: a question, else the input. */
function keyInFront(calm: Chat, key: Key, screen: Screen, now: number): ChatStep {
  switch (modalOf(calm)) {
    case "approval":
      return approvalKey(calm, key, screen, now);
    case "recovery":
      return menuKey(calm, key, screen, now);
    default:
      return inputKey(calm, key, screen.inputWidth, now);
  }
}

/** The question on the screen is answered, and whether that counts is not known yet: keys mean nothing to it any more. */
const isAnswering = (chat: Chat): boolean =>
  !chat.aside && (chat.menu === undefined ? chat.dialog?.busy === true : chat.menu.busy);

/**
 * The keys that came while an answer was on its way, once it has come: pressed now, in order. Where a question is on the screen they were
 * typed before it could be read, and go into the draft.
 */
export function pressHeld(chat: Chat, screen: Screen, now: number): ChatStep {
  if (chat.held.length === 0 || chat.lent || isAnswering(chat)) return still(chat);
  const isAsked = chat.dialog !== undefined || chat.menu !== undefined;
  const one = (before: Chat, key: Key): ChatStep =>
    isAsked ? still(toDraft(before, key, screen.inputWidth)) : press(before, key, screen, now);
  return chat.held.reduce(
    (step: ChatStep, key) => {
      const next = one(step.chat, key);
      return { chat: next.chat, effects: [...step.effects, ...next.effects] };
    },
    still({ ...chat, held: [] }),
  );
}

function readOn(chat: Chat, reading: Reading, key: Key, text: ReaderText): Chat {
  const step = readerKey(reading.reader, key, text);
  if (isControl(key, "c") || step?.leaves === true) return { ...chat, reading: undefined };
  return step === undefined ? chat : { ...chat, reading: { ...reading, reader: step.reader } };
}

function picked(chat: Chat, { picker, effect }: ReturnType<typeof pickerKey>): ChatStep {
  if (effect === undefined) return still({ ...chat, picker });
  if (effect.do === "back") return still({ ...chat, picker: undefined });
  return { chat: { ...chat, picker: effect.do === "choose" ? undefined : picker }, effects: [effect] };
}

const rewound = (chat: Chat, { rewinding, effect }: RewindStep): ChatStep => ({
  chat: { ...chat, rewinding },
  effects: effect === undefined ? [] : [effect],
});

/** Nothing runs, nothing waits, nothing is written: Esc has nothing to stop or to go back from. */
const isAtRest = (chat: Chat): boolean =>
  modalOf(chat) === undefined &&
  !chat.view.running &&
  !isAsking(chat.view) &&
  !hasWaiting(chat) &&
  draftOf(chat.composer) === "" &&
  !takesEscape(chat.composer);

/** A message is not told yet. The session may have it already, and the screen not know. */
const hasWaiting = ({ view, sending }: Chat): boolean => view.queue.length > 0 || sending.length > 0;

const escapeAtRest = (chat: Chat, again: boolean): ChatStep =>
  again
    ? { chat, effects: [{ do: "messages" }] }
    : still({ ...chat, wantsBack: true, flash: "esc again goes on from an earlier message" });

const mayLeave = (chat: Chat): boolean =>
  draftOf(chat.composer) === "" &&
  chat.held.length === 0 &&
  (chat.dialog === undefined || chat.aside || chat.dialog.stage === "choose");

/** The second of two leaves; the first stops what is in front of the person: the question, else the draft, else the turn. */
function interrupt(chat: Chat, now: number): ChatStep {
  if (now - chat.lastStopAt <= leaveWithinMs) return { chat, effects: [{ do: "leave" }] };
  const next: Chat = { ...chat, lastStopAt: now, flash: "ctrl+c again leaves; the session stays saved" };
  if (modalOf(chat) !== undefined)
    return { chat: { ...next, aside: true, flash: asideText }, effects: [{ do: "stop" }] };
  if (draftOf(chat.composer) !== "") {
    return still({ ...chat, composer: clearDraft(chat.composer), lastStopAt: neverStopped });
  }
  return { chat: next, effects: chat.view.running || chat.sending.length > 0 ? stopping(chat) : [] };
}

/** What waits is not to be sent by the turn's end: it comes back first, also where the screen does not show it yet. */
function stopping(chat: Chat): Effect[] {
  if (chat.view.running || chat.sending.length > 0) return [{ do: "take_back" }, { do: "stop" }];
  return hasWaiting(chat) ? [{ do: "take_back" }] : [];
}

/** That a second Ctrl-C leaves is said as long as it is so. The same state where there is nothing to take away. */
export function withoutLeaving(chat: Chat, now: number): Chat {
  const isOver = Number.isFinite(chat.lastStopAt) && now - chat.lastStopAt > leaveWithinMs;
  return isOver ? { ...chat, flash: "", lastStopAt: neverStopped } : chat;
}

/** Said when a question is put off, in the plain chat too. */
export const asideText =
  "the call stays waiting: enter alone brings it back, a new message cancels it · ctrl+c again leaves";

const draftKeys: ReadonlySet<Key["name"]> = new Set(["char", "paste", "backspace", "delete", "left", "right"]);

/** Typed before the question could be answered: it was meant for the input. Enter, Esc and Tab mean nothing then. */
function toDraft(chat: Chat, key: Key, width: number): Chat {
  if (!draftKeys.has(key.name)) return chat;
  return { ...chat, composer: { ...composerKey(chat.composer, key, width).composer, popup: undefined } };
}

function approvalKey(chat: Chat, key: Key, screen: Screen, now: number): ChatStep {
  const { dialog, view } = chat;
  if (dialog === undefined || view.ask === undefined) return still(chat);
  const step = dialogKey(dialog, view.ask, key, screen.geometry, now, screen.text);
  const next: Chat = { ...chat, dialog: step.dialog };
  if (step.toDraft === true) return still(toDraft(next, key, screen.inputWidth));
  return { chat: next, effects: step.effect === undefined ? [] : [step.effect] };
}

function menuKey(chat: Chat, key: Key, screen: Screen, now: number): ChatStep {
  const call = chat.view.recovery.find((one) => sameCall(one.ref, chat.menu?.ref));
  if (chat.menu === undefined || call === undefined) return still(chat);
  const step = recoveryKey(chat.menu, call, key, screen.geometry, now);
  const next: Chat = { ...chat, menu: step.menu };
  if (step.toDraft === true) return still(toDraft(next, key, screen.inputWidth));
  return { chat: next, effects: step.effect === undefined ? [] : [step.effect] };
}

function inputKey(chat: Chat, key: Key, width: number, now: number): ChatStep {
  if (key.name === "tab" && key.shift) return changeMode(chat);
  const waits = chat.aside && (chat.dialog !== undefined || chat.menu !== undefined);
  if (waits && key.name === "enter" && draftOf(chat.composer) === "") return still(broughtBack(chat, now));
  if (isControl(key, "x") && draftOf(chat.composer) === "") return forget(chat);
  if (key.name === "escape" && !takesEscape(chat.composer)) return { chat, effects: stopping(chat) };
  if (key.name === "up" && hasWaiting(chat) && draftOf(chat.composer) === "")
    return { chat, effects: [{ do: "take_back" }] };
  const { composer, effect } = composerKey(chat.composer, key, width, chat.view.running);
  const next: Chat = { ...chat, composer };
  if (effect === undefined) return still(next);
  return effect.do === "submit" ? submit(next, effect.text, effect.later) : { chat: next, effects: [effect] };
}

const takesEscape = ({ popup, search, keysShown }: Composer): boolean =>
  search !== undefined || keysShown || (popup !== undefined && popup.items.length > 0);

/** The newest of the memories that were saved since the last message. */
function forget(chat: Chat): ChatStep {
  const saved = chat.view.saved.at(-1);
  if (saved === undefined) return still(chat);
  const view = { ...chat.view, saved: chat.view.saved.slice(0, -1) };
  return { chat: { ...chat, view }, effects: [{ do: "forget", saved }] };
}

function changeMode(chat: Chat): ChatStep {
  const mode = nextMode(chat.view.mode);
  return { chat: { ...chat, view: { ...chat.view, mode } }, effects: [{ do: "mode", mode, from: chat.view.mode }] };
}

const isAsking = ({ ask, recovery }: View): boolean => ask !== undefined || recovery.length > 0;

function submit(chat: Chat, line: string, later: boolean): ChatStep {
  const typed = parseTyped(line);
  switch (typed.kind) {
    case "nothing":
      return still(chat);
    case "unknown":
      return still({ ...chat, flash: unknownCommandText(typed.name) });
    case "command":
      return { chat, effects: [{ do: "command", name: typed.name, argument: typed.argument }] };
    case "message":
      return {
        chat: { ...chat, aside: false },
        effects: [{ do: "submit", text: typed.text, ...meant(chat.view, later) }],
      };
  }
}

/** Where calls wait the message is meant in their place, as the screen says; of those that it does not show yet the person knew nothing. */
const meant = (view: View, later: boolean): { steer: boolean; instead?: true } =>
  isAsking(view) ? { steer: false, instead: true } : { steer: !later && view.running };

/** An answer did not count (the plan had changed, the call waits no more): the question can be answered again. */
export function refused(chat: Chat, ref: CallRef, message: string): Chat {
  const dialog =
    chat.dialog && sameCall(chat.dialog.ref, ref) ? { ...chat.dialog, busy: false, note: message } : chat.dialog;
  const menu = chat.menu && sameCall(chat.menu.ref, ref) ? { ...chat.menu, busy: false, note: message } : chat.menu;
  return { ...chat, dialog, menu };
}
