import { countText } from "../../../core/count-text.ts";
import { doneText, goalLines } from "../../../core/goal-lines.ts";
import type { PageLook } from "../../../tools/mcp/browser/look-at-page.ts";
import { initMessage } from "../../../words/contract/init.ts";
import { chatCommands as words } from "../../../words/en/chat-commands.ts";
import { costText, spokenTokens } from "../../print/figures.ts";
import { doneAgain, goalAgain } from "../../print/standing-words.ts";
import { cleanInput } from "../../terminal/text-units.ts";
import { cells, padEnd } from "../../terminal/width.ts";
import { clipboard, mostCopied } from "../../terminal/window.ts";
import { cleanEffect, cleanLine, shorten } from "../safe-text.ts";
import { type Command, type CommandedChat, goOverTo, say } from "../surface/commanded-chat.ts";
import { isUnderWay, type View } from "../view/view.ts";

/** Commands that tell about the session on the screen, or take what is in it elsewhere. */
export const sessionCommands: readonly Command[] = [
  { name: "rename", help: () => words().about.rename, run: rename },
  { name: "fork", help: () => words().about.fork, leads: () => true, run: fork },
  { name: "copy", help: () => words().about.copy, run: copy },
  { name: "export", help: () => words().about.export, run: exportTo },
  { name: "status", help: () => words().about.status, run: status },
  { name: "context", help: () => words().about.context, run: context },
  { name: "tools", help: () => words().about.tools, run: tools },
  { name: "goals", help: () => words().about.goals, run: goals },
  { name: "page", help: () => words().about.page, run: page },
  { name: "init", help: () => words().about.init, showsItself: true, run: init },
];

async function rename(argument: string, chat: CommandedChat): Promise<void> {
  if (argument === "") return say(chat, words().renameTo, "warn");
  say(chat, cleanLine(await chat.services.about.rename(chat.present().session.id, argument)));
}

/** Work under way would be stopped in the one and be gone in the other: what is settled is copied. */
async function fork(_: string, chat: CommandedChat): Promise<void> {
  const { about } = chat.services;
  const { session, view } = chat.present();
  if (isUnderWay(view)) return say(chat, words().forkLater, "warn");
  const forked = await about.fork(session.id);
  say(chat, cleanEffect(forked.text));
  await goOverTo(forked.id, chat);
}

async function copy(_: string, chat: CommandedChat): Promise<void> {
  const text = cleanInput(chat.present().view.answer ?? "").trim();
  if (text === "") return say(chat, words().copy.noAnswer, "warn");
  const sequence = clipboard(text, chat.env);
  if (sequence === "none") return say(chat, words().copy.noClipboard, "warn");
  if (sequence === "too long") return say(chat, words().copy.tooLong({ most: mostCopied }), "warn");
  chat.tell(sequence);
  const sent = chat.env["TMUX"] === undefined ? words().copy.sent : words().copy.sentByTmux;
  say(chat, sent({ characters: countText(text.length) }));
}

async function exportTo(argument: string, chat: CommandedChat): Promise<void> {
  const { about } = chat.services;
  say(chat, cleanEffect(await about.exportTo(chat.present().session.id, argument === "" ? undefined : argument)));
}

async function status(_: string, chat: CommandedChat): Promise<void> {
  const { session, model, mode, view } = chat.present();
  const { spent } = view;
  const { title, runs, waits, asks, ...labels } = words().status;
  const cost = spent.cost === undefined ? {} : { cost: costText(spent.cost) };
  const facts = await chat.services.about.status(session);
  const rows: [string, string][] = [
    [labels.model, model],
    [labels.mode, mode],
    [labels.now, view.running ? runs : view.ask === undefined ? waits : asks],
    [labels.tokens, labels.spent({ read: spokenTokens(spent.input), written: spokenTokens(spent.output), ...cost })],
    ...facts,
  ];
  say(chat, columns(title({ session: cleanLine(session.id) }), rows));
}

