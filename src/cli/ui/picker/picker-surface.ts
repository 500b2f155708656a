import { chatCommands } from "../../../words/en/chat-commands.ts";
import type { Hands } from "../surface/hands.ts";
import { notice, type Opening, opening, type Surface } from "../surface/surface.ts";
import { pickerFrame } from "./picker-frame.ts";
import { newPicker, type Picker, type PickerEffect, pickerKey, unasked } from "./picker-state.ts";
import { numbered, type Opened, type ShelfWork, served } from "./session-shelf.ts";

type Kept = Exclude<PickerEffect, { do: "back" }>;

/** Sessions that the person chooses among. */
export const pickerSurface: Surface<Picker, Kept> = {
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
export const pickerOpening = (opened: Opened): Opening =>
  opening(
    pickerSurface,
    ({ present }) => ({ state: newPicker({ ...opened, present }) }),
    (picker, at) => [notice(`${numbered(picker, at).text}\n${chatCommands().sessions.usage}`)],
  );

async function serve(work: ShelfWork, hands: Hands<Picker>): Promise<void> {
  const shelf = await hands.services.sessions.shelf(hands.session().workspace);
  hands.set(await served(shelf, work, hands.state()?.all === true));
}
