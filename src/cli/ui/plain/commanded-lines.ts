import type { Session } from "../../../session/session.ts";
import type { ChatOptions } from "../chat/chat-options.ts";
import { commands } from "../composer/slash-commands.ts";
import type { CommandedChat } from "../surface/commanded-chat.ts";
import type { ChatHands } from "../surface/hands.ts";
import type { OpeningPlace } from "../surface/surface.ts";
import type { Item, View } from "../view/view.ts";
import { withItems } from "../view/view-state.ts";
import { lineHelp } from "./line-help.ts";

/** The parts of a chat of plain lines that commands need. */
interface Lines {
  hands(): ChatHands;
  session(): Session;
  view(): View;
  /** `print`: what is new of it is written. */
  show(view: View, print: boolean): void;
  follow(session: Session): void;
  leave(): void;
}

/** A chat of plain lines as a command sees it. */
export function commandedLines({ env, services, stdout }: ChatOptions, lines: Lines): CommandedChat {
  const printed: CommandedChat["printed"] = new Map();
  const say = (items: readonly Item[]): void => lines.show(withItems(lines.view(), items), true);
  const place = (): OpeningPlace => ({ now: Date.now(), present: lines.session().id });
  return {
    env,
    services,
    present: () => ({ ...lines.view(), session: lines.session(), view: lines.view() }),
    tell: (sequence) => void stdout.write(sequence),
    commands,
    help: lineHelp,
    hands: lines.hands,
    say: (item) => say([item]),
    printed,
    open(view) {
      const at = place();
      if (view.isGoneBy) printed.set(view.surface, view.first(at)?.state);
      say(view.lines(at));
    },
    openUnread: async (view) => say(view.lines(place())),
    show: (change) => lines.show({ ...lines.view(), ...change }, false),
    loadColors: () => Promise.resolve(),
    follow: lines.follow,
    leave: lines.leave,
  };
}
