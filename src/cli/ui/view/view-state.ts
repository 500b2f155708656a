import { addressOf, sameCall } from "../../../core/call-ref.ts";
import { countText } from "../../../core/count-text.ts";
import type { AskedOfModel } from "../../../core/forms/asked-form.ts";
import { type Goals, goalsAfter, goalsWithHelper } from "../../../core/goals.ts";
import type { AgentEvent, TokenFigures, TranscriptEntry } from "../../../graph/events.ts";
import { sessionTaken } from "../../../session/exit-codes.ts";
import { view as words } from "../../../words/en/view.ts";
import { commandAgain, saidAgain } from "../../../words/said-again.ts";
import { compactionWords } from "../../print/compaction-words.ts";
import type { FolderFacts } from "../../services/session-services.ts";
import { cleanText } from "../../terminal/sanitise.ts";
import { redrawnEntries } from "../chat/chat-options.ts";
import { cleanLine } from "../safe-text.ts";
import { denialOf, savedBy, settleCards, withCall, withDenial, withMessage, withProgress } from "./cards.ts";
import { askedBefore, batchOf, decided, decidedBefore, denialLine, withoutRequest } from "./decisions.ts";
import { withForm, withoutForm } from "./forms.ts";
import { toRequest, toUnsettled } from "./requests.ts";
import { dropTail, endTail, growTail } from "./tail.ts";
import type { Card, Item, Request, View } from "./view.ts";

type EventOf<T extends AgentEvent["type"]> = Extract<AgentEvent, { type: T }>;

const push = (view: View, items: readonly Item[]): View =>
  items.length === 0 ? view : { ...view, items: [...view.items, ...items] };

/** Moves settled calls to the transcript. */
export function settle(view: View): View {
  const { done, live } = settleCards(view.cards);
  return done.length === 0
    ? view
    : push({ ...view, cards: live, changed: [...view.changed, ...changedBy(done)] }, done);
}

const changedBy = (done: readonly Item[]): View["changed"] =>
  done.flatMap((item) =>
    item.kind === "call" && item.card.state === "done" && item.card.counts !== undefined && item.card.subject !== ""
      ? [{ subject: item.card.subject, ...item.card.counts }]
      : [],
  );

/** The mode is what the person chose in this chat, by now perhaps another than when this was told. */
function started(view: View, event: EventOf<"session_started">): View {
  return { ...view, model: cleanLine(event.model), workspace: event.workspace };
}

function restored(view: View, event: EventOf<"session_restored">): View {
  const unread = event.earlier ?? 0;
  const skipped = Math.max(0, event.messages.length - redrawnEntries);
  const earlier = unread + skipped;
  const base: View = {
    ...view,
    model: cleanLine(event.model),
    workspace: event.workspace,
    usage: inContext(event),
    goals: cleanGoals(event.goals ?? []),
    before: askedBefore(event.messages, event.session, { labels: view.labels, workspace: event.workspace }),
    ...(event.title && { title: cleanLine(event.title) }),
    ...(earlier > 0 && { changedLately: true as const }),
  };
  const text = words().earlier({ messages: earlier, session: cleanLine(event.session) });
  const begun = earlier === 0 ? base : push(base, [{ kind: "notice", level: "info", text }]);
  return settle(event.messages.slice(skipped).reduce((then, entry) => withEntry(then, entry, event.session), begun));
}

/** One message or call of the past, as it is told again. */
export function withEntry(view: View, entry: TranscriptEntry, session: string): View {
  if (entry.role === "call") return restoredCall(view, entry, session);
  const calm = settle(view);
  if (entry.role === "user") return push(calm, [{ kind: "user", text: cleanText(commandAgain(entry.text)) }]);
  return { ...push(calm, endTail(undefined, entry.id, entry.text)), ...answered(entry.text) };
}

function restoredCall(view: View, { call, counts }: Extract<TranscriptEntry, { role: "call" }>, session: string): View {
  const ref = { session, call: call.callId };
  const known = withCall(view.cards, session, call, readerOf(view));
  const cards =
    counts === undefined ? known : known.map((card) => (sameCall(card.ref, ref) ? { counts, ...card } : card));
  const reason = denialOf(call);
  return reason === undefined ? { ...view, cards } : push(settle(view), [denialLine({ ...view, cards }, ref, reason)]);
}

