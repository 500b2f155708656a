import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";
import type { Lookup } from "../../src/net/addresses.ts";
import { type GuardedProxy, openGuardedProxy, type ProxyLimits, type ProxySpec } from "../../src/net/guarded-proxy.ts";
import { proxiesOf } from "../../src/net/proxies.ts";
import type { WebRoute } from "../../src/net/web-route.ts";

export interface TestProxy extends GuardedProxy {
  port: number;
  /** Names of strangers, with what they led to. */
  known: WebRoute["known"];
  /** What it told its log. */
  logged: string[];
  /** The header of whoever may use it. */
  authorization: string;
}

/** A proxy until the test's end: names are who they are said to be, and hosts that are not public are reached where they are named. */
export async function openTestProxy({
  names = {},
  inner = [],
  env = {},
  refuses,
  lookup = async (host) => names[host] ?? Promise.reject(new Error(`${host} is unknown`)),
  limits,
}: {
  names?: Record<string, string[]>;
  inner?: string[];
  env?: Record<string, string>;
  refuses?: ProxySpec["refuses"];
  lookup?: Lookup;
  limits?: Partial<ProxyLimits>;
} = {}): Promise<TestProxy> {
  const logged: string[] = [];
  const known: WebRoute["known"] = new Map();
  const proxy = await openGuardedProxy({
    way: { proxies: proxiesOf(env), lookup, known },
    log: (line) => logged.push(line),
    ...(limits === undefined ? {} : { limits }),
    refuses:
      refuses ??
      (async ({ host, port, range }) =>
        range === undefined || inner.includes(`${host}:${port}`) ? undefined : `it is ${range}`),
  });
  onTestFinished(() => proxy.close());
  const authorization = `Basic ${Buffer.from(`${proxy.user}:${proxy.token}`).toString("base64")}`;
  return Object.assign(proxy, { port: Number(new URL(proxy.url).port), known, logged, authorization });
}

/** What is answered to bytes as they are, until the connection is closed; with the token where they have a place for it. */
export async function sendRaw(proxy: TestProxy, text: string): Promise<string> {
  const socket: Socket = connect(proxy.port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk.toString("latin1");
  });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(text.replaceAll("TOKEN", `Proxy-Authorization: ${proxy.authorization}`));
  await once(socket, "close");
  return heard;
}

export interface Got {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

/** A request for plain http, as a browser makes it. */
export function getThrough(
  proxy: TestProxy,
  url: string,
  { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ host: "127.0.0.1", port: proxy.port, method, path: url, agent: false },
      headers: { host: new URL(url).host, "proxy-authorization": proxy.authorization, ...headers },
    });
    asked.once("error", reject);
    asked.once("response", (answer) => {
      let body = "";
      answer.on("data", (chunk) => {
        body += chunk;
      });
      answer.once("error", reject);
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
    });
    asked.end(body);
  });
}

/** A tunnel, or the status by which it was refused. */
export function tunnelTo(
  proxy: TestProxy,
  place: string,
  authorization: string | undefined = proxy.authorization,
): Promise<Duplex | number> {
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ host: "127.0.0.1", port: proxy.port, method: "CONNECT", path: place, agent: false },
      headers: { host: place, ...(authorization === "" ? {} : { "proxy-authorization": authorization }) },
    });
    asked.once("error", reject);
    asked.once("connect", ({ statusCode = 0 }, socket) => {
      onTestFinished(() => void socket.destroy());
      if (statusCode === 200) resolve(socket);
      else resolve(statusCode);
    });
    asked.end();
  });
}
