import type { Session } from "../../../session/session.ts";
import type { ChatOptions } from "../chat/chat-options.ts";
import type { CommandedChat } from "../composer/commanded-chat.ts";
import type { ChatHands } from "../surface/hands.ts";
import type { View } from "../view/view.ts";
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
export const commandedLines = ({ env, services, stdout }: ChatOptions, lines: Lines): CommandedChat => ({
  env,
  services,
  present: () => ({ ...lines.view(), session: lines.session(), view: lines.view() }),
  tell: (sequence) => void stdout.write(sequence),
  help: lineHelp,
  hands: lines.hands,
  read: (_, changes) => lines.show(withItems(lines.view(), [{ kind: "diff", changes }]), true),
  say: (item) => lines.show(withItems(lines.view(), [item]), true),
  show: (change) => lines.show({ ...lines.view(), ...change }, false),
  loadColors: () => Promise.resolve(),
  follow: lines.follow,
  leave: lines.leave,
});