function userMessage(view: View, event: EventOf<"user_message">): View {
  const text = cleanText(commandAgain(event.text));
  const queue = view.queue.filter((one) => one.id !== event.id);
  if (event.queued === true) return { ...view, queue: [...queue, { id: event.id, text, steer: event.steer === true }] };
  return push({ ...settle(view), queue, saved: [], before: [], offered: [], running: true }, [{ kind: "user", text }]);
}

function textDelta(view: View, event: EventOf<"text_delta">): View {
  const before = view.tail !== undefined && view.tail.id !== event.id ? push(view, dropTail(view.tail)) : settle(view);
  const { done, tail } = growTail(view.tail, event.id, event.text);
  return push({ ...before, tail, running: true }, done);
}

function assistantMessage(view: View, event: EventOf<"assistant_message">): View {
  const items = endTail(view.tail, event.id, event.text);
  const cards = withMessage(view.cards, event.session, event.calls);
  return {
    ...push(settle({ ...view, cards, before: [] }), items),
    tail: undefined,
    running: true,
    ...answered(event.text),
  };
}

const answered = (text: string): Pick<View, "answer"> => (text.trim() === "" ? {} : { answer: text });

function toolCall(view: View, event: EventOf<"tool_call">): View {
  const { call, session } = event;
  const ref = { session, call: call.callId };
  const waits = call.status === "awaiting_approval";
  const unsettled = call.status === "interrupted";
  const saved = savedBy(call);
  const next: View = {
    ...view,
    cards: movedCards(view, event),
    saved: saved === undefined ? view.saved : [...view.saved, saved],
    goals: plannedBy(view.goals, event),
    ask: waits ? view.ask : withoutRequest(view.ask, ref, call.status === "cancelled" ? "no" : "yes"),
    recovery: unsettled ? view.recovery : view.recovery.filter((one) => !sameCall(one.ref, ref)),
    running: view.running || call.status === "executing",
  };
  return settle(next);
}

/** Sub-agents have plans of their own. */
const plannedBy = (goals: Goals, { call, parent }: EventOf<"tool_call">): Goals =>
  parent === undefined && "toolName" in call ? cleanGoals(goalsAfter(goals, call)) : goals;

const cleanGoals = (goals: Goals): Goals =>
  goals.map((goal) => ({
    ...goal,
    text: cleanLine(goal.text),
    ...(goal.summary === undefined ? {} : { summary: cleanLine(goal.summary) }),
    ...(goal.subSessionIds === undefined ? {} : { subSessionIds: goal.subSessionIds.map(cleanLine) }),
  }));

const readerOf = ({ labels, workspace }: View) => ({ labels, workspace });

function movedCards(view: View, { call, session, agent, at }: EventOf<"tool_call">): Card[] {
  const { cards } = view;
  const reader = readerOf(view);
  if (denialOf(call) === undefined) return withCall(cards, session, call, { at: Date.parse(at), agent, ...reader });
  const ref = { session, call: call.callId };
  const told = cards.some((card) => sameCall(card.ref, ref) && card.state === "denied");
  return withDenial(told ? cards : withCall(cards, session, call, { agent, ...reader }), ref);
}

function approvalRequested(view: View, event: EventOf<"approval_requested">): View {
  const incoming = event.calls.map((call) => toRequest(call, view.workspace, view.labels));
  const batch = batchOf(view, incoming);
  const newest = new Map([...(view.ask?.requests ?? []), ...incoming].map((one) => [addressOf(one.ref), one]));
  const requests = batch.flatMap(({ ref }) => newest.get(addressOf(ref)) ?? []);
  const cards = incoming.reduce(withRequest, view.cards);
  if (requests.length === 0) return { ...view, cards, ask: undefined };
  const ask = { requests, batch };
  // Told once: from then on the question's own numbers show it.
  return push({ ...view, cards, ask, before: [] }, view.before.length === 0 ? [] : decidedBefore(ask));
}

/** The card of a waiting call learns what the plan knows, for the line that stays after the decision. */
function withRequest(cards: Card[], request: Request): Card[] {
  const card: Card = {
    ref: request.ref,
    ...(request.agent === undefined ? {} : { agent: request.agent }),
    toolName: request.toolName,
    subject: request.subject,
    state: "waiting",
    ...(request.counts === undefined ? {} : { counts: request.counts }),
    ...(request.changes.length === 0 ? {} : { changes: request.changes }),
  };
  const known = cards.some((one) => sameCall(one.ref, card.ref));
  return known ? cards.map((one) => (sameCall(one.ref, card.ref) ? card : one)) : [...cards, card];
}

