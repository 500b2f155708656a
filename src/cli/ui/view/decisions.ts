import type { ToolCallInfo } from "../../../core/call.ts";
import { type CallRef, refOf, sameCall } from "../../../core/call-ref.ts";
import type { AgentEvent, TranscriptEntry } from "../../../graph/events.ts";
import { view as words } from "../../../words/en/view.ts";
import { cleanLine, shorten, subjectOf } from "../safe-text.ts";
import { denialOf, withDenial } from "./cards.ts";
import { nameOf } from "./labels.ts";
import type { Ask, BatchEntry, Card, Item, Request, View } from "./view.ts";

type DecisionEvent = Extract<AgentEvent, { type: "decision" }>;

/** The request leaves the dialog; the last one closes it. */
export function withoutRequest(ask: Ask | undefined, ref: CallRef, mark: "yes" | "no"): Ask | undefined {
  if (ask === undefined || !ask.requests.some((one) => sameCall(one.ref, ref))) return ask;
  const requests = ask.requests.filter((one) => !sameCall(one.ref, ref));
  const batch = ask.batch.map((entry) => (sameCall(entry.ref, ref) ? { ...entry, mark } : entry));
  return requests.length === 0 ? undefined : { requests, batch };
}

/** `edit_file src/a.ts +12 −3`: the same short name of a call wherever it is spoken of. */
export function callLabel(card: Pick<Card, "toolName" | "subject" | "counts">): string {
  const counts = card.counts === undefined ? "" : ` +${card.counts.added} −${card.counts.removed}`;
  return `${card.toolName}${card.subject === "" ? "" : ` ${card.subject}`}${counts}`;
}

/** Returns the person's answer to a call that has not run; undefined for one that they were not asked about. */
function answerOf(call: ToolCallInfo): BatchEntry["mark"] | "none" | undefined {
  if (call.status === "awaiting_approval") return "none";
  if (call.status === "pending") return call.by?.actor === "person" && call.digest !== undefined ? "yes" : undefined;
  return denialOf(call) === undefined ? undefined : "no";
}

/** Of the last reply of a session that is opened again, the calls that an earlier process asked about: empty where all wait still. */
export function askedBefore(
  entries: readonly TranscriptEntry[],
  session: string,
  { labels, workspace }: Pick<View, "labels" | "workspace">,
): BatchEntry[] {
  const from = entries.findLastIndex(({ role }) => role === "assistant") + 1;
  const asked = entries.slice(from).flatMap((entry): BatchEntry[] => {
    const answer = entry.role === "call" && entry.session === session ? answerOf(entry.call) : undefined;
    if (entry.role !== "call" || answer === undefined) return [];
    const { callId, toolName, arguments: args } = entry.call;
    const label = callLabel({
      toolName: nameOf(labels, toolName),
      subject: subjectOf(args, { toolName, workspace }).text,
    });
    return [{ ref: { session, call: callId }, label, ...(answer === "none" ? {} : { mark: answer }) }];
  });
  return asked.some(({ mark }) => mark !== undefined) ? asked : [];
}

/** Tells the decisions made before this process, in words, as its first question comes; nothing where there are none. */
export function decidedBefore({ batch }: Ask): Item[] {
  const count = (wanted: BatchEntry["mark"]): number => batch.filter(({ mark }) => mark === wanted).length;
  const [approved, denied] = [count("yes"), count("no")];
  if (approved + denied === 0) return [];
  const text = words().decidedBefore({ calls: batch.length, approved, denied, left: count(undefined) });
  return [{ kind: "notice", level: "info", text }];
}

/** The calls that are asked about now, each in the place that it has among those of its reply. */
export function batchOf({ ask, before }: Pick<View, "ask" | "before">, incoming: readonly Request[]): BatchEntry[] {
  const isAsked = (ref: CallRef): boolean => incoming.some((one) => sameCall(one.ref, ref));
  // One that waited then and is not asked about now was decided by something else: it is none of these.
  const known = ask?.batch ?? before.filter(({ ref, mark }) => mark !== undefined || isAsked(ref));
  return incoming.reduce(withEntryOf, known);
}

