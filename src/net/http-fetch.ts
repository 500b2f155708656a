import type { IncomingMessage } from "node:http";

/** The part of `fetch` that the client library calls. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface HttpOptions {
  /** Milliseconds without a byte after which the connection is given up. */
  idleMs: number;
}

/** Headers of an answer that anybody reads. */
const keptHeaders = ["content-type", "retry-after", "retry-after-ms", "x-request-id"];

/**
 * A fetch over Node's own http and https. The global one was tried in its place: a run of one step took a quarter more of the
 * processor, one of 200 steps 20 MB more memory, and it gives up a silent connection after five minutes, not after `idleMs`.
 * Connections are kept alive; one that the server closed while it lay idle is replaced once, unseen. Redirects are not
 * followed (the key would go along). No work is done, and neither module is loaded, before the first request.
 */
export function createHttpFetch(options: HttpOptions): Fetch {
  const agents = new Map<string, unknown>();
  return async (url, init = {}) => {
    const target = new URL(String(url));
    const http = target.protocol === "https:" ? await import("node:https") : await import("node:http");
    const agent = agents.get(target.protocol) ?? new http.Agent({ keepAlive: true });
    agents.set(target.protocol, agent);
    const send = (): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const request = http.request(target, {
          method: init.method ?? "GET",
          headers: Object.fromEntries(new Headers(init.headers)),
          agent: agent as InstanceType<typeof http.Agent>,
          ...(init.signal ? { signal: init.signal } : {}),
        });
        let answer: IncomingMessage | undefined;
        request.setTimeout(options.idleMs, () => (answer ?? request).destroy(idleError(options.idleMs)));
        request.once("response", (message: IncomingMessage) => {
          answer = message;
          resolve(message);
        });
        request.once("error", (error) =>
          reject(request.reusedSocket && wasStale(error) ? new StaleConnection() : error),
        );
        request.end((init.body ?? undefined) as string | Uint8Array | undefined);
      });
    const message = await send().catch((error: unknown) => {
      if (error instanceof StaleConnection) return send();
      throw error;
    });
    return asResponse(message, target.href);
  };
}

class StaleConnection extends Error {}

const wasStale = (error: NodeJS.ErrnoException): boolean => error.code === "ECONNRESET" || error.code === "EPIPE";

/** The error of a connection on which nothing came for `ms`. */
const idleError = (ms: number): Error =>
  Object.assign(new Error(`nothing came for ${Math.round(ms / 1000)} s`), { code: "ETIMEDOUT" });

/** A Response over a message of Node's, whose body is there to be iterated and nothing else: its size is the caller's care. */
function asResponse(message: IncomingMessage, url: string): Response {
  const headers = new Headers();
  for (const name of keptHeaders) {
    const value = message.headers[name];
    if (typeof value === "string") headers.set(name, value);
  }
  const status = message.statusCode ?? 0;
  const response = {
    ok: status >= 200 && status < 300,
    status,
    statusText: message.statusMessage ?? "",
    url,
    headers,
    body: message,
  };
  return response as unknown as Response;
}
