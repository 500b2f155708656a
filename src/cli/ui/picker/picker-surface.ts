import { picker as words } from "../../../words/en/picker.ts";
import { type CommandedChat, type CommandedSurface, goOverTo, printedOf, say } from "../surface/commanded-chat.ts";
import type { Hands } from "../surface/hands.ts";
import { notice, type Opening, opening } from "../surface/surface.ts";
import { pickerFrame } from "./picker-frame.ts";
import { newPicker, type Picker, type PickerEffect, pickerKey, unasked } from "./picker-state.ts";
import { idsByNumber, numbered, type Opened, type ShelfWork, served } from "./session-shelf.ts";

type Kept = Exclude<PickerEffect, { do: "back" }>;

/** Sessions that the person chooses among. */
export const pickerSurface: CommandedSurface<Picker, Kept> = {
  command: {
    name: "sessions",
    help: () => words().help,
    showsItself: true,
    opensAlone: true,
    leads: (argument) => argument !== "",
    run: sessions,
  },
  whole: (picker, { view, ...place }) => pickerFrame(picker, { ...place, workspace: view.workspace }),
  key(before, key, { screen }) {
    const { picker, effect } = pickerKey(before, key, screen.geometry.window);
    if (effect?.do === "back") return { state: undefined };
    return { state: effect?.do === "choose" ? undefined : picker, effect };
  },
  unseen: unasked,
  effects: {
    choose: ({ id }, hands) => hands.inOrder(() => hands.command("sessions", id)),
    retitle: serve,
    remove: serve,
    list: serve,
  },
};

/** These sessions, to choose among. */
const pickerOpening = (opened: Opened): Opening => ({
  ...opening(
    pickerSurface,
    ({ present }) => ({ state: newPicker({ ...opened, present }) }),
    (picker, at) => [notice(`${numbered(picker, at)}\n${words().answers.usage}`)],
  ),
  isGoneBy: true,
});

async function serve(work: ShelfWork, hands: Hands<Picker>): Promise<void> {
  const shelf = await hands.services.sessions.shelf(hands.session().workspace);
  hands.set(await served(shelf, work, hands.state()?.all === true));
}

async function sessions(argument: string, chat: CommandedChat): Promise<void> {
  const { id } = chat.present().session;
  if (argument === "") return showSessions(chat);
  const wanted = /^\d+$/.test(argument) ? nthPrinted(Number(argument), chat) : argument;
  if (wanted === undefined) return say(chat, words().answers.notListed({ typed: argument }), "warn");
  if (wanted === id) return say(chat, words().answers.here);
  await goOverTo(wanted, chat);
}

/** Returns the session that has this number in the list as it was said in lines last. */
const nthPrinted = (nth: number, chat: CommandedChat): string | undefined =>
  idsByNumber(printedOf(chat, pickerSurface)?.rows ?? [])[nth - 1];

async function showSessions(chat: CommandedChat): Promise<void> {
  const { workspace } = chat.present().session;
  const listed = await (await chat.services.sessions.shelf(workspace)).list(false);
  if (listed.rows.length === 0) return say(chat, words().answers.none);
  chat.open(pickerOpening({ ...listed, all: false }));
}
