import { setMaxListeners } from "node:events";
import { joinSignals } from "../../core/join-signals.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { NotReached, type StreamedAnswer } from "../../net/checked-stream.ts";
import { readLine } from "../own/messages.ts";
import { MessageTooLong, readEvents, readWhole } from "./event-stream.ts";
import { isOfSession, locationOf, sessionIn, streamed, textOfRefusal, typeOf } from "./http-answer.ts";
import { HttpSender, type SenderSpec } from "./http-sender.ts";
import { isRefusal, noAnswerWords, saidIn, statusWords } from "./http-status.ts";
import { keepListening } from "./keep-listening.ts";
import {
  type Connection,
  Exchange,
  type Heard,
  NotSent,
  type Request,
  type RequestOptions,
  ServerEnded,
  ServerRefusal,
} from "./messages.ts";
import { isModern, listening } from "./modern/envelope.ts";
import { challengeIn } from "./sign-in/sign-in.ts";

/** The means by which a server is spoken to. */
export interface ReachSpec extends SenderSpec {
  /** Absolute: the root that it is told of. */
  workspace: string;
}

/** Nothing is sent before the first request. @throws why it is not to be spoken to */
export async function reachServer(spec: ReachSpec, heard: Heard): Promise<Connection> {
  await heard.refuse();
  return new ReachedServer(spec, heard);
}

/** Of what it asks us, so many answers go out side by side, and so many wait. */
const mostReplying = 4;
const mostReplies = 200;

/** An answer to what the server asked, until it is taken or never will be. */
interface Reply {
  message: JsonObject;
  told(isTaken: boolean): void;
}

/** A session with a server over streamable HTTP: a POST for each message, each sent once, and a stream for what it says unasked. */
class ReachedServer implements Connection {
  /** From the version after it on a server may break an answer off, to be asked for the rest of it. */
  readonly protocol = "2025-06-18";
  readonly note = undefined;
  readonly ended: Promise<void>;
  readonly #spec: ReachSpec;
  readonly #heard: Heard;
  readonly #exchange: Exchange;
  readonly #stop = new AbortController();
  readonly #underWay = new Map<number, AbortController>();
  readonly #sender: HttpSender;
  #over: () => void = () => undefined;
  /** Requests of which nothing has gone out yet, or nothing was let in. */
  readonly #unsent = new Set<number>();
  /** To what it asks us. */
  readonly #replies: Reply[] = [];
  #replying = 0;
  /** Resolves when the server has heard that we are ready. */
  #told: Promise<void> = Promise.resolve();
  #why = "";

