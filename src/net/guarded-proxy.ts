import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { HostFact } from "../core/host-fact.ts";
import { joinSignals } from "../core/join-signals.ts";
import { limits } from "../core/limits.ts";
import { hostOf, isThisMachine, portOf } from "./addresses.ts";
import { AddressRefused, checkedConnector } from "./checked-fetch.ts";
import { loadUndici } from "./load-undici.ts";
import { proxyFor } from "./proxies.ts";
import { onwardHeaders, targetOfConnect, targetOfRequest, WrongRequest } from "./proxy-requests.ts";
import { tunnelThrough } from "./proxy-tunnel.ts";
import { hostFact, type WayOut } from "./way.ts";

export interface ProxySpec {
  way: WayOut;
  /** Why nothing goes to a host, in words; undefined where it may. Asked for each connection. */
  refuses(host: HostFact): Promise<string | undefined>;
  /** Told of hosts with their ports, and of nothing else that was asked for. */
  log(line: string): void;
}

/** A proxy of ours for a program that must not choose by itself where it goes. */
export interface GuardedProxy {
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** What a client names as its user and password: whoever has not both gets nothing. */
  user: string;
  token: string;
  /** What was refused since this was last asked, a host with its port and why. */
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
  readonly #way: WayOut;
  readonly #server;
  readonly #sockets = new Set<Duplex>();
  readonly #said = new Set<string>();
  readonly #stop = new AbortController();
  #refused: string[] = [];
  #underWay = 0;
  #port = 0;

