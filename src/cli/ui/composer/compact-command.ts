import { cleanLine } from "../safe-text.ts";
import { type Command, type CommandedChat, say } from "./commanded-chat.ts";

/** How it goes, and what came of it, the session's events tell. */
export const compactCommand: Command = {
  name: "compact",
  aliases: ["summarize"],
  argument: "WHAT TO KEEP",
  text: "have the talk summed up, to make room; all of it stays saved",
  async run(argument, chat) {
    const made = await chat.present().session.compact(argument === "" ? undefined : argument);
    if (!made.ok && made.told !== true) say(chat, cleanLine(made.message), "warn");
  },
};

export async function undoCompact(chat: CommandedChat): Promise<void> {
  // It is no turn: what was typed is not shown by one.
  chat.say({ kind: "command", text: "/undo compact" });
  const undone = await chat.present().session.undoCompaction();
  if (!undone.ok) return say(chat, cleanLine(undone.message), "warn");
  const { kind, before, after } = undone.compaction;
  const what = kind === "summary" ? "the talk before its summary" : "what earlier calls said";
  const more = (before - after).toLocaleString("en-US");
  say(chat, `the model reads ${what} again, about ${more} tokens more; where that does not fit, it is cut anew`);
}
