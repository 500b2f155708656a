import { type CallRef, refOf, sameCall } from "../../../core/call-ref.ts";
import type { AgentEvent } from "../../../graph/events.ts";
import { cleanLine, shorten } from "../safe-text.ts";
import { withDenial } from "./cards.ts";
import type { Ask, Card, Item, View } from "./view.ts";

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
  text: `denied by you · ${labelOf(cards, ref, agent)}${apart(reason)}`,
});

/** What is said beside a call of who let it go on. */
function wordsOf({ decision, rule, reason = "", by }: DecisionEvent): string | undefined {
  const who = by === "script" ? "the script" : "you";
  const grant = /^grant:(.*)$/.exec(rule ?? "")?.[1];
  switch (decision) {
    case "approve":
      return grant === undefined
        ? `approved once by ${who}`
        : `approved by ${who}${apart(reason)} (grant ${cleanLine(grant)})`;
    case "retry":
      return `retry approved by ${who}`;
    case "done":
      return `marked as done by ${who}`;
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
const otherWords: Record<string, string> = { edit: "arguments edited by you", cancel: "cancelled by you" };

function decisionItem(view: View, event: DecisionEvent): Item {
  const { decision, reason, agent } = event;
  const ref = refOf(event);
  if (decision === "deny") return denialLine(view, ref, reason, agent);
  const text = wordsOf(event) ?? otherWords[decision] ?? `${cleanLine(decision)} by you`;
  return { kind: "decision", mark: marks[decision] ?? "other", text: `${text} · ${labelOf(view.cards, ref, agent)}` };
}