  constructor(spec: ProxySpec) {
    this.#spec = spec;
    this.#way = spec.way;
    this.#server = createServer({
      maxHeaderSize: limits.browserHead.most,
      headersTimeout: limits.browserWait.most,
      requestTimeout: 0, // bytes that flow are waited for, however long
      connectionsCheckingInterval: 1_000,
      insecureHTTPParser: false,
    });
    this.#server.timeout = limits.browserSilence.most;
    this.#server.maxConnections = limits.browserConnections.most;
    this.#server.on("connection", (socket: Socket) => this.#hold(socket));
    this.#server.on("request", (asked, answer) => void this.#forward(asked, answer));
    this.#server.on("connect", (asked, client, head) => void this.#tunnel(asked, client, head));
    this.#server.on("clientError", (_, socket) => refuseOn(socket, 400));
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
    const told = this.#refused;
    this.#refused = [];
    return told;
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error("its session ended"));
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    ownPorts.delete(this.#port);
  }

  #hold(socket: Duplex & { setTimeout?: Socket["setTimeout"] }): void {
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setTimeout?.(limits.browserSilence.most, () => socket.destroy());
    if (this.#stop.signal.aborted) socket.destroy();
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    try {
      await this.#counted(async () => {
        this.#checkToken(asked);
        const url = targetOfRequest(asked);
        const headers = onwardHeaders(asked, url.host);
        await exchange(asked, answer, { socket: await this.#connect(url, asked.socket), url, headers });
      });
    } catch (error) {
      if (answer.headersSent) answer.destroy();
      else {
        const { status, message } = refusalOf(error);
        answer.writeHead(status, { ...refusalHeaders(status), "content-type": "text/plain; charset=utf-8" });
        answer.end(`${message}\n`);
      }
    }
  }

  async #tunnel(asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    try {
      await this.#counted(async () => {
        this.#checkToken(asked);
        const target = await this.#connect(targetOfConnect(asked), client);
        client.write("HTTP/1.1 200 Connection established\r\n\r\n");
        if (head.length > 0) target.write(head);
        await pipeline(client, target, client).catch(() => undefined);
      });
    } catch (error) {
      refuseOn(client, refusalOf(error).status);
    }
  }

  /** @throws Refused where more is under way than one browser has */
  async #counted(run: () => Promise<void>): Promise<void> {
    if (this.#underWay >= limits.browserConnections.most) throw new Refused(503, "too much is under way");
    this.#underWay += 1;
    try {
      await run();
    } finally {
      this.#underWay -= 1;
    }
  }

  #checkToken({ headers }: IncomingMessage): void {
    const given = headers["proxy-authorization"];
    if (given === undefined) throw new Refused(407, "it needs its token");
    const meant = `Basic ${Buffer.from(`${user}:${this.token}`).toString("base64")}`;
    if (timingSafeEqual(hashOf(given), hashOf(meant))) return;
    this.#tell("refused: a wrong token");
    throw new Refused(407, "the token is a wrong one");
  }

  /** A connection to what the URL was judged to be, while the client waits for it. */
  async #connect(url: URL, client: Duplex): Promise<Duplex> {
    const place = `${url.hostname}:${portOf(url)}`;
    const { host, why } = await this.#inTime(() => this.#judged(url));
    this.#checkGoesOn(client);
    if (why !== undefined) throw this.#refusal(place, why);
    try {
      const socket = await this.#open(url, host);
      this.#hold(socket);
      if (client.destroyed) socket.destroy();
      this.#checkGoesOn(client);
      this.#tell(`reached ${place}`);
      return socket;
    } catch (error) {
      if (error instanceof Refused) throw error;
      if (!(error instanceof AddressRefused)) throw new Refused(502, `${place} was not reached`, { cause: error });
      this.#way.known.set(url.hostname, error.addresses);
      throw this.#refusal(place, `${error.message}, which nobody has allowed`);
    }
  }

  async #judged(url: URL): Promise<{ host: HostFact; why: string | undefined }> {
    const host = await hostFact(url, this.#way);
    const isOwn = host.range === "loopback" && ownPorts.has(portOf(url));
    return { host, why: isOwn ? "it is a port of the agent's own" : await this.#spec.refuses(host) };
  }

  /** @throws Refused where it takes too long, or the session ends meanwhile */
  async #inTime<T>(run: () => Promise<T>): Promise<T> {
    const limit = joinSignals([this.#stop.signal], limits.browserWait.most);
    const late = new Promise<never>((_, reject) => {
      const refuse = (): void => reject(new Refused(504, "it was not found in time"));
      limit.signal.addEventListener("abort", refuse, { once: true });
      if (limit.signal.aborted) refuse();
    });
    try {
      return await Promise.race([run(), late]);
    } finally {
      limit.release();
    }
  }

  /** @throws Refused where nobody waits for it any more: then nothing goes out */
  #checkGoesOn(client: Duplex): void {
    if (client.destroyed || this.#stop.signal.aborted) throw new Refused(503, "nobody waits for it");
  }

  #refusal(place: string, why: string): Refused {
    const told = why.startsWith(place) ? why : `${place}: ${why}`;
    this.#tell(`refused ${told}`);
    if (this.#refused.length < mostTold && !this.#refused.includes(told)) this.#refused.push(told);
    return new Refused(403, `the agent lets nothing go to ${told}`);
  }

  async #open(url: URL, host: HostFact): Promise<Duplex> {
    const proxy = isThisMachine(hostOf(url)) ? undefined : proxyFor(url, this.#way.proxies);
    if (proxy !== undefined) return this.#tunnelThrough(new URL(proxy), url);
    const { buildConnector } = await loadUndici();
    const spec = { url, host, lookup: this.#way.lookup, idleMs: limits.browserWait.most };
    const connect = checkedConnector(spec, buildConnector);
    const at = { hostname: hostOf(url), host: url.host, protocol: "http:", port: String(portOf(url)) };
    return new Promise((resolve, reject) =>
      connect(at, (...[error, socket]) => (error === null ? resolve(socket) : reject(error))),
    );
  }

  async #tunnelThrough(proxy: URL, url: URL): Promise<Duplex> {
    const limit = joinSignals([this.#stop.signal], limits.browserWait.most);
    try {
      return await tunnelThrough(proxy, url, limit.signal);
    } finally {
      limit.release();
    }
  }

  /** Once of each, so that a page cannot fill the log. */
  #tell(line: string): void {
    if (this.#said.has(line) || this.#said.size >= 10 * mostTold) return;
    this.#said.add(line);
    this.#spec.log(line);
  }
}

/** Refusals that are kept until they are told. */
const mostTold = 20;

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

/** One request and its answer, each as it comes and to its end. @throws where no whole answer came */
async function exchange(
  asked: IncomingMessage,
  answer: ServerResponse,
  { socket, url, headers }: { socket: Duplex; url: URL; headers: string[] },
): Promise<void> {
  const onward = request({
    method: asked.method ?? "GET",
    path: `${url.pathname}${url.search}`,
    headers,
    createConnection: () => socket,
    maxHeaderSize: limits.browserHead.most,
    insecureHTTPParser: false,
  });
  answer.once("close", () => socket.destroy());
  asked.on("error", () => onward.destroy());
  const got = await new Promise<IncomingMessage>((resolve, reject) => {
    onward.once("response", resolve);
    onward.on("error", reject);
    onward.once("close", () => reject(new Error("no answer came")));
    asked.pipe(onward);
  });
  try {
    answer.writeHead(got.statusCode ?? 502, onwardHeaders(got));
  } catch (error) {
    socket.destroy();
    throw error;
  }
  await pipeline(got, answer);
}
