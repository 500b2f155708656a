import type { Change } from "../../../files/diff/diff-text.ts";
import { fullView as words } from "../../../words/en/full-view.ts";
import { type CommandedChat, type CommandedSurface, say } from "../surface/commanded-chat.ts";
import { type Opening, opening } from "../surface/surface.ts";
import { changesText } from "./changes-text.ts";
import { fullFrame } from "./full-frame.ts";
import { newReader, type Reader, readerKey, searchOn } from "./reader-state.ts";

/** Changes under a title, and where the person is in them. */
export interface Reading {
  title: string;
  changes: readonly Change[];
  reader: Reader;
}

/** Changes that the person reads on the whole screen. */
export const readerSurface: CommandedSurface<Reading, never> = {
  command: { name: "diff", help: () => words().help, run: diff },
  whole: ({ reader, title, changes }, { columns, rows, layouts }) =>
    fullFrame(reader, changesText(title, changes, layouts), { columns, rows }),
  key(reading, key, { screen: { text } }) {
    const step = text && readerKey(reading.reader, key, text);
    const isStop = key.name === "char" && key.ctrl && !key.alt && key.text === "c";
    if (isStop || step?.leaves === true) return { state: undefined };
    return { state: step === undefined ? reading : { ...reading, reader: step.reader } };
  },
  goOn: (reading, text) =>
    reading.reader.search === undefined ? reading : { ...reading, reader: searchOn(reading.reader, text) },
  effects: {},
};

/** These, from their beginning. */
const readerOpening = (title: string, changes: readonly Change[]): Opening =>
  opening(
    readerSurface,
    () => ({ state: { title, changes, reader: newReader() } }),
    () => [{ kind: "diff", changes }],
  );

async function diff(_: string, chat: CommandedChat): Promise<void> {
  const changed = chat.services.about.diff(chat.present().session.id);
  const [changes] = await Promise.all([changed, chat.loadColors()]);
  if (changes.length === 0) return say(chat, words().nothingChanged);
  chat.open(readerOpening(words().changed, changes));
}
