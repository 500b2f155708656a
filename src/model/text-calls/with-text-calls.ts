import { limits } from "../../core/limits.ts";
import {
  commandMark,
  type Model,
  type ModelEvent,
  type ModelMessage,
  type ModelReply,
  type ModelRequest,
  textCallsMark,
} from "../port.ts";
import { within } from "../reply-sizes.ts";
import type { Server } from "../servers.ts";
import { DoubtfulStart } from "./doubtful-start.ts";
import { namesTool, type Offer, offerOf } from "./offered-names.ts";
import { inPairs, isInPairs } from "./pairs.ts";
import { type Doubtful, readDoubtful, showsDoubtful } from "./read-doubtful.ts";
import { isFencedCall, readTail } from "./read-tail.ts";
import { type Parted, TextAndTail } from "./text-and-tail.ts";
import { quoteIn } from "./was-read.ts";
import type { WrittenCall } from "./written.ts";

// Keeps model 2.
/**
 * The same model, whose server does not read the calls that it writes as text. Where nothing else can be meant, they come as calls; where
 * something can, the reply says so (`unread`, `fenced`), and nothing is run.
 * @param server nothing is taken where it reads its models' calls.
 */
export function withTextCalls(model: Model, { readsCalls }: Pick<Server, "readsCalls"> = { readsCalls: false }): Model {
  /** It has itself called tools in the protocol's way: what it writes as text is text. */
  let isNative = false;
  let isTold = false;

  return {
    ...model,
    stream(request, signal) {
      const tools = request.toolChoice === "none" ? [] : request.tools;
      return tools.length === 0 ? model.stream(request, signal) : reading(request, signal);
    },
  };

  async function* reading(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const reply = new TextReply(request, { isNative, readsCalls });
    try {
      for await (const event of model.stream(request, signal)) {
        if (event.type === "text") yield* reply.push(event.text);
        else if (event.type === "done") {
          isNative ||= event.reply.calls.length > 0;
          const { before, whole } = reply.whole(event.reply);
          yield* before;
          if (whole.textCalls !== undefined && !isTold) yield taken(model.spec, whole.textCalls);
          isTold ||= whole.textCalls !== undefined;
          yield { type: "done", reply: whole };
        } else yield event;
      }
    } catch (error) {
      yield* reply.held();
      throw error;
    }
  }
}

/** A message with calls that did not come as text. The person's own commands are nobody's way of calling. */
const calledNatively = ({ tool_calls: calls = [], additional_kwargs: marks }: ModelMessage): boolean =>
  calls.length > 0 && marks[textCallsMark] === undefined && marks[commandMark] === undefined;

const unclosed = "what begins like a call stands before it and has no end, so that it may be a value of that one";
const callsNatively = "you call tools by function calling, and this is text";

const taken = (spec: string, form: string): ModelEvent => ({
  type: "notice",
  code: "text_calls",
  text: `${spec} writes its calls as text (the form of ${form}), which its server does not read; they are taken for calls. If this goes wrong: --tool-format xml, or "models": {"${spec}": {"toolFormat": "xml"}} in config.json`,
});

/** One reply: its text as it is shown, and what its tail is. */
class TextReply {
  readonly #request: ModelRequest;
  readonly #offer: Offer;
  /** This model, or one before it in the talk, has called tools in the protocol's way, or its server has only that. */
  readonly #hasNative: boolean;
  /** Undefined for a model that calls in the protocol's way: what it writes in such a form is its answer. */
  readonly #doubtful: DoubtfulStart | undefined;
  readonly #parts: TextAndTail;
  #ended: Parted | undefined;
  #said = "";

  constructor(request: ModelRequest, { isNative, readsCalls }: { isNative: boolean; readsCalls: boolean }) {
    this.#request = request;
    this.#hasNative = isNative || readsCalls || request.messages.some(calledNatively);
    this.#offer = offerOf(request.tools);
    this.#doubtful = isNative ? undefined : new DoubtfulStart(this.#offer);
    this.#parts = new TextAndTail(this.#doubtful);
  }

