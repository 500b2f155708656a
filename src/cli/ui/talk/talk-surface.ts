import { talk as words } from "../../../words/en/talk.ts";
import { cutSpans } from "../../terminal/width.ts";
import { span } from "../draw/block.ts";
import { notice, type Opening, opening, type Surface } from "../surface/surface.ts";
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
export const talkSurface: Surface<OwnTalk, never> = {
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
export const talkOpening = (session: string, title: string, items: readonly Item[]): Opening =>
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
