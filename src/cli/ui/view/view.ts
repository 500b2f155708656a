import { type CallRef, sameCall } from "../../../core/call-ref.ts";
import type { AskedOfModel, FormField } from "../../../core/forms/asked-form.ts";
import type { Goals } from "../../../core/goals.ts";
import type { ProposedPlan } from "../../../core/proposed-plan.ts";
import type { Change } from "../../../files/diff/diff-text.ts";
import type { Offers } from "../../../graph/calls/offers.ts";
import type { NotShown } from "../../../graph/calls/partial.ts";
import type { RecoveryChoice, UnsettledCall, WaitingCall } from "../../../graph/events.ts";
import type { GrantOffer } from "../../../policy/types.ts";
import type { FormRef } from "../../../session/open-forms.ts";
import type { Session } from "../../../session/session.ts";
import type { ToolLabels } from "../../services/session-services.ts";
import { noLabels } from "./labels.ts";

/** The thought of a reasoning model since it last said or did something. */
export interface Thought {
  /** Its beginning, as it came. */
  begin: string;
  /** Characters in all. */
  size: number;
}

export type Mode = Parameters<Session["setMode"]>[0];

export interface Counts {
  added: number;
  removed: number;
}

export type CardState =
  | "arguments"
  | "pending"
  | "waiting"
  | "running"
  | "done"
  | "failed"
  | "cancelled"
  /** By the person; the decision's line tells it. */
  | "denied"
  /** By policy or a script. */
  | "refused"
  /** Called off when a part of it was done. */
  | "partly"
  /** Its end was not seen: it waits for the person's word on it. */
  | "unknown"
  /** The same, and it was called off. */
  | "lost";

/** One tool call as it is drawn; all text but its changes is already safe for a terminal. */
export interface Card {
  ref: CallRef;
  /** The name of the helper whose call it is. */
  agent?: string;
  /** By its display name, where it has one. */
  toolName: string;
  /** The subject of the call: a path, a pattern, a command. */
  subject: string;
  state: CardState;
  counts?: Counts;
  /** The name of the state, where the state's own word would not be true. */
  word?: string;
  /** One line beside the subject: a result's title, why it failed. */
  note?: string;
  /** The same as the tool says it, until the call is settled. */
  tip?: string;
  /** The person's rule or grant that let it run, in words. */
  allowedBy?: string;
  /** The one that let it go on, in words, where somebody was asked. */
  decided?: string;
  /** While the model writes the arguments: characters received so far, the first of them, and the tool by its own name: not safe to draw. */
  written?: { size: number; head: string; tool?: string };
  /** The figure that the tool counts, in words: "40 %", "12". */
  figure?: string;
  /** While it runs: when it was begun, in milliseconds since the epoch. */
  since?: number;
  /** While it runs: the person may have it go on in the background. */
  mayGoAside?: true;
  /** The tool's text for the person, whole; drawn once the call is settled. */
  display?: string[];
  /** The lines that the model was sent of its result, whole, where that is read. */
  output?: readonly string[];
  /** The last lines that the running tool printed. */
  tail?: string[];
  /** Its changes, as the tool made them: the layout sanitises them line by line. */
  changes?: readonly Change[];
  /** Changed lines beyond these, where only the beginning is at hand. */
  moreChanged?: number;
  /** The place that shows all of the change, where that is not the session's diff. */
  allShownBy?: string;
}

/** An earlier session that a digit goes over to while nothing was said yet. */
export interface OfferedSession {
  id: string;
  title: string;
  /** The time when it was left and its state, in words. */
  about: string;
}

/** A finished piece of the transcript: drawn once, above the live part. */
export type Item =
  | { kind: "banner"; lines: string[]; isNew?: boolean; offered?: readonly OfferedSession[] }
  | { kind: "user"; text: string }
  /** `continued`: a later piece of a message whose start is already drawn. */
  | { kind: "assistant"; text: string; continued: boolean }
  | { kind: "call"; card: Card }
  | { kind: "decision"; mark: "yes" | "no" | "other"; text: string }
  | { kind: "notice"; level: "info" | "warn" | "error"; text: string; hint?: string }
  /** A command of the chat, as it was given: what it says comes after it. */
  | { kind: "command"; text: string }
  | { kind: "diff"; changes: readonly Change[] };

