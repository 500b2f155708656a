import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { isFinal } from "../../core/call.ts";
import { oneLine } from "../../core/fence.ts";
import { openGoalLines } from "../../core/goal-lines.ts";
import { runsElsewhere } from "../../core/job-notices.ts";
import { noticeMark } from "../../model/port.ts";
import type { HookRun, JobEnd, Journal, ToldFile } from "../../store/types.ts";
import { turnNotices } from "../../words/contract/turn-notices.ts";
import { type SessionGoals, sessionGoals } from "../ended-calls.ts";
import { outputSchemaOf } from "../output.ts";
import { type Alike, gettingOn, mostAlike } from "../stuck.ts";
import { endedUntold, type FollowUp, followUpOf } from "./follow-up.ts";
import { hookWords } from "./hook-words.ts";
import { personCallOf } from "./person-call.ts";
import { fenceNote } from "./prompt/system-prompt.ts";
import { replyId, stepOf } from "./reply-id.ts";

/** The notices of the agent itself to the model behind a message and the outcomes of its calls. */
export interface Notices {
  /** @param next the message that is stored behind it and its results */
  behind(message: BaseMessage, results: readonly BaseMessage[], next?: BaseMessage): readonly BaseMessage[];
  /** Lists those beside a message that is shown itself, which a summary in its place tells as they are by then. */
  beside(message: BaseMessage): readonly BaseMessage[];
}

const fromAgent = "(This is from the agent, not from the person.)";

const notice = (message: Pick<BaseMessage, "id">, name: string, text: string): BaseMessage =>
  new HumanMessage({
    id: `${name}-${message.id}`,
    content: `${fromAgent} ${text}`,
    additional_kwargs: { [noticeMark]: true },
  });

type Known = Pick<
  Journal,
  | "turns"
  | "callsOf"
  | "openCalls"
  | "callCount"
  | "succeeded"
  | "steers"
  | "planOf"
  | "doneOf"
  | "jobEnds"
  | "toldFiles"
  | "hookRuns"
  | "turnMessage"
  | "call"
>;

// Keeps graph 13, graph 14.
/** By the journal and the stored messages alone, so that what was told once stays so. */
export function noticesOf(journal: Known, goals: Pick<SessionGoals, "before"> = sessionGoals(journal)): Notices {
  const known = new WeakMap<BaseMessage, readonly BaseMessage[]>();
  const jobsBehind = jobEndsBehind(journal);
  const filesBehind = toldFilesBehind(journal);
  const hooksBehind = hookRunsBehind(journal);
  const made = (message: BaseMessage, results: readonly BaseMessage[]): BaseMessage[] => {
    const schema = outputSchemaOf(message);
    if (schema !== undefined) return [notice(message, "output", schemaText(JSON.stringify(schema)))];
    const asked = followUpOf(message);
    if (asked !== undefined && (asked.last !== true || endedUntold(asked)))
      return [notice(message, "asked", askedText(asked))];
    const stepId = results.some(isError) ? stepOf(message) : undefined;
    const told = stepId === undefined ? [] : gettingOn(journal, stepId).told;
    return told.length === 0 ? [] : [notice(message, "alike", alikeText(told))];
  };
  const ofTalk = (message: BaseMessage, results: readonly BaseMessage[]): readonly BaseMessage[] => {
    const before = known.get(message);
    if (before !== undefined) return before;
    const now = made(message, results);
    const stepId = results.length === 0 ? undefined : stepOf(message);
    if (stepId === undefined || journal.callsOf(stepId).every(isFinal)) known.set(message, now);
    return now;
  };
  return {
    behind: (message, results, next) => [
      ...(isAnswered(message, next) ? [] : ofTalk(message, results)),
      ...hooksBehind(message),
      ...filesBehind(message),
      ...jobsBehind(message),
    ],
    beside: planBeside(journal, goals),
  };
}

