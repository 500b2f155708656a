import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type Duplex, PassThrough } from "node:stream";
import type { HostFact } from "../core/host-fact.ts";
import { limits } from "../core/limits.ts";
import { hostOf, isThisMachine, type Lookup, portOf } from "./addresses.ts";
import { AddressRefused, checkedConnector } from "./checked-fetch.ts";
import { FewLookups } from "./few-lookups.ts";
import { loadUndici } from "./load-undici.ts";
import { proxyFor } from "./proxies.ts";
import { exchange, joined } from "./proxy-exchange.ts";
import { onwardHeaders, targetOfConnect, targetOfRequest, WrongRequest } from "./proxy-requests.ts";
import { ProxyTold } from "./proxy-told.ts";
import { tunnelThrough } from "./proxy-tunnel.ts";
import { until } from "./until.ts";
import { hostFact, keepFound, type WebRoute } from "./web-route.ts";

export interface ProxySpec {
  way: WebRoute;
  /** Returns the reason why nothing goes to a host, in words; undefined where it may. Asked for each connection. */
  refuses(host: HostFact): Promise<string | undefined>;
  /** Told of hosts with their ports, and of nothing else that was asked for. */
  log(line: string): void;
  /** In the place of those of browsers. */
  limits?: Partial<ProxyLimits>;
}

export interface ProxyLimits {
  /** At once, each with one request under way. */
  connections: number;
  /** Bytes of a head. */
  head: number;
  /** Milliseconds for a head, and until what it asks for is judged and reached. */
  wait: number;
  /** Milliseconds without a byte. */
  silence: number;
  /** Lookups under way. */
  lookups: number;
  /** Strangers' names whose addresses are kept. */
  known: number;
  /** Lines of the log, of what was reached and of what was refused. */
  logged: number;
  /** Refusals that are kept until they are told. */
  told: number;
}

const browserLimits: ProxyLimits = {
  connections: limits.browserConnections.most,
  head: limits.browserHead.most,
  wait: limits.browserWait.most,
  silence: limits.browserSilence.most,
  lookups: limits.browserLookups.most,
  known: 1_000,
  logged: 200,
  told: 20,
};

/** A proxy of ours for a program that must not choose by itself where it goes. */
export interface GuardedProxy {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** The user that a client names, with `token` as its password: a client that has not both gets nothing. */
  user: string;
  token: string;
  /** Returns the refusals since this was last asked, each a host with its port and the reason. */
  refused(): string[];
  /** Ends all that goes through it. */
  close(): Promise<void>;
}

const user = "agent";

/** Ports of all proxies of this process: nothing goes from one to another. */
const ownPorts = new Set<number>();

// Keeps net 1.
/**
 * A proxy on loopback for plain http and for tunnels (CONNECT), over connections to addresses that were checked as those of `web_fetch` are: each host is
 * judged when it is asked for, and what it leads to is what is connected to.
 */
export async function openGuardedProxy(spec: ProxySpec): Promise<GuardedProxy> {
  const proxy = new LoopbackProxy(spec);
  await proxy.listen();
  return proxy;
}

