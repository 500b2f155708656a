import type { Decider, ToolCallInfo } from "../../../core/call.ts";
import { type CallRef, refOf, sameCall } from "../../../core/call-ref.ts";
import { countText } from "../../../core/count-text.ts";
import { readRecordedDiff } from "../../../files/diff/diff-text.ts";
import type { AgentEvent, CallDelta } from "../../../graph/events.ts";
import { callWords } from "../../../graph/talk/call-words.ts";
import { view as words } from "../../../words/en/view.ts";
import { failureAgain, saidAgain, titleAgain } from "../../../words/said-again.ts";
import { endWord, shownText } from "../../print/plain-printer.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import { cleanLine, shorten, subjectOf, subjectOfPartial } from "../safe-text.ts";
import { nameOf, noLabels } from "./labels.ts";
import type { Card, CardState, Item, SavedMemory, View } from "./view.ts";

type ProgressEvent = Extract<AgentEvent, { type: "tool_progress" }>;

const states = {
  pending: "pending",
  awaiting_approval: "waiting",
  executing: "running",
  success: "done",
  error: "failed",
  cancelled: "cancelled",
  interrupted: "unknown",
} as const satisfies Record<ToolCallInfo["status"], CardState>;

const finals: ReadonlySet<CardState> = new Set(["done", "failed", "cancelled", "denied", "refused", "partly", "lost"]);

const isWhole = (call: ToolCallInfo | CallDelta): call is ToolCallInfo => "arguments" in call;

/** The reason of a person's denial, empty where none was given; undefined for a call that ended in another way. */
export function denialOf(call: ToolCallInfo | CallDelta): string | undefined {
  if (!isWhole(call) || call.status !== "cancelled") return undefined;
  const { ended, by, reason = "" } = call;
  return ended.why === "denied" && by.actor === "person" && ended.files === undefined ? reason : undefined;
}

/** Returns the state of a call's card: a denied call was not called off, and one that was started may have been done. */
function stateOf(call: ToolCallInfo): CardState {
  if (call.status !== "cancelled") return states[call.status];
  const { why, unknown, files } = call.ended;
  if (unknown === true) return "lost";
  if (files !== undefined) return "partly";
  return why === "denied" || why === "policy" ? "refused" : "cancelled";
}

/** Whom a call that is read again was let go on by, where somebody was asked. */
function decidedBy(call: ToolCallInfo): string | undefined {
  const by = call.status === "success" || call.status === "error" || call.status === "pending" ? call.by : undefined;
  if (by?.actor === "script") return words().approved({ by: "script" });
  if (by?.actor !== "person") return undefined;
  return (by.rule === "recovery" ? words().markedDone : words().approved)({ by: "person" });
}

/** Returns the words of a settled call on itself, in one line. */
function noteOf(call: ToolCallInfo, subject: string): string | undefined {
  switch (call.status) {
    case "success":
      return call.result.title === undefined
        ? undefined
        : besideSubject(titleAgain(call.toolName, call.result.title), subject);
    case "error":
      return cleanLine(shorten(`${call.errorCode}: ${failureAgain(call.toolName, callWords.failure(call))}`, 600));
    case "cancelled":
    case "interrupted":
      return cleanLine(shorten(saidAgain(callWords.end(call)), 600));
    default:
      return undefined;
  }
}

/** Returns the part of a title beyond the subject and the counts of changed lines, which the card shows already. */
function besideSubject(title: string, subject: string): string | undefined {
  const text = cleanLine(shorten(title, 300));
  const at = placeIn(text, subject);
  const rest =
    at < 0
      ? text
      : text
          .slice(at + subject.length)
          .replace(/^:/, "")
          .trim();
  const bare = rest.replace(/\s*\(?\+\d+ [-−]\d+\)?$/, "").replace(/^\((.*)\)$/, "$1");
  return bare === "" ? undefined : bare;
}

/** Finds where the subject stands in a title by itself, and not as a part of a word; -1 where it does not. */
function placeIn(title: string, subject: string): number {
  let at = subject === "" ? -1 : title.indexOf(subject);
  const isPart = (): boolean =>
    /[\p{L}\p{N}]$/u.test(title.slice(0, at)) || /^[\p{L}\p{N}]/u.test(title.slice(at + subject.length));
  while (at >= 0 && isPart()) at = title.indexOf(subject, at + 1);
  return at;
}

type Changed = Pick<Card, "counts" | "changes" | "moreChanged" | "allShownBy">;

