import { doneText, goalLines } from "../../../core/goal-lines.ts";
import type { PageLook } from "../../../tools/mcp/browser/look-at-page.ts";
import { costText, spokenTokens } from "../../print/figures.ts";
import type { JobLine, ToolLabels } from "../../services/session-services.ts";
import { cleanInput } from "../../terminal/text-units.ts";
import { clipboard, mostCopied } from "../../terminal/window.ts";
import { agentsText } from "../agents/agents-frame.ts";
import { agentsOpening } from "../agents/agents-surface.ts";
import { jobsText, saidText } from "../jobs/jobs-frame.ts";
import { jobsOpening } from "../jobs/jobs-surface.ts";
import { rewindChoiceText, rewindText } from "../rewind/rewind-frame.ts";
import { rewindChoices } from "../rewind/rewind-state.ts";
import { goBackTo, rewindOpening } from "../rewind/rewind-surface.ts";
import { cleanEffect, cleanLine, shorten } from "../safe-text.ts";
import { isAsking, type View } from "../view/view.ts";
import { itemsOf } from "../view/view-state.ts";
import { type Command, type CommandedChat, goOverTo, say } from "./commanded-chat.ts";

/** Commands that tell about the session on the screen, or take what is in it elsewhere. */
export const sessionCommands: readonly Command[] = [
  { name: "rename", argument: "TITLE", text: "give the session a title", run: rename },
  { name: "fork", argument: "", text: "go on in a copy of this session", run: fork },
  { name: "copy", argument: "", text: "copy the last answer to the clipboard", run: copy },
  {
    name: "export",
    argument: "FILE",
    text: "write the session to a new file; FILE.html and FILE.md are pages to read",
    run: exportTo,
  },
  {
    name: "permissions",
    argument: "",
    text: "the mode, and the rules and grants in force",
    run: permissions,
  },
  {
    name: "status",
    argument: "",
    text: "where this session is, and how it stands",
    run: status,
  },
  {
    name: "context",
    argument: "",
    text: "what takes the room of the model's context",
    run: context,
  },
  { name: "tools", argument: "", text: "the tools, their risk and what they cost", run: tools },
  {
    name: "jobs",
    argument: "JOB | stop JOB",
    text: "the commands that run in the background: what they said, and their end",
    showsItself: true,
    run: jobs,
  },
  {
    name: "agents",
    argument: "N | stop N",
    text: "the helpers of this session: how far each is, its talk, and its end",
    showsItself: true,
    run: agents,
  },
  {
    name: "rewind",
    argument: "N CHOICE",
    text: "go on from an earlier message: the talk, the files, or both",
    showsItself: true,
    run: rewind,
  },
  { name: "goals", argument: "", text: "the plan of this session, whole", run: goals },
  {
    name: "page",
    argument: "FILE",
    text: "what the browser of this session shows; its picture goes to a new file, FILE.png",
    run: page,
  },
  { name: "init", argument: "", text: "ask the model to write AGENTS.md", showsItself: true, run: init },
];

async function rename(argument: string, chat: CommandedChat): Promise<void> {
  if (argument === "") return say(chat, "what shall it be called? /rename TITLE", "warn");
  say(chat, cleanLine(await chat.services.about.rename(chat.present().session.id, argument)));
}

/** Work under way would be stopped in the one and be gone in the other: what is settled is copied. */
async function fork(_: string, chat: CommandedChat): Promise<void> {
  const { about } = chat.services;
  const { session, view } = chat.present();
  if (isUnderWay(view)) return say(chat, "a turn is under way: let it end, or stop it, then /fork", "warn");
  const forked = await about.fork(session.id);
  say(chat, cleanEffect(forked.text));
  await goOverTo(forked.id, chat);
}

async function copy(_: string, chat: CommandedChat): Promise<void> {
  const text = cleanInput(chat.present().view.answer ?? "").trim();
  if (text === "") return say(chat, "there is no answer to copy yet", "warn");
  const sequence = clipboard(text, chat.env);
  if (sequence === "none") return say(chat, "this terminal has no clipboard that can be written to", "warn");
  if (sequence === "too long")
    return say(chat, `the answer is longer than the ${mostCopied} that terminals take: /export writes it`, "warn");
  chat.tell(sequence);
  const tmux = chat.env["TMUX"] === undefined ? "" : "; tmux needs: set -g set-clipboard on";
  const size = `${text.length.toLocaleString("en-US")} characters`;
  say(chat, `sent to the terminal's clipboard: ${size}. Not every terminal takes it, and none says so${tmux}`);
}

async function exportTo(argument: string, chat: CommandedChat): Promise<void> {
  const { about } = chat.services;
  say(chat, cleanEffect(await about.exportTo(chat.present().session.id, argument === "" ? undefined : argument)));
}

async function permissions(_: string, chat: CommandedChat): Promise<void> {
  const { session, mode } = chat.present();
  say(chat, cleanEffect(await chat.services.about.permissions(session, mode)));
}