async function context(_: string, chat: CommandedChat): Promise<void> {
  const { session, view } = chat.present();
  const { usage } = view;
  const parts = await chat.services.about.context(session);
  const known = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  const told = usage === undefined ? unknownWhole(view) : inWindow(usage);
  const talk =
    usage !== undefined
      ? [talkRow(about(usage.contextUsed - known))]
      : hasReplied(view)
        ? [talkRow(words().context.notCounted)]
        : [];
  const rows = parts.map(({ name, tokens, what }): [string, string] => [name, `${padEnd(about(tokens), 11)}  ${what}`]);
  const { title, guessed, counted } = words().context;
  say(chat, columns(title({ whole: told }), [...rows, ...talk], usage === undefined ? guessed : counted));
}

const about = (tokens: number): string => words().context.about({ tokens: spokenTokens(Math.max(0, tokens)) });

const talkRow = (size: string): [string, string] => [
  words().context.talk,
  `${padEnd(size, 11)}  ${words().context.talkIs}`,
];

const hasReplied = ({ items, cards }: View): boolean =>
  cards.length > 0 || items.some(({ kind }) => kind === "assistant" || kind === "call");

const unknownWhole = (view: View): string =>
  hasReplied(view) ? words().context.neverTold : words().context.notToldYet;

function inWindow({ contextUsed, contextWindow }: { contextUsed: number; contextWindow?: number }): string {
  if (contextWindow === undefined || contextWindow <= 0)
    return words().context.noWindow({ used: spokenTokens(contextUsed) });
  const percent = Math.round((contextUsed / contextWindow) * 100);
  return words().context.used({ used: spokenTokens(contextUsed), of: spokenTokens(contextWindow), percent });
}

async function tools(_: string, chat: CommandedChat): Promise<void> {
  say(chat, cleanEffect(await chat.services.about.tools(chat.present().session)));
}

async function goals(_: string, chat: CommandedChat): Promise<void> {
  const { goals: plan } = chat.present().view;
  if (plan.length === 0) return say(chat, words().noPlan);
  say(chat, [words().plan({ done: doneAgain(doneText(plan)) }), ...goalLines(plan).map(goalAgain)].join("\n  "));
}

/** Characters of what a browser says of a picture that it has not made. */
const mostOfReason = 300;

/** The picture is shown where the terminal shows any, and written where a file is named. */
async function page(argument: string, chat: CommandedChat): Promise<void> {
  const { about } = chat.services;
  const look = await about.page(chat.present().session.id);
  const { pages, picture, reason } = look;
  if (pages.length === 0) return say(chat, words().page.none, "warn");
  say(chat, pageText(look));
  if (reason !== undefined) say(chat, shorten(cleanLine(reason), mostOfReason), "warn");
  if (picture === undefined) return;
  if (argument !== "") return say(chat, cleanLine(await about.writePicture(argument, picture.bytes)));
  if ((await chat.picture?.("page", picture.bytes)) !== true) say(chat, words().page.noPictures);
}

/** Each page's address, and of which of them the picture is. */
function pageText({ pages, areSeveral, picture, hasMoved }: PageLook): string {
  const rows = pages.map(({ browser, url }) => {
    const address = url === undefined ? words().page.noAddress : cleanLine(url);
    return areSeveral ? `${cleanLine(browser)}: ${address}` : address;
  });
  const open = { pages: pages.length };
  const { several, severalIn } = words().page;
  const which =
    picture === undefined || pages.length === 1
      ? []
      : [areSeveral ? severalIn({ ...open, browser: cleanLine(picture.browser) }) : several(open)];
  const moved = hasMoved === true ? [words().page.moved] : [];
  return [...rows, ...which, ...moved].join("\n");
}

/** An ordinary message: the file is asked about like any other. */
function init(_: string, chat: CommandedChat): Promise<void> {
  return chat.present().session.submit(initMessage);
}

/** Facts under a heading, a line each, their names in a column. */
function columns(heading: string, rows: readonly (readonly [string, string])[], note?: string): string {
  const widest = Math.max(...rows.map(([name]) => cells(name)));
  const lines = rows.map(([name, said]) => `  ${padEnd(cleanLine(name), widest)}  ${cleanLine(said)}`);
  return [heading, ...lines, ...(note === undefined ? [] : [note])].join("\n");
}
