import { chatCommands as words } from "../../../words/en/chat-commands.ts";
import { ruleOpening } from "../rule/rule-surface.ts";
import { cleanEffect, cleanLine } from "../safe-text.ts";
import { type Command, type CommandedChat, say } from "./commanded-chat.ts";

/** Only what was shown is written, and only as it was shown: by a key where it is drawn, where lines are all there is by a second command. */
export const suggestCommand: Command = {
  name: "suggest",
  async run(argument, chat) {
    const { workspace } = chat.present().session;
    if (argument === "") return show(workspace, chat);
    if (argument !== "yes") return say(chat, words().suggest.usage, "warn");
    const offer = chat.offeredRule?.workspace === workspace ? chat.offeredRule.offer : undefined;
    chat.offeredRule = undefined;
    if (offer === undefined) return say(chat, words().suggest.notShown, "warn");
    await offer.write();
    say(chat, words().suggest.written({ file: cleanLine(offer.file) }));
  },
};

async function show(workspace: string, chat: CommandedChat): Promise<void> {
  chat.offeredRule = undefined;
  const offer = await chat.services.about.ruleOffer(workspace);
  if (offer === undefined) return say(chat, words().suggest.none);
  if (chat.open !== undefined) return chat.open(ruleOpening(offer));
  chat.offeredRule = { workspace, offer };
  say(chat, `${cleanEffect(offer.text)}\n${words().suggest.writes}`);
}
