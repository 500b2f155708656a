import { pathToFileURL } from "node:url";
import type { ChildNote } from "../../core/child.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { toPlainJson } from "../../core/strict-json.ts";
import { type AnswerServer, type AskedByServer, replyWords, samplingMethod } from "./asking/answer-server.ts";
import { isModern, listening, metaOf } from "./modern/envelope.ts";
import type { ServerLog } from "./server-log.ts";

/** The server ended with a request unanswered. */
export class ServerEnded extends Error {
  override readonly name = "ServerEnded";
}

/** A request that the server has not read, and never will. */
export class NotSent extends Error {
  override readonly name = "NotSent";
}

/** The server's own refusal of a request. */
export class ServerRefusal extends Error {
  override readonly name = "ServerRefusal";
  /** As data: the code of the protocol and what came with it, or the status of an answer over HTTP. */
  readonly said: { code?: Json; data?: Json; status?: number };
  constructor(message: string, said: ServerRefusal["said"] = {}) {
    super(message);
    this.said = said;
  }
}

export interface RequestOptions {
  /** The server said how far it is. */
  onProgress?(said: { progress?: number; total?: number; message?: string }): void;
  /** Go along over HTTP. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** A request under way. */
export interface Request {
  /** @throws ServerRefusal; ServerEnded; NotSent */
  answer: Promise<JsonObject>;
  /** Tells the server to stop; whether it does, only its answer can say. */
  cancel(reason: string): void;
  /** The same, and its answer is not heard any more: `answer` throws. */
  giveUp(reason: string): void;
  /** Resolves to true if it is known to have reached the server. Never rejects. */
  isOut: Promise<boolean>;
}

/** The questions and news for the one that has a server. */
export interface Heard {
  /** The server says unasked that its tools are others. */
  toolsChanged(): void;
  /** It asks the person something, or the model. */
  asks: AnswerServer;
  /** It stands ready and does not run yet. @throws why it is not to */
  refuse(program?: string): Promise<void>;
}

/** A server that is spoken to, from its start to its end, whichever way. */
export interface Connection {
  /** Its process; undefined where it is none of ours. */
  readonly note: ChildNote | undefined;
  /** The version of the protocol that it is asked for. */
  readonly protocol: string;
  /** Empty as long as it goes on; else why it ended, in words. */
  readonly why: string;
  /** Resolves when nothing of it is left and all that waited was told. */
  readonly ended: Promise<void>;
  request(method: string, params: JsonObject, options?: RequestOptions): Request;
  tell(method: string, params?: JsonObject): void;
  /** From here on each request says itself what it is of, and the server makes none of its own. */
  becomeModern(): void;
  /** Answers a question of the server that stands in an answer of it. Never rejects. */
  replyTo: AnswerServer;
  /** Ends it and all that it started. Resolves when that is done. */
  end(reason: string): Promise<void>;
}

interface Waiting {
  method: string;
  resolve(result: JsonObject): void;
  reject(error: Error): void;
  onProgress: RequestOptions["onProgress"];
}

interface ExchangeSpec {
  workspace: string;
  log: ServerLog;
  /** The message on its way; its request, where it is one, may be given up by `lose`. @returns whether it is known to be taken; never rejects */
  send(message: JsonObject, id: number | undefined, headers: RequestOptions["headers"]): Promise<boolean>;
  toolsChanged(): void;
  asks: AnswerServer;
  /** It says far more than it was asked for. */
  tooMuch(): void;
}

/** The requests to a server, and its words: JSON-RPC, whichever way the messages go. Text that is no message is passed over and kept in the log. */
export class Exchange {
  readonly #spec: ExchangeSpec;
  readonly #waiting = new Map<number, Waiting>();
  readonly #room = allowance(limits.mcpUnasked.most);
  /** Questions to the person that it waits for, by their ids. */
  readonly #asking = new Map<string, AbortController>();
  /** Ids of questions that were put to the person: one that comes again, by another stream or once more, is no other question. */
  readonly #putBefore = new Set<string>();
  /** The replies to the last of these, each with its question. */
  readonly #replies = new Map<string, { asked: string; message: JsonObject }>();
  #asked = 0;
  #isModern = false;

  constructor(spec: ExchangeSpec) {
    this.#spec = spec;
  }

  /** @param over why nothing can be asked any more */
  request(
    method: string,
    params: JsonObject,
    { onProgress, headers }: RequestOptions,
    over: string,
  ): Request & { id: number } {
    this.#asked += 1;
    const id = this.#asked;
    const answer = new Promise<JsonObject>((resolve, reject) => {
      if (over === "") this.#waiting.set(id, { method, resolve, reject, onProgress });
      else reject(new ServerEnded(over));
    });
    answer.catch(() => undefined);
    const meta = metaOf(params);
    const token = onProgress === undefined ? {} : { _meta: { ...meta, progressToken: id } };
    const isOut = this.#say({ id, method, params: { ...params, ...token } }, id, headers).catch(() => false);
    const cancel = (reason: string): void =>
      this.tell("notifications/cancelled", { requestId: id, reason, ...(isModern(params) ? { _meta: meta } : {}) });
    const giveUp = (reason: string): void => {
      if (this.waits(id)) cancel(reason);
      this.lose(id, new ServerEnded(reason));
    };
    return { id, answer, cancel, giveUp, isOut };
  }