/** A call that is asked about again keeps its place. */
function withEntryOf(batch: BatchEntry[], request: Request): BatchEntry[] {
  const entry: BatchEntry = { ref: request.ref, label: callLabel(request) };
  const isKnown = batch.some(({ ref }) => sameCall(ref, entry.ref));
  return isKnown ? batch.map((one) => (sameCall(one.ref, entry.ref) ? entry : one)) : [...batch, entry];
}

/** A call in a line of its own, with whose it is where a helper made it. */
function labelOf(cards: Card[], ref: CallRef, agent: string | undefined): string {
  const card = cards.find((one) => sameCall(one.ref, ref));
  const who = agent ?? card?.agent;
  const what = card === undefined ? cleanLine(ref.call) : callLabel(card);
  return who === undefined ? what : `${cleanLine(who)} · ${what}`;
}

const apart = (reason = ""): string => (reason.trim() === "" ? "" : ` · ${cleanLine(shorten(reason, 400))}`);

/** The one line of a call that the person denied. */
export const denialLine = ({ cards }: Pick<View, "cards">, ref: CallRef, reason?: string, agent?: string): Item => ({
  kind: "decision",
  mark: "no",
  text: `${words().denied} · ${labelOf(cards, ref, agent)}${apart(reason)}`,
});

/** Returns the words beside a call about the one that let it go on. */
function wordsOf({ decision, rule, reason = "", by }: DecisionEvent): string | undefined {
  const who = { by: by === "script" ? "script" : "person" } as const;
  const grant = /^grant:(.*)$/.exec(rule ?? "")?.[1];
  switch (decision) {
    case "approve":
      return grant === undefined
        ? words().approvedOnce(who)
        : words().granted({ ...who, reason: apart(reason), grant: cleanLine(grant) });
    case "retry":
      return words().retried(who);
    case "done":
      return words().markedDone(who);
    default:
      return undefined;
  }
}

/** A decision that lets a call go on, or ends it as done, is told by the call's own line, which is written once it is settled. */
function withWords(cards: Card[], event: DecisionEvent): Card[] {
  const decided = wordsOf(event);
  if (decided === undefined) return cards;
  const goesOn = event.decision !== "done";
  return cards.map((card) => {
    if (!sameCall(card.ref, refOf(event))) return card;
    const waited = card.state === "waiting" || card.state === "unknown";
    const { note: _, ...rest } = card;
    return goesOn && waited ? { ...rest, state: "pending", decided } : { ...card, decided };
  });
}

/** The view after a decision: the question is gone, and what the person said has its words. */
export function decided(view: View, event: DecisionEvent): View {
  const mark = event.decision === "deny" ? "no" : "yes";
  const ref = refOf(event);
  const ask = event.decision === "edit" ? view.ask : withoutRequest(view.ask, ref, mark);
  const recovery = view.recovery.filter((one) => !sameCall(one.ref, ref));
  const open = ask !== undefined || recovery.length > 0;
  // Keeps cli 5.
  const mode = view.mode === "plan" ? (event.mode ?? view.mode) : view.mode;
  const next: View = { ...view, mode, ask, recovery, running: view.running || !open };
  if (event.by !== "person" && event.by !== "script") return next;
  const known = view.cards.some((card) => sameCall(card.ref, ref));
  if (known && event.decision !== "deny" && event.decision !== "edit")
    return { ...next, cards: withWords(next.cards, event) };
  if (event.by !== "person") return next;
  const said = { ...next, items: [...next.items, decisionItem(view, event)] };
  return event.decision === "deny" ? { ...said, cards: withDenial(said.cards, ref) } : said;
}

const marks: Record<string, "yes" | "no"> = { approve: "yes", retry: "yes", cancel: "no" };

function otherWords(decision: string): string {
  if (decision === "edit") return words().edited;
  return decision === "cancel" ? words().cancelled : words().otherwise({ decision: cleanLine(decision) });
}

function decisionItem(view: View, event: DecisionEvent): Item {
  const { decision, reason, agent } = event;
  const ref = refOf(event);
  if (decision === "deny") return denialLine(view, ref, reason, agent);
  const text = wordsOf(event) ?? otherWords(decision);
  return { kind: "decision", mark: marks[decision] ?? "other", text: `${text} · ${labelOf(view.cards, ref, agent)}` };
}
