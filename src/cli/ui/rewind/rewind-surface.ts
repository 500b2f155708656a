import { undoToolName } from "../../../core/call.ts";
import type { AgentEvent } from "../../../graph/events.ts";
import type { RewindPoint } from "../../../records/undo/rewind.ts";
import { rewind as words } from "../../../words/en/rewind.ts";
import { saidAgain } from "../../../words/said-again.ts";
import { cleanLine } from "../safe-text.ts";
import { type CommandedChat, type CommandedSurface, say } from "../surface/commanded-chat.ts";
import type { ChatHands } from "../surface/hands.ts";
import { notice, type Opening, opening } from "../surface/surface.ts";
import { isAsking, isUnderWay } from "../view/view.ts";
import { rewindChoiceText, rewindFrame, rewindText } from "./rewind-frame.ts";
import {
  newRewinding,
  type RewindEffect,
  type Rewinding,
  rewindChoices,
  rewindKey,
  unchosen,
  withTakeBack,
} from "./rewind-state.ts";

type GoingBack = Extract<RewindEffect, { do: "rewind" }>;

/** Messages from one of which the person goes on. */
export const rewindSurface: CommandedSurface<Rewinding, RewindEffect> = {
  command: {
    name: "rewind",
    help: () => words().help,
    showsItself: true,
    opensAlone: true,
    key: "esc esc",
    leads: (argument) => leadsBack(argument.split(/\s+/)[1] ?? ""),
    run: rewind,
  },
  whole: (rewinding, { columns, rows, view }) => rewindFrame(rewinding, { columns, rows, workspace: view.workspace }),
  key(before, key, { screen, now }) {
    const { rewinding, effect } = rewindKey(before, key, screen.geometry.window, now);
    return { state: rewinding, effect };
  },
  unseen: unchosen,
  effects: {
    async rewind_look({ point }, hands) {
      const takeBack = await hands.services.rewind.look(hands.session().id, point);
      hands.set((rewinding) => withTakeBack(rewinding, point.turn, takeBack));
    },
    rewind: (effect, hands) => hands.inOrder(() => goBackTo(effect, hands), leadsBack(effect.choice)),
  },
};

const rewindOpening = (points: readonly RewindPoint[]): Opening =>
  opening(
    rewindSurface,
    () => ({ state: newRewinding(points) }),
    (list) => [notice(`${rewindText(list)}\n${words().answers.usage}`)],
  );

/** Tells whether a choice goes on in another session: all but the files alone. */
const leadsBack = (choice: string): boolean => choice === "talk" || choice === "both";

/** The files by an undo, which is asked about like any; the talk by a fork, once the undo is done. */
async function goBackTo({ point, choice, takeBack }: Omit<GoingBack, "do">, hands: ChatHands): Promise<void> {
  if (choice === "talk") return goOnFrom(hands, point.turn);
  sayLeft(takeBack.left, hands);
  const mark = choice === "both" ? { rewind: await hands.services.rewind.to(point) } : {};
  // What is typed from here on is meant for the fork.
  if (choice === "both") hands.forkDue(true);
  let isBegun = false;
  try {
    const begun = await hands.session().undo({ calls: [...takeBack.calls], rest: true, ...mark });
    isBegun = begun.ok;
    if (!begun.ok) hands.say({ kind: "notice", level: "warn", text: cleanLine(saidAgain(begun.message)) });
    else sayLeft(begun.left ?? [], hands);
  } finally {
    if (!isBegun) hands.forkDue(false);
  }
}

/** Says what an undo cannot take back, of all that it was to. */
function sayLeft(left: readonly string[], hands: ChatHands): void {
  for (const why of left) hands.say({ kind: "notice", level: "warn", text: words().leftOut({ what: cleanLine(why) }) });
}

/**
 * Hears what the session tells of the undo of a rewind, and drives on from there: once it is asked about, messages wait for the fork; once it is done
 * the talk is forked; where its turn ends in another way no fork is due any more.
 * @param looks is given a look whether a question is of a rewind @param forks makes the fork that is due, in the chat's own order
 * @returns what `forks` gives, where a fork may be due
 */
export function followUndo<Fork>(
  events: readonly AgentEvent[],
  hands: ChatHands,
  { looks, forks }: { looks(look: Promise<void>): void; forks(work: () => Promise<void>): Fork },
): Fork | undefined {
  if (events.some(asksUndo)) looks(forkAsked(hands));
  if (events.some(mayEndUndo)) return forks(() => goOnFrom(hands));
  if (events.some(endsTurn)) hands.forkDue(false);
  return undefined;
}

/** It asks about an undo, which may be that of a rewind. */
const asksUndo = (event: AgentEvent): boolean =>
  event.type === "approval_requested" && event.calls.some(({ toolName }) => toolName === undoToolName);

/** Such a question of a rewind that an earlier process began has its fork before it as one of this chat has. */
async function forkAsked(hands: ChatHands): Promise<void> {
  const session = hands.session();
  const isRewind = await hands.services.rewind.isUnderWay(session.id);
  if (isRewind && hands.session() === session && isAsking(hands.view())) hands.forkDue(true);
}

/** A turn of the session itself has ended: an undo with it, if it was one. */
const endsTurn = (event: AgentEvent): boolean => event.type === "turn_ended" && event.parent === undefined;

/** It may be the undo of a rewind that has ended so: the talk is forked then. */
const mayEndUndo = (event: AgentEvent): boolean =>
  event.type === "turn_ended" && event.parent === undefined && event.reason === "done" && event.calls.success === 1;

/** Goes over to the fork, with the message in the input. @param turn absent: only where an undo was done for it, and the fork is left to do */
async function goOnFrom(hands: ChatHands, turn?: number): Promise<void> {
  const from = hands.session();
  const done = await hands.services.rewind.finish(from.id, turn);
  if (done === undefined) return;
  await (done.id === undefined ? hands.command("new", "") : hands.command("sessions", done.id));
  if (hands.session() !== from) hands.takeBack([done.draft]);
}

/** Goes back to an earlier message. Where lines are all there is, the messages have numbers, and what would be done is said before it is. */
async function rewind(argument: string, chat: CommandedChat): Promise<void> {
  const { services } = chat;
  const { session, view } = chat.present();
  if (isUnderWay(view)) return say(chat, words().answers.later, "warn");
  const points = await services.rewind.points(session.id);
  // The screen may not tell yet of one that was typed just before.
  if (points.length > 0 && (await services.rewind.isUnderWay(session.id)))
    return say(chat, words().answers.underWay, "warn");
  const [nth = "", word = "", ...more] = argument.split(/\s+/);
  if (points.length === 0) return say(chat, words().answers.none);
  if (nth === "") return chat.open(rewindOpening(points));
  const point = /^\d+$/.test(nth) ? points.toReversed()[Number(nth) - 1] : undefined;
  if (point === undefined) return say(chat, words().answers.notThere({ message: cleanLine(nth) }), "warn");
  const takeBack = await services.rewind.look(session.id, point);
  if (word === "") return say(chat, rewindChoiceText(nth, point, takeBack, session.workspace));
  const choices = rewindChoices({ takeBack }).filter((one) => one !== "back");
  const choice = more.length > 0 ? undefined : choices.find((one) => one === word);
  if (choice === undefined) return say(chat, noChoiceText([word, ...more].join(" "), choices), "warn");
  await goBackTo({ point, choice, takeBack }, chat.hands());
}

const noChoiceText = (word: string, choices: readonly string[]): string =>
  words().answers.noChoice({ typed: cleanLine(word), choices });
