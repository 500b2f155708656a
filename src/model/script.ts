import { setTimeout as wait } from "node:timers/promises";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { failureOf, oneLine, Passing } from "./failures.ts";
import { isWhole, notWhole } from "./fold-reply.ts";
import { playReply } from "./play.ts";
import {
  commandMark,
  compactionAsked,
  foldMark,
  isTitleRequest,
  type Model,
  type ModelEvent,
  ModelFailure,
  type ModelMessage,
  noticeMark,
  type ScriptedAnswer,
} from "./port.ts";
import { withRetries } from "./retrying.ts";
import type { Script, ScriptLine } from "./script-file.ts";

export interface ScriptOptions {
  spec: string;
  /** The file's name, for messages. */
  name: string;
  /** Tokens; not known where it is left out, and then nothing is ever cut to make room. */
  contextWindow?: number | undefined;
}

/** Retries of a script follow at once: its errors are scripted too, there is nothing to wait for. */
const noWait = {
  sleep: async (_ms: number, signal: AbortSignal) => {
    await wait(0, undefined, { signal });
  },
  random: () => 0,
  now: () => 0,
};

/**
 * A model that plays a script, a line for each request. Which line is next is read from the request's history, so that a
 * resumed session goes on where it was; lines with an error leave no message there, and are counted by the turns
 * that broke off. Errors that a server would be asked again for (429, 5xx) use up their line and the next one answers.
 * The person's answers are used up by asking, from the start in each process.
 */
export function openScript(script: Script, { spec, name, contextWindow }: ScriptOptions): Model {
  const answers = [...script.person];
  const titles = [...(script.titles ?? [])];
  /** By the lines that it is of: where a request of as many replies got to. */
  const lasts = new Map<readonly ScriptLine[], { replies: number; line: number }>();

  async function* attempt(
    lines: readonly ScriptLine[],
    position: { at: number; replies: number },
    signal: AbortSignal,
  ): AsyncGenerator<ModelEvent> {
    const line = lines[position.at];
    if (line === undefined) throw ranOut(name, lines.length);
    const passed = (): void => {
      position.at += 1;
      lasts.set(lines, { replies: position.replies, line: position.at });
    };
    if (line.error !== undefined) {
      passed();
      throw failureOfLine(line, name);
    }
    const reply = yield* playReply(line, signal);
    passed();
    if (!isWhole(reply.finish)) throw notWhole(reply.finish);
    yield { type: "done", reply };
  }

  return {
    spec,
    scripted: true,
    turns: script.turns ?? [],
    answers: script.person.length,
    summaries: script.summaries?.length ?? 0,
    ...(contextWindow === undefined ? {} : { contextWindow }),
    stream(request, signal) {
      if (isTitleRequest(request)) return playText(titles.shift() ?? "", signal);
      const summary = compactionAsked(request);
      if (summary !== undefined) return playText(script.summaries?.[summary - 1] ?? "", signal);
      const folded = request.messages.reduce((sum, message) => sum + foldedBy(message), 0);
      const messages = request.messages.filter(
        ({ additional_kwargs: marks }) => marks[commandMark] === undefined && marks[noticeMark] === undefined,
      );
      const replies = folded + messages.filter(isAssistant).length;
      const lines = linesFor(script, messages);
      const last = lasts.get(lines);
      const derived = positionIn(lines, messages, replies);
      const position = { at: last?.replies === replies ? Math.max(derived, last.line) : derived, replies };
      return withRetries(() => attempt(lines, position, signal), noWait, signal);
    },
    answerFor(toolName, callId) {
      const at = answers.findIndex(
        (answer) =>
          (answer.toolName === undefined || answer.toolName === toolName) &&
          (answer.callId === undefined || answer.callId === callId),
      );
      const [found] = at < 0 ? [] : answers.splice(at, 1);
      if (found === undefined) return undefined;
      const { toolName: _tool, callId: _call, ...answer } = found;
      return answer satisfies ScriptedAnswer;
    },
  };
}

/** A name for the session, or a summary of the talk; empty where the script has none. */
async function* playText(text: string, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  yield { type: "done", reply: yield* playReply({ text }, signal) };
}

/** Those of the helper with these first words, else the session's own. */
function linesFor({ helpers = [], requests }: Script, messages: readonly ModelMessage[]): readonly ScriptLine[] {
  const first = messages.find((message) => HumanMessage.isInstance(message))?.content;
  return helpers.find(({ task }) => task === first)?.requests ?? requests;
}

/** Replies that a summary stands for. */
function foldedBy({ additional_kwargs: marks }: ModelMessage): number {
  const replies = marks[foldMark];
  return typeof replies === "number" ? replies : 0;
}

const isAssistant = (message: ModelMessage): boolean => AIMessage.isInstance(message);

/** The index of the line that answers a request with this history, in which the model has spoken so often. */
function positionIn(lines: readonly ScriptLine[], messages: readonly ModelMessage[], spoken: number): number {
  let at = 0;
  let replies = spoken;
  while (replies > 0 && at < lines.length) {
    if (succeeds(lines[at])) replies -= 1;
    at += 1;
  }
  if (replies > 0) return lines.length + 1;
  for (let failures = brokenTurns(messages); failures > 0 && at < lines.length && !succeeds(lines[at]); failures -= 1) {
    while (isRetried(lines[at])) at += 1;
    if (!succeeds(lines[at])) at += 1;
  }
  return at;
}

/** Leaves a message, whole or cut off. */
const succeeds = (line: ScriptLine | undefined): boolean => line !== undefined && line.error === undefined;

const isRetried = (line: ScriptLine | undefined): boolean =>
  line?.error !== undefined && failureOfLine(line, "") instanceof Passing;

/** Turns after the last assistant message that ended without one: each message of the person but the one now answered. */
function brokenTurns(messages: readonly ModelMessage[]): number {
  const lastReply = messages.findLastIndex(isAssistant);
  const asked = messages.slice(lastReply + 1).filter((message) => message.getType() === "human").length;
  const reply = messages[lastReply];
  const goesOn = reply !== undefined && AIMessage.isInstance(reply) && (reply.tool_calls ?? []).length > 0;
  return goesOn ? asked : Math.max(0, asked - 1);
}

function failureOfLine({ error }: ScriptLine, name: string): ModelFailure | Passing {
  const { status, body } = error ?? { status: 500, body: "" };
  return failureOf({ status, ...bodyOf(body) }, { model: name, baseUrl: "the script" });
}

/** Reads an error's body as a client does: `{error: {message, code}}`, or its text. */
function bodyOf(body: string): { message: string; code?: string } {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown; code?: unknown } };
    const { message, code } = error ?? {};
    if (typeof message === "string")
      return { message: oneLine(message), ...(typeof code === "string" ? { code } : {}) };
  } catch {
    // not JSON: the text is the message
  }
  return { message: oneLine(body) };
}

const ranOut = (name: string, lines: number): ModelFailure =>
  new ModelFailure("script", `The script ${name} has no more lines: all its ${lines} requests were answered`, {
    hint: "Add a line for this request, or continue with another model (-m).",
  });