async function status(_: string, chat: CommandedChat): Promise<void> {
  const { session, model, mode, view } = chat.present();
  const { spent } = view;
  const cost = spent.cost === undefined ? "" : `, which cost ${costText(spent.cost)}`;
  const facts = await chat.services.about.status(session);
  const rows: [string, string][] = [
    ["model", model],
    ["mode", mode],
    [
      "now",
      view.running ? "a turn runs" : view.ask === undefined ? "it waits for your message" : "a call waits for you",
    ],
    ["tokens", `${spokenTokens(spent.input)} read, ${spokenTokens(spent.output)} written in this chat${cost}`],
    ...facts,
  ];
  say(chat, columns(`session ${cleanLine(session.id)}`, rows));
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
        ? [talkRow("not counted")]
        : [];
  const rows = parts.map(({ name, tokens, what }): [string, string] => [name, `${about(tokens).padEnd(11)}  ${what}`]);
  const whole = usage === undefined ? "" : "; the whole is what the server counted last";
  const note = `A part is counted as one token for four characters${whole}.`;
  say(chat, columns(`context: ${told}`, [...rows, ...talk], note));
}

const about = (tokens: number): string => `about ${spokenTokens(Math.max(0, tokens))}`;

const talkRow = (size: string): [string, string] => ["talk", `${size.padEnd(11)}  messages, calls and their results`];

const hasReplied = ({ items, cards }: View): boolean =>
  cards.length > 0 || items.some(({ kind }) => kind === "assistant" || kind === "call");

const unknownWhole = (view: View): string =>
  hasReplied(view)
    ? "how full it is, the model's server does not tell"
    : "how full it is, the model's server tells with its first reply";

function inWindow({ contextUsed, contextWindow }: { contextUsed: number; contextWindow?: number }): string {
  if (contextWindow === undefined || contextWindow <= 0)
    return `${spokenTokens(contextUsed)} tokens; how many the model reads is not known`;
  const percent = Math.round((contextUsed / contextWindow) * 100);
  return `${spokenTokens(contextUsed)} of ${spokenTokens(contextWindow)} tokens, ${percent} %`;
}

async function tools(_: string, chat: CommandedChat): Promise<void> {
  say(chat, cleanEffect(await chat.services.about.tools(chat.present().session)));
}

async function goals(_: string, chat: CommandedChat): Promise<void> {
  const { goals: plan } = chat.present().view;
  if (plan.length === 0) return say(chat, "this session has no plan");
  say(chat, [`plan, ${doneText(plan)}:`, ...goalLines(plan)].join("\n  "));
}

/** Where lines are all there is, they are printed; by its name one is read or ended, as in the list of the drawn chat. */
async function jobs(argument: string, chat: CommandedChat): Promise<void> {
  const lines = await chat.services.about.jobs(chat.present().session);
  const [word = "", id = "", ...more] = argument.split(/\s+/);
  if (more.length > 0 || (word !== "stop" && id !== "")) return say(chat, `${listed}: what is meant?`, "warn");
  if (word === "stop") return stopJob(lines, id, chat);
  if (word !== "") return readJob(lines, word, chat);
  if (lines.length === 0) return say(chat, "no command of this session runs, or ran, in the background");
  if (chat.open !== undefined) return chat.open(jobsOpening(lines));
  say(chat, `${jobsText(lines, Date.now())}\n${listed}`);
}

const listed = "/jobs JOB shows what one said, /jobs stop JOB ends one";

async function readJob(lines: readonly JobLine[], id: string, chat: CommandedChat): Promise<void> {
  const job = lines.find(({ ref }) => ref.call === id);
  if (job === undefined) return say(chat, `there is no job ${cleanLine(id)}: /jobs shows them`, "warn");
  say(chat, saidText(job));
}

async function stopJob(lines: readonly JobLine[], id: string, chat: CommandedChat): Promise<void> {
  const job = lines.find(({ ref }) => ref.call === id);
  if (job === undefined) return say(chat, `there is no job ${cleanLine(id)}: /jobs shows them`, "warn");
  if (!job.runs) return say(chat, `job ${cleanLine(id)} runs no more`, "warn");
  const begun = await chat.present().session.stopJob(job.ref);
  if (!begun.ok) say(chat, cleanLine(begun.message), "warn");
}

/** The same for helpers, which are known by their places in the list. */
async function agents(argument: string, chat: CommandedChat): Promise<void> {
  const { session, view } = chat.present();
  const lines = await chat.services.about.agents(session);
  const [word = "", nth = "", ...more] = argument.split(/\s+/);
  if (more.length > 0 || (word !== "stop" && nth !== "")) return say(chat, `${numberedAgents}: what is meant?`, "warn");
  if (lines.length === 0) return say(chat, "this session has no helpers");
  if (word === "" && chat.open !== undefined) return chat.open(agentsOpening(lines));
  if (word === "") return say(chat, `${agentsText(lines)}\n${numberedAgents}`);
  const named = word === "stop" ? nth : word;
  const agent = /^\d+$/.test(named) ? lines[Number(named) - 1] : lines.find((one) => one.session === named);
  if (agent === undefined) return say(chat, `there is no helper ${cleanLine(named)}: /agents shows them`, "warn");
  if (word !== "stop") return readTalk(agent.session, view.labels, chat);
  const stopped = await session.stopChild(agent.session);
  say(
    chat,
    stopped.ok ? `${cleanLine(agent.agent)} is stopped` : cleanLine(stopped.message),
    stopped.ok ? "info" : "warn",
  );
}

