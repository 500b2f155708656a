import { setTimeout as wait } from "node:timers/promises";
import type { ChildNote } from "../../../core/child.ts";
import { joinSignals } from "../../../core/join-signals.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { limits } from "../../../core/limits.ts";
import type { AskedByServer, AskReply } from "../asking/answer-server.ts";
import { keepListening } from "../keep-listening.ts";
import {
  type Connection,
  NotSent,
  type Request,
  type RequestOptions,
  ServerEnded,
  ServerRefusal,
} from "../messages.ts";
import { shortLine } from "../request-of.ts";
import { listening, modernVersion } from "./envelope.ts";
import { argumentHeaders, type Mirrored, mirroredIn } from "./mirrored-headers.ts";
import { NotGoneOn, type WantedInput, wantedIn } from "./wanted-input.ts";

interface ModernSpec {
  /** The part that goes along with each request. */
  envelope: JsonObject;
  /** Arguments stand in headers, too, where a tool's schema says so. */
  mirrors: boolean;
  toolsChanged(): void;
}

/** Milliseconds before a request is made once more for which the server wanted to know nothing: it has too much to do. */
const pause = 250;

/** The protocol's refusal where a header is not as the server wants it. */
const headerMismatch = -32_020;

// Keeps tools 20.
/**
 * A server that is spoken to without a session (MCP 2026-07-28). Where it wants to know something before it goes on with a request, that is put to whom it is
 * for, and the request made once more with what came of it: it stays one request for whoever made it.
 */
export class ModernConnection implements Connection {
  readonly protocol = modernVersion;
  readonly #of: Connection;
  readonly #spec: ModernSpec;
  readonly #mirrored = new Map<string, Mirrored>();
  readonly #gone = new AbortController();

  constructor(of: Connection, spec: ModernSpec) {
    this.#of = of;
    this.#spec = spec;
    of.becomeModern();
    void of.ended.then(() => this.#gone.abort(new ServerEnded(of.why)));
  }

  get note(): ChildNote | undefined {
    return this.#of.note;
  }

  get why(): string {
    return this.#of.why;
  }

  get ended(): Promise<void> {
    return this.#of.ended;
  }

  get replyTo(): Connection["replyTo"] {
    return this.#of.replyTo;
  }

  tell(method: string, params?: JsonObject): void {
    this.#of.tell(method, params);
  }

  becomeModern(): void {
    this.#of.becomeModern();
  }

  end(reason: string): Promise<void> {
    return this.#of.end(reason);
  }

  /** Has the server say when its tools are others, for as long as it is there. */
  listen(): void {
    const listen = async (): Promise<boolean> => {
      try {
        await this.#send(listening, { notifications: { toolsListChanged: true } }, {}).answer;
      } catch (error) {
        // It does not have that, whatever it said of itself.
        if (error instanceof ServerRefusal) return false;
      }
      return this.#of.why === "";
    };
    void keepListening(listen, this.#spec.toolsChanged, this.#gone.signal);
  }

  request(method: string, params: JsonObject, options: RequestOptions = {}): Request {
    const stop = new AbortController();
    let under: Request | undefined = this.#send(method, params, options);
    const first = under;
    const answer = this.#complete(method, first, {
      signal: stop.signal,
      between: () => {
        under = undefined;
      },
      again: (more) => {
        under = this.#send(method, { ...params, ...more }, options);
        return under;
      },
    });
    answer.catch(() => undefined);
    const stopped = (): void => stop.abort(new NotGoneOn("it was stopped while the server waited for an answer"));
    return {
      answer,
      isOut: first.isOut,
      cancel: (reason) => {
        stopped();
        under?.cancel(reason);
      },
      giveUp: (reason) => {
        stopped();
        under?.giveUp(reason);
      },
    };
  }

