import { doneText, goalLines } from "../../../core/goal-lines.ts";
import type { PageLook } from "../../../tools/mcp/browser/look-at-page.ts";
import { initMessage } from "../../../words/contract/init.ts";
import { chatCommands as words } from "../../../words/en/chat-commands.ts";
import { grants } from "../../../words/en/grants.ts";
import { talk as talkWords } from "../../../words/en/talk.ts";
import { costText, spokenTokens } from "../../print/figures.ts";
import { doneAgain, goalAgain } from "../../print/standing-words.ts";
import type { JobLine, ToolLabels } from "../../services/session-services.ts";
import { cleanInput } from "../../terminal/text-units.ts";
import { cells, padEnd } from "../../terminal/width.ts";
import { clipboard, mostCopied } from "../../terminal/window.ts";
import { agentsOpening, stopAgent } from "../agents/agents-surface.ts";
import { grantsOpening } from "../grants/grants-surface.ts";
import { saidText } from "../jobs/jobs-frame.ts";
import { jobsOpening, stopJob } from "../jobs/jobs-surface.ts";
import { rewindChoiceText } from "../rewind/rewind-frame.ts";
import { rewindChoices } from "../rewind/rewind-state.ts";
import { goBackTo, rewindOpening } from "../rewind/rewind-surface.ts";
import { cleanEffect, cleanLine, shorten } from "../safe-text.ts";
import { type Command, type CommandedChat, goOverTo, say } from "../surface/commanded-chat.ts";
import { notice, type Opening } from "../surface/surface.ts";
import { talkOpening } from "../talk/talk-surface.ts";
import { itemsOf } from "../view/talk-items.ts";
import { isAsking, type View } from "../view/view.ts";

/** Commands that tell about the session on the screen, or take what is in it elsewhere. */
export const sessionCommands: readonly Command[] = [
  { name: "rename", run: rename },
  { name: "fork", run: fork },
  { name: "copy", run: copy },
  { name: "export", run: exportTo },
  { name: "permissions", run: permissions },
  { name: "status", run: status },
  { name: "context", run: context },
  { name: "tools", run: tools },
  { name: "jobs", showsItself: true, run: jobs },
  { name: "agents", showsItself: true, run: agents },
  { name: "talk", showsItself: true, run: talk },
  { name: "rewind", showsItself: true, run: rewind },
  { name: "goals", run: goals },
  { name: "page", run: page },
  { name: "init", showsItself: true, run: init },
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
  say(chat, sent({ characters: text.length.toLocaleString("en-US") }));
}

async function exportTo(argument: string, chat: CommandedChat): Promise<void> {
  const { about } = chat.services;
  say(chat, cleanEffect(await about.exportTo(chat.present().session.id, argument === "" ? undefined : argument)));
}

