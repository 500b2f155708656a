import { withoutEnd } from "../../../core/linear-text.ts";
import { composer as words } from "../../../words/en/composer.ts";
import { expandPastes, pastedSign } from "../../terminal/text-units.ts";
import { parseFirst, type Typed } from "../../typed.ts";
import { leadsElsewhere } from "../surface/commanded-chat.ts";
import type { Message } from "../surface/hands.ts";
import type { Input, SurfaceStep } from "../surface/surface.ts";
import { isAsking, type View } from "../view/view.ts";
import { composerRows, draftLines, inputWidthOf } from "./composer-lines.ts";
import {
  type Composer,
  type ComposerEffect,
  clearDraft,
  composerKey,
  draftOf,
  takesEscape,
  withCommands,
  withDraft,
  withFiles,
  withKeyInDraft,
  withMessages,
  withTakenBack,
} from "./composer-state.ts";
import { meantBy } from "./file-command.ts";
import { commands, unknownCommandText } from "./slash-commands.ts";

type Written = Extract<ComposerEffect, { do: "submit" }>;

/** A request of the input; of a line that was sent, its kind. */
type Wish =
  | Exclude<ComposerEffect, Written>
  /** `steer`: to the turn under way. `instead`: of the calls that the screen says to wait. */
  | ({ do: "submit" } & Message)
  /** It is a command of a file, or none. `isText`: then it is a message. */
  | { do: "look_up"; name: string; isText: boolean; message: Message }
  | { do: "command"; name: string; argument: string };

/** The input that the person writes in, with its menus. */
export const composerSurface: Input<Composer, Wish> = {
  whole: () => undefined,
  rows: composerRows,
  kept: draftLines,
  key(before, key, { screen, view }) {
    const { composer, effect } = composerKey(before, key, inputWidthOf(screen.columns), view.running);
    return effect?.do === "submit" ? { state: composer, ...sent(effect, view) } : { state: composer, effect };
  },
  keep: (composer, key, { columns }) => withKeyInDraft(composer, key, inputWidthOf(columns)),
  isBlank: (composer) => draftOf(composer) === "",
  takesEscape,
  cleared: clearDraft,
  takenBack: withTakenBack,
  unsent: ({ buffer }) => expandPastes(buffer),
  effects: {
    async recall(_, { state, set, services, session }) {
      const history = state()?.buffer.history ?? [];
      const said = await services.folder.earlierMessages(session().workspace);
      const messages = [...new Set([...history.toReversed(), ...said])];
      set((composer) => withMessages(composer, messages));
    },
    async compose({ text: draft }, { set, edit, flash }) {
      const text = await edit(draft, "message.md");
      if (text === undefined) return flash(words().editorFailed);
      set((composer) => withDraft(composer, withoutEnd(text, "\n")));
    },
    async complete({ prefix }, { set, services, session }) {
      const files = await services.folder.files(session(), prefix);
      set((composer) => withFiles(composer, prefix, files));
    },
    async commands(_, { set, services, session }) {
      const found = await services.folder.commands(session().workspace);
      set((composer) => withCommands(composer, found));
    },
    submit: async (message, hands) => hands.submit(message),
    look_up: async ({ message, ...typed }, hands) =>
      hands.submit(message, async () => {
        const meant = await meantBy(typed, hands.services.folder, hands.session().workspace);
        if (meant === "nothing") return void hands.flash(unknownCommandText(typed.name));
        return meant === "command" ? { ...message, isCommand: true } : message;
      }),
    command: ({ name, argument }, hands) =>
      hands.inOrder(() => hands.command(name, argument), leadsElsewhere(commands, { name, argument })),
  },
};

/** Returns the request of a line that was sent. */
function sent(
  { text: line, written, later }: Written,
  view: View,
): Pick<SurfaceStep<Composer, Wish>, "effect" | "flash"> {
  // A pasted block is said as it is, whatever it begins with.
  const isPasted = written?.trimStart().startsWith(pastedSign) === true;
  const typed: Typed = isPasted ? { kind: "message", text: line.trim() } : parseFirst(line, view.offered);
  const message = (text: string): Message => ({
    text,
    ...(written !== undefined && { written }),
    ...meant(view, later),
  });
  switch (typed.kind) {
    case "nothing":
      return {};
    case "unknown": {
      const { name, text, isText } = typed;
      return { effect: { do: "look_up", name, isText, message: message(text) } };
    }
    case "command":
      return { effect: { do: "command", name: typed.name, argument: typed.argument } };
    case "message":
      return { effect: { do: "submit", ...message(typed.text) } };
  }
}

/** Tells how a message is meant: where calls wait, in their place, as the screen says; of those that it does not show yet the person knew nothing. */
const meant = (view: View, later: boolean): { steer: boolean; instead?: true } =>
  isAsking(view) ? { steer: false, instead: true } : { steer: !later && view.running };