function failed(view: View, event: EventOf<"error">): View {
  const taken = event.code === sessionTaken;
  const advice = taken ? words().takeBack(view) : undefined;
  const hint = event.hint ?? advice;
  const said = { kind: "notice", level: "error", text: ownedText(event, event.message) } as const;
  // What it is about stands above it: the words of a reply that came no further.
  const calm = event.parent === undefined ? push({ ...view, tail: undefined }, dropTail(view.tail)) : view;
  const told = push(calm, [hint === undefined ? said : { ...said, hint: cleanText(saidAgain(hint)) }]);
  return taken ? withoutQuestions(told) : told;
}

/** Returns the text of an event; one of a helper says whose it is. */
const ownedText = ({ agent }: Pick<AgentEvent, "agent">, text: string): string =>
  agent === undefined ? cleanText(saidAgain(text)) : `${cleanLine(agent)}: ${cleanText(saidAgain(text))}`;

/** Drops the open questions, which are another process's to ask: their outcome is not known here. */
const withoutQuestions = (view: View): View => ({
  ...view,
  cards: view.cards.filter((card) => card.state !== "waiting" && card.state !== "unknown"),
  ask: undefined,
  recovery: [],
  forms: [],
});

/** Neither a call whose arguments were never whole, nor one whose denial was said. */
export const isTold = ({ state }: Card): boolean => state !== "arguments" && state !== "denied";

/** Nothing more is drawn of this turn here: what was on the screen of it stays there. */
export function leftBehind(view: View): View {
  const calm = settle(push({ ...view, tail: undefined }, dropTail(view.tail)));
  const items = calm.cards.filter(isTold).map(
    (card): Item => ({
      kind: "call",
      card: unfinished(card, words().leftRunning),
    }),
  );
  return push({ ...calm, cards: [], running: false }, items);
}

const unfinished = (card: Card, note: string): Card => (card.state === "running" ? { ...card, note } : card);

function turnEnded(view: View, event: EventOf<"turn_ended">): View {
  const calm = settle(push({ ...view, tail: undefined }, dropTail(view.tail)));
  const waiting = event.reason === "awaiting_approval" || event.reason === "awaiting_recovery";
  const cards = waiting ? calm.cards : calm.cards.filter((card) => card.state === "waiting");
  const left = calm.cards.filter((card) => !cards.includes(card) && isTold(card));
  const items: Item[] = left.map((card) => ({ kind: "call", card: unfinished(card, words().unfinished) }));
  const endings: Partial<Record<typeof event.reason, string>> = words().endings;
  const text = endings[event.reason];
  if (text !== undefined) items.push({ kind: "notice", level: "warn", text });
  const resume = event.resume === undefined ? calm.resume : cleanLine(event.resume);
  const answer = unsaid(view, event);
  return push({ ...calm, cards, running: false, resume, ...answered(answer) }, [
    ...items,
    ...(answer === "" ? [] : endTail(undefined, "", answer)),
  ]);
}

/** The turn's text where no message of the model was it, but what a tool said that ends turns; empty where one was. */
const unsaid = ({ answer }: View, { reason, text = "" }: EventOf<"turn_ended">): string =>
  reason === "done" && text.trim() !== "" && text !== answer ? text : "";

const inContext = ({ contextUsed, contextWindow }: { contextUsed?: number; contextWindow?: number }): View["usage"] =>
  contextUsed === undefined ? undefined : { contextUsed, ...(contextWindow === undefined ? {} : { contextWindow }) };

const withUsage = (
  spent: View["spent"],
  { inputTokens = 0, outputTokens = 0, cost }: Partial<Pick<TokenFigures, "inputTokens" | "outputTokens" | "cost">>,
): View["spent"] => ({
  ...spent,
  input: spent.input + inputTokens,
  output: spent.output + outputTokens,
  ...(cost === undefined ? {} : { cost: (spent.cost ?? 0) + cost }),
});

/** Counts the model's answer for a server, as it is shown. */
const spentBy = (spent: View["spent"], asked: AskedOfModel | undefined): View["spent"] =>
  asked?.step === "answer" ? withUsage(spent, asked) : spent;

/** A person who waits for it sees that the model works. */
function compacted(view: View, event: EventOf<"compaction_started" | "compaction_done">): View {
  const begins = event.type === "compaction_started";
  const ofPerson = begins ? event.by === "person" : view.compacting === true;
  const level = !begins && !event.ok ? "warn" : "info";
  const usage =
    !begins && event.ok && view.usage !== undefined ? { ...view.usage, contextUsed: event.after } : view.usage;
  const { compacting: _, ...rest } = view;
  const next = {
    ...rest,
    usage,
    ...(begins || event.usage === undefined ? {} : { spent: withUsage(view.spent, event.usage) }),
    ...(ofPerson ? { running: begins } : {}),
    ...(ofPerson && begins ? { compacting: true } : {}),
  };
  return push(next, [{ kind: "notice", level, text: cleanText(compactionWords(event)) }]);
}

