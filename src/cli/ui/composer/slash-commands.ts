import { countText } from "../../../core/count-text.ts";
import { chatCommands as words } from "../../../words/en/chat-commands.ts";
import { composer } from "../../../words/en/composer.ts";
import { saidAgain } from "../../../words/said-again.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import { aliasesOf, namesOfCommands } from "../../typed.ts";
import { viewCommands } from "../chat/views.ts";
import { backgroundCommand } from "../jobs/background-command.ts";
import type { Entry } from "../palette/palette-state.ts";
import { paletteOpening } from "../palette/palette-surface.ts";
import { cleanEffect, cleanLine, errorText } from "../safe-text.ts";
import { type Command, type CommandedChat, goOver, say } from "../surface/commanded-chat.ts";
import { notice } from "../surface/surface.ts";
import { modeCycle } from "../view/modes.ts";
import { sessionCommands } from "./session-commands.ts";

/** One name that is offered; `text` says what it does. */
export interface Offer {
  name: string;
  text?: string;
}

/** The command that compacts the talk: the session's events tell of its progress and its outcome. */
const compactCommand: Command = {
  name: "compact",
  help: () => words().about.compact,
  async run(argument, chat) {
    const made = await chat.present().session.compact(argument === "" ? undefined : argument);
    if (!made.ok && made.told !== true) say(chat, cleanLine(saidAgain(made.message)), "warn");
  },
};

async function undoCompact(chat: CommandedChat): Promise<void> {
  // It is no turn: what was typed is not shown by one.
  chat.say({ kind: "command", text: "/undo compact" });
  const undone = await chat.present().session.undoCompaction();
  if (!undone.ok) return say(chat, cleanLine(saidAgain(undone.message)), "warn");
  const { kind, before, after } = undone.compaction;
  const undoneText = kind === "summary" ? words().summaryUndone : words().cutUndone;
  say(chat, undoneText({ tokens: countText(before - after) }));
}

const ownCommands: readonly Command[] = [
  { name: "help", help: () => words().about.help, run: async (_, chat) => say(chat, chat.help()) },
  { name: "model", help: () => words().about.model, opensAlone: true, run: model },
  { name: "mode", help: () => words().about.mode, key: "shift+tab", run: mode },
  { name: "undo", help: () => words().about.undo, showsItself: true, opensAlone: true, run: undo },
  { name: "run", help: () => words().about.run, showsItself: true, key: "!", run: runOwn },
  { name: "trust", help: () => words().about.trust, run: trust },
  { name: "new", help: () => words().about.new, leads: () => true, run: begin },
  compactCommand,
  {
    name: "exit",
    help: () => words().about.exit,
    showsItself: true,
    key: "ctrl+d",
    run: async (_, chat) => chat.leave(),
  },
];

const known: readonly Command[] = [...ownCommands, ...sessionCommands, backgroundCommand, ...viewCommands];

/** All commands of the chat, in the order of /help. */
export const commands: readonly Command[] = namesOfCommands.flatMap(
  (name) => known.find((one) => one.name === name) ?? [],
);

/** Runs one command by its name. Never throws: what went wrong is said in the chat. */
export async function runCommand(name: string, argument: string, chat: CommandedChat): Promise<void> {
  try {
    const command = commands.find((one) => one.name === name);
    if (command?.showsItself !== true) chat.say({ kind: "command", text: cleanText(`/${name} ${argument}`.trim()) });
    await command?.run(argument, chat);
  } catch (error) {
    say(chat, errorText(error), "error");
  }
}

async function model(argument: string, chat: CommandedChat): Promise<void> {
  const { session, model: present } = chat.present();
  if (argument === "") return showModels(chat);
  if (argument === "demo" && present !== "demo") return say(chat, words().demoApart, "warn");
  await session.setModel(argument);
  say(chat, words().modelNow({ model: cleanLine(argument) }));
  chat.show({ model: cleanLine(argument) });
}

/** Says the present model at once, then lists those that there are: the servers may take a while. */
async function showModels(chat: CommandedChat): Promise<void> {
  const { model: present } = chat.present();
  say(chat, words().model({ model: present }));
  const { models, lines, unlisted } = await chat.services.about.models(present);
  const textOf = (rows: readonly string[]): string => rows.map(cleanLine).join("\n  ");
  const told = textOf([...lines, ...unlisted]);
  if (models.length <= 1) return told === "" ? undefined : say(chat, told);
  const ofModel = ({ spec, text }: (typeof models)[number]): Entry => ({
    ...{ name: spec, text, does: { command: "model", argument: spec, leads: false } },
  });
  const beside = unlisted.length === 0 ? [] : [notice(textOf(unlisted))];
  chat.open({ ...paletteOpening(models.map(ofModel), told), beside });
}

