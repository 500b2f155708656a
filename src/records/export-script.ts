import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { isFinal, type ToolCallInfo } from "../core/call.ts";
import type { JsonObject } from "../core/json.ts";
import { jsonLine } from "../core/json-line.ts";
import { hookedArguments, stopsOf } from "../graph/calls/hooks-asked.ts";
import { cutOf } from "../graph/talk/cut-reply.ts";
import { hookWords } from "../graph/talk/hook-words.ts";
import { wordsOf } from "../graph/talk/no-words.ts";
import { personCallOf } from "../graph/talk/person-call.ts";
import { imagesIn } from "../graph/talk/show-images.ts";
import { isServed, typedOf } from "../graph/talk/typed-text.ts";
import type { AnswerRow, JournalReading, Store } from "../store/types.ts";
import { type RecordedStep, type RecordedTurn, recordedTurns } from "./recorded-turns.ts";
import { redact } from "./redact.ts";
import { secretsIn } from "./secrets.ts";
import { treeUnder } from "./session-tree.ts";

/** A session as a script that plays it again. */
export interface ExportedSession {
  /** NDJSON: the text of a file for `script:FILE`. */
  script: string;
  /** Secrets that were found in it, by the names of their variables, and how often each was replaced by `‹NAME›`. */
  replaced: { name: string; count: number }[];
}

/** Without the secrets of this environment, as far as they are known by their names; passwords in addresses are replaced too. */
export function exportOf(
  store: Pick<Store, "readJournal" | "sessions">,
  id: string,
  env: Readonly<Record<string, string | undefined>>,
): ExportedSession {
  const [journal, ...children] = treeUnder(store, id).map((one) => store.readJournal(one));
  if (journal === undefined) throw new Error(`there is no session ${id}`);
  // No tool registers secrets of its own yet.
  const { data, replaced } = redact(scriptOf(journal, children), secretsIn(env, []));
  return { script: data.map(jsonLine).join(""), replaced };
}

/**
 * The lines of a script that plays a session again: its prompts, the model's replies with the calls as they were asked for,
 * and the person's answers, each bound to its call. Made from the journal alone, so that a session that is driven
 * elsewhere can be exported too. What the calls returned is not in it: they are made again.
 */
export function scriptOf(journal: JournalReading, children: readonly JournalReading[] = []): JsonObject[] {
  const { after, rest } = summaryLines(journal);
  const turns = recordedTurns(journal).flatMap((turn) => turnLines(journal, turn, after));
  return [{ v: 1, kind: "holdfast-script" }, ...turns, ...rest(), ...helperLines(children)];
}

/**
 * Makes the lines of each session that calls of it drove: its tasks and its replies; the person's answers to its calls are matched by tools alone.
 */
const helperLines = (children: readonly JournalReading[]): JsonObject[] =>
  children.flatMap((journal) =>
    recordedTurns(journal).flatMap((turn): JsonObject[] => [
      { helper: turn.turn.text },
      ...turn.steps.flatMap((step) => [replyLine(journal, step), ...personLine(journal, step).map(byToolAlone)]),
      ...endLine(turn),
    ]),
  );

const byToolAlone = ({ person }: JsonObject): JsonObject => ({
  person: (person as JsonObject[]).map(({ match, ...answer }) => ({
    match: { toolName: (match as JsonObject)["toolName"] ?? "" },
    ...answer,
  })),
});

type After = (id: string | undefined) => JsonObject[];

/** The summaries of the talk, each behind the message after which it was made; those that were taken back too, for they are counted. */
function summaryLines(journal: JournalReading): { after: After; rest: () => JsonObject[] } {
  const left = journal.compactions().filter((cut) => cut.kind === "summary");
  const lineOf = ({ summary: text }: (typeof left)[number]): JsonObject => ({ compaction: { text } });
  return {
    after: (id) => {
      const count = left.findLastIndex(({ madeAfter }) => madeAfter === id) + 1;
      return left.splice(0, count).map(lineOf);
    },
    rest: () => left.map(lineOf),
  };
}

function turnLines(journal: JournalReading, turn: RecordedTurn, after: After): JsonObject[] {
  const answers = (step: RecordedStep) => personLine(journal, step);
  const command = personCallOf(turn.message);
  if (command === undefined) {
    const steps = turn.steps.flatMap((step, at) => [
      ...step.steers.flatMap(({ text, messageId, message }): JsonObject[] => [
        { ...saidAs("steer", text, message), ...picturesOf(journal, message) },
        ...after(messageId),
      ]),
      replyLine(journal, step),
      ...answers(step),
      ...step.calls.flatMap(({ callId }) => after(`o-${callId}`)),
      ...after(step.message.id),
      ...(at + 1 < turn.steps.length ? goneOnLine(journal, step) : []),
    ]);
    const unanswered = turn.unanswered.map(
      ({ text, message }): JsonObject => ({ ...saidAs("steer", text, message), ...picturesOf(journal, message) }),
    );
    const begun = { ...saidAs("prompt", turn.turn.text, turn.message), ...picturesOf(journal, turn.message) };
    return [begun, ...after(turn.turn.messageId), ...steps, ...unanswered, ...endLine(turn)];
  }
  // The person's own command is given again; the model has no part in it.
  const { calls = [] } = JSON.parse(command.rawArguments) as JsonObject;
  return [{ undo: calls }, ...turn.steps.flatMap(answers)];
}

