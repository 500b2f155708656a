import { cleanEffect, cleanLine } from "../safe-text.ts";
import { type Command, type CommandedChat, say } from "./commanded-chat.ts";

/** In two steps: only what was shown is written, and only as it was shown. */
export const suggestCommand: Command = {
  name: "suggest",
  aliases: [],
  argument: "yes",
  text: "show a rule for what you answered alike, then write it",
  async run(argument, chat) {
    const { workspace } = chat.present().session;
    if (argument === "") return show(workspace, chat);
    if (argument !== "yes") return say(chat, "/suggest shows a rule, then /suggest yes writes it", "warn");
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
  chat.offeredRule = { workspace, offer };
  say(chat, `${cleanEffect(offer.text)}\n/suggest yes writes it`);
}
