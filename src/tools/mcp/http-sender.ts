import { limits } from "../../core/limits.ts";
import type { NamedValue } from "../../core/secrets/masking.ts";
import { checkedStream, NotReached, type StreamedAnswer } from "../../net/checked-stream.ts";
import { addressOf, placeOf, type Way } from "./address.ts";
import type { ReachedEntry, ServerOrigin } from "./entry.ts";
import { sameHost } from "./http-answer.ts";
import type { SignInState } from "./http-status.ts";
import { type MaskedWords, maskedWords } from "./masked-words.ts";
import type { SignIn } from "./sign-in/sign-in.ts";

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
  /** What the program calls itself to the server. */
  version: string;
}

type Method = "GET" | "POST" | "DELETE";

const accepted = { POST: "application/json, text/event-stream", GET: "text/event-stream", DELETE: "*/*" };

/** Within the server's own host. */
const mostRedirects = 3;

/** What is sent to a server over HTTP, each message once. */
export class HttpSender {
  /** As it called the session. */
  session: string | undefined;
  /** The version of the protocol that was agreed on. */
  agreed: string | undefined;
  #url: URL;
  readonly #spec: SenderSpec;
  #words: { of: number; masked: MaskedWords } | undefined;
  /** Why the last sign-in that it refused could not be made anew. */
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
    return { command: signIn.command, isIn: token !== undefined, why };
  }

  // Keeps tools 15.
  /**
   * Where a sign-in was refused it is made anew, and the message sent once more: 401 says that nothing was done.
   * @throws NotReached where nothing was sent
   */
  async ask(method: Method, body: string | undefined, signal: AbortSignal): Promise<StreamedAnswer> {
    const { signIn } = this.#spec;
    const token = await signIn?.token().catch((cause: unknown) => {
      throw new NotReached("nothing was sent", { cause });
    });
    const answer = await this.#send(token, method, body, signal);
    // What only ends a session is worth no new one.
    if (answer.status !== 401 || signIn === undefined || token === undefined || method === "DELETE") return answer;
    const next = await signIn.renewed(token, signal).catch((error: unknown) => {
      answer.close();
      throw error;
    });
    this.#whyNotIn = "why" in next ? next.why : undefined;
    if ("why" in next) return answer;
    answer.close();
    const second = await this.#send(next.token, method, body, signal);
    if (second.status === 401) signIn.refusedAnew(next.token);
    return second;
  }

  async #send(
    token: string | undefined,
    method: Method,
    body: string | undefined,
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
    };
    let url = this.#url;
    for (let hops = 0; ; hops += 1) {
      const place = await placeOf(url, { isPrivate: entry.isPrivate, origin }, way).catch((cause: unknown) => {
        throw new NotReached("nothing was sent", { cause });
      });
      const connectMs = limits.mcpConnect.most;
      const request = { url, method, headers, body, signal, connectMs, lookup: way.lookup, ...place };
      const answer = await checkedStream(request);
      const onward = hops < mostRedirects ? sameHost(answer, url) : undefined;
      if (onward === undefined) return answer;
      answer.close();
      url = onward;
      if (answer.status === 308) this.#url = onward;
    }
  }
}