  *push(text: string): Generator<ModelEvent> {
    yield* this.#say(this.#parts.push(text));
  }

  /** Yields the part that is not shown yet, as text. */
  *held(): Generator<ModelEvent> {
    if (this.#ended !== undefined) return;
    this.#ended = this.#parts.end();
    yield* this.#say(textIn(this.#ended));
  }

  whole(inner: ModelReply): { before: ModelEvent[]; whole: ModelReply } {
    this.#ended = this.#parts.end();
    const { said, doubtful, tail } = this.#ended;
    const all = textIn(this.#ended);
    const asText = (more: Partial<ModelReply> = {}) => ({
      before: [...this.#say(all)],
      whole: { ...inner, ...more },
    });
    if (inner.calls.length > 0) return asText();
    const read = tail === "" ? ({ kind: "text" } as const) : readTail(tail, this.#offer);
    if (read.kind === "calls") {
      within(limits.replyCalls, read.calls.length);
      const against = this.#against(read.calls);
      if (against !== undefined) return asText({ unread: { wrong: against } });
      return this.#called(inner, read, said + doubtful);
    }
    const other = this.#readDoubtful(this.#said + all);
    if (other.kind === "calls" && !this.#hasNative) return this.#called(inner, other, said);
    if (inner.unread !== undefined) return asText();
    if (read.kind === "unread") return asText({ unread: { wrong: read.wrong } });
    if (!this.#hasNative && (read.kind === "shown" || this.#isShown(inner.text))) return asText({ fenced: true });
    return asText(this.#untaken(other, inner.text));
  }

  #untaken(read: Doubtful, text: string): Pick<ModelReply, "untaken"> {
    const isPairs = this.#doubtful !== undefined && isInPairs(text, this.#offer);
    if (this.#hasNative) return read.kind === "calls" || isPairs ? { untaken: { wrong: callsNatively } } : {};
    if (isPairs) return { untaken: { wrong: inPairs } };
    return read.kind === "untaken" ? { untaken: { wrong: read.wrong } } : {};
  }

  #readDoubtful(all: string): Doubtful {
    const { found, from } = this.#doubtful ?? {};
    if (found === undefined) return { kind: "text" };
    const before = { lead: all.slice(0, found), messages: this.#request.messages };
    const read = readDoubtful(all.slice(found), before, this.#offer);
    if (read.kind === "calls" && from !== found) return { kind: "untaken", wrong: "it does not end where it should" };
    return read;
  }

  /** Returns the reason that calls that can be read are none all the same. */
  #against(calls: readonly WrittenCall[]): string | undefined {
    if (this.#hasNative) return callsNatively;
    if (this.#doubtful?.isUnclosed === true) return unclosed;
    return quoteIn(calls, this.#request.messages);
  }

  #called(inner: ModelReply, read: { form: string; calls: readonly WrittenCall[] }, said: string) {
    const before: ModelEvent[] = [...this.#say(said.trimEnd())];
    const calls = read.calls.map(({ name, args }, index) => {
      within(limits.callArguments, Buffer.byteLength(args));
      before.push({ type: "call", index, id: "", name, argumentsDelta: args });
      return { id: "", name, rawArguments: args };
    });
    const { unread: _, ...rest } = inner;
    return {
      before,
      whole: { ...rest, text: this.#said.trimEnd(), calls, finish: "tool_calls", textCalls: read.form },
    };
  }

  #isShown(text: string): boolean {
    const names = (at: number): boolean => namesTool(text.slice(at), this.#offer);
    const { shown } = this.#doubtful ?? {};
    if (shown !== undefined && showsDoubtful(text.slice(shown), this.#offer)) return true;
    return this.#parts.shownAt.some(names) || isFencedCall(text, this.#offer);
  }

  *#say(text: string): Generator<ModelEvent> {
    this.#said += text;
    if (text !== "") yield { type: "text", text };
  }
}

const textIn = ({ said, doubtful, tail }: Parted): string => said + doubtful + tail;