  #send(method: string, params: JsonObject, options: RequestOptions): Request {
    const { name } = params;
    const mirrored = method === "tools/call" && typeof name === "string" ? this.#mirrored.get(name) : undefined;
    const headers = mirrored === undefined ? undefined : argumentHeaders(mirrored, params["arguments"]);
    return this.#of.request(method, { ...params, _meta: this.#spec.envelope }, { ...options, headers });
  }

  /** @throws NotGoneOn; what a request throws, NotSent at the first alone: by then nothing was done */
  async #complete(
    method: string,
    first: Request,
    {
      signal,
      between,
      again,
    }: { signal: AbortSignal; between(): void; again(more: JsonObject): Pick<Request, "answer" | "isOut"> },
  ): Promise<JsonObject> {
    let answer = await this.#heard(first);
    for (let times = 0; ; times += 1) {
      const wanted = wantedIn(answer, method);
      if (wanted === undefined) break;
      between();
      signal.throwIfAborted();
      if (times >= limits.mcpRounds.most)
        throw new NotGoneOn(`it wanted to know something ${times} times, and then once more`);
      const replies = await this.#replies(wanted, signal);
      const next = again(repeated(wanted, replies));
      for (const { sent } of replies.values()) sent?.(next.isOut);
      answer = await this.#heard(next).catch((error: unknown) => {
        throw error instanceof NotSent
          ? new ServerEnded(`it did not get what it wanted to know: ${error.message}`)
          : error;
      });
    }
    if (method === "tools/list") this.#learn(answer);
    return answer;
  }

  async #heard({ answer }: Pick<Request, "answer">): Promise<JsonObject> {
    try {
      return await answer;
    } catch (error) {
      // The call was refused before it was begun; the next one has the headers that are wanted by now.
      if (error instanceof ServerRefusal && error.said.code === headerMismatch) this.#spec.toolsChanged();
      throw error;
    }
  }

  /** One after another: a person reads one at a time. @throws NotGoneOn where one has no reply that can be told; ServerEnded */
  async #replies({ asked }: WantedInput, signal: AbortSignal): Promise<ReadonlyMap<string, Reply>> {
    const joined = joinSignals([signal, this.#gone.signal]);
    try {
      const replies = new Map<string, Reply>();
      for (const [name, question] of asked) {
        const reply = await this.#of.replyTo(question, joined.signal);
        joined.signal.throwIfAborted();
        replies.set(name, told(reply, question));
      }
      if (asked.size === 0) await wait(pause, undefined, { signal: joined.signal, ref: false }).catch(() => undefined);
      joined.signal.throwIfAborted();
      return replies;
    } finally {
      joined.release();
    }
  }

  #learn({ tools }: JsonObject): void {
    if (!this.#spec.mirrors || !Array.isArray(tools)) return;
    for (const tool of tools) {
      const { name, inputSchema } = isJsonObject(tool) ? tool : {};
      if (typeof name !== "string" || !isJsonObject(inputSchema)) continue;
      const mirrored = mirroredIn(inputSchema);
      if (typeof mirrored === "string" || mirrored.size === 0) this.#mirrored.delete(name);
      else this.#mirrored.set(name, mirrored);
    }
  }
}

/** The reply to the server for one question. */
interface Reply {
  result: Json;
  sent: AskReply["sent"];
}

/** @throws NotGoneOn */
function told(reply: AskReply, { method }: AskedByServer): Reply {
  if ("result" in reply) return { result: reply.result, sent: reply.sent };
  // The person was not asked, which can be told; that the model was not, has no words here.
  if (method === "elicitation/create") return { result: { action: "decline" }, sent: undefined };
  throw new NotGoneOn(`it wanted to know something, and is not told: ${shortLine(reply.error.message)}`);
}

/** Makes the parts of the request that were not in it before. */
function repeated({ asked, state }: WantedInput, replies: ReadonlyMap<string, Reply>): JsonObject {
  const told = [...replies].map(([name, { result }]): [string, Json] => [name, result]);
  return {
    ...(asked.size === 0 ? {} : { inputResponses: Object.fromEntries(told) }),
    ...(state === undefined ? {} : { requestState: state }),
  };
}
