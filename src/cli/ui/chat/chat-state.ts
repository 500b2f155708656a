import type { CallRef } from "../../../core/call-ref.ts";
import type { AgentEvent } from "../../../graph/events.ts";
import { chat as words } from "../../../words/en/chat.ts";
import type { Key } from "../../terminal/key.ts";
import { calmMs } from "../question/arming.ts";
import { ticked } from "../status/turn-clock.ts";
import type { Screen } from "../surface/surface.ts";
import { nextMode } from "../view/modes.ts";
import { helperAsks, isAsking, type View, waitsForPerson } from "../view/view.ts";
import { reduce } from "../view/view-state.ts";
import { type Chat, type ChatStep, type Effect, leaveWithinMs, neverStopped } from "./chat.ts";
import * as surfaces from "./surfaces.ts";

/** Brings the questions in line with what waits now. */
export function synced(chat: Chat, view: View, now: number): Chat {
  const open = surfaces.synced(chat.open, view, chat.view, { now, keyAt: chat.lastKeyAt });
  const news =
    (view.ask !== undefined && chat.view.ask === undefined) ||
    view.recovery.length > chat.view.recovery.length ||
    (view.forms.length > 0 && chat.view.forms.length === 0);
  const gone = surfaces.isGone(chat.open, open) && !chat.aside ? { goneAt: now, flash: words().questionGone } : {};
  // A question comes before what is only read or chosen.
  return { ...chat, ...gone, view, open: news ? surfaces.withoutViews(open) : open, aside: chat.aside && !news };
}

/** Until the person has paused, they type at a question that somebody else took away. */
const isForGone = ({ goneAt, lastKeyAt }: Chat, key: Key, now: number): boolean =>
  goneAt !== neverStopped && now - Math.max(goneAt, lastKeyAt) < calmMs && !isControl(key, "c");

/** Until the person has paused, they may type at a list that they asked for and that has not come yet. */
const isForList = (chat: Chat, now: number): boolean =>
  viewOf(chat) === undefined &&
  now - Math.max(chat.listDueAt, chat.lastKeyAt) < calmMs &&
  chat.listDueAt !== neverStopped;

/** It may have been meant for the list that is due. */
const sendsTooEarly = (chat: Chat, key: Key): boolean =>
  chat.listDueAt !== neverStopped &&
  modalOf(chat) === undefined &&
  key.name === "enter" &&
  !key.shift &&
  !isBlank(chat);

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
  const work = { running: next.view.running, asking: waitsForPerson(next.view) };
  return { ...next, clock: ticked(chat.clock, work, events.some(beginsTurn), now) };
}

const beginsTurn = (event: AgentEvent): boolean =>
  event.type === "user_message" && event.queued !== true && event.steer !== true && event.parent === undefined;

/** The question on the screen. */
export const modalOf = ({ open, aside }: Chat): surfaces.QuestionName | undefined =>
  aside ? undefined : surfaces.questionIn(open);

/** Returns the name of the view on the whole screen, to read or to choose from. */
export const viewOf = (chat: Chat): surfaces.ViewName | undefined =>
  modalOf(chat) === undefined ? surfaces.viewIn(chat.open) : undefined;

const still = (chat: Chat): ChatStep => ({ chat, effects: [] });

const isControl = (key: Key, letter: string): boolean =>
  key.name === "char" && key.ctrl && !key.alt && key.text === letter;

const silent: ReadonlySet<Key["name"]> = new Set(["reply", "unknown"]);

/** One key of the person. Pure; what must be done outside comes back as effects, in order. */
export function press(chat: Chat, key: Key, screen: Screen, now: number): ChatStep {
  if (key.name === "focus-in" || key.name === "focus-out") return still({ ...chat, focused: key.name === "focus-in" });
  if (silent.has(key.name)) return still(chat);
  if (chat.lent && !isControl(key, "c")) return still({ ...chat, held: [...chat.held, key] });
  if (isForGone(chat, key, now)) return still({ ...chat, lastKeyAt: now, flash: words().questionGone });
  const listDueAt = isForList(chat, now) ? chat.listDueAt : neverStopped;
  const met: Chat = { ...chat, lastKeyAt: now, goneAt: neverStopped, listDueAt };
  if (sendsTooEarly(met, key)) return still({ ...met, flash: words().listDue });
  const step = pressed(met, key, screen, now);
  return step.effects.some(lends) ? { ...step, chat: { ...step.chat, lent: true } } : step;
}