const numberedAgents = "/agents N shows the talk of one, /agents stop N stops one";

async function readTalk(session: string, labels: ToolLabels, chat: CommandedChat): Promise<void> {
  for (const item of itemsOf(await chat.services.about.talk(session), labels)) chat.say(item);
}

/** Characters of what a browser says of a picture that it has not made. */
const mostOfReason = 300;

/** The picture is shown where the terminal shows any, and written where a file is named. */
async function page(argument: string, chat: CommandedChat): Promise<void> {
  const { about } = chat.services;
  const look = await about.page(chat.present().session.id);
  const { pages, picture, reason } = look;
  if (pages.length === 0) return say(chat, "no browser of this session shows a page", "warn");
  say(chat, pageText(look));
  if (reason !== undefined) say(chat, shorten(cleanLine(reason), mostOfReason), "warn");
  if (picture === undefined) return;
  if (argument !== "") return say(chat, cleanLine(await about.writePicture(argument, picture.bytes)));
  if ((await chat.picture?.("page", picture.bytes)) !== true)
    say(chat, "this terminal shows no pictures: /page FILE.png writes it");
}

/** Each page's address, and of which of them the picture is. */
function pageText({ pages, areSeveral, picture, hasMoved }: PageLook): string {
  const rows = pages.map(({ browser, url }) => {
    const address = url === undefined ? "a page whose address is not known" : cleanLine(url);
    return areSeveral ? `${cleanLine(browser)}: ${address}` : address;
  });
  const whose = areSeveral && picture !== undefined ? ` in ${cleanLine(picture.browser)}` : "";
  const which =
    picture === undefined || pages.length === 1
      ? []
      : [`${pages.length} pages are open; the picture is of the one that is worked on${whose}`];
  const moved =
    hasMoved === true ? ["what is open changed while the picture was made: it may show what was before"] : [];
  return [...rows, ...which, ...moved].join("\n");
}

/** Where lines are all there is, the messages have numbers, and what would be done is said before it is. */
async function rewind(argument: string, chat: CommandedChat): Promise<void> {
  const { services } = chat;
  const { session, view } = chat.present();
  if (isUnderWay(view)) return say(chat, "a turn is under way: let it end, or stop it, then /rewind", "warn");
  const points = await services.rewind.points(session.id);
  // The screen may not tell yet of one that was typed just before.
  if (points.length > 0 && (await services.rewind.isUnderWay(session.id)))
    return say(chat, "a rewind is under way: let it end, or stop it, then /rewind", "warn");
  const [nth = "", word = "", ...more] = argument.split(/\s+/);
  if (points.length === 0) return say(chat, "there is no earlier message to go on from");
  if (nth === "" && chat.open !== undefined) return chat.open(rewindOpening(points));
  if (nth === "") return say(chat, `${rewindText(points)}\n/rewind N tells what going on from one would do`);
  const point = /^\d+$/.test(nth) ? points.toReversed()[Number(nth) - 1] : undefined;
  if (point === undefined) return say(chat, `there is no message ${cleanLine(nth)}: /rewind shows them`, "warn");
  const takeBack = await services.rewind.look(session.id, point);
  if (word === "") return say(chat, rewindChoiceText(nth, point, takeBack, session.workspace));
  const choices = rewindChoices({ takeBack }).filter((one) => one !== "back");
  const choice = more.length > 0 ? undefined : choices.find((one) => one === word);
  if (choice === undefined) return say(chat, noChoiceText([word, ...more].join(" "), choices), "warn");
  await goBackTo({ point, choice, takeBack }, chat.hands());
}

const noChoiceText = (word: string, choices: readonly string[]): string =>
  `no such choice here: ${cleanLine(word)}; it is one of ${choices.join(", ")}`;

/** A turn that runs or waits for the person: it would be stopped here and be gone where another session goes on. */
const isUnderWay = (view: View): boolean => view.running || isAsking(view);

const initText = `Write AGENTS.md in the root of this project: what an agent that works here must know, and could not guess.
Look first: at the readme, the build files, the tests, the settings of linters and of CI, and at a few typical sources.
Say how to build, test (one test too), check and format; how the code is laid out; which conventions it follows; and what to leave alone.
Keep it under 60 lines, with commands that you found in the project, and nothing that is true of any project.
If there is an AGENTS.md, read it and improve it; take over what CLAUDE.md or CONTEXT.md say, where there is one.`;

/** An ordinary message: the file is asked about like any other. */
function init(_: string, chat: CommandedChat): Promise<void> {
  return chat.present().session.submit(initText);
}

/** Facts under a heading, a line each, their names in a column. */
function columns(heading: string, rows: readonly (readonly [string, string])[], note?: string): string {
  const widest = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, said]) => `  ${cleanLine(name).padEnd(widest)}  ${cleanLine(said)}`);
  return [heading, ...lines, ...(note === undefined ? [] : [note])].join("\n");
}