/** Returns the changes that the result tells; where it tells none, those that the question about it showed. */
function changedBy(call: ToolCallInfo, known: Card | undefined): Changed {
  const metadata = (call.status === "success" ? call.result.metadata : undefined) ?? {};
  const { added, removed } = metadata;
  const counts = typeof added === "number" && typeof removed === "number" ? { added, removed } : known?.counts;
  const recorded = readRecordedDiff(metadata);
  const changes = recorded?.changes ?? known?.changes;
  const more = recorded?.left ?? 0;
  return {
    ...(counts === undefined ? {} : { counts }),
    ...(changes === undefined ? {} : { changes }),
    ...(more === 0 ? {} : { moreChanged: more }),
    ...(metadata["artifact"] === undefined ? {} : { allShownBy: words().artifactDiff }),
  };
}

/**
 * Names the rule or grant that allowed it, where it was one the person had written or granted before; the risk table and the modes go
 * without saying.
 */
function allowedBy(by: Decider | undefined): string | undefined {
  const [, source, where = ""] = /^(grant|user|project):(.*)$/.exec(by?.rule ?? "") ?? [];
  if (by?.actor !== "policy" || source === undefined) return undefined;
  if (source === "grant") return words().allowedByGrant({ grant: cleanLine(where) });
  const place = cleanLine(where.slice(where.lastIndexOf("/") + 1));
  return (source === "user" ? words().allowedByRule : words().allowedByProject)({ place });
}

/** Returns the text that a settled call's tool has for the person, line by line. */
function displayOf(call: ToolCallInfo): string[] | undefined {
  const display = shownText(call);
  return display === "" ? undefined : cleanText(display).split("\n");
}

/** The memory that a call saved and that can be taken back; undefined for any other. */
export function savedBy(call: ToolCallInfo | CallDelta): SavedMemory | undefined {
  if (!isWhole(call) || call.status !== "success") return undefined;
  const { metadata, title = "" } = call.result;
  const line = metadata?.["savedMemory"];
  return typeof line === "string"
    ? { line, title: cleanLine(shorten(titleAgain(call.toolName, title), 600)) }
    : undefined;
}

/** Returns the parts of a card that its tool has told. */
const toldOf = ({ tip, tail, figure, mayGoAside }: Card): Partial<Card> => ({
  ...(mayGoAside === undefined ? {} : { mayGoAside }),
  ...(tip === undefined ? {} : { tip }),
  ...(tail === undefined ? {} : { tail }),
  ...(figure === undefined ? {} : { figure }),
});

/** Returns the parts that a card has before anything is known of its call. @param agent whose call it is, as told: not yet safe to draw */
const cardOf = (ref: CallRef, agent: string | undefined): Pick<Card, "ref" | "agent"> => ({
  ref,
  ...(agent === undefined ? {} : { agent: cleanLine(agent) }),
});

/** The view as far as a card is worded by it: the names of tools, and the workspace in which paths are read. */
type Reader = Pick<View, "labels"> & Partial<Pick<View, "workspace">>;

/** The whole record of a call as a card; what only the screen knows (`known`) is kept. */
function wholeCard(
  own: Pick<Card, "ref" | "agent">,
  call: ToolCallInfo,
  known: Card | undefined,
  { labels, workspace }: Reader,
): Card {
  const subject = subjectOf(call.arguments, { toolName: call.toolName, workspace }).text;
  const note = noteOf(call, subject);
  const by = "by" in call && call.status !== "cancelled" ? call.by : undefined;
  const allowed = allowedBy(by);
  const display = displayOf(call);
  const decided = known?.decided ?? decidedBy(call);
  const state = stateOf(call);
  return {
    ...(known === undefined || finals.has(state) ? {} : toldOf(known)),
    ...own,
    toolName: nameOf(labels, call.toolName),
    subject,
    state,
    ...(state === "cancelled" && { word: endWord(call) }),
    ...changedBy(call, known),
    ...(note === undefined ? {} : { note }),
    ...(allowed === undefined ? {} : { allowedBy: allowed }),
    ...(decided === undefined ? {} : { decided }),
    ...(display === undefined ? {} : { display }),
  };
}

function deltaCard(
  own: Pick<Card, "ref" | "agent">,
  delta: CallDelta,
  known: Card | undefined,
  at: number | undefined,
): Card {
  const {
    note: _note,
    written: _written,
    since: _since,
    ...rest
  }: Omit<Card, "state"> = known ?? { ...own, toolName: "", subject: "" };
  const note = delta.ended?.note === undefined ? undefined : cleanLine(shorten(saidAgain(delta.ended.note), 600));
  const allowed = allowedBy(delta.by);
  return {
    ...rest,
    state: states[delta.status],
    ...(delta.status === "executing" && at !== undefined ? { since: at } : {}),
    ...(note === undefined ? {} : { note }),
    ...(allowed === undefined ? {} : { allowedBy: allowed }),
  };
}

