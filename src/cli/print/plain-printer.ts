import type { ToolCallInfo } from "../../core/call.ts";
import { addressOf, nameIn, refOf } from "../../core/call-ref.ts";
import { jsonLine } from "../../core/json-line.ts";
import { proposedPlan } from "../../core/proposed-plan.ts";
import { resultDisplay } from "../../core/result-display.ts";
import type { Plan } from "../../core/tool.ts";
import { type Change, changesOf } from "../../files/diff/diff-text.ts";
import { partialText, wholePrefix } from "../../graph/calls/partial.ts";
import type { AgentEvent, UnsettledCall, WaitingCall } from "../../graph/events.ts";
import { callWords } from "../../graph/talk/call-words.ts";
import { cells } from "../../words/en/cells.ts";
import { run as words } from "../../words/en/run.ts";
import { displayAgain, failureAgain, saidAgain, titleAgain } from "../../words/said-again.ts";
import type { Printer } from "../headless.ts";
import type { Io } from "../io.ts";
import { cleanText, nameBlanks, sanitise } from "../terminal/sanitise.ts";
import { surroundingsText } from "./command-text.ts";
import { compactionWords } from "./compaction-words.ts";
import { errorLines } from "./report.ts";

const shortArguments = (value: object): string => {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
};

/** Returns the state of a call, in a word for people: a denied call was not called off. */
export function endWord(call: ToolCallInfo): string {
  const { ends } = words();
  if (call.status === "awaiting_approval") return ends.waits;
  if (call.status === "interrupted") return call.ended.why === "unseen" ? ends.unknown : ends.unsettled;
  if (call.status !== "cancelled") return call.status;
  const { why, unknown, files = [] } = call.ended;
  if (unknown === true) return ends.unknown;
  if (files.length > 0) return ends.partly;
  if (why === "overstepped" || why === "raced") return ends[why];
  return why === "denied" || why === "policy" ? ends.denied : ends.cancelled;
}

/** One line for a settled call. @param summary a line of its plan, where it has no result that says what it was. */
export function settledLine(call: ToolCallInfo, summary?: string): string {
  const said = (title: string): string => titleAgain(call.toolName, title);
  const what =
    call.status === "success"
      ? said(call.result.title ?? `${call.toolName} ${shortArguments(call.arguments)}`)
      : said(summary ?? call.toolName);
  switch (call.status) {
    case "success":
      return `✔ ${what}`;
    case "error":
      return `✖ ${what}: ${call.errorCode} ${failureAgain(call.toolName, callWords.failure(call))}`;
    case "cancelled":
      return `✖ ${what}: ${saidAgain(callWords.end(call))}`;
    default:
      return `… ${what}: ${call.status}`;
  }
}

/** Returns the lines that a settled call's tool has for the person, whole, below its line; empty where it has nothing. */
export function displayLines(call: ToolCallInfo): string[] {
  const display = shownText(call);
  return display === "" ? [] : display.split("\n").map((line) => `  ${line}`);
}

/** Returns the text that a settled call has for the person, in their language: what its tool shows, and the files that come with it. */
export const shownText = (call: ToolCallInfo): string =>
  resultDisplay(call, cells(), (display) => displayAgain(call.toolName, display));

/** The command whole, where it runs, each of its parts with its verdict, and the scripts that it would run. */
function commandLines({ plan, verdict: { parts = [] } }: WaitingCall, command: string): string[] {
  const surroundings = surroundingsText(plan, plan.cwd);
  const scripts = (plan.commands ?? []).flatMap(({ scripts: run = [] }) => run);
  return [
    `$ ${nameBlanks(command)}`,
    ...(surroundings === "" ? [] : [surroundings]),
    ...(parts.length > 1
      ? parts.map((part) => `  ${part.decision}: ${nameBlanks(part.command)} (${saidAgain(part.why)})`)
      : []),
    ...scripts.map(({ path, name, text, how = "runs" }) => {
      const file = name === undefined ? path : words().namedIn({ name, file: path });
      const title = (how === "reads" ? words().reads : words().runs)({ file });
      return text === undefined ? title : `${title}:\n${text}`;
    }),
  ];
}

/**
 * A waiting call as plain text: what it would do, all of it.
 * @param home the session that asks: a call of it is named by its id, another one's by its whole address, as a flag takes it
 * @param change what stands for its diff, empty where that is drawn below
 */
export function waitingText(home: string, call: WaitingCall, change = call.plan.diff): string {
  const { partial, plan } = call;
  const sha = call.digest.slice(0, wholePrefix);
  const name = nameIn(home, refOf(call));
  const lines = [
    `${call.risk === "high" ? "⚠ HIGH " : ""}${titleAgain(call.toolName, plan.summary)}   [${name}@${sha}]`,
    ...(call.agent === undefined ? [] : [words().askedBy({ agent: call.agent })]),
    words().whyAsked({ why: saidAgain(call.verdict.why) }),
    ...(call.changed === undefined ? [] : [words().askedAnew(call.changed)]),
    ...(plan.warnings ?? []).map((warning) => `! ${saidAgain(warning)}`),
    ...(partial === undefined
      ? []
      : [words().partial({ what: saidAgain(partialText(partial)), call: `${name}@${sha}` })]),
    ...(plan.command === undefined ? [] : commandLines(call, plan.command)),
    ...textOf(change),
    ...(plan.command === undefined && plan.diff === undefined ? argumentLines(call) : []),
  ];
  return lines.join("\n");
}

