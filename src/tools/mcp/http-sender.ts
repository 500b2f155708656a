import { Readable } from "node:stream";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { NamedValue } from "../../core/secrets/masking.ts";
import { checkedStream, NotReached, type StreamedAnswer } from "../../net/checked-stream.ts";
import { readLine } from "../own/messages.ts";
import { addressOf, placeOf, type Way } from "./address.ts";
import type { ReachedEntry, ServerOrigin } from "./entry.ts";
import { sameHost, streamed, textOfRefusal, typeOf } from "./http-answer.ts";
import type { SignInState } from "./http-status.ts";
import { type MaskedWords, maskedWords } from "./masked-words.ts";
import { messageHeaders } from "./modern/mirrored-headers.ts";
import type { ServerLog } from "./server-log.ts";
import { challengeIn, type SignIn } from "./sign-in/sign-in.ts";

/** Whom requests go to, and as whose. */
export interface SenderSpec {
  /** Its variables replaced. */
  entry: ReachedEntry;
  origin: ServerOrigin;
  /** Values of its entry that nobody is shown. */
  keys: readonly NamedValue[];
  /** Undefined where the entry says itself what is sent. */
  signIn?: SignIn | undefined;
  way: Way;
  log: ServerLog;
  /** The version by which the program calls itself to the server. */
  version: string;
}

type Method = "GET" | "POST" | "DELETE";

interface Asking {
  held?: ((isHeld: boolean) => void) | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
}

const accepted = { POST: `application/json, ${streamed}`, GET: streamed, DELETE: "*/*" };

/** Within the server's own host. */
const mostRedirects = 3;

/** The sender of messages to a server over HTTP, each message once. */
export class HttpSender {
  /** As it called the session. */
  session: string | undefined;
  /** The version of the protocol that was agreed on. */
  agreed: string | undefined;
  #url: URL;
  readonly #spec: SenderSpec;
  #words: { of: number; masked: MaskedWords } | undefined;
  /** The reason why the last sign-in that it refused could not be made anew. */
  #whyNotIn: string | undefined;

  constructor(spec: SenderSpec) {
    this.#spec = spec;
    this.#url = addressOf(spec.entry);
  }

  get url(): URL {
    return this.#url;
  }

  /** Without the keys of its entry and all tokens that there were so far. */
  masked(): MaskedWords {
    const keys = [...this.#spec.keys, ...(this.#spec.signIn?.keys() ?? [])];
    if (this.#words?.of !== keys.length) this.#words = { of: keys.length, masked: maskedWords(keys) };
    return this.#words.masked;
  }

  async signInState(): Promise<SignInState | undefined> {
    const { signIn } = this.#spec;
    if (signIn === undefined) return undefined;
    const token = await signIn.token().catch(() => undefined);
    const why = this.#whyNotIn === undefined ? undefined : this.masked().now(this.#whyNotIn);
    return { command: signIn.command, isIn: token !== undefined || why !== undefined, why };
  }

  // Keeps tools 16.
  /**
   * Makes a request; where a sign-in was refused it is made anew, and the message sent once more: but for a 401 that does not say how to be asked, or
   * whose body answers the message, for then it may have been let in.
   * @param more `held` is told whether the message, which was not let in, is kept back for now; `headers` go along
   * @throws NotReached where nothing was sent, or nothing let in
   */
  async ask(
    method: Method,
    message: JsonObject | undefined,
    signal: AbortSignal,
    { held = () => undefined, headers = {} }: Asking = {},
  ): Promise<StreamedAnswer> {
    const { signIn } = this.#spec;
    const token = await signIn?.token().catch((cause: unknown) => {
      throw new NotReached("nothing was sent", { cause });
    });
    const body = message === undefined ? undefined : JSON.stringify(message);
    const sent = { body, headers: { ...headers, ...messageHeaders(message) } };
    const answer = await this.#send(token, method, sent, signal);
    if (signIn === undefined || token === undefined) return answer;
    if (answer.status !== 401) signIn.taken(token);
    // What only ends a session is worth no new one.
    if (answer.status !== 401 || method === "DELETE") return answer;
    const refused = await readRefusal(answer, message?.["id"]);
    if (!refused.isRefused) return refused.answer;
    held(true);
    const next = await signIn
      .renewed(token, signal)
      .catch((cause: unknown) => {
        throw new NotReached("it was not let in", { cause });
      })
      .finally(() => held(false));
    this.#whyNotIn = "why" in next ? next.why : undefined;
    if ("why" in next) return refused.answer;
    if (next.note !== undefined) this.#spec.log.write(`[${next.note}]`);
    const second = await this.#send(next.token, method, sent, signal);
    if (second.status === 401) signIn.refusedAnew(next.token);
    else signIn.taken(next.token);
    return second;
  }

  async #send(
    token: string | undefined,
    method: Method,
    { body, headers: more }: { body: string | undefined; headers: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<StreamedAnswer> {
    const { entry, origin, way, version } = this.#spec;
    const headers = {
      "user-agent": `holdfast/${version}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...Object.fromEntries(Object.entries(entry.headers).map(([name, value]) => [name.toLowerCase(), value])),
      accept: accepted[method],
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(this.session === undefined ? {} : { "mcp-session-id": this.session }),
      ...(this.agreed === undefined ? {} : { "mcp-protocol-version": this.agreed }),
      ...more,
    };
    const server = addressOf(entry);
    // Where it led before anybody signed in may be no place for a token.
    let url = token === undefined || isWithin(this.#url, server) ? this.#url : server;
    for (let hops = 0; ; hops += 1) {
      const place = await placeOf(url, { isPrivate: entry.isPrivate, origin }, way).catch((cause: unknown) => {
        throw new NotReached("nothing was sent", { cause });
      });
      const connectMs = limits.mcpConnect.most;
      const request = { url, method, headers, body, signal, connectMs, lookup: way.lookup, ...place };
      const answer = await checkedStream(request);
      const onward = hops < mostRedirects ? sameHost(answer, url) : undefined;
      if (onward === undefined || (token !== undefined && !isWithin(onward, server))) return answer;
      answer.close();
      url = onward;
      if (answer.status === 308) this.#url = onward;
    }
  }
}

/** A 401 as it can be read once more, and whether by it nothing was done. @param id of the message; undefined where it waits for no answer */
async function readRefusal(
  answer: StreamedAnswer,
  id: Json | undefined,
): Promise<{ isRefused: boolean; answer: StreamedAnswer }> {
  if (challengeIn(answer.list("www-authenticate")) === undefined) return { isRefused: false, answer };
  const text = await textOfRefusal(answer);
  answer.close();
  const said = readLine(text ?? "");
  const isAnswer = typeOf(answer) === streamed || text === undefined || (isJsonObject(said) && said["id"] === id);
  return {
    isRefused: id === undefined || !isAnswer,
    answer: { ...answer, body: Readable.from([Buffer.from(text ?? "")]) },
  };
}

/** Tells whether an address is that of the server, or below it, however a coded slash, a sign that is coded twice, or a `;` is read there. */
function isWithin({ pathname }: URL, server: URL): boolean {
  const above = `${server.pathname.replace(/\/$/u, "")}/`;
  return `${pathname}/`.startsWith(above) && !/%(?:2f|5c|25)|;/iu.test(pathname.slice(above.length));
}