/** Makes the field of a message as the person typed it; where servers gave something for that, the whole message beside it. */
const saidAs = (key: "prompt" | "steer", text: string, message: BaseMessage): JsonObject =>
  isServed(message) ? { [key]: typedOf(message, text), served: text } : { [key]: text };

/** Those that came with the person's words and are still kept, by their bytes; what calls have read they read again. */
function picturesOf(journal: JournalReading, message: BaseMessage): JsonObject {
  const images = imagesIn(message).flatMap(({ name, mediaType, sha }): JsonObject[] => {
    const bytes = sha === undefined ? undefined : journal.bytesOf(sha);
    return bytes === undefined ? [] : [{ name, mediaType, data: Buffer.from(bytes).toString("base64") }];
  });
  return images.length === 0 ? {} : { images };
}

/**
 * Makes a prompt of a hook's words where it had the model go on after its own: where it is played there may be no hook, and the turn ends with them.
 */
function goneOnLine(journal: JournalReading, { id, calls }: RecordedStep): JsonObject[] {
  const said = calls.length > 0 ? [] : stopsOf(journal, id).flatMap(hookWords.told);
  return said.length === 0 ? [] : [{ prompt: said.join("\n") }];
}

function replyLine(journal: JournalReading, { message, calls }: RecordedStep): JsonObject {
  // The message has the arguments as they were asked for; the call has those that the person made of them. A hook's are those that it was judged by.
  const asked = (message as AIMessage).tool_calls ?? [];
  const lines = calls.map(
    (call, i): JsonObject => ({
      name: call.toolName,
      arguments:
        call.rawArguments ??
        hookedArguments(journal, call.callId) ??
        (asked[i]?.args as JsonObject | undefined) ??
        call.arguments,
      ...(call.modelCallId === "" ? {} : { id: call.modelCallId }),
    }),
  );
  const cut = cutOf(message) === undefined ? {} : { finish: "length" };
  return { text: wordsOf(message), ...(lines.length > 0 ? { calls: lines } : {}), ...cut };
}

function personLine(journal: JournalReading, { calls }: RecordedStep): JsonObject[] {
  const person = calls.flatMap((call) => {
    const answers = journal.answersOf(call.callId);
    const edits = answers.flatMap((answer): JsonObject[] =>
      answer.arguments === undefined ? [] : [{ decision: "edit", arguments: answer.arguments }],
    );
    const match = { toolName: call.toolName, callId: call.callId };
    return [...edits, ...lastWord(call, answers)].map((answer): JsonObject => ({ match, ...answer }));
  });
  return person.length > 0 ? [{ person }] : [];
}

/**
 * Makes the outcome of a call an answer. An approval that a change of the file made void is none. A call that rules
 * or a mode allowed or denied is answered so too, for where it is played they may ask.
 */
function lastWord(call: ToolCallInfo, answers: readonly AnswerRow[]): JsonObject[] {
  const last = answers.findLast(({ decision }) => decision === "approve" || decision === "deny");
  const ran = call.times.started !== undefined && call.effect !== "none";
  const approved = ran || last?.decision === "approve";
  if (call.status === "awaiting_approval") return [];
  if (call.status !== "cancelled") return approved ? [{ decision: "approve" }] : [];
  if (call.ended.unknown === true || call.ended.why === "raced") return [{ decision: "approve" }];
  if (last?.decision === "deny") return [denial(last.reason)];
  return call.ended.why === "policy" ? [denial(`denied by policy: ${call.ended.note ?? ""}`)] : [];
}

const denial = (reason: string | undefined): JsonObject => ({
  decision: "deny",
  ...(reason === undefined ? {} : { reason }),
});

/** A turn that ended before the model had its last word must end there again, or the next turn's reply would be taken. */
function endLine({ turn, steps }: RecordedTurn): JsonObject[] {
  const last = steps.at(-1);
  if (last !== undefined && (last.calls.length === 0 || !last.calls.every(isFinal))) return [];
  const why = turn.reason === undefined ? "" : ` (${turn.reason.replaceAll("_", " ")})`;
  return [{ error: { status: 400, body: `the recorded turn ended here${why}` } }];
}