/** A plan to work by as it is written, with what a terminal would hide shown. */
function argumentLines(call: WaitingCall): string[] {
  const proposed = proposedPlan(call);
  if (proposed === undefined) return [JSON.stringify(call.arguments)];
  const text = sanitise(proposed.text, { keepNewlines: true, tabWidth: 0, showSequences: true });
  return [text, ...proposed.goals.map((goal) => words().goal({ goal }))];
}

const textOf = (change = ""): string[] => (change === "" ? [] : [change.trimEnd()]);

function unsettledText(home: string, call: UnsettledCall, change = call.plan?.diff): string {
  return [
    `${nameIn(home, refOf(call))} ${call.toolName} ${shortArguments(call.arguments)}`,
    ...(call.agent === undefined ? [] : [words().of({ agent: call.agent })]),
    words().started({ at: call.startedAt, known: saidAgain(call.known) }),
    ...textOf(change),
  ].join("\n");
}

/** Changes as the text of rows, ready for the terminal. */
export type DrawChanges = (changes: readonly Change[]) => string;

/** The questions that were told: one told while helpers worked is not told again when they rest. */
class ToldQuestions {
  /** By the call's address: the digest under which it waits. */
  readonly #told = new Map<string, string>();

  newIn(event: AgentEvent): WaitingCall[] {
    if (event.type === "decision") this.#told.delete(addressOf({ session: event.session, call: event.callId }));
    if (event.type !== "approval_requested") return [];
    return event.calls.filter((call) => {
      const address = addressOf(refOf(call));
      const isKnown = this.#told.get(address) === call.digest;
      this.#told.set(address, call.digest);
      return !isKnown;
    });
  }
}

/**
 * Stdout gets the final answer only; what happens meanwhile goes to stderr.
 * @param draw where stderr is a terminal: how a change is drawn that is asked about and can be shown whole.
 */
export function plainPrinter(io: Io, draw?: DrawChanges): Printer {
  const asked = (plan: Plan | undefined, isPartial: boolean, text: (change?: string) => string): void => {
    const changes = draw === undefined || plan === undefined || isPartial ? [] : changesOf(plan);
    const isDrawn = draw !== undefined && changes.length > 0;
    io.stderr.write(`${cleanText(isDrawn ? text("") : text())}\n${isDrawn ? draw(changes) : ""}`);
  };
  const questions = new ToldQuestions();
  return {
    print(event) {
      for (const call of questions.newIn(event))
        asked(call.plan, call.partial !== undefined, (change) =>
          words().waitsForApproval({ question: waitingText(event.session, call, change) }),
        );
      if (event.type === "recovery_requested")
        for (const call of event.calls)
          asked(call.plan, false, (change) =>
            words().outcomeUnknown({ question: unsettledText(event.session, call, change) }),
          );
      for (const line of linesOf(event)) io.stderr.write(`${cleanText(line)}\n`);
      // Also where it was committed by a process that died before it could print it.
      if (event.type === "turn_ended" && event.parent === undefined && event.reason === "done")
        io.stdout.write(answerOf(event));
    },
  };
}

/** The turn's last words; where JSON was asked for that alone, in one line. */
function answerOf({ text, output }: Extract<AgentEvent, { type: "turn_ended" }>): string {
  if (output !== undefined) return jsonLine(output);
  return text === undefined ? "" : `${cleanText(text)}\n`;
}

/** Returns the lines of an event: those of a child stand under its name; its end is told by its parent's call. */
function linesOf(event: AgentEvent): string[] {
  if (event.parent === undefined) return ownLines(event);
  const { agent = event.session } = event;
  if (event.type === "session_started") return [words().helperBegins({ agent, session: event.session })];
  return event.type === "turn_ended" ? [] : ownLines(event).map((line) => `${agent}: ${line}`);
}

function ownLines(event: AgentEvent): string[] {
  switch (event.type) {
    case "session_started":
      return [words().begun(event)];
    case "session_restored":
      return [words().restored(event)];
    case "tool_call":
      return "toolName" in event.call && event.call.times.settled !== undefined
        ? [settledLine(event.call), ...displayLines(event.call)]
        : [];
    case "notice":
      return event.code === "thinking" ? [] : [saidAgain(event.text)];
    case "compaction_started":
    case "compaction_done":
      return [compactionWords(event)];
    case "error":
      return errorLines(event);
    case "turn_ended":
      return goOn(event);
    default:
      return [];
  }
}

/** Tells which session took how much of the turn's limits; empty where it drove no other. */
function whoTook({ steps = 0, usage, helpers = [] }: Extract<AgentEvent, { type: "turn_ended" }>): string {
  if (helpers.length === 0) return "";
  const took = [{ agent: words().itself, steps, ...usage }, ...helpers].map(({ agent, steps: many, cost }) =>
    cost === undefined
      ? words().took({ agent, steps: many })
      : words().tookFor({ agent, steps: many, cost: String(cost) }),
  );
  return words().inSteps({ took });
}

/** Tells how the person goes on after a turn that is not done. */
function goOn(event: Extract<AgentEvent, { type: "turn_ended" }>): string[] {
  const resume = String(event.resume);
  switch (event.reason) {
    case "awaiting_approval":
      return [words().savedAsking({ resume })];
    case "awaiting_recovery":
      return [words().savedRecovering({ resume })];
    case "max_cost":
      return [words().costLimit({ took: whoTook(event), resume })];
    case "max_steps":
      return [words().stepLimit({ took: whoTook(event), resume })];
    default:
      return event.resume === undefined ? [] : [words().saved({ resume })];
  }
}