/** The assistant's text that is still coming. `raw` is all of it; what lies before `from` is already in the transcript. */
export interface Tail {
  id: string;
  raw: string;
  from: number;
  /** Opening line of the code fence that `from` lies in, with its newline; empty outside one. */
  fence: string;
  /** The text to draw: sanitised, fence included; of very long text the end. */
  shown: string;
}

/** A call as it is asked about, with what may be granted beside "once". */
export type AskedCall = WaitingCall & Partial<Offers>;

/** One call that waits for the person. `call` is as the agent sent it, for answering; the rest is safe to draw. */
export interface Request {
  ref: CallRef;
  call: AskedCall;
  /** By its display name, where it has one. */
  toolName: string;
  /** The names of what is shown by others, a line each. */
  ownNames: string[];
  subject: string;
  /** The subject is a path, which is known by its end; of a command, an address or a title the beginning says what it is. */
  isPath: boolean;
  /** The real path and what happens to it, one line a file; of what is only read where it leads elsewhere or outside. */
  files: string[];
  counts?: Counts;
  /** As the tool made it, whole: only for the diff layout, which sanitises it line by line. */
  changes: readonly Change[];
  command: string;
  /** Of a command: where it runs, and what holds it there; else empty. */
  surroundings: string;
  /** Scripts that the command would run, each with the text that is known of it. */
  scripts: { title: string; text: string }[];
  /** The part that the plan's own text does not show of it, in words: approving takes a second step. */
  partial?: { text: string; why: NotShown["why"] };
  /** Line endings, BOM, mode, encoding: what a diff does not show. */
  facts: string[];
  warnings: string[];
  /** Risk in words, and the rule that decided. */
  why: string;
  rule: string;
  parts: string[];
  /** Short digest, `sha 9f3c…`. */
  sha: string;
  /** By the choice of the menu that gives it. */
  grants: { choice: string; text: string; where: string }[];
  agent?: string;
  changed?: { why: string; before: readonly Change[] };
  /** A plan to work by. */
  proposed?: ProposedPlan;
  /** Arguments as JSON, by their display names, for what has no diff. */
  argumentText: string;
}

/** The choice of a menu by which a grant is given. */
export const choiceOf = ({ scope, grant }: GrantOffer): string => (grant.made === true ? "made" : scope);

/** One call of a batch, by the place that it keeps in it. */
export interface BatchEntry {
  ref: CallRef;
  /** `edit_file src/a.ts +1 −1`. */
  label: string;
  /** The decision about it; absent while it waits. */
  mark?: "yes" | "no";
}

/** The question that the person is asked now. */
export interface Ask {
  /** Those that wait, in the order of the batch. */
  requests: Request[];
  /** All that were asked about together, decided ones included. */
  batch: BatchEntry[];
}

/** The place of a call in its batch, from 1. */
export const numberIn = ({ batch }: Ask, ref: CallRef): number =>
  batch.findIndex((entry) => sameCall(entry.ref, ref)) + 1;

export interface Unsettled {
  ref: CallRef;
  call: UnsettledCall;
  toolName: string;
  ownNames: string[];
  subject: string;
  startedAt: string;
  known: string;
  changes: readonly Change[];
  argumentText: string;
  choices: RecoveryChoice[];
  /** The name of the helper whose call it is. */
  agent?: string;
}

/** One thing that is asked for: `field` as it came, for reading what is typed; the rest is safe to draw. */
export interface AskedField {
  field: FormField;
  name: string;
  label: string;
  description: string;
  choices: string[];
}

/** The form by which a call under way asks the person for somebody else. */
export interface AskedOfPerson {
  ref: FormRef;
  /** The one that asks and gets the answer. */
  from: string;
  tool: string;
  message: string;
  fields: AskedField[];
  /** All that would go to the model, or its answer. */
  ofModel?: AskedOfModel;
  /** The name of the helper whose call it is. */
  agent?: string;
}

