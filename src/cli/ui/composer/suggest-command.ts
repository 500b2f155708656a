import { ruleOpening } from "../rule/rule-surface.ts";
import { cleanEffect, cleanLine } from "../safe-text.ts";
import { type Command, type CommandedChat, say } from "./commanded-chat.ts";

/** Only what was shown is written, and only as it was shown: by a key where it is drawn, where lines are all there is by a second command. */
export const suggestCommand: Command = {
  name: "suggest",
  argument: "yes",
  text: "show a rule for what you answered alike, then write it",
  async run(argument, chat) {
    const { workspace } = chat.present().session;
    if (argument === "") return show(workspace, chat);
    if (argument !== "yes") return say(chat, "/suggest shows a rule for what you answered alike", "warn");
    const offer = chat.offeredRule?.workspace === workspace ? chat.offeredRule.offer : undefined;
    chat.offeredRule = undefined;
    if (offer === undefined) return say(chat, "no rule was shown: /suggest shows it", "warn");
    await offer.write();
    say(chat, `written to ${cleanLine(offer.file)}: it counts from the next call on`);
  },
};

async function show(workspace: string, chat: CommandedChat): Promise<void> {
  chat.offeredRule = undefined;
  const offer = await chat.services.about.ruleOffer(workspace);
  if (offer === undefined)
    return say(chat, "nothing to suggest: no question here was answered alike three times and never otherwise");
  if (chat.open !== undefined) return chat.open(ruleOpening(offer));
  chat.offeredRule = { workspace, offer };
  say(chat, `${cleanEffect(offer.text)}\n/suggest yes writes it`);
}