/** It is not done, and the client is told so by this status. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

class LoopbackProxy implements GuardedProxy {
  readonly user = user;
  readonly token = randomBytes(24).toString("base64url");
  readonly #spec: ProxySpec;
  readonly #limits: ProxyLimits;
  readonly #way: WebRoute;
  readonly #lookups: FewLookups;
  readonly #server;
  readonly #sockets = new Set<Duplex>();
  readonly #underWay = new Set<AbortController>();
  readonly #answering = new WeakMap<Duplex, { answer: ServerResponse; isLast: boolean }>();
  readonly #told: ProxyTold;
  #isClosed = false;
  #port = 0;

  constructor(spec: ProxySpec) {
    this.#spec = spec;
    this.#limits = { ...browserLimits, ...spec.limits };
    this.#way = spec.way;
    this.#lookups = new FewLookups(spec.way.lookup, this.#limits.lookups);
    this.#told = new ProxyTold((line) => spec.log(line), this.#limits);
    this.#server = createServer({
      maxHeaderSize: this.#limits.head,
      headersTimeout: this.#limits.wait,
      // A body may take as long as its bytes come.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(1_000, this.#limits.wait),
      insecureHTTPParser: false,
    });
    this.#server.maxConnections = this.#limits.connections;
    // Of the server, which sets it anew with each request; a socket's own is gone after its first answer.
    this.#server.timeout = this.#limits.silence;
    this.#server.on("connection", (socket: Socket) => this.#hold(socket));
    this.#server.on("request", (asked, answer) => void this.#forward(asked, answer));
    this.#server.on("connect", (asked, client, head) => void this.#tunnel(asked, client, head));
    this.#server.on("clientError", (_, socket) => {
      if (this.#answering.get(socket)?.answer.headersSent === true) socket.destroy();
      else refuseOn(socket, 400);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async listen(): Promise<void> {
    await new Promise<void>((done, failed) => {
      this.#server.once("error", failed);
      this.#server.listen(0, "127.0.0.1", done);
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    ownPorts.add(this.#port);
  }

  refused(): string[] {
    return this.#told.refusals();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    for (const ends of this.#underWay) ends.abort();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.#told.end();
    ownPorts.delete(this.#port);
  }

  /** A connection has one request under way: for one that did not wait for the answer before it nothing goes out, and the connection ends with that answer. */
  #isTooEarly(client: Duplex): boolean {
    const first = this.#answering.get(client);
    if (first === undefined) return false;
    if (first.isLast) client.destroy();
    first.isLast = true;
    first.answer.once("close", () => client.destroy());
    return true;
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (this.#isClosed) socket.destroy();
  }

  #endSilent(socket: Duplex & Partial<Pick<Socket, "setTimeout">>): void {
    socket.setTimeout?.(this.#limits.silence, () => socket.destroy());
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const client = asked.socket;
    if (this.#isTooEarly(client)) return;
    this.#answering.set(client, { answer, isLast: false });
    answer.once("close", () => this.#answering.delete(client));
    try {
      await this.#whileThere(client, async (ends) => {
        this.#checkToken(asked);
        const url = targetOfRequest(asked);
        const headers = onwardHeaders(asked, url.host);
        const socket = await this.#connect(url, ends);
        await exchange(asked, answer, { socket, url, headers, maxHeaderSize: this.#limits.head });
      });
    } catch (error) {
      if (answer.headersSent || answer.destroyed) answer.destroy();
      else {
        const { status, message } = refusalOf(error);
        answer.writeHead(status, { ...refusalHeaders(status), "content-type": "text/plain; charset=utf-8" });
        answer.end(`${message}\n`);
      }
    }
  }

  async #tunnel(asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    if (this.#answering.has(client)) return void client.destroy();
    try {
      await this.#whileThere(client, async (ends) => {
        this.#checkToken(asked);
        // Read from the first, or nobody would hear that it has left.
        const said = client.pipe(new PassThrough());
        const leave = (): void => ends.abort();
        client.once("end", leave);
        const target = await this.#connect(targetOfConnect(asked), ends);
        client.off("end", leave);
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        if (head.length > 0) target.write(head);
        this.#endSilent(client);
        await joined(client, said, target);
      });
    } catch (error) {
      refuseOn(client, refusalOf(error).status);
    }
  }

  /** Runs work for a client, which is ended as the client leaves, and as the proxy is closed. */
  async #whileThere(client: Duplex, run: (ends: AbortController) => Promise<void>): Promise<void> {
    const ends = new AbortController();
    const leave = (): void => ends.abort();
    client.once("close", leave);
    this.#underWay.add(ends);
    try {
      await run(ends);
    } finally {
      this.#underWay.delete(ends);
      client.off("close", leave);
    }
  }

  #checkToken({ headers }: IncomingMessage): void {
    const given = headers["proxy-authorization"];
    if (given === undefined) throw new Refused(407, "it needs its token");
    const meant = `Basic ${Buffer.from(`${user}:${this.token}`).toString("base64")}`;
    if (timingSafeEqual(hashOf(given), hashOf(meant))) return;
    this.#told.say("refused", "refused: a wrong token");
    throw new Refused(407, "the token is a wrong one");
  }

  /** A connection to what the URL was judged to be, which ends with its request. */
  async #connect(url: URL, ends: AbortController): Promise<Duplex> {
    const place = `${url.hostname}:${portOf(url)}`;
    const late = (): void => ends.abort(new Refused(504, `${place} was not reached in time`));
    const timer = setTimeout(late, this.#limits.wait);
    try {
      const socket = await this.#reach(url, place, ends.signal);
      this.#hold(socket);
      this.#endSilent(socket);
      ends.signal.throwIfAborted();
      this.#told.say("reached", `reached ${place}`);
      return socket;
    } catch (error) {
      throw ends.signal.aborted ? ends.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #reach(url: URL, place: string, signal: AbortSignal): Promise<Duplex> {
    const lookup = (name: string): Promise<string[]> => this.#lookups.find(name, signal);
    const host = await until(signal, hostFact(url, { ...this.#way, lookup }));
    const isOwn = host.range === "loopback" && ownPorts.has(portOf(url));
    const why = isOwn ? "it is a port of the agent's own" : await until(signal, this.#spec.refuses(host));
    if (why !== undefined) throw this.#refusal(place, why);
    try {
      return await this.#open(url, host, lookup, signal);
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw new Refused(502, `${place} was not reached`, { cause: error });
      keepFound(this.#way.known, url.hostname, error.addresses, this.#limits.known);
      throw this.#refusal(place, `${error.message}, which nobody has allowed`);
    }
  }

  #refusal(place: string, why: string): Refused {
    const told = why.startsWith(place) ? why : `${place}: ${why}`;
    this.#told.refused(told);
    return new Refused(403, `the agent lets nothing go to ${told}`);
  }

  async #open(url: URL, host: HostFact, lookup: Lookup, signal: AbortSignal): Promise<Duplex> {
    const proxy = isThisMachine(hostOf(url)) ? undefined : proxyFor(url, this.#way.proxies);
    if (proxy !== undefined) return tunnelThrough(new URL(proxy), url, signal);
    const { buildConnector } = await until(signal, loadUndici());
    const connect = checkedConnector({ url, host, lookup, idleMs: this.#limits.wait, ends: signal }, buildConnector);
    const at = { hostname: hostOf(url), host: url.host, protocol: "http:", port: String(portOf(url)) };
    return new Promise((resolve, reject) =>
      connect(at, (...[error, socket]) => (error === null ? resolve(socket) : reject(error))),
    );
  }
}

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

function refusalOf(error: unknown): Refused {
  if (error instanceof Refused) return error;
  if (error instanceof WrongRequest) return new Refused(400, error.message);
  return new Refused(502, "no answer came");
}

const refusalHeaders = (status: number): Record<string, string> => ({
  connection: "close",
  ...(status === 407 ? { "proxy-authenticate": 'Basic realm="agent"' } : {}),
});

/** Of a connection that speaks no HTTP any more, or none yet. */
function refuseOn(socket: Duplex, status: number): void {
  if (!socket.writable) return void socket.destroy();
  const headers = Object.entries(refusalHeaders(status)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n${headers.join("")}\r\n`, () => socket.destroy());
}
