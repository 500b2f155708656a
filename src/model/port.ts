import type { JsonObject } from "../core/json.ts";
import type { ImageRef } from "../core/tool.ts";
import type { ToolSchema } from "../tools/use/schema.ts";
import type { SentBack } from "./servers.ts";

/** Money for a million tokens, in any one currency. */
export interface Price {
  input: number;
  output: number;
  /** Of input that the server had in its cache; where it is absent, that of input. */
  cachedInput?: number | undefined;
}

export const toolChoices = ["auto", "none", "required"] as const;
export type ToolChoice = (typeof toolChoices)[number];

/** The ways in which a model calls tools: the protocol's own, or XML in its text. */
export const toolFormats = ["native", "xml"] as const;
export type ToolFormat = (typeof toolFormats)[number];

/**
 * A message of the rendered history, as much of it as a model reads. Each is an instance of @langchain/core's `SystemMessage`,
 * `HumanMessage`, `AIMessage` or `ToolMessage`; whoever does not use that package reads it by these fields.
 */
export interface ModelMessage {
  readonly id?: string | undefined;
  /** `system`, `human`, `ai` or `tool`. */
  getType(): string;
  /** Text, or blocks of it as LangChain has them. */
  readonly content: string | readonly object[];
  readonly additional_kwargs: Readonly<Record<string, unknown>>;
  /** Of an `ai` message: what it called. */
  readonly tool_calls?: readonly { readonly id?: string; readonly name: string; readonly args: object }[] | undefined;
  /** Of a `tool` message: the call that it is the result of. */
  readonly tool_call_id?: string | undefined;
}

export interface ModelRequest {
  /** Rendered history: system first, each assistant call followed by its one tool message. */
  messages: ModelMessage[];
  tools: ToolSchema[];
  toolChoice: ToolChoice;
  /** Tokens of the reply, at most; without it what the settings say of the model. */
  maxTokens?: number;
}

/** The beginning of the one message of a request for a name of the session: it has no tools, and is no part of the talk. */
export const titleMark = "[title]";

export function isTitleRequest({ messages, tools }: ModelRequest): boolean {
  const last = messages.at(-1);
  const isAsked = last?.getType() === "human" && typeof last.content === "string" && last.content.startsWith(titleMark);
  return isAsked && tools.length === 0;
}

/**
 * The beginning of the last message of a request for a summary of the talk so far. The request has no tools, and its answer is no part of the talk.
 */
export const compactionMark = "[compaction]";

/** Key in `additional_kwargs` of that message: which summary of the session it is, from 1. */
export const compactionNumber = "compaction_number";

/** The number of the summary that is asked for; undefined where the request is for something else. */
export function compactionAsked({ messages, tools }: ModelRequest): number | undefined {
  const last = messages.at(-1);
  const isAsked =
    last?.getType() === "human" && typeof last.content === "string" && last.content.startsWith(compactionMark);
  const number = last?.additional_kwargs[compactionNumber];
  return isAsked && tools.length === 0 && typeof number === "number" ? number : undefined;
}

/** Key in `additional_kwargs` of the message in which a summary stands: how many replies of the model it stands for. */
export const foldMark = "folded_replies";

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Of the input, what the server had in its cache, where it says so. */
  cachedTokens?: number;
}

/**
 * Key in `additional_kwargs` of messages that the model had no part in: the person's command, and the calls that were made from it, or
 * from a message that brings some.
 */
export const commandMark = "person_call";

/** Key in `additional_kwargs` of a message that the agent wrote into what the model reads: nobody said it. */
export const noticeMark = "agent_notice";

/** Key in `additional_kwargs` of a message of the person that stands for what they typed. */
export const typedKey = "holdfast_typed";

/** Key in `additional_kwargs` of a message of the person in which servers' words stand below what they typed. */
export const servedKey = "holdfast_served";

/** Key in `additional_kwargs` of the message that is a helper's task: it has the place of the person's, and they did not say it. */
export const taskMark = "helper_task";

/** Key in `additional_kwargs` of an assistant message whose calls were read out of its text: whose form they had. */
export const textCallsMark = "text_calls";

/** One call as the model wrote it. `rawArguments` is the unparsed text; whoever routes it parses it strictly. */
export interface RawCall {
  /** The model's id; may be empty or used before. */
  id: string;
  name: string;
  rawArguments: string;
  /** The fault in the way it was written, where the arguments cannot show it; such a call is not run. */
  problem?: string;
}