/** The tools are opened before the first event that speaks of one. */
export const withLabels = (view: View, folder: Pick<FolderFacts, "labels">): View => ({
  ...view,
  labels: folder.labels(view.workspace),
});

/** Adds a line of the program's own to the transcript. */
export const withItems = push;

/** Events of a sub-agent's own talk: they belong to its parent's card, not to this conversation. */
const isForeign = (event: AgentEvent): boolean =>
  event.parent !== undefined &&
  [
    "text_delta",
    "assistant_message",
    "user_message",
    "message_withdrawn",
    "usage",
    "turn_ended",
    "session_restored",
    "compaction_started",
    "compaction_done",
    ...(event.type === "notice" && event.code === "thinking" ? ["notice"] : []),
  ].includes(event.type);

/**
 * The view after one event. Pure; every text from outside (model, tools, file names, errors) is sanitised here and nowhere
 * later. Unknown or late events leave the view as it is.
 */
export function reduce(before: View, event: AgentEvent): View {
  if (event.type === "session_started" && event.parent !== undefined)
    return { ...before, goals: cleanGoals(goalsWithHelper(before.goals, event.session, event.works)) };
  if (isForeign(event)) return before;
  const thoughtful = thinking(before, event);
  if (thoughtful !== undefined) return thoughtful;
  const view = before.thought === undefined ? before : push({ ...before, thought: undefined }, foldedThought(before));
  switch (event.type) {
    case "session_started":
      return started(view, event);
    case "session_restored":
      return restored(view, event);
    case "session_titled":
      return { ...view, title: cleanLine(event.title) };
    case "user_message":
      return userMessage(view, event);
    case "message_withdrawn":
      return { ...view, queue: view.queue.filter((one) => one.id !== event.id) };
    case "text_delta":
      return textDelta(view, event);
    case "assistant_message":
      return assistantMessage(view, event);
    case "tool_call":
      return toolCall(view, event);
    case "tool_progress":
      return { ...view, cards: withProgress(view.cards, event, view) };
    case "approval_requested":
      return approvalRequested(view, event);
    case "recovery_requested":
      return {
        ...view,
        recovery: event.calls.map((call) => toUnsettled(call, view.workspace, view.labels)),
      };
    case "form_requested":
      return withForm({ ...view, spent: spentBy(view.spent, event.asked.ofModel) }, event);
    case "form_closed": {
      const closed = withoutForm(view, event);
      return push(closed.view, closed.said);
    }
    case "decision":
      return settle(decided(view, event));
    case "usage":
      return { ...view, usage: inContext(event), spent: withUsage(view.spent, event) };
    case "notice":
      return push(view, [{ kind: "notice", level: "info", text: ownedText(event, event.text) }]);
    case "compaction_started":
    case "compaction_done":
      return compacted(view, event);
    case "error":
      return failed(view, event);
    case "turn_ended":
      return turnEnded(view, event);
  }
}

/** Writes `~` for the home folder in a path that is a part of it. */
export const tildePath = (path: string, home: string | undefined): string =>
  home === undefined || home === ""
    ? path
    : path === home
      ? "~"
      : path.startsWith(`${home}/`)
        ? `~${path.slice(home.length)}`
        : path;

const kept = 300;
const shown = 100;

/** The view with one more piece of a thought; undefined for any other event. */
function thinking(view: View, event: AgentEvent): View | undefined {
  if (event.type !== "notice" || event.code !== "thinking") return undefined;
  const { begin, size } = view.thought ?? { begin: "", size: 0 };
  const grown = begin.length < kept ? (begin + event.text).slice(0, kept) : begin;
  return { ...view, thought: { begin: grown, size: size + event.text.length } };
}

/** A thought that is over, folded to one line. */
function foldedThought({ thought }: View): Item[] {
  if (thought === undefined) return [];
  const line = cleanLine(thought.begin);
  const begin =
    line.length > shown || thought.size > thought.begin.length ? `${line.slice(0, shown).trimEnd()}…` : line;
  return [{ kind: "notice", level: "info", text: words().thought({ size: countText(thought.size), begin }) }];
}