const place = (cards: Card[], card: Card): Card[] =>
  cards.some((one) => sameCall(one.ref, card.ref))
    ? cards.map((one) => (sameCall(one.ref, card.ref) ? card : one))
    : [...cards, card];

/** The cards after a transition of one call. @param at when it was made, in milliseconds since the epoch */
export function withCall(
  cards: Card[],
  session: string,
  call: ToolCallInfo | CallDelta,
  { at, agent, ...reader }: { at?: number; agent?: string | undefined } & Partial<Reader> = {},
): Card[] {
  const ref = { session, call: call.callId };
  const known = cards.find((card) => sameCall(card.ref, ref));
  const own = cardOf(ref, agent);
  return place(
    cards,
    isWhole(call) ? wholeCard(own, call, known, { labels: noLabels, ...reader }) : deltaCard(own, call, known, at),
  );
}

/** The cards after a message of the model: what it wrote and is none of its calls came to nothing. */
export const withMessage = (cards: Card[], session: string, calls: readonly string[]): Card[] =>
  cards.filter(({ ref, state }) => state !== "arguments" || ref.session !== session || calls.includes(ref.call));

const keptLines = 3;
/** Characters of a tip: a card is to be read at a glance. */
const longestTip = 120;
/** Characters of growing arguments in which their subject is looked for. */
const keptHead = 4_000;

/** The cards after a sign of life of one call; fields merge until the call is final. */
export function withProgress(
  cards: Card[],
  event: ProgressEvent,
  { labels, workspace }: Reader = { labels: noLabels },
): Card[] {
  const ref = refOf(event);
  const known = cards.find((card) => sameCall(card.ref, ref));
  if (known !== undefined && finals.has(known.state)) return cards;
  const base: Card = known ?? { ...cardOf(ref, event.agent), toolName: "", subject: "", state: "arguments" };
  const next: Card = { ...base };
  if (event.toolName !== undefined) next.toolName = nameOf(labels, event.toolName);
  if (event.phase === "running") next.state = "running";
  if (event.phase === "arguments") Object.assign(next, grown(base, event, workspace));
  if (event.tip !== undefined) next.tip = cleanLine(shorten(event.tip, longestTip));
  if (event.text !== undefined) next.tail = lastLines(event.text);
  if (event.mayGoAside === true) next.mayGoAside = true;
  if (event.figure !== undefined) next.figure = figureText(event.figure, base.figure);
  return place(cards, next);
}

function grown(
  { written = { size: 0, head: "" }, subject }: Card,
  { partialArguments: more, toolName = written.tool }: ProgressEvent,
  workspace: string | undefined,
): Pick<Card, "written" | "subject"> {
  const named = toolName === undefined ? written : { ...written, tool: toolName };
  if (more === undefined) return { ...(toolName !== undefined && { written: named }), subject };
  const size = written.size + more.length;
  if (written.head.length >= keptHead) return { written: { ...named, size }, subject };
  const head = (written.head + more).slice(0, keptHead);
  return { written: { ...named, size, head }, subject: subjectOfPartial(head, { toolName, workspace }) || subject };
}

/** Writes a figure in words: one between 0 and 1 is a part of the whole, and one that was a part stays one; any other is a count. */
function figureText(figure: number, before: string | undefined): string {
  const isPart = figure >= 0 && figure <= 1 && (!Number.isInteger(figure) || before?.endsWith("%") === true);
  return isPart ? `${Math.floor(figure * 100)} %` : countText(figure);
}

/** Of a line that was written over only what stands there in the end. */
const lastLines = (text: string): string[] =>
  cleanText(text.slice(-4000).replace(/[^\r\n]*\r(?=[^\r\n])/g, ""))
    .replace(/\n+$/, "")
    .split("\n")
    .slice(-keptLines);

/**
 * A denial is told twice, by the call and by the decision, in either order, and shown once: by the decision. The card is kept for
 * its words until both have come.
 */
export const withDenial = (cards: Card[], denied: CallRef): Card[] =>
  cards.flatMap((card) => {
    if (!sameCall(card.ref, denied)) return [card];
    return card.state === "denied" ? [] : [{ ...card, state: "denied" as const }];
  });

/** Parts the settled calls at the front from those still live: the transcript keeps the order of the message. */
export function settleCards(cards: Card[]): { done: Item[]; live: Card[] } {
  const open = cards.findIndex((card) => !finals.has(card.state));
  const settled = open < 0 ? cards : cards.slice(0, open);
  const isDenied = (card: Card): boolean => card.state === "denied";
  return {
    done: settled.filter((card) => !isDenied(card)).map((card) => ({ kind: "call", card })),
    live: cards.filter((card) => isDenied(card) || !settled.includes(card)),
  };
}