  becomeModern(): void {
    this.#isModern = true;
  }

  /** Of a question that comes as a request, and of one that stands in an answer. */
  readonly replyTo: AnswerServer = async (asked, signal) => {
    if (!isPut(asked.method)) return replyTo(asked.method, this.#spec.workspace);
    const reply = await this.#spec.asks(asked, signal);
    const whom = asked.method === samplingMethod ? "the model" : "the person";
    if (!signal.aborted) this.#spec.log.write(`[it asked ${whom} something: ${replyWords(reply)}]`);
    return reply;
  };

  tell(method: string, params?: JsonObject): void {
    void this.#say({ method, ...(params === undefined ? {} : { params }) });
  }

  /** Tells whether a request has no answer yet. */
  waits(id: number): boolean {
    return this.#waiting.has(id);
  }

  /** Nothing waits for an answer, but for one that comes when all is over. */
  get isIdle(): boolean {
    return [...this.#waiting.values()].every(({ method }) => method === listening);
  }

  /** No answer of that request will be heard. */
  lose(id: number, error: Error): void {
    this.#waiting.get(id)?.reject(error);
    this.#waiting.delete(id);
  }

  loseAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    for (const gone of this.#asking.values()) gone.abort(error);
    this.#asking.clear();
  }

  /** Takes a text of the server: a message, several or none. */
  hear(text: string): void {
    const said = messagesIn(text);
    if (this.#admits(said, text)) this.#take(said, text);
  }

  /** Tells whether there is room for it: a text that answers nothing counts as such before anything more is done with it. */
  admits(text: string): boolean {
    return this.#admits(messagesIn(text), text);
  }

  /** Takes a text that was admitted. @param raw the same as it came, where values are taken out of it */
  take(text: string, raw = text): void {
    const said = messagesIn(text);
    this.#take(this.#isModern && raw !== text ? withStatesOf(said, messagesIn(raw)) : said, text);
  }

  #admits(said: readonly Json[], text: string): boolean {
    if (text.trim() === "") return false;
    const answers = said.length > 0 && said.every((one) => this.#awaits(one));
    return answers || this.takes(text.length + (Math.max(1, said.length) - 1) * bytesOfLine);
  }

  #take(said: readonly Json[], text: string): void {
    const messages = said.filter(isMessage);
    if (messages.length === 0) this.#spec.log.write(`said: ${text.slice(0, 4_000)}`);
    for (const message of messages) if (!this.#isAnswer(message)) this.#heard(message);
  }

  #heard({ id, method, params }: JsonObject): void {
    if (typeof method !== "string") return;
    if (id === undefined || id === null) this.#told(method, params);
    // It has no way to be answered then.
    else if (this.#isModern) this.#spec.log.write(`[it made a request of its own, and was not heard: ${method}]`);
    else if (isPut(method)) void this.#ask(id, { method, params });
    else void this.#say({ id, ...replyTo(method, this.#spec.workspace) });
  }

  async #ask(id: Json, asked: AskedByServer): Promise<void> {
    const key = JSON.stringify(id);
    if (key.length > longestId) return void this.#say({ id, error: { code: -32600, message: "that id is too long" } });
    // It has its answer once the person gave it.
    if (this.#asking.has(key)) return this.#spec.log.write("[it asked the same once more, and was not heard]");
    if (this.#putBefore.has(key)) return this.#sayAgain(key, id, asked);
    if (this.#putBefore.size >= mostIds) this.#putBefore.delete(this.#putBefore.values().next().value ?? "");
    this.#putBefore.add(key);
    const gone = new AbortController();
    this.#asking.set(key, gone);
    const reply = await this.replyTo(asked, gone.signal);
    if (gone.signal.aborted) return;
    const message: JsonObject = "error" in reply ? { id, error: reply.error } : { id, result: reply.result };
    if (this.#replies.size >= mostReplies) this.#replies.delete(this.#replies.keys().next().value ?? "");
    this.#replies.set(key, { asked: JSON.stringify(asked), message });
    const isOut = this.#say(message);
    reply.sent?.(isOut);
    // Until it is out, no other reply under its id may overtake it.
    await isOut.catch(() => undefined);
    if (this.#asking.get(key) === gone) this.#asking.delete(key);
  }

  /** A question that comes again has the reply that it had, and no other question under its id has that. */
  #sayAgain(key: string, id: Json, asked: AskedByServer): void {
    const before = this.#replies.get(key);
    if (before?.asked === JSON.stringify(asked)) void this.#say(before.message);
    else void this.#say({ id, error: { code: -32600, message: "that id was used before: it was not asked again" } });
  }

  /** The server asks no more, and wants no answer. */
  #askNoMore(id: Json | undefined): void {
    const key = JSON.stringify(id);
    this.#asking.get(key)?.abort(new Error("the server asks no more"));
    this.#asking.delete(key);
  }

  /** So many bytes that answer nothing. @returns false where they are too many by now */
  takes(bytes: number): boolean {
    if (this.#room(bytes)) return true;
    this.#spec.tooMuch();
    return false;
  }

  #say(message: JsonObject, id?: number, headers?: RequestOptions["headers"]): Promise<boolean> {
    return this.#spec.send({ jsonrpc: "2.0", ...message }, id, headers);
  }

  #awaits(message: Json): boolean {
    if (!isMessage(message)) return false;
    const { method, id } = message;
    return typeof method !== "string" && typeof id === "number" && this.#waiting.has(id);
  }

  /** Gives an answer to the request that waits for it, and tells whether one did. */
  #isAnswer(message: JsonObject): boolean {
    const { id, result, error } = message;
    const one = this.#awaits(message) && typeof id === "number" ? this.#waiting.get(id) : undefined;
    if (one === undefined || typeof id !== "number") return false;
    this.#waiting.delete(id);
    if (isJsonObject(result)) one.resolve(result);
    else one.reject(new ServerRefusal(errorWords(error), isJsonObject(error) ? codeIn(error) : {}));
    return true;
  }

  #told(method: string, params: Json | undefined): void {
    if (method === "notifications/tools/list_changed") this.#spec.toolsChanged();
    if (method === "notifications/cancelled" && isJsonObject(params)) {
      const { requestId } = params;
      this.#askNoMore(requestId);
      if (typeof requestId === "number" && this.#waiting.get(requestId)?.method === listening)
        this.lose(requestId, new ServerEnded("it says no more unasked"));
    }
    if (method !== "notifications/progress" || !isJsonObject(params)) return;
    const { progressToken, progress, total, message } = params;
    if (typeof progressToken !== "number") return;
    this.#waiting.get(progressToken)?.onProgress?.({
      ...(typeof progress === "number" ? { progress } : {}),
      ...(typeof total === "number" ? { total } : {}),
      ...(typeof message === "string" ? { message } : {}),
    });
  }
}

/** One message, or the several that stand in a list; none where it is no JSON. */
function messagesIn(text: string): Json[] {
  try {
    const read = toPlainJson(JSON.parse(text));
    return read.ok ? [read.value].flat() : [];
  } catch {
    return [];
  }
}

const isMessage = (said: Json): said is JsonObject => isJsonObject(said) && said["jsonrpc"] === "2.0";

/** Tells whether a question goes to the person or to the model. */
const isPut = (method: string): boolean => method === "elicitation/create" || method === samplingMethod;

const codeIn = ({ code, data }: JsonObject): ServerRefusal["said"] => ({
  ...(code === undefined ? {} : { code }),
  ...(data === undefined ? {} : { data }),
});

/** Puts in the state that the server wants back as it is, for itself alone: nothing is taken out of that. */
const withStatesOf = (said: readonly Json[], raw: readonly Json[]): Json[] =>
  said.map((message, at) => {
    const [mine, theirs] = [message, raw[at]].map((one) => (isJsonObject(one) ? one["result"] : undefined));
    if (!isJsonObject(message) || !isJsonObject(mine) || !isJsonObject(theirs)) return message;
    const { requestState } = theirs;
    return requestState === undefined ? message : { ...message, result: { ...mine, requestState } };
  });

/** Answers the other requests that a server may make of us: the workspace is its root. */
function replyTo(
  method: string,
  workspace: string,
): { result: JsonObject } | { error: { code: number; message: string } } {
  switch (method) {
    case "ping":
      return { result: {} };
    case "roots/list":
      return { result: { roots: [{ uri: pathToFileURL(workspace).href, name: "workspace" }] } };
    default:
      return { error: { code: -32601, message: "this client does not have that" } };
  }
}

export function errorWords(error: Json | undefined): string {
  if (!isJsonObject(error)) return "its answer is neither a result nor an error";
  const { code, message } = error;
  return `${typeof message === "string" ? message : "it did not say why"} (error ${String(code)})`;
}

/** Of the id of a question, in characters, and of such ids that are known. */
const longestId = 200;
const mostIds = 10_000;
const mostReplies = 20;

/** A line counts so many bytes more than it has. */
const bytesOfLine = 500;

/** So many bytes at once, and a tenth of them each second; each time counts as one line. @returns whether there was room for these */
export function allowance(most: number): (bytes: number) => boolean {
  let [left, at] = [most, performance.now()];
  return (bytes) => {
    const now = performance.now();
    left = Math.min(most, left + ((now - at) / 10_000) * most) - bytes - bytesOfLine;
    at = now;
    return left >= 0;
  };
}
