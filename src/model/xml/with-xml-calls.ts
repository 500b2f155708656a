import { limits } from "../../core/limits.ts";
import type { ToolSchema } from "../../tools/use/schema.ts";
import { endedReply } from "../failures.ts";
import {
  type Model,
  type ModelEvent,
  ModelFailure,
  type ModelMessage,
  type ModelReply,
  type ModelRequest,
  type RawCall,
} from "../port.ts";
import { within } from "../reply-sizes.ts";
import { offerOf } from "../text-calls/offered-names.ts";
import { doubtfulIn, endsInCall } from "../text-calls/read-tail.ts";
import { GrowingArguments } from "./growing-arguments.ts";
import { historyInXml } from "./history.ts";
import { typedCall } from "./parse-calls.ts";
import type { WrittenCall } from "./read-call.ts";
import { CallReader, type XmlPiece } from "./read-calls.ts";

/**
 * The same model, which calls tools in the text of its replies. It is told how in the system message, its tools are not sent to
 * the server, and the history that it reads has calls and results as text. To whoever asks it, calls come as from any model.
 * A call that was cut off is a cut reply; a call that cannot be read carries its `problem`.
 */
export function withXmlCalls(model: Model): Model {
  const history = historyInXml();
  return {
    ...model,
    stream(request, signal) {
      const offered = request.toolChoice === "none" ? [] : request.tools;
      // a scripted model goes by the messages as they are, and brings calls of its own
      const messages =
        model.scripted === true ? request.messages : history(request.messages, request.tools, request.toolChoice);
      const plain: ModelRequest = {
        messages,
        tools: model.scripted === true ? request.tools : [],
        toolChoice: request.toolChoice,
      };
      const said = model.stream(plain, signal);
      return offered.length === 0 ? said : readXml(said, offered, request.messages);
    },
  };
}

async function* readXml(
  said: AsyncIterable<ModelEvent>,
  tools: readonly ToolSchema[],
  messages: readonly ModelMessage[],
): AsyncGenerator<ModelEvent> {
  const reply = new XmlReply(tools, messages);
  for await (const event of said) {
    if (event.type === "text") yield* reply.push(event.text);
    else if (event.type === "call") yield reply.native(event);
    else if (event.type === "done") {
      yield* ended(reply, event.reply);
      yield { type: "done", reply: reply.whole(event.reply) };
    } else yield event;
  }
}

/** The rest of it. @throws ModelFailure, with what the reply cost all the same. */
function* ended(reply: XmlReply, { usage }: ModelReply): Generator<ModelEvent> {
  try {
    yield* reply.end();
  } catch (error) {
    if (error instanceof ModelFailure) error.usage = usage;
    throw error;
  }
}

/** One reply: its text as it is shown, and its calls in the order in which they began. */
class XmlReply {
  readonly #tools: readonly ToolSchema[];
  readonly #messages: readonly ModelMessage[];
  readonly #reader = new CallReader();
  readonly #calls: (RawCall | undefined)[] = [];
  /** Ours by the server's, of calls that it sent in its own way after all. */
  readonly #natives = new Map<number, number>();
  #growing: GrowingArguments | undefined;
  #text = "";
  /** Blanks that are not shown before more text comes: around a call they are only layout. */
  #blanks = "";

  constructor(tools: readonly ToolSchema[], messages: readonly ModelMessage[]) {
    this.#tools = tools;
    this.#messages = messages;
  }

  *push(text: string): Generator<ModelEvent> {
    for (const piece of this.#reader.push(text)) yield* this.#take(piece);
  }

  *end(): Generator<ModelEvent> {
    for (const piece of this.#reader.end()) yield* this.#take(piece);
    if (this.#calls.length === 0) yield* this.#say(this.#takeBlanks());
  }

  native(event: Extract<ModelEvent, { type: "call" }>): ModelEvent {
    const index = this.#natives.get(event.index) ?? this.#begin();
    this.#natives.set(event.index, index);
    return { ...event, index };
  }

  whole(inner: ModelReply): ModelReply {
    for (const [index, own] of this.#natives) this.#calls[own] = inner.calls[index];
    const calls = this.#calls.filter((call) => call !== undefined);
    const finish = calls.length > 0 ? "tool_calls" : inner.finish;
    const isFenced = calls.length === 0 && this.#reader.fenced > 0;
    const isText = calls.length === 0 && !isFenced;
    return {
      ...inner,
      text: this.#text,
      calls,
      finish,
      ...(isFenced && { fenced: true }),
      ...(isText && this.#inOtherForm()),
    };
  }

  /** Finds the fault of calls in other forms. */
  #inOtherForm(): Pick<ModelReply, "unread" | "untaken"> {
    const offer = offerOf(this.#tools);
    if (endsInCall(this.#text, offer)) return { unread: other };
    const read = doubtfulIn(this.#text, { offer, messages: this.#messages });
    if (read.kind === "untaken") return { untaken: { wrong: read.wrong } };
    return read.kind === "calls" ? { untaken: other } : {};
  }

  #begin(): number {
    within(limits.replyCalls, this.#calls.length + 1);
    return this.#calls.push(undefined) - 1;
  }

  *#take(piece: XmlPiece): Generator<ModelEvent> {
    if (piece.type === "text") {
      const shown = piece.text.trimEnd();
      if (shown !== "") yield* this.#say(this.#takeBlanks() + shown);
      this.#blanks += piece.text.slice(shown.length);
    } else if (piece.type === "call") yield* this.#finish(piece.call);
    else {
      if (piece.type === "name") {
        within(limits.callName, piece.name.length);
        const tool = this.#tools.find(({ name }) => name === piece.name);
        this.#growing = new GrowingArguments(this.#begin(), piece.name, tool);
      }
      if (this.#growing !== undefined) yield this.#growing.take(piece);
    }
  }

  #takeBlanks(): string {
    const blanks = this.#blanks;
    this.#blanks = "";
    return blanks;
  }

  *#say(text: string): Generator<ModelEvent> {
    this.#text += text;
    if (text !== "") yield { type: "text", text };
  }

  *#finish(written: WrittenCall): Generator<ModelEvent> {
    if (written.fault?.kind === "INCOMPLETE") throw endedReply(`The reply was cut off: ${written.fault.message}`);
    const growing = this.#growing ?? new GrowingArguments(this.#begin(), unnamed, undefined);
    this.#growing = undefined;
    const { params, errors } = typedCall(written, this.#tools);
    const rawArguments = JSON.stringify(params);
    within(limits.callArguments, Buffer.byteLength(rawArguments));
    const wrong = errors.find(({ kind }) => ownKinds.has(kind));
    this.#calls[growing.index] = {
      id: "",
      name: written.name === "" ? unnamed : written.name,
      rawArguments,
      ...(wrong === undefined ? {} : { problem: wrong.message }),
    };
    yield growing.end();
  }
}

const other = { wrong: "it is not in the form that the instructions show" };

const unnamed = "unknown_tool";

/** The faults that the arguments as JSON do not show any more; the rest is found, and told, as of any call. */
const ownKinds: ReadonlySet<string> = new Set(["PARSE", "TYPE", "DUPLICATE"]);
