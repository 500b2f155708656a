import { talk as words } from "../../../words/en/talk.ts";
import { cutSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import { cleanLine } from "../safe-text.ts";
import type { CommandedChat, CommandedSurface } from "../surface/commanded-chat.ts";
import { notice, type Opening, opening } from "../surface/surface.ts";
import { itemsOf } from "../view/talk-items.ts";
import type { Item } from "../view/view.ts";
import { talkFrame } from "./talk-frame.ts";
import { newTalk, type Talk, talkKey, talkSearchedOn } from "./talk-state.ts";

/** The talk of the session on the screen, as it was when it was opened. */
export interface OwnTalk {
  /** Safe to draw. */
  title: string;
  talk: Talk;
}

/** All that was said and done here, with nothing folded. */
export const talkSurface: CommandedSurface<OwnTalk, never> = {
  command: { name: "talk", help: () => words().help, showsItself: true, run: talk },
  whole: ({ title, talk }, place) =>
    talkFrame(
      talk,
      (columns) => cutSpans([span(title, { bold: true }), span(`  ${words().asOfNow}`, { dim: true })], columns),
      place,
    ),
  key(before, key, { screen: { text } }) {
    const isStop = key.name === "char" && key.ctrl && !key.alt && key.text === "c";
    const talk = isStop ? undefined : talkKey(before.talk, key, text);
    return { state: talk && { ...before, talk } };
  },
  goOn: (before, text) => ({ ...before, talk: talkSearchedOn(before.talk, text) }),
  effects: {},
};

/** It is read from its end, where what one looks for mostly is; in lines it is said piece by piece. */
const talkOpening = (session: string, title: string, items: readonly Item[]): Opening =>
  items.length === 0
    ? nothingSaid()
    : opening(
        talkSurface,
        () => ({ state: { title, talk: newTalk(session, items, true) } }),
        ({ talk }) => talk.items,
      );

function nothingSaid(): Opening {
  const beside = [notice(words().none)];
  return { surface: talkSurface, first: () => undefined, beside, lines: () => beside };
}

/** Messages and calls of the session on the screen that are read at once. */
const mostRead = 1_000;

async function talk(_: string, chat: CommandedChat): Promise<void> {
  chat.open(await ownTalk(chat));
}

/** The talk of the session on the screen, to be opened. */
export async function ownTalk(chat: CommandedChat): Promise<Opening> {
  const { session, view } = chat.present();
  const { transcript, earlier } = await chat.services.about.talk(session.id, mostRead);
  const id = cleanLine(session.id);
  const text = words().earlier({ pieces: earlier, session: id });
  const said = itemsOf(transcript, view);
  const items = earlier === 0 ? said : [notice(text), ...said];
  return talkOpening(session.id, view.title ?? id, items);
}
