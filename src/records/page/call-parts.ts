import type { CallStatus, ToolCallInfo } from "../../core/call.ts";
import { nameIn, refOf } from "../../core/call-ref.ts";
import type { JsonObject } from "../../core/json.ts";
import { resultDisplay } from "../../core/result-display.ts";
import type { Plan } from "../../core/tool.ts";
import { changesOf, readRecordedDiff } from "../../files/diff/diff-text.ts";
import { callWords } from "../../graph/talk/call-words.ts";
import type { JournalReading } from "../../store/types.ts";
import { type CallLife, eventText } from "../call-life.ts";
import { type Decision, decisionsOf } from "./decisions.ts";
import type { Mark, PagePart } from "./page-part.ts";

/** The words in which a page says the same as the commands. */
export interface PageWords {
  /** Times, of milliseconds since the epoch: to the minute, and to the millisecond. */
  moment(at: number): string;
  instant(at: number): string;
  /** Words the state of a call. */
  end(call: ToolCallInfo): string;
}

/** The things told of a call beside its own record. */
export interface AboutCall {
  life: CallLife;
  journal: Pick<JournalReading, "session" | "planOf" | "askedArguments">;
  /** The session that the page is of: its calls need no address. */
  home: string;
  /** The call that took back what this one changed. */
  undoneBy: string | undefined;
  words: PageWords;
}

/** All that a call was and came to; what it drove stands before the end. */
export function* callParts(about: AboutCall, driven: () => Iterable<PagePart>): Generator<PagePart> {
  const { life, journal, home, undoneBy, words } = about;
  const { call } = life;
  const plan = journal.planOf(call.callId);
  const decisions = decisionsOf(life);
  const told = [
    ...decisions.slice(-1).map(shortly),
    ...(undoneBy === undefined ? [] : [`taken back by call ${undoneBy}`]),
  ];
  yield {
    ...({ kind: "open", what: "call" } as const),
    title: titleOf(call, plan?.summary),
    name: nameIn(home, refOf(life)),
    end: words.end(call),
    mark: markOf(call),
    ...(told.length === 0 ? {} : { decided: told.join(" · ") }),
  };
  yield { kind: "facts", rows: [...factsOf(call), ...decisions.map((one) => decisionText(one, words))] };
  if (plan !== undefined) yield* planParts(call, plan);
  if (plan?.files === undefined && plan?.diff === undefined) yield* foundParts(call);
  yield* endParts(call);
  yield* resultParts(call);
  yield* driven();
  yield* argumentParts(call, journal.askedArguments(call.callId));
  if (life.events.length > 0) {
    yield { kind: "open", what: "fold", title: "its life" };
    yield {
      kind: "facts",
      rows: life.events.map(({ at }, index) => `${words.instant(at)}  ${eventText(life, index)}`),
    };
    yield { kind: "close" };
  }
  yield { kind: "close" };
}

/** @param asked where the person has changed them since */
function* argumentParts(call: ToolCallInfo, asked: JsonObject | undefined): Generator<PagePart> {
  const { rawArguments, arguments: value } = call;
  yield { kind: "open", what: "fold", title: "arguments" };
  if (rawArguments !== undefined) yield { kind: "text", label: "as the model wrote them", text: rawArguments };
  else yield { kind: "json", label: "as it was done, or would be", value };
  if (asked !== undefined) yield { kind: "json", label: "as the model asked for it", value: asked };
  yield { kind: "close" };
}

function* planParts(call: ToolCallInfo, plan: Plan): Generator<PagePart> {
  const { warnings = [], command } = plan;
  if (warnings.length > 0) yield { kind: "facts", rows: warnings.map((one) => `! ${one}`) };
  if (command !== undefined) yield { kind: "text", label: "command", text: command };
  for (const change of changesOf(plan)) yield { kind: "change", label: changeLabels[call.status], change };
}

/** Yields the changes that a call without a planned change was found to have made. */
function* foundParts(call: ToolCallInfo): Generator<PagePart> {
  const metadata = "result" in call ? call.result?.metadata : undefined;
  const { changes, left } = readRecordedDiff(metadata ?? {}) ?? { changes: [], left: 0 };
  for (const change of changes) yield { kind: "change", label: "what changed", change };
  if (left > 0) yield { kind: "facts", rows: [`${left} more changed lines are not kept here`] };
}

const titleOf = (call: ToolCallInfo, summary: string | undefined): string =>
  (call.status === "success" ? call.result.title : undefined) ?? summary ?? call.toolName;

function markOf(call: ToolCallInfo): Mark {
  switch (call.status) {
    case "success":
      return "done";
    case "error":
      return "failed";
    case "cancelled":
      return "denied";
    default:
      return "open";
  }
}

function factsOf({ toolName, risk, effect, attempt, digest }: ToolCallInfo): string[] {
  const tries = `${attempt} ${attempt === 1 ? "attempt" : "attempts"}`;
  const facts = `${toolName} · risk ${risk} · effect ${effect} · ${tries}`;
  return digest === undefined ? [facts] : [facts, `digest ${digest}`];
}

const decisionText = ({ at, text, digest }: Decision, { instant }: PageWords): string =>
  `${instant(at)}  ${text}${digest === undefined ? "" : ` · digest ${digest}`}`;

const shortly = ({ text, digest }: Decision): string =>
  digest === undefined ? text : `${text} · ${digest.slice(0, 12)}`;

/** Yields the reason why it is not done, or not known to be. */
function* endParts(call: ToolCallInfo): Generator<PagePart> {
  if (call.status === "error")
    yield { kind: "text", label: "error", text: `${call.errorCode}: ${callWords.failure(call)}` };
  if (call.status === "cancelled" || call.status === "interrupted")
    yield { kind: "text", label: "why", text: callWords.end(call) };
}

const changeLabels: Readonly<Record<CallStatus, string>> = {
  success: "what it changed",
  error: "what it was to change",
  cancelled: "what it was to change",
  interrupted: "what it was to change",
  executing: "what it changes",
  pending: "what it would change",
  awaiting_approval: "what it would change",
};

/** Yields its output, and its display for the person alone, where that is more. */
function* resultParts(call: ToolCallInfo): Generator<PagePart> {
  const output = ("result" in call ? call.result?.output : undefined) ?? "";
  const shown = resultDisplay(call);
  if (shown !== "" && !output.includes(shown)) yield { kind: "text", label: "shown", text: shown };
  if (output !== "") yield { kind: "text", label: "output", text: output };
}