/** The keys behind this one are for another program, until it gives the terminal back. */
const lends = ({ do: what }: Effect): boolean => what === "suspend" || what === "editor" || what === "compose";

/** The terminal is back. What was typed for the other program and came here is kept, and sends nothing. */
export const returned = (chat: Chat, screen: Screen): Chat => ({
  ...kept(chat, chat.held, screen),
  ...{ lent: false, held: [] },
});

/** A key that came while the question that waits could not be seen. */
export const pressUnseen = (chat: Chat, key: Key, screen: Screen): Chat => kept(chat, [key], screen);

const kept = (chat: Chat, keys: readonly Key[], screen: Screen): Chat => ({
  ...chat,
  open: surfaces.kept(chat.open, keys, screen),
});

/** Nothing is written in the input. */
const isBlank = ({ open }: Chat): boolean => surfaces.input.isBlank(open.input);

function pressed(chat: Chat, key: Key, screen: Screen, now: number): ChatStep {
  const view = viewOf(chat);
  if (view !== undefined)
    return isControl(key, "z") ? { chat, effects: [{ do: "suspend" }] } : onSurface(chat, view, key, screen, now);
  if (isControl(key, "c")) return interrupt({ ...chat, flash: "", wantsBack: false }, now);
  const calm: Chat = { ...chat, flash: "", lastStopAt: neverStopped, wantsBack: false };
  if (key.name === "escape" && isAtRest(chat)) return escapeAtRest(calm, chat.wantsBack);
  if (isControl(key, "z")) return { chat: calm, effects: [{ do: "suspend" }] };
  if (isControl(key, "d") && mayLeave(calm)) return { chat: calm, effects: [{ do: "leave" }] };
  if (isAnswering(calm)) return still({ ...calm, held: [...calm.held, key] });
  const modal = modalOf(calm);
  return modal === undefined ? inputKey(calm, key, screen, now) : onSurface(calm, modal, key, screen, now);
}

function onSurface(chat: Chat, name: surfaces.SurfaceName, key: Key, screen: Screen, now: number): ChatStep {
  const at = { screen, now, view: chat.view };
  const { open, effects, toDraft, flash = chat.flash } = surfaces.pressed(chat.open, name, key, at);
  const next: Chat = { ...chat, open, flash };
  // Typed before the question could be answered: it was meant for the input.
  return { chat: toDraft === true ? kept(next, [key], screen) : next, effects };
}

/** The question on the screen is answered, and whether that counts is not known yet: keys mean nothing to it any more. */
const isAnswering = (chat: Chat): boolean => !chat.aside && surfaces.isBusy(chat.open);

/**
 * The keys that came while an answer was on its way, once it has come: pressed now, in order. Where a question or a view is on the screen
 * they were typed before it could be read, and go into the draft.
 */
export function pressHeld(chat: Chat, screen: Screen, now: number): ChatStep {
  if (chat.held.length === 0 || chat.lent || isAnswering(chat)) return still(chat);
  const isCovered = surfaces.questionIn(chat.open) !== undefined || surfaces.viewIn(chat.open) !== undefined;
  const one = (before: Chat, key: Key): ChatStep =>
    isCovered ? still(kept(before, [key], screen)) : press(before, key, screen, now);
  return chat.held.reduce(
    (step: ChatStep, key) => {
      const next = one(step.chat, key);
      return { chat: next.chat, effects: [...step.effects, ...next.effects] };
    },
    still({ ...chat, held: [] }),
  );
}

/** Nothing runs, nothing waits, nothing is written: Esc has nothing to stop or to go back from. */
const isAtRest = (chat: Chat): boolean =>
  modalOf(chat) === undefined &&
  !chat.view.running &&
  !isAsking(chat.view) &&
  !hasWaiting(chat) &&
  isBlank(chat) &&
  !surfaces.input.takesEscape(chat.open.input);

/** A message is not told yet. The session may have it already, and the screen not know. */
const hasWaiting = ({ view, sending }: Chat): boolean => view.queue.length > 0 || sending.length > 0;

const escapeAtRest = (chat: Chat, again: boolean): ChatStep =>
  again ? { chat, effects: [{ do: "messages" }] } : still({ ...chat, wantsBack: true, flash: words().escAgain });

const mayLeave = (chat: Chat): boolean =>
  isBlank(chat) && chat.held.length === 0 && (chat.aside || surfaces.isAtMenu(chat.open));

