import { jobs as words } from "../../../words/en/jobs.ts";
import { saidAgain } from "../../../words/said-again.ts";
import { cleanLine } from "../safe-text.ts";
import { type Command, type CommandedChat, say } from "../surface/commanded-chat.ts";
import type { Card, View } from "../view/view.ts";

/** Has what runs in the foreground go on in the background. */
export const backgroundCommand: Command = {
  name: "background",
  help: () => words().aside.help,
  showsItself: true,
  key: "ctrl+s",
  run: background,
};

/** Lists the calls of the session itself that can go on in the background now; a helper's are its own. */
export const ableToGoAside = ({ cards, session }: Pick<View, "cards" | "session">): Card[] =>
  cards.filter(({ state, mayGoAside, ref }) => state === "running" && mayGoAside === true && ref.session === session);

/** The calls themselves tell that they went, or how they ended before. */
async function background(_: string, chat: CommandedChat): Promise<void> {
  const { session, view } = chat.present();
  const able = ableToGoAside(view);
  if (able.length === 0) return chat.hands().flash(words().aside.none);
  for (const { ref } of able) {
    const sent = await session.sendAside(ref);
    if (!sent.ok) say(chat, cleanLine(saidAgain(sent.message)), "warn");
  }
}
