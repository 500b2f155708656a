import { chatCommands as words } from "../../../words/en/chat-commands.ts";
import { ruleOpening, ruleSurface, writeRule } from "../rule/rule-surface.ts";
import { type Command, type CommandedChat, printedOf, say } from "../surface/commanded-chat.ts";

/** Only what was shown is written, and only as it was shown: by a key where it is drawn, where lines are all there is by a second command. */
export const suggestCommand: Command = {
  name: "suggest",
  async run(argument, chat) {
    const { workspace } = chat.present().session;
    if (argument === "") return show(workspace, chat);
    if (argument !== "yes") return say(chat, words().suggest.usage, "warn");
    const shown = printedOf(chat, ruleSurface);
    chat.printed.delete(ruleSurface);
    if (shown?.workspace !== workspace) return say(chat, words().suggest.notShown, "warn");
    await writeRule(shown.offer, chat);
  },
};

async function show(workspace: string, chat: CommandedChat): Promise<void> {
  chat.printed.delete(ruleSurface);
  const offer = await chat.services.about.ruleOffer(workspace);
  if (offer === undefined) return say(chat, words().suggest.none);
  chat.open(ruleOpening(offer, workspace));
}