export interface ModelReply {
  text: string;
  calls: RawCall[];
  usage?: Usage;
  /** It has no call, but for one that is only shown (in code, a quote, a list, a comment), which is text. */
  fenced?: true;
  /** A call of an offered tool is plain to see at its end, in a form that answers have, too; it is text. `wrong` says why, for the model. */
  untaken?: { wrong: string };
  /** Its calls were read out of its text: whose form they had. To be kept with the message under `textCallsMark`. */
  textCalls?: string;
  /**
   * A call that could not be read ends it, in its text or as what a server said instead: nothing was run. `wrong` says why, for the model.
   */
  unread?: { wrong: string };
  /** The data that the server needs back with this message, to be kept with it under `sentBackKey`. */
  sentBack?: SentBack;
  /** As the server said it, e.g. "stop", "tool_calls". */
  finish: string;
}

/**
 * An event that comes while the model speaks. `done` is last and comes only when the stream ended whole: a finish reason of
 * `stop` or `tool_calls` was seen. Anything else throws ModelFailure; nothing of a cut stream may be routed.
 */
export type ModelEvent =
  | { type: "text"; text: string }
  /** Text of a reasoning model's own thoughts; shown, and kept only where its server needs it back. */
  | { type: "thought"; text: string }
  /** `index` tells calls of one message apart; `id` and `name` come with the first piece. */
  | { type: "call"; index: number; id?: string; name?: string; argumentsDelta: string }
  /** A retry is about to be made; nothing had been shown. `waitMs` until then. */
  | { type: "retry"; attempt: number; waitMs: number; why: string }
  /** A fact that the person is to know of the model, in a sentence. */
  | { type: "notice"; code: string; text: string }
  | { type: "done"; reply: ModelReply };

export type ModelFailureKind =
  /** 401, 403, no key. */
  | "credentials"
  /** The history does not fit the model's window. */
  | "context_full"
  /** 429 or 5xx or a lost connection, retries used up. */
  | "unavailable"
  /** The stream ended without a finish reason, by length, or mid arguments. */
  | "cut"
  /** Anything else the server refused (400, 404: no such model). */
  | "refused"
  /** A scripted model has no line left, or its file is malformed. */
  | "script";

/** Stops the turn; `message` says what happened, `hint` what to do. The conversation so far is kept. */
export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly kind: ModelFailureKind;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  /** Of a cut reply: the server said that it ends there. */
  readonly told: boolean;
  /** Of a cut reply: what it cost, where the server said it. */
  usage: Usage | undefined;
  constructor(
    kind: ModelFailureKind,
    message: string,
    more: { hint?: string; status?: number; cause?: unknown; told?: boolean } = {},
  ) {
    super(message, { cause: more.cause });
    this.kind = kind;
    this.hint = more.hint;
    this.status = more.status;
    this.told = more.told ?? false;
  }
}

/** The answer that the person would give, as a scripted model says, for runs without a terminal. */
export interface ScriptedAnswer {
  decision: "approve" | "deny" | "edit";
  reason?: string;
  arguments?: JsonObject;
}

/** The beginning of a turn in a script: the person's words, or calls whose changes they take back. */
export type ScriptedTurn = (ScriptedWords & { steers?: ScriptedWords[] }) | { undo: string[] };

/** With the pictures that come with them, by their bytes. */
export interface ScriptedWords {
  text: string;
  images?: ImageRef[];
  /** The whole message that they stand for, with what servers gave for it. */
  served?: string;
}

/** The one way to a language model. One instance serves one session; requests come one at a time. */
export interface Model {
  /** The spec it was made from, e.g. "openai:gpt-5", "groq:llama-3.3", "demo", "script:tour.ndjson". */
  readonly spec: string;
  /** Tokens, where known. */
  readonly contextWindow?: number;
  /** Nobody said `contextWindow`: it may be larger, and only the server can tell what is too long. */
  readonly windowAssumed?: boolean;
  /** Its price, where the person's settings have one. */
  readonly price?: Price;
  /** True if it sees images, where the person's settings say so. */
  readonly vision?: boolean;
  /** True for models that play a script and say so. */
  readonly scripted?: boolean;
  /** Aborting `signal` ends the stream at once; the iteration then throws the signal's reason. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Scripted models only: the next answer of the person to this call of this tool, used up by asking. */
  answerFor?(toolName: string, callId?: string): ScriptedAnswer | undefined;
  /** Scripted models only: how many answers of the person it brings. */
  readonly answers?: number;
  /** Scripted models only: how many summaries of the talk it brings. */
  readonly summaries?: number;
  /** Finds out `contextWindow` where it is not known yet. */
  findWindow?(signal: AbortSignal): Promise<number | undefined>;
  /** Scripted models only: what the person says where nobody else says anything. */
  readonly turns?: readonly ScriptedTurn[];
}
