import { chat as words } from "../../../words/en/chat.ts";
import { changeMode } from "../question/give-answers.ts";
import { newRewinding } from "../rewind/rewind-state.ts";
import type { ChatHands } from "../surface/hands.ts";
import type { Item, SavedMemory } from "../view/view.ts";
import { withItems } from "../view/view-state.ts";
import type { Chat, Effect } from "./chat.ts";
import { modalOf } from "./chat-state.ts";
import { withUnsent } from "./sending.ts";
import { input, type Open, served, takenBack, type ViewName, viewIn } from "./surfaces.ts";

type Views = Pick<Open, ViewName>;

/** The chat in the hands of whoever does something for all of it. */
export interface ChatHolder {
  chat(): Chat;
  set(chat: Chat): void;
  readonly hands: ChatHands;
}

/**
 * Carries out an effect that is no message: to decide, to look something up, to write elsewhere, to take back.
 * @returns undefined where it is none of these.
 */
export function errand(effect: Effect, held: ChatHolder): Promise<void> | undefined {
  switch (effect.do) {
    case "mode":
      return changeMode(effect, held.hands);
    case "forget":
      return forget(effect.saved, held.hands);
    case "take_back":
      return takeBack(held, effect.atWork);
    case "messages":
      return listMessages(held);
    default:
      return served(effect, {
        hands: held.hands,
        open: () => held.chat().open,
        setOpen: (open) => held.set({ ...held.chat(), open }),
      });
  }
}

/**
 * Opens a view to read or to choose from; not under the fingers of a person who writes on, behind a question that they answer, or over
 * another: its keys decide.
 */
export function openedOn(chat: Chat, opened: Views): Chat {
  if (opened.reader === undefined && modalOf(chat) !== undefined)
    return { ...chat, view: withItems(chat.view, [behindQuestion()]) };
  if (opened.reader === undefined && isWriting(chat)) return { ...chat, flash: words().listWhileWriting };
  return viewIn(chat.open) === undefined ? { ...chat, open: { ...chat.open, ...opened } } : chat;
}

const isWriting = ({ open, held, listedOver }: Chat): boolean =>
  held.length > 0 || (!input.isBlank(open.input) && open.input !== listedOver);

/** Puts a text into the input, to be written on. A draft that is there already stays alone: it was meant for something else. */
export function written(chat: Chat, text: string): Chat {
  if (input.isBlank(chat.open.input)) return { ...chat, open: takenBack(chat.open, [text]) };
  return { ...chat, flash: words().takesWords({ command: text.trim() }) };
}

/** Nothing that is only flashed is seen where a question is. */
const behindQuestion = (): Item => ({ kind: "notice", level: "info", text: words().questionBeforeList });

/** Shows the person's messages, to go on from one of them. */
async function listMessages(held: ChatHolder): Promise<void> {
  const { services, session } = held.hands;
  const points = await services.rewind.points(session().id);
  if (points.length === 0) return held.hands.flash(words().noEarlierMessage);
  held.set(openedOn(held.chat(), { rewind: newRewinding(points) }));
}

async function forget({ line, title }: SavedMemory, { services, say }: ChatHands): Promise<void> {
  const isGone = await services.about.forgetMemory(line);
  const text = (isGone ? words().memoryTakenBack : words().memoryGone)({ title });
  say({ kind: "notice", level: isGone ? "info" : "warn", text });
}

async function takeBack(held: ChatHolder, atWork = false): Promise<void> {
  // What no session has yet is not to go to one meanwhile.
  held.set(withUnsent(held.chat()));
  const texts = await held.hands.session().takeBack({ atWork });
  if (texts.length > 0) held.hands.takeBack(texts);
}