/** The second of two leaves; the first stops what is in front of the person: the question, else the draft, else the turn. */
function interrupt(chat: Chat, now: number): ChatStep {
  if (now - chat.lastStopAt <= leaveWithinMs) return { chat, effects: [{ do: "leave" }] };
  const next: Chat = { ...chat, lastStopAt: now, flash: words().leaves };
  const modal = modalOf(chat);
  if (modal !== undefined && surfaces.endsWithTurn(modal)) return { chat: next, effects: takingBack };
  if (modal !== undefined) {
    const effects: Effect[] = helperAsks(chat.view) ? besideHelpers : [{ do: "stop" }];
    return { chat: { ...next, aside: true, flash: asideText(chat.view) }, effects };
  }
  if (!isBlank(chat)) return still({ ...chat, open: surfaces.cleared(chat.open), lastStopAt: neverStopped });
  return { chat: next, effects: chat.view.running || chat.sending.length > 0 ? stopping(chat) : [] };
}

/**
 * The effects of a stop: waiting messages come back first, also those that the screen does not show yet, so that the turn's end does not
 * send them.
 */
const takingBack: Effect[] = [{ do: "take_back" }, { do: "stop" }];

/** At a helper's question others may work: what ends with their turn comes back. At rest it stays, as at a question of the session's own. */
const besideHelpers: Effect[] = [{ do: "take_back", atWork: true }, { do: "stop" }];

function stopping(chat: Chat): Effect[] {
  if (chat.view.running || chat.sending.length > 0) return takingBack;
  return hasWaiting(chat) ? [{ do: "take_back" }] : [];
}

/** That a second Ctrl-C leaves is said as long as it is so. The same state where there is nothing to take away. */
export function withoutLeaving(chat: Chat, now: number): Chat {
  const isOver = Number.isFinite(chat.lastStopAt) && now - chat.lastStopAt > leaveWithinMs;
  return isOver ? { ...chat, flash: "", lastStopAt: neverStopped } : chat;
}

/** Said when a question is put off, in the plain chat too. Whether another helper worked is not on the screen: one that waits for its model calls nothing. */
export const asideText = (view: View): string => (helperAsks(view) ? words().helperAside : words().aside);

function inputKey(chat: Chat, key: Key, screen: Screen, now: number): ChatStep {
  if (key.name === "tab" && key.shift) return changeMode(chat);
  const waits = chat.aside && surfaces.questionIn(chat.open) !== undefined;
  if (waits && key.name === "enter" && isBlank(chat))
    return still({ ...chat, aside: false, open: surfaces.broughtBack(chat.open, now) });
  if (isControl(key, "t") && chat.view.goals.length > 0) return still(foldPlan(chat));
  const commanded = commandKey(chat, key);
  if (commanded !== undefined) return commanded;
  if (isControl(key, "x") && isBlank(chat)) return forget(chat);
  if (key.name === "escape" && !surfaces.input.takesEscape(chat.open.input)) return { chat, effects: stopping(chat) };
  if (key.name === "up" && hasWaiting(chat) && isBlank(chat)) return { chat, effects: [{ do: "take_back" }] };
  const step = onSurface(chat, "input", key, screen, now);
  // A message takes the place of the calls that were put off.
  return step.effects.some(isMessage) ? { ...step, chat: { ...step.chat, aside: false } } : step;
}

/** A key that is a command: the draft stays, and a list opens over it. */
function commandKey(chat: Chat, key: Key): ChatStep | undefined {
  const list = isControl(key, "o") ? "agents" : isControl(key, "p") ? "palette" : undefined;
  if (list !== undefined)
    return {
      chat: { ...chat, listedOver: chat.open.input, listDueAt: chat.lastKeyAt },
      effects: [{ do: "command", name: list, argument: "" }],
    };
  const goesAside = isControl(key, "s") || (isControl(key, "b") && chat.view.running && isBlank(chat));
  return goesAside ? { chat, effects: [{ do: "command", name: "background", argument: "" }] } : undefined;
}

const foldPlan = (chat: Chat): Chat => ({
  ...chat,
  planFolded: !chat.planFolded,
  flash: chat.planFolded ? "" : words().planFolded,
});

const isMessage = ({ do: what }: Effect): boolean => what === "submit";

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

/** An answer did not count (the plan had changed, the call waits no more): the question can be answered again. */
export const refused = (chat: Chat, ref: CallRef, message: string): Chat => ({
  ...chat,
  open: surfaces.refused(chat.open, ref, message),
});