/** A message that begins a turn is told with the plan as it was then, where something of it was open: the system prompt stays as it is. */
function planBeside(journal: Known, goals: Pick<SessionGoals, "before">): Notices["beside"] {
  const known = new WeakMap<BaseMessage, readonly BaseMessage[]>();
  return (message) => {
    if (message.getType() !== "human" || personCallOf(message) !== undefined) return [];
    const before = known.get(message);
    if (before !== undefined) return before;
    const turn = journal.turns().find(({ messageId }) => messageId === message.id)?.turn;
    // Not known yet, or said while a turn ran.
    if (turn === undefined) return [];
    const lines = openGoalLines(goals.before({ turn, step: 1 }));
    const now = lines.length === 0 ? [] : [notice(message, "plan", lines.join("\n"))];
    known.set(message, now);
    return now;
  };
}

/** The turn has failed with this reply, and the person has spoken: what they say is what the model is to answer. */
const isAnswered = (message: BaseMessage, next: BaseMessage | undefined): boolean => {
  const asked = followUpOf(message);
  return endedUntold(asked) && asked?.last === true && next?.getType() === "human";
};

/** The end of a job is told with the request of one step: behind the message that ends what that request tells of the steps before it. */
function jobEndsBehind(journal: Known): (message: BaseMessage) => readonly BaseMessage[] {
  let last: { ends: readonly JobEnd[]; told: ReadonlyMap<string, BaseMessage> } = { ends: [], told: new Map() };
  return ({ id = "" }) => {
    const ends = journal.jobEnds();
    if (ends !== last.ends) last = { ends, told: endNotices(journal, ends) };
    const told = last.told.get(id);
    return told === undefined ? [] : [told];
  };
}

function endNotices(journal: Known, ends: readonly JobEnd[]): Map<string, BaseMessage> {
  const texts = new Map<string, string[]>();
  for (const end of ends) {
    if (end.step === undefined || end.isHeard) continue;
    const { turn, step: at } = end.step;
    const behind = at === 1 ? journal.turnMessage(turn).id : replyId({ turn, step: at - 1 });
    if (behind !== undefined) texts.set(behind, [...(texts.get(behind) ?? []), endText(journal, end)]);
  }
  return new Map([...texts].map(([id, lines]) => [id, notice({ id }, "jobs", lines.join("\n"))]));
}

/** Instructions of folders are told behind what came of the step that had first to do with these. */
function toldFilesBehind(journal: Known): (message: BaseMessage) => readonly BaseMessage[] {
  let last: { files: readonly ToldFile[]; told: ReadonlyMap<string, BaseMessage> } = { files: [], told: new Map() };
  return ({ id = "" }) => {
    const files = journal.toldFiles();
    if (files !== last.files) last = { files, told: fileNotices(files) };
    const told = last.told.get(id);
    return told === undefined ? [] : [told];
  };
}

/**
 * Makes the function that finds the words of hooks behind a message: on calls they are sent behind the outcomes of these, and on last words
 * behind these.
 */
function hookRunsBehind(journal: Known): (message: BaseMessage) => readonly BaseMessage[] {
  let last: { runs: readonly HookRun[]; lines: ReadonlyMap<string, string> } = { runs: [], lines: new Map() };
  const told = new Map<string, { text: string; message: BaseMessage }>();
  return ({ id = "" }) => {
    const runs = journal.hookRuns();
    if (runs !== last.runs) last = { runs, lines: hookLines(runs) };
    const text = last.lines.get(id);
    if (text === undefined) return [];
    const known = told.get(id);
    if (known?.text === text) return [known.message];
    const message = notice({ id }, "hooks", text);
    told.set(id, { text, message });
    return [message];
  };
}

/** By the message behind which they are told. */
function hookLines(runs: readonly HookRun[]): Map<string, string> {
  const lines = new Map<string, string>();
  for (const run of runs) {
    const id = replyId(run.step);
    for (const line of hookWords.told(run)) lines.set(id, lines.has(id) ? `${lines.get(id)}\n${line}` : line);
  }
  return lines;
}

function fileNotices(files: readonly ToldFile[]): Map<string, BaseMessage> {
  const texts = new Map<string, string[]>();
  for (const { step, name, text } of files) {
    const id = replyId(step);
    texts.set(id, [...(texts.get(id) ?? []), `## ${name}\n${text}`]);
  }
  const told = (blocks: string[]) => [filesText, ...blocks].join("\n\n");
  return new Map([...texts].map(([id, blocks]) => [id, notice({ id }, "files", told(blocks))]));
}

