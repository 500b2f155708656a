import type { ToolCallInfo } from "../../core/call.ts";
import { nameIn, refOf } from "../../core/call-ref.ts";
import type { JsonObject } from "../../core/json.ts";
import { resultDisplay } from "../../core/result-display.ts";
import type { Plan } from "../../core/tool.ts";
import { changesOf, readRecordedDiff } from "../../files/diff/diff-text.ts";
import { callWords } from "../../graph/talk/call-words.ts";
import type { JournalReading } from "../../store/types.ts";
import { cells } from "../../words/en/cells.ts";
import { sessionPage as words } from "../../words/en/session-page.ts";
import { displayAgain, failureAgain, saidAgain, titleAgain } from "../../words/said-again.ts";
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
  /** Says one line of a call's life in the person's language. */
  event(line: string): string;
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
  const { life, journal, home, undoneBy, words: moments } = about;
  const { call } = life;
  const plan = journal.planOf(call.callId);
  const decisions = decisionsOf(life);
  const told = [
    ...decisions.slice(-1).map(shortly),
    ...(undoneBy === undefined ? [] : [words().takenBack({ call: undoneBy })]),
  ];
  yield {
    ...({ kind: "open", what: "call" } as const),
    title: titleOf(call, plan?.summary),
    name: nameIn(home, refOf(life)),
    end: moments.end(call),
    mark: markOf(call),
    ...(told.length === 0 ? {} : { decided: told.join(" · ") }),
  };
  yield { kind: "facts", rows: [...factsOf(call), ...decisions.map((one) => decisionText(one, moments))] };
  if (plan !== undefined) yield* planParts(call, plan);
  if (plan?.files === undefined && plan?.diff === undefined) yield* foundParts(call);
  yield* endParts(call);
  yield* resultParts(call);
  yield* driven();
  yield* argumentParts(call, journal.askedArguments(call.callId));
  if (life.events.length > 0) {
    yield { kind: "open", what: "fold", title: words().life };
    yield {
      kind: "facts",
      rows: life.events.map(({ at }, index) => `${moments.instant(at)}  ${moments.event(eventText(life, index))}`),
    };
    yield { kind: "close" };
  }
  yield { kind: "close" };
}

/** @param asked where the person has changed them since */
function* argumentParts(call: ToolCallInfo, asked: JsonObject | undefined): Generator<PagePart> {
  const { rawArguments, arguments: value } = call;
  yield { kind: "open", what: "fold", title: words().arguments };
  if (rawArguments !== undefined) yield { kind: "text", label: words().asWritten, text: rawArguments };
  else yield { kind: "json", label: words().asDone, value };
  if (asked !== undefined) yield { kind: "json", label: words().asAsked, value: asked };
  yield { kind: "close" };
}

function* planParts(call: ToolCallInfo, plan: Plan): Generator<PagePart> {
  const { warnings = [], command } = plan;
  if (warnings.length > 0) yield { kind: "facts", rows: warnings.map((one) => `! ${saidAgain(one)}`) };
  if (command !== undefined) yield { kind: "text", label: words().command, text: command };
  for (const change of changesOf(plan)) yield { kind: "change", label: words().changes[call.status], change };
}

/** Yields the changes that a call without a planned change was found to have made. */
function* foundParts(call: ToolCallInfo): Generator<PagePart> {
  const metadata = "result" in call ? call.result?.metadata : undefined;
  const { changes, left } = readRecordedDiff(metadata ?? {}) ?? { changes: [], left: 0 };
  for (const change of changes) yield { kind: "change", label: words().whatChanged, change };
  if (left > 0) yield { kind: "facts", rows: [words().moreChanged({ lines: left })] };
}

function titleOf(call: ToolCallInfo, summary: string | undefined): string {
  const title = (call.status === "success" ? call.result.title : undefined) ?? summary;
  return title === undefined ? call.toolName : titleAgain(call.toolName, title);
}

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
  const facts = words().facts({ tool: toolName, risk, effect, attempt });
  return digest === undefined ? [facts] : [facts, cells().digest({ digest })];
}

const decisionText = ({ at, text, digest }: Decision, { instant }: PageWords): string =>
  `${instant(at)}  ${text}${digest === undefined ? "" : ` · ${cells().digest({ digest })}`}`;

const shortly = ({ text, digest }: Decision): string =>
  digest === undefined ? text : `${text} · ${digest.slice(0, 12)}`;

/** Yields the reason why it is not done, or not known to be. */
function* endParts(call: ToolCallInfo): Generator<PagePart> {
  if (call.status === "error")
    yield {
      kind: "text",
      label: words().error,
      text: `${call.errorCode}: ${failureAgain(call.toolName, callWords.failure(call))}`,
    };
  if (call.status === "cancelled" || call.status === "interrupted")
    yield { kind: "text", label: words().why, text: saidAgain(callWords.end(call)) };
}

/** Yields its output, and its display for the person alone, where that is more. */
function* resultParts(call: ToolCallInfo): Generator<PagePart> {
  const output = ("result" in call ? call.result?.output : undefined) ?? "";
  const shown = resultDisplay(call, cells(), (display) => displayAgain(call.toolName, display));
  const { display = "", attachments = [] } = ("result" in call ? call.result : undefined) ?? {};
  const isMore = attachments.length > 0 || !output.includes(display.trimEnd());
  if (shown !== "" && isMore) yield { kind: "text", label: words().shown, text: shown };
  if (output !== "") yield { kind: "text", label: words().output, text: output };
}
