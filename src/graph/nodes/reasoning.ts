import { AIMessage, type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import type { ToolCallInfo } from "../../core/call.ts";
import type { ErrorCode } from "../../core/codes.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { isSameStep, type StepId } from "../../core/step-id.ts";
import { toPlainJson } from "../../core/strict-json.ts";
import { effectOf, type Tool } from "../../core/tool.ts";
import { showsNothing } from "../../core/unseen.ts";
import { costOf } from "../../model/model-entries.ts";
import { commandMark, type ModelFailure, type ModelReply, type RawCall, textCallsMark } from "../../model/port.ts";
import { sentBackKey } from "../../model/servers.ts";
import { SessionBusy, StoreFailure } from "../../store/types.ts";
import { parseArguments } from "../../tools/use/arguments.ts";
import { whyNotAt } from "../../tools/use/url-patterns.ts";
import { turnNotices } from "../../words/contract/turn-notices.ts";
import { byPerson } from "../calls/ended-with.ts";
import { settleOpen } from "../calls/settle-open.ts";
import { notFoundYet, unknownToolText } from "../calls/unknown-tool.ts";
import { markedOutput } from "../output.ts";
import { type Runtime, TurnLeft, toolContext } from "../runtime.ts";
import { type AgentStateUpdate, type AgentStateValue, stepIdOf } from "../state.ts";
import { askedCallsKey, askedCallsOf } from "../talk/asked-calls.ts";
import { dueChecks, markChecks } from "../talk/checks.ts";
import { markCut, markStopped, nothingCame } from "../talk/cut-reply.ts";
import { markFollowUp } from "../talk/follow-up.ts";
import { GrowingCalls } from "../talk/growing-calls.ts";
import { type Heard, listen } from "../talk/listen.ts";
import { textOf, titleOf } from "../talk/message-text.ts";
import { noteUsage } from "../talk/message-usage.ts";
import { storedWords } from "../talk/no-words.ts";
import { isDescribed, markOffer, offered, offeredSchemas, tellOffer } from "../talk/offered-tools.ts";
import { personCallOf } from "../talk/person-call.ts";
import { promptNow } from "../talk/prompt/planning.ts";
import { replyId } from "../talk/reply-id.ts";
import { withRoom } from "../talk/room/make-room.ts";
import { typedKeys } from "../talk/typed-text.ts";
import { isOverOwnCost, type LimitReached } from "../tree-limits.ts";
import { endLeftTurn } from "../turn-end.ts";
import { afterAskedOn, afterWords, askedOnFor, choiceNow, tellAskedOn } from "./last-words.ts";
import { split } from "./step-calls.ts";

// Keeps graph 6.
/**
 * Asks the model and commits its whole message with its calls in one transaction, before anyone is told. Run again after
 * a death it finds the message and does not ask again. The person's own command is a message without words, and not the
 * model's. How a run before it ended counts no more: one that goes on comes here, and none that has ended.
 */
export async function reason(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const begun = await beginTurn(runtime, state);
  return { changes: {}, ending: null, ...begun, ...(await takeStep(runtime, { ...state, ...begun })) };
}

async function takeStep(runtime: Runtime, state: AgentStateValue): Promise<AgentStateUpdate> {
  const stepId = stepIdOf(state);
  const found = runtime.journal.findReply(stepId);
  if (found !== undefined)
    return {
      messages: [...toldAt(runtime, state), found.message],
      ...split(found.calls),
      ...(await afterWords(runtime, state, found.message as AIMessage)),
    };

  if (runtime.ending !== null) return { ending: runtime.ending, pendingToolCalls: [], completedToolCalls: [] };

  const person = personsCalls(runtime, state.messages.at(-1));
  const { limits } = runtime;
  const instead = (why: LimitReached | "stopped"): ReplyUpdate => {
    if (why === "stopped" && runtime.leaving) throw new TurnLeft();
    return { ending: why === "stopped" ? "cancelled" : why, pendingToolCalls: [], completedToolCalls: [] };
  };
  if (person === undefined && isOverOwnCost(runtime)) return instead("max_cost");
  const take = async (): Promise<ReplyUpdate> => {
    const told = person === undefined ? await tellSteers(runtime, state) : [];
    const update = await takeReply(runtime, { ...state, messages: [...state.messages, ...told] }, person);
    return { ...update, messages: [...told, ...(update.messages ?? [])] };
  };
  return limits === undefined || person !== undefined ? take() : limits.takeStep(runtime, take, instead);
}

/**
 * Marks the person's steering messages, and jobs that have ended, as sent with this step's request, and returns them: once, however often the
 * node is run.
 */
async function tellSteers(runtime: Runtime, state: AgentStateValue): Promise<BaseMessage[]> {
  const { journal } = runtime;
  if ([...journal.steers(), ...journal.jobEnds()].some(({ step }) => step === undefined))
    for (const { messageId: id, text } of await journal.tellSteers(stepIdOf(state)))
      runtime.emit({ type: "user_message", id, text, steer: true });
  return toldAt(runtime, state);
}

function toldAt({ journal }: Runtime, state: AgentStateValue): BaseMessage[] {
  const now = journal.steers().filter(({ step }) => step !== undefined && isSameStep(step, state));
  if (now.length === 0) return [];
  const known = new Set(state.messages.map(({ id }) => id));
  return now.filter(({ messageId }) => !known.has(messageId)).map(({ message }) => message);
}

type ReplyUpdate = Omit<AgentStateUpdate, "messages"> & { messages?: BaseMessage[] };

/** Calls of which the model is not asked. */
interface PersonsCalls {
  calls: RawCall[];
  /** The message is that call, and no words for the model; else it begins with these, which are of the tools that the model has. */
  isCommand: boolean;
}

/** Of what the message carries that counts which was stored with it: what comes with a graph's input alone makes no calls. */
function personsCalls({ journal }: Runtime, message: BaseMessage | undefined): PersonsCalls | undefined {
  if (callsIn(message) === undefined) return undefined;
  const turn = journal.turns().findLast(({ messageId }) => messageId === message?.id)?.turn;
  return turn === undefined ? undefined : callsIn(journal.turnMessage(turn));
}

function callsIn(message: BaseMessage | undefined): PersonsCalls | undefined {
  const command = personCallOf(message);
  if (command !== undefined) return { calls: [command], isCommand: true };
  const calls = askedCallsOf(message);
  return calls.length === 0 ? undefined : { calls, isCommand: false };
}

async function takeReply(
  runtime: Runtime,
  state: AgentStateValue,
  person: PersonsCalls | undefined,
): Promise<ReplyUpdate> {
  const stepId = stepIdOf(state);
  const messageId = replyId(stepId);
  const firstCall = runtime.journal.callCount() + 1;
  const heard: Heard =
    person === undefined
      ? await askModel(runtime, state, messageId, firstCall)
      : { reply: { text: "", calls: person.calls, finish: "command" }, text: "" };
  if (heard.isOverspent) return { ending: "max_cost", pendingToolCalls: [], completedToolCalls: [] };
  if (heard.reply === undefined && runtime.leaving) throw new TurnLeft();
  if (heard.cut !== undefined) return cutOff(runtime, state, heard.text, heard.cut);
  if (heard.reply === undefined) return stopped(runtime, state, heard.text);

  const known = person?.isCommand === true ? runtime.catalogue.all() : offered(runtime, state.turn).filter(isDescribed);
  const change = person === undefined ? runtime.catalogue.offerChange() : undefined;
  const isLast = heard.reply.calls.length === 0;
  const asked = isLast ? askedOnFor(runtime, stepId, heard.reply, heard.thought === true) : undefined;
  const checks = isLast && asked === undefined ? dueChecks(runtime, stepId) : [];
  const calls = await Promise.all(
    [...heard.reply.calls, ...checks].map((raw, index) =>
      proposed(runtime, raw, `c${firstCall + index}`, stepId, known),
    ),
  );
  const message = messageOf(messageId, heard.reply, calls, {
    ...(person === undefined ? {} : { [commandMark]: true }),
    ...(checks.length === 0 ? {} : markChecks()),
    ...markFollowUp(asked),
    ...markOffer(change),
  });
  await commit(runtime, state, message, calls, heard.reply);
  tellOffer(runtime, change);
  tellAskedOn(runtime, asked, heard.reply);
  return { messages: [message], ...split(calls), ...(await afterWords(runtime, state, message)) };
}

/** The reply as it is stored: it is not empty, and a call goes by our id, under a name that every server takes back. */
function messageOf(
  id: string,
  { text, sentBack, usage, textCalls }: ModelReply,
  calls: readonly ToolCallInfo[],
  marks: Record<string, unknown>,
): AIMessage {
  const words = storedWords(text, calls.length > 0);
  const message = new AIMessage({
    id,
    content: words.content,
    tool_calls: calls.map((call) => ({
      type: "tool_call" as const,
      id: call.callId,
      name: sendableName(call.toolName),
      args: call.arguments,
    })),
    additional_kwargs: {
      ...marks,
      ...words.marks,
      ...(textCalls === undefined ? {} : { [textCallsMark]: textCalls }),
      ...(sentBack === undefined ? {} : { [sentBackKey]: sentBack }),
    },
  });
  if (usage !== undefined) noteUsage(message, usage);
  return message;
}

/** A name of the form that every server takes back; the model still knows it for its own. */
function sendableName(name: string): string {
  const sendable = name.replace(/[^\w-]+/g, "_").slice(0, 64);
  return /[a-z0-9]/i.test(sendable) ? sendable : "unknown_tool";
}

async function askModel(
  runtime: Runtime,
  state: AgentStateValue,
  messageId: string,
  firstCall: number,
): Promise<Heard> {
  await Promise.all([runtime.catalogue.refresh(), runtime.page?.look()]);
  const ctx = toolContext(runtime, { callId: "", stepId: stepIdOf(state) });
  const [system, tools] = await Promise.all([
    promptNow(runtime),
    offeredSchemas(runtime, offered(runtime, state.turn), ctx),
  ]);
  const known = offered(runtime, state.turn).filter(isDescribed);
  const growing = new GrowingCalls(runtime, {
    firstCall,
    toolNamed: (name) => known.find((tool) => tool.name === name),
    contextOf: (callId) => toolContext(runtime, { callId, stepId: stepIdOf(state) }),
  });
  return withRoom(runtime, state, { system, tools }, async (talk) => {
    // a summary may have taken what was left
    if (runtime.limits?.isOverspent(runtime.model) === true || isOverOwnCost(runtime))
      return { text: "", isOverspent: true };
    const messages = [new SystemMessage(system), ...talk];
    return listen(runtime, { messages, tools, toolChoice: choiceNow(runtime, state.turn) }, messageId, growing);
  });
}

async function commit(
  runtime: Runtime,
  state: AgentStateValue,
  message: AIMessage,
  calls: ToolCallInfo[],
  reply: Pick<ModelReply, "text" | "usage">,
): Promise<void> {
  const { spec, price } = runtime.model;
  const cost = reply.usage === undefined || price === undefined ? undefined : costOf(reply.usage, price);
  await runtime.journal.commitReply({
    stepId: stepIdOf(state),
    after: state.messages.at(-1),
    message,
    calls,
    ...(message.additional_kwargs[commandMark] === undefined
      ? { usage: { inputTokens: 0, outputTokens: 0, ...reply.usage, cost, model: spec } }
      : {}),
  });
  if (cost !== undefined) runtime.limits?.noteCost(runtime, cost);
  const id = message.id ?? "";
  const text = showsNothing(reply.text) ? "" : reply.text;
  runtime.emit({ type: "assistant_message", id, text, calls: calls.map((call) => call.callId) });
  for (const call of calls) runtime.emit({ type: "tool_call", call });
  if (reply.usage === undefined) return;
  const { inputTokens, outputTokens, cachedTokens } = reply.usage;
  const window = runtime.model.contextWindow;
  runtime.emit({
    type: "usage",
    inputTokens,
    ...(cachedTokens === undefined ? {} : { cachedTokens }),
    outputTokens,
    ...(cost === undefined ? {} : { cost }),
    contextUsed: inputTokens + outputTokens,
    ...(window === undefined ? {} : { contextWindow: window }),
  });
}

/** The person stopped the model: what was said and seen is kept, calls half written are not. */
async function stopped(runtime: Runtime, state: AgentStateValue, text: string): Promise<ReplyUpdate> {
  if (showsNothing(text)) return { ending: "cancelled", pendingToolCalls: [], completedToolCalls: [] };
  const message = new AIMessage({
    id: replyId(stepIdOf(state)),
    content: `${text}\n(stopped by the person)`,
    additional_kwargs: markStopped(),
  });
  // Who looks on is told by the turn's end that it was stopped; the model by the message.
  await commit(runtime, state, message, [], { text });
  return { messages: [message], ending: "cancelled", pendingToolCalls: [], completedToolCalls: [] };
}

/** Keeps the text of a cut reply, marked as cut; calls half written are not kept. */
async function cutOff(runtime: Runtime, state: AgentStateValue, text: string, cut: ModelFailure): Promise<ReplyUpdate> {
  const words = storedWords(text, false, nothingCame);
  const message = new AIMessage({
    id: replyId(stepIdOf(state)),
    content: words.content,
    additional_kwargs: { ...markCut(cut.message), ...words.marks },
  });
  const { usage } = cut;
  if (usage !== undefined) noteUsage(message, usage);
  await commit(runtime, state, message, [], { text, ...(usage === undefined ? {} : { usage }) });
  const after = afterAskedOn(runtime, state, message);
  if (after.ending === undefined)
    runtime.emit({ type: "notice", code: "reply_cut", text: turnNotices.replyCut({ why: cut.message }) });
  return { messages: [message], pendingToolCalls: [], completedToolCalls: [], ...after };
}

/**
 * One call as the model wrote it, parsed strictly: `pending`, or `error` where it can never run. Only the tools that are
 * `known` to who wrote it count.
 */
async function proposed(
  runtime: Runtime,
  raw: RawCall,
  callId: string,
  stepId: StepId,
  known: readonly Tool[],
): Promise<ToolCallInfo> {
  const tool = known.find((one) => one.name === raw.name);
  const at = runtime.clock();
  const base = {
    callId,
    modelCallId: raw.id,
    toolName: raw.name,
    arguments: lenient(raw.rawArguments),
    risk: tool?.risk ?? ("medium" as const),
    effect: tool === undefined ? ("none" as const) : effectOf(tool),
    attempt: 1,
    times: { proposed: at },
  };
  const wrong = (errorCode: ErrorCode, errorMsg: string) =>
    ({ ...base, status: "error", errorCode, errorMsg, times: { proposed: at, settled: at } }) as const;
  if (raw.problem !== undefined)
    return { ...wrong("INVALID_ARGUMENT", `${raw.name}: ${raw.problem}`), rawArguments: raw.rawArguments };
  if (tool === undefined) return wrong("UNKNOWN_TOOL", whyUnknown(runtime, raw.name, known));
  const parsed = await parseArguments(tool, raw.rawArguments, toolContext(runtime, { callId, stepId })).catch(thrown);
  if (parsed.ok) {
    runtime.parsed.set(callId, { ...parsed, tool });
    return { ...base, status: "pending", arguments: parsed.canonical };
  }
  return { ...wrong(parsed.code, parsed.message + writtenText(raw.rawArguments)), rawArguments: raw.rawArguments };
}

function whyUnknown({ catalogue, page, agent }: Runtime, name: string, known: readonly Tool[]): string {
  const elsewhere = catalogue.get(name);
  const notHere = elsewhere && whyNotAt(elsewhere, page?.url);
  if (notHere !== undefined) return notHere;
  return elsewhere?.searchable === true ? notFoundYet(name) : unknownToolText(name, known, agent);
}

/** Makes a failure of an error that a tool's own functions throw: it is a defect of the tool, which ends its call and not the turn. */
function thrown(error: unknown) {
  if (error instanceof StoreFailure || error instanceof SessionBusy) throw error;
  const message = `the tool failed: ${error instanceof Error ? error.message : String(error)}`;
  return { ok: false, code: "FAILED", message } as const;
}

const mostWritten = 300;

/** Returns the text that the model wrote where that was no object: nobody sees it else, for `{}` stands in its place. */
function writtenText(raw: string): string {
  if (raw.trim() === "" || Object.keys(lenient(raw)).length > 0 || /^\s*{\s*}\s*$/.test(raw)) return "";
  const [head, tail] =
    raw.length <= mostWritten
      ? [raw, ""]
      : [raw.slice(0, mostWritten), ` and ${raw.length - mostWritten} characters more`];
  return `; it was written ${JSON.stringify(head)}${tail}`;
}

/** For the record of a call that will not run: the arguments where they are an object at all, and none too deep to be kept. */
function lenient(text: string): JsonObject {
  try {
    const read = toPlainJson(JSON.parse(text));
    return read.ok && isJsonObject(read.value) ? read.value : {};
  } catch {
    return {};
  }
}

type Begun = Partial<Pick<AgentStateValue, "turn" | "step" | "ending">>;

/**
 * The turn that the person's last message begins. One that the session has acknowledged is in the journal; one that came
 * with the graph's input alone is written there first. @returns nothing where the turn is under way already.
 */
async function beginTurn(runtime: Runtime, state: AgentStateValue): Promise<Begun> {
  const message = state.messages.at(-1);
  if (message?.getType() !== "human") return {};
  const known = runtime.journal.turns().findLast((turn) => turn.messageId === message.id);
  const turn = known?.turn ?? (await addTurn(runtime, asStored(message, runtime.outputSchema)));
  return turn === state.turn ? {} : { turn, step: 1, ending: null };
}

/** A message that came with the graph's input alone, as it is stored. */
function asStored(message: BaseMessage, schema: JsonObject | undefined): BaseMessage {
  const { id, name, content } = message;
  const marked = markedOutput(message.additional_kwargs, schema);
  const ours = [commandMark, askedCallsKey, ...typedKeys];
  if (marked === message.additional_kwargs && !ours.some((key) => Object.hasOwn(marked, key))) return message;
  const additional_kwargs = Object.fromEntries(Object.entries(marked).filter(([key]) => !ours.includes(key)));
  return new HumanMessage({ content, additional_kwargs, ...(id && { id }), ...(name && { name }) });
}

const openSteps = ({ journal }: Runtime): StepId[] => {
  const open = new Set(journal.openCalls().map(({ callId }) => callId));
  if (open.size === 0) return [];
  const isOpen = (id: StepId) => journal.callsOf(id).some(({ callId }) => open.has(callId));
  return journal.steps().flatMap(({ id, calls }) => (calls > 0 && isOpen(id) ? [id] : []));
};

/** Adds a turn; all that an older turn left open is settled, as when a session gets a new message instead of an answer. */
async function addTurn(runtime: Runtime, message: BaseMessage): Promise<number> {
  const { journal } = runtime;
  const older = journal.turns().filter((turn) => turn.state === "running");
  const text = textOf(message);
  const { turn } = await journal.addTurn({ text, message, queued: false, title: titleOf(text) });
  await journal.setState("running");
  // A checkpoint that was saved less often than the journal may be steps behind it.
  for (const stepId of openSteps(runtime)) await settleOpen(runtime, stepId, byPerson("superseded"));
  for (const left of older) await endLeftTurn(runtime, left, byPerson("superseded"));
  return turn;
}