const filesText = `You have had to do with files of folders that have instructions of their own. They are the project's, like those in your prompt, and hold below their folder. ${fenceNote}`;

const mostOfCommand = 120;

function endText(journal: Known, { callId, attempt, how }: JobEnd): string {
  const call = journal.call(callId);
  const command = oneLine(String(call?.arguments["command"] ?? ""), mostOfCommand);
  if (how === runsElsewhere)
    return `The background job ${callId} (${command}) does not run here: it runs, or ran, in a session that this one comes from.`;
  // Of a call that was done again, what is kept is no longer this one's.
  const reads = (what: string): string =>
    attempt < (call?.attempt ?? 1) ? "" : ` read_file {"file_path": "call:${callId}"} shows ${what}.`;
  return how === undefined
    ? `The background job ${callId} (${command}) is gone: it ended with the process that this session ran in.${reads("the last that was kept of it")}`
    : `The background job ${callId} (${command}) has ended: ${how}.${reads("what it said")}`;
}

const isError = (result: BaseMessage): boolean => "status" in result && result.status === "error";

const schemaText = (schema: string): string =>
  `The last words of this turn are read by a program. Let them be one JSON value that fits this JSON Schema, and nothing else around it:\n${schema}`;

function askedText(asked: FollowUp): string {
  switch (asked.why) {
    case "empty_reply":
      return asked.thoughts === true
        ? "Your last reply had thoughts alone, which the person does not get: no text, and no tool call. Answer in text now, or call a tool."
        : "Your last reply was empty: no text, and no tool call. Answer in text now, or call a tool.";
    case "no_call":
      return "A tool is to be called before this turn ends, and none was. Call one now.";
    case "fenced_call":
      if (asked.wrong !== undefined)
        return `Your last reply shows a tool call as text, and it was not taken for one: ${asked.wrong}. Nothing was run. If you meant to call a tool, call it in the way that tools are called here, or write the whole call again and no other word with it; if it was only to be shown, end your turn.`;
      return "A tool call was only shown, in code, a quote, a list or a comment: it is text, and was not run. To run it, write it again on a line of its own, outside of these; if it was only to be shown, end your turn.";
    case "unread_call":
      return `Your last reply ends in a tool call that could not be taken for one: ${asked.wrong}. Nothing was run. If you meant to call a tool, call it again, in the way that tools are called here; if you only quoted it, say your answer again without it.`;
    case "no_output":
      return `These cannot be the last words of the turn: ${asked.wrong}. Say the JSON again, mended, and nothing else.`;
  }
}

/** The same for the person. */
export function askedNotice(asked: FollowUp): string {
  switch (asked.why) {
    case "empty_reply":
      return asked.thoughts === true ? turnNotices.thoughtOnly : turnNotices.saidNothing;
    case "no_call":
      return turnNotices.calledNone;
    case "fenced_call":
      return asked.wrong === undefined ? turnNotices.onlyShown : turnNotices.standsAsText({ wrong: asked.wrong });
    case "unread_call":
      return turnNotices.notTaken({ wrong: asked.wrong });
    case "no_output":
      return turnNotices.noAnswer({ wrong: asked.wrong });
  }
}

function failedText(told: readonly Alike[]): string {
  const failed = told.map(({ tool, code, times }) =>
    tool === undefined
      ? `${times} times a tool was called that is not there`
      : `${tool} has failed ${times} times with ${code}`,
  );
  return `${failed.join(", and ")}, and no file was changed in between`;
}

const leftOf = (told: readonly Alike[]): number => mostAlike - (told[0]?.times ?? 0);

const alikeText = (told: readonly Alike[]): string =>
  `${failedText(told)}. Try another way, or say what is in the way: after ${leftOf(told)} more the turn ends.`;

/** The same for the person. */
export const alikeNotice = (told: readonly Alike[]): string =>
  `${failedText(told)}; the model is told, and after ${leftOf(told)} more the turn ends`;