  constructor(spec: ReachSpec, heard: Heard) {
    this.#spec = spec;
    this.#heard = heard;
    this.#sender = new HttpSender(spec);
    this.ended = new Promise((resolve) => {
      this.#over = resolve;
    });
    // Each message under way listens for it.
    setMaxListeners(0, this.#stop.signal);
    this.#exchange = new Exchange({
      workspace: spec.workspace,
      log: spec.log,
      send: (message, id, headers) => this.#send(message, id, headers),
      toolsChanged: () => heard.toolsChanged(),
      asks: heard.asks,
      tooMuch: () => void this.end("it says far more than it was asked for"),
    });
  }

  get why(): string {
    return this.#why;
  }

  request(method: string, params: JsonObject, options: RequestOptions = {}): Request {
    const { id, answer, cancel, giveUp: drop, isOut } = this.#exchange.request(method, params, options, this.#why);
    const giveUp = (error: Error): void => {
      this.#exchange.lose(id, this.#unsent.delete(id) ? new NotSent(error.message) : error);
      this.#underWay.get(id)?.abort(error);
    };
    // How long a call may take is its tool's to say.
    const late = method === "tools/call" || method === listening ? undefined : limits.mcpStart.most;
    if (late !== undefined) {
      const over = new ServerEnded(`it did not answer within ${late / 1000} s`);
      const timer = setTimeout(() => giveUp(over), late).unref();
      const done = (): void => clearTimeout(timer);
      answer.then(done, done);
    }
    if (method === "initialize")
      answer.then(
        ({ protocolVersion }) => {
          if (typeof protocolVersion === "string" && /^[\w.-]{1,40}$/u.test(protocolVersion))
            this.#sender.agreed = protocolVersion;
        },
        () => undefined,
      );
    // What is of no session is stopped by closing its stream, and nothing else: the server cannot say any more how far it came.
    const closes = isModern(params);
    return {
      answer,
      isOut,
      cancel: (reason) => {
        if (this.#unsent.has(id)) return giveUp(new NotSent("it was stopped before it was sent"));
        if (closes) return giveUp(new ServerEnded("it was told to stop, by which it can say no more"));
        cancel(reason);
        setTimeout(() => giveUp(new ServerEnded("it was told to stop")), 2 * limits.toolStopTime.most).unref();
      },
      giveUp: (reason) => {
        if (!this.#unsent.has(id) && !closes) drop(reason);
        giveUp(new ServerEnded(reason));
      },
    };
  }

  tell(method: string, params?: JsonObject): void {
    this.#exchange.tell(method, params);
    if (method === "notifications/initialized") void this.#told.then(() => this.#listen());
  }

  becomeModern(): void {
    this.#exchange.becomeModern();
  }

  get replyTo(): Connection["replyTo"] {
    return this.#exchange.replyTo;
  }

  async end(reason: string): Promise<void> {
    await this.#end(reason, this.#sender.session !== undefined);
  }

  /** @param isKnown the server still has the session, and is told that it is over */
  async #end(reason: string, isKnown: boolean): Promise<void> {
    if (this.#why === "") {
      this.#why = reason;
      this.#stop.abort();
      this.#spec.log.write(`[ended: ${reason}]`);
      this.#spec.log.flush();
      for (const id of this.#unsent) this.#exchange.lose(id, new NotSent(reason));
      this.#unsent.clear();
      for (const { told } of this.#replies.splice(0)) told(false);
      this.#exchange.loseAll(new ServerEnded(reason));
      if (isKnown) await this.#delete();
      await this.#spec.signIn?.settled();
      this.#over();
    }
    await this.ended;
  }

  async #delete(): Promise<void> {
    const limit = joinSignals([], limits.toolStopTime.most);
    try {
      (await this.#sender.ask("DELETE", undefined, limit.signal)).close();
    } catch {
      // It ends by itself one day.
    } finally {
      limit.release();
    }
  }

  /** Sends a message: a request only once the server has heard that we are ready, and only while somebody still waits for it. */
  async #send(message: JsonObject, id?: number, headers?: RequestOptions["headers"]): Promise<boolean> {
    if (this.#why !== "") return false;
    if (id !== undefined) {
      this.#unsent.add(id);
      return this.#told.then(() => this.#unsent.delete(id) && this.#post(message, id, headers));
    }
    if (typeof message["method"] !== "string") return this.#reply(message);
    const sent = this.#post(message, id);
    if (message["method"] === "notifications/initialized") this.#told = sent.then(() => undefined);
    return sent;
  }

  #reply(message: JsonObject): Promise<boolean> {
    if (this.#replies.length >= mostReplies) {
      void this.end("it asks far more than it can be answered");
      return Promise.resolve(false);
    }
    const isTaken = new Promise<boolean>((told) => this.#replies.push({ message, told }));
    if (this.#replying < mostReplying) void this.#replyToAll();
    return isTaken;
  }

  async #replyToAll(): Promise<void> {
    this.#replying += 1;
    for (let next = this.#replies.shift(); next !== undefined; next = this.#replies.shift())
      next.told(await this.#post(next.message));
    this.#replying -= 1;
  }

  /** Never rejects: how a request ended is told to whoever asked. @returns whether the server has taken it */
  async #post(message: JsonObject, id?: number, headers?: RequestOptions["headers"]): Promise<boolean> {
    const mine = new AbortController();
    if (id !== undefined) this.#underWay.set(id, mine);
    const limit = joinSignals([this.#stop.signal, mine.signal], id === undefined ? limits.mcpTell.most : undefined);
    try {
      const held = (isHeld: boolean): void => {
        if (id !== undefined) this.#unsent[isHeld ? "add" : "delete"](id);
      };
      const answer = await this.#sender.ask("POST", message, limit.signal, { held, headers });
      try {
        if (message["method"] === "initialize" && answer.status < 300) this.#sender.session = sessionIn(answer);
        await this.#take(answer, id);
      } finally {
        answer.close();
      }
      if (id !== undefined) this.#exchange.lose(id, new ServerEnded("its answer broke off before it was whole"));
      return this.#why === "";
    } catch (error) {
      // Whoever gave it up was told.
      if (!mine.signal.aborted) this.#failed(error, id);
      return false;
    } finally {
      limit.release();
      if (id !== undefined) this.#underWay.delete(id);
    }
  }

  /** Takes the answer to a request. @param id undefined where no answer is waited for */
  async #take(answer: StreamedAnswer, id: number | undefined): Promise<void> {
    const { status, body } = answer;
    if (status < 200 || status > 299) return this.#refused(answer, id);
    if (id === undefined || status === 202 || status === 204) return;
    const type = typeOf(answer);
    const isOpen = (): boolean => this.#why === "" && this.#exchange.waits(id);
    if ((answer.header("content-encoding") ?? "identity") !== "identity")
      throw new Error("its answer is packed, though no packed one was asked for");
    if (type === streamed) return readEvents(body, this.#events(isOpen));
    if (type !== "application/json")
      throw new Error(`its answer is none of MCP, but ${type === "" ? "of no kind" : type.slice(0, 100)}`);
    await this.#hear(await readWhole(body, limits.mcpMessage.most));
  }

  #events(isWanted: () => boolean): Parameters<typeof readEvents>[1] {
    return {
      most: limits.mcpMessage.most,
      onJunk: (bytes) => this.#exchange.takes(bytes) && isWanted(),
      onData: async (data) => {
        await this.#hear(data);
        return isWanted();
      },
    };
  }

  async #hear(text: string): Promise<void> {
    if (this.#exchange.admits(text)) this.#exchange.take(await this.#sender.masked().inPieces(text), text);
  }

  async #refused(answer: StreamedAnswer, id: number | undefined): Promise<void> {
    const { status } = answer;
    const text = this.#sender.masked().now((await textOfRefusal(answer)) ?? "");
    const body = typeOf(answer) === "application/json" ? readLine(text) : undefined;
    if (isJsonObject(body) && body["id"] === id && id !== undefined) return this.#exchange.hear(text);
    if (this.#sender.session !== undefined && (status === 404 || (status === 400 && isOfSession(body)))) {
      // That very request was not taken; of others that are under way nothing is known.
      if (id !== undefined)
        this.#exchange.lose(id, new ServerRefusal(`it answered ${status}: ${sessionOver}; ${begunAnew}`));
      return this.#end(sessionOver, false);
    }
    const words = statusWords(
      {
        status,
        said: saidIn(body, text, typeOf(answer)),
        to: this.#leadsTo(answer),
        challenge: challengeIn(answer.list("www-authenticate")),
      },
      this.#spec.entry,
      await this.#sender.signInState(),
    );
    throw isRefusal(status) ? new ServerRefusal(words, { status }) : new ServerEnded(words);
  }

  /** The host of a redirect, unless what may be a key stands in its address: parts of that are written in other letters then. */
  #leadsTo(answer: StreamedAnswer): string | undefined {
    const to = locationOf(answer, this.#sender.url);
    const written = answer.header("location") ?? "";
    return to === undefined || this.#sender.masked().now(written) === written
      ? to?.host
      : "an address with a key of its entry in it";
  }

  #failed(error: unknown, id: number | undefined): void {
    const lose = (lost: Error): void => {
      if (id === undefined) this.#spec.log.write(`[it was not told: ${lost.message}]`);
      else this.#exchange.lose(id, lost);
    };
    if (error instanceof ServerRefusal || error instanceof ServerEnded) lose(error);
    else if (error instanceof MessageTooLong)
      void this.end(`one message of it was longer than ${limits.mcpMessage.most / 1_000_000} MB`);
    else {
      const words = this.#sender.masked().now(noAnswerWords(error, this.#sender.url));
      const isSent = !(error instanceof NotReached);
      lose(isSent ? new ServerEnded(`its answer did not come whole: ${words}`) : new NotSent(words));
      if (!isSent && id !== undefined && this.#exchange.isIdle) void this.#end(words, false);
    }
  }

  /** Listens for its unasked words, for as long as the session goes on; not every server has any. */
  #listen(): Promise<void> {
    return keepListening(
      () => this.#listened(),
      () => this.#heard.toolsChanged(),
      this.#stop.signal,
    );
  }

  /** @returns whether it is worth another try */
  async #listened(): Promise<boolean> {
    try {
      const answer = await this.#sender.ask("GET", undefined, this.#stop.signal);
      try {
        if (answer.status >= 500) return true;
        if (answer.status !== 200 || typeOf(answer) !== streamed) return false;
        await readEvents(
          answer.body,
          this.#events(() => this.#why === ""),
        );
      } finally {
        answer.close();
      }
    } catch (error) {
      if (error instanceof MessageTooLong) this.#failed(error, undefined);
    }
    return true;
  }
}

const sessionOver = "it does not know the session any more";
const begunAnew = "the next call begins a new one";