async function permissions(argument: string, chat: CommandedChat): Promise<void> {
  const { about } = chat.services;
  const [word = "", id = "", ...more] = argument.split(/\s+/);
  if (more.length > 0 || (word === "") !== (id === "") || (word !== "" && word !== "revoke"))
    return say(chat, grants().unclear, "warn");
  if (word === "revoke") {
    const named = { id: cleanLine(id) };
    const wasThere = await about.revokeGrant(id);
    return say(chat, wasThere ? grants().revoked(named) : grants().isGone(named), wasThere ? "info" : "warn");
  }
  const { session, mode } = chat.present();
  const { heads, rows } = await about.permissions(session, mode);
  if (rows.length === 0) return say(chat, cleanEffect([...heads, grants().none].join("\n")));
  chat.open(grantsOpening({ heads, rows }));
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

/** Opens the list of background jobs; by its name one is read or ended, as in the list of the drawn chat. */
async function jobs(argument: string, chat: CommandedChat): Promise<void> {
  const lines = await chat.services.about.jobs(chat.present().session);
  const [word = "", id = "", ...more] = argument.split(/\s+/);
  if (more.length > 0 || (word !== "stop" && id !== "")) return say(chat, words().jobs.notMeant, "warn");
  if (word === "stop") return endJob(lines, id, chat);
  if (word !== "") return readJob(lines, word, chat);
  if (lines.length === 0) return say(chat, words().jobs.none);
  chat.open(jobsOpening(lines));
}

async function readJob(lines: readonly JobLine[], id: string, chat: CommandedChat): Promise<void> {
  const job = lines.find(({ ref }) => ref.call === id);
  if (job === undefined) return say(chat, words().jobs.notThere({ job: cleanLine(id) }), "warn");
  say(chat, saidText(job));
}

async function endJob(lines: readonly JobLine[], id: string, chat: CommandedChat): Promise<void> {
  const job = lines.find(({ ref }) => ref.call === id);
  if (job === undefined) return say(chat, words().jobs.notThere({ job: cleanLine(id) }), "warn");
  if (!job.runs) return say(chat, words().jobs.over({ job: cleanLine(id) }), "warn");
  await stopJob(job.ref, chat.hands());
}

/** The same for helpers, which are known by their places in the list. */
async function agents(argument: string, chat: CommandedChat): Promise<void> {
  const { session, view } = chat.present();
  const lines = await chat.services.about.agents(session);
  const [word = "", nth = "", ...more] = argument.split(/\s+/);
  if (more.length > 0 || (word !== "stop" && nth !== "")) return say(chat, words().agents.notMeant, "warn");
  if (lines.length === 0) return noAgents(word, chat);
  if (word === "") return chat.open(agentsOpening(lines));
  const named = word === "stop" ? nth : word;
  const agent = /^\d+$/.test(named) ? lines[Number(named) - 1] : lines.find((one) => one.session === named);
  if (agent === undefined) return say(chat, words().agents.notThere({ helper: cleanLine(named) }), "warn");
  if (word !== "stop") return readTalk(agent.session, view.labels, chat);
  const isStopped = await stopAgent(agent.session, chat.hands());
  if (isStopped) say(chat, words().agents.stopped({ helper: cleanLine(agent.agent) }));
}

/** Opens this session's talk for a person who looks at all that is at work where nobody else is; in lines it is said that there is no helper. */
async function noAgents(word: string, chat: CommandedChat): Promise<void> {
  const none = words().agents.none;
  if (word !== "") return say(chat, none);
  chat.open({ ...(await ownTalk(chat)), lines: () => [notice(none)] });
}

async function readTalk(session: string, labels: ToolLabels, chat: CommandedChat): Promise<void> {
  const { transcript } = await chat.services.about.talk(session);
  for (const item of itemsOf(transcript, labels)) chat.say(item);
}

/** Messages and calls of the session on the screen that are read at once. */
const mostRead = 1_000;

async function talk(_: string, chat: CommandedChat): Promise<void> {
  chat.open(await ownTalk(chat));
}

async function ownTalk(chat: CommandedChat): Promise<Opening> {
  const { session, view } = chat.present();
  const { transcript, earlier } = await chat.services.about.talk(session.id, mostRead);
  const id = cleanLine(session.id);
  const text = talkWords().earlier({ pieces: earlier, session: id });
  const said = itemsOf(transcript, view.labels);
  const items = earlier === 0 ? said : [notice(text), ...said];
  return talkOpening(session.id, view.title ?? id, items);
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

/** Goes back to an earlier message. Where lines are all there is, the messages have numbers, and what would be done is said before it is. */
async function rewind(argument: string, chat: CommandedChat): Promise<void> {
  const { services } = chat;
  const { session, view } = chat.present();
  if (isUnderWay(view)) return say(chat, words().rewind.later, "warn");
  const points = await services.rewind.points(session.id);
  // The screen may not tell yet of one that was typed just before.
  if (points.length > 0 && (await services.rewind.isUnderWay(session.id)))
    return say(chat, words().rewind.underWay, "warn");
  const [nth = "", word = "", ...more] = argument.split(/\s+/);
  if (points.length === 0) return say(chat, words().rewind.none);
  if (nth === "") return chat.open(rewindOpening(points));
  const point = /^\d+$/.test(nth) ? points.toReversed()[Number(nth) - 1] : undefined;
  if (point === undefined) return say(chat, words().rewind.notThere({ message: cleanLine(nth) }), "warn");
  const takeBack = await services.rewind.look(session.id, point);
  if (word === "") return say(chat, rewindChoiceText(nth, point, takeBack, session.workspace));
  const choices = rewindChoices({ takeBack }).filter((one) => one !== "back");
  const choice = more.length > 0 ? undefined : choices.find((one) => one === word);
  if (choice === undefined) return say(chat, noChoiceText([word, ...more].join(" "), choices), "warn");
  await goBackTo({ point, choice, takeBack }, chat.hands());
}

const noChoiceText = (word: string, choices: readonly string[]): string =>
  words().rewind.noChoice({ typed: cleanLine(word), choices });

/** A turn that runs or waits for the person: it would be stopped here and be gone where another session goes on. */
const isUnderWay = (view: View): boolean => view.running || isAsking(view);

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