/** A memory that was saved since the person's last message: they can take it back by one key. */
export interface SavedMemory {
  /** Its line in the memory file, for finding it there. */
  line: string;
  /** The tool's words about it; safe to draw. */
  title: string;
}

export interface View {
  session: string;
  /** The title of the session; absent for a new one that was not named yet. */
  title?: string;
  workspace: string;
  model: string;
  mode: Mode;
  /** The ids of the sessions that the banner offers, until something is said. */
  offered: readonly string[];
  /** The names that people read in the place of tools' names. */
  labels: ToolLabels;
  /** Append-only. */
  items: Item[];
  tail: Tail | undefined;
  /** The person has the talk summed up. */
  compacting?: boolean;
  /** Calls that are not in the transcript yet, in the order of their message. */
  cards: Card[];
  /** Messages that wait; `steer`: for the next step of the turn under way, the others for its end. */
  queue: { id: string; text: string; steer: boolean }[];
  /** The session's plan; safe to draw. */
  goals: Goals;
  /** Oldest first. */
  saved: readonly SavedMemory[];
  /** The changes of settled calls, oldest first; safe to draw. */
  changed: readonly ({ subject: string } & Counts)[];
  /** Earlier calls are not counted in it. */
  changedLately?: true;
  running: boolean;
  /** The thought of the model now; it goes into the transcript, folded, when it says or does something. */
  thought?: Thought | undefined;
  ask: Ask | undefined;
  /** The calls of a reply that an earlier process asked about, until they are asked about here. */
  before: BatchEntry[];
  recovery: Unsettled[];
  /** The forms by which calls under way ask, oldest first. */
  forms: AskedOfPerson[];
  usage: { contextUsed: number; contextWindow?: number } | undefined;
  /** Tokens of all requests since the session was opened here. */
  spent: { input: number; output: number; cost?: number };
  /** The model's last words, as it sent them; not safe to draw. */
  answer?: string;
  /** The command that continues this session, as the last turn's end said it. */
  resume: string | undefined;
}

/** Calls wait for the person. */
export const isAsking = ({ ask, recovery }: Pick<View, "ask" | "recovery">): boolean =>
  ask !== undefined || recovery.length > 0;

/** A turn that runs or waits for the person: it would be stopped here and be gone where another session goes on. */
export const isUnderWay = (view: View): boolean => view.running || isAsking(view);

/** The same, and also where what a call that runs speaks to asks them something. */
export const waitsForPerson = (view: Pick<View, "ask" | "recovery" | "forms">): boolean =>
  isAsking(view) || view.forms.length > 0;

/** A helper's call waits for the person: others may work beside it. */
export const helperAsks = ({ ask, recovery }: Pick<View, "ask" | "recovery">): boolean =>
  [...(ask?.requests ?? []), ...recovery].some(({ call }) => call.agent !== undefined);

export interface ViewStart {
  session: string;
  workspace: string;
  model: string;
  mode: Mode;
  banner: string[];
  /** Nothing was said in it yet. */
  isNew?: boolean;
  offered?: readonly OfferedSession[];
}

/** The view before the first event. The caller's strings must be safe to draw already. */
export function initialView({ session, workspace, model, mode, banner, isNew = false, offered = [] }: ViewStart): View {
  return {
    session,
    workspace,
    model,
    mode,
    offered: offered.map(({ id }) => id),
    labels: noLabels,
    items:
      banner.length > 0
        ? [{ kind: "banner", lines: banner, ...(isNew && { isNew }), ...(offered.length > 0 && { offered }) }]
        : [],
    tail: undefined,
    cards: [],
    queue: [],
    goals: [],
    saved: [],
    changed: [],
    running: false,
    ask: undefined,
    before: [],
    recovery: [],
    forms: [],
    usage: undefined,
    spent: { input: 0, output: 0 },
    resume: undefined,
  };
}