async function mode(argument: string, chat: CommandedChat): Promise<void> {
  const { session, mode: present } = chat.present();
  if (argument === "") return say(chat, words().mode({ mode: present, modes: modeCycle }));
  const wanted = modeCycle.find((one) => one === argument);
  if (wanted === undefined) return say(chat, words().noMode({ mode: cleanLine(argument), modes: modeCycle }), "warn");
  const refused = chat.services.folder.refusesMode(wanted, session.workspace);
  if (refused !== undefined) return say(chat, cleanLine(refused), "warn");
  session.setMode(wanted);
  say(chat, words().modeNow({ mode: wanted }));
  chat.show({ mode: wanted });
}

/** The question itself comes as any other, in the dialog: so it may be about the rest, where something stands against some of the calls. */
async function undo(argument: string, chat: CommandedChat): Promise<void> {
  if (argument === "compact") return undoCompact(chat);
  const calls = argument.split(/[\s,]+/).filter((word) => word !== "");
  const target = calls.length === 0 ? ({ turn: "last" } as const) : { calls };
  const begun = await chat.present().session.undo({ ...target, rest: true });
  if (!begun.ok) return say(chat, cleanLine(saidAgain(begun.message)), "warn");
  for (const why of begun.left ?? []) say(chat, words().leftOut({ what: cleanLine(why) }), "warn");
}

async function runOwn(argument: string, chat: CommandedChat): Promise<void> {
  if (argument === "") return say(chat, words().runWhat, "warn");
  const begun = await chat.present().session.runCommand(argument);
  if (!begun.ok) say(chat, cleanLine(saidAgain(begun.message)), "warn");
}

/** In two steps: only what was shown can be trusted, and only as it was shown. */
async function trust(argument: string, chat: CommandedChat): Promise<void> {
  const { workspace } = chat.present().session;
  if (argument === "") return showTrust(workspace, chat);
  if (argument === "revoke") return revokeTrust(workspace, chat);
  if (argument !== "yes") return say(chat, words().trust.usage, "warn");
  const take = chat.offered?.workspace === workspace ? chat.offered.offer.take : undefined;
  chat.offered = undefined;
  if (take === undefined) return say(chat, words().trust.notShown, "warn");
  if (await take()) return say(chat, words().trust.trusted);
  say(chat, words().trust.other, "warn");
  return showTrust(workspace, chat);
}

async function revokeTrust(workspace: string, chat: CommandedChat): Promise<void> {
  chat.offered = undefined;
  const { revoke } = await chat.services.folder.trust(workspace);
  if (revoke === undefined) return say(chat, words().trust.notTrusted, "warn");
  say(chat, words().trust.revoked({ what: await revoke() }));
}

async function showTrust(workspace: string, chat: CommandedChat): Promise<void> {
  const offer = await chat.services.folder.trust(workspace);
  chat.offered = { workspace, offer };
  say(chat, cleanEffect(offer.text));
}

async function begin(_: string, chat: CommandedChat): Promise<void> {
  const { session, model, mode } = chat.present();
  const { workspace } = session;
  const refused = chat.services.folder.refusesMode(mode, workspace);
  const begun = { workspace, model, mode: refused === undefined ? mode : "ask" } as const;
  await goOver(await chat.services.sessions.begin(begun), chat);
}

export const unknownCommandText = (name: string): string => words().unknown({ name });

/**
 * Commands that fit what was typed after the slash: by their names, by other names they are known by, by what they do.
 * @param ofFiles beside the program's own
 */
export function completeCommand(typed: string, ofFiles: readonly Offer[] = []): Offer[] {
  const rank = ({ name, aliases, text }: { name: string; aliases: readonly string[]; text: string }): number =>
    name === typed
      ? 0
      : name.startsWith(typed)
        ? 1
        : aliases.some((alias) => alias.startsWith(typed))
          ? 2
          : typed.length > 1 && `${name} ${text}`.includes(typed)
            ? 3
            : 4;
  return [
    ...commands.map(({ name, help }) => ({ name, text: help().text, aliases: aliasesOf(name) })),
    ...ofFiles.map(({ name, text = "" }) => ({ name, text, aliases: [] })),
  ]
    .map((command) => ({ command, rank: rank(command) }))
    .filter((one) => one.rank < 4)
    .sort((a, b) => a.rank - b.rank)
    .map(({ command: { name, text } }) => ({ name, text }));
}

/** Cells of the column of names, so wide that two blanks part it from the words. */
const columnCells = 23;

/** The commands, a line each. */
export function commandHelp(): string {
  const lines = commands.map(({ name, help }) => {
    const { argument, text } = help();
    const typed = `/${name}${argument === "" ? "" : ` [${argument}]`}`;
    const others = aliasesOf(name).map((other) => `/${other}`);
    const also = others.length === 0 ? "" : words().also({ names: others });
    return `  ${typed.padEnd(columnCells)} ${text}${also}`;
  });
  return [words().commands, ...lines].join("\n");
}

/** The text of `/help`. */
export function helpText(): string {
  const keys = Object.entries(composer().keys).map(([key, text]) => `  ${key.padEnd(columnCells)} ${text}`);
  return [commandHelp(), "", words().keys, ...keys].join("\n");
}
