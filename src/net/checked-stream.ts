import type { Readable } from "node:stream";
import { type CheckedRequest, causeOf, checkedConnector } from "./checked-fetch.ts";
import { loadUndici } from "./load-undici.ts";
import { watchSending } from "./watch-sending.ts";

/** Nothing of the request went out: there was no connection that it could go over. */
export class NotReached extends Error {
  override readonly name = "NotReached";
}

export type StreamedRequest = Pick<CheckedRequest, "url" | "host" | "proxy" | "lookup" | "signal"> & {
  method: "GET" | "POST" | "DELETE";
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  /** Milliseconds until it goes out: to connect, through a proxy too, whether or not that answers. */
  connectMs: number;
};

export interface StreamedAnswer {
  status: number;
  /** The first of that name, in lower case. */
  header(name: string): string | undefined;
  /** All of that name as the one list that they are (RFC 9110, 5.3), in lower case. */
  list(name: string): string | undefined;
  /** As it comes, as it was sent: no other coding than none is asked for. */
  body: Readable;
  /** Reads no more, and closes the connection. */
  close(): void;
}

// Keeps net 1.
/**
 * One request over a connection of its own to an address that was checked, whose answer is read as it comes: sent once, whatever is answered, with no redirect,
 * no cookies and no time limit but that of connecting and the signal's.
 * @throws NotReached where nothing was sent, with its cause; else what aborted the signal, or why there was no answer.
 */
export async function checkedStream(request: StreamedRequest): Promise<StreamedAnswer> {
  const { url, method, headers, body, proxy, signal, connectMs } = request;
  const { Agent, ProxyAgent, buildConnector } = await loadUndici();
  const connecting = { ...request, idleMs: connectMs };
  const times = { headersTimeout: 0, bodyTimeout: 0 };
  const dispatcher =
    proxy === undefined
      ? new Agent({ ...times, connect: checkedConnector(connecting, buildConnector) })
      : new ProxyAgent({ ...times, uri: proxy, proxyTls: { timeout: connectMs }, requestTls: { timeout: connectMs } });
  const close = (): void => void dispatcher.destroy().catch(() => undefined);
  const late = new Error(`no connection came about within ${connectMs / 1000} s`);
  // A proxy may take a connection and never say whether it leads on.
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    close();
  }, connectMs);
  const sent = watchSending(dispatcher, () => clearTimeout(timer));
  try {
    const answer = await dispatcher.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...headers, "accept-encoding": "identity" },
      signal,
      ...(body === undefined ? {} : { body }),
    });
    // It is told where the body is read; an error that comes when nobody reads any more is nobody's.
    answer.body.on("error", () => undefined);
    const header = (name: string): string | undefined => [answer.headers[name]].flat()[0];
    const list = (name: string): string | undefined =>
      header(name) === undefined ? undefined : [answer.headers[name]].flat().join(", ");
    return { status: answer.statusCode, header, list, body: answer.body, close };
  } catch (error) {
    close();
    if (!sent())
      throw new NotReached("nothing was sent", {
        cause: signal.aborted ? signal.reason : isLate ? late : causeOf(error),
      });
    signal.throwIfAborted();
    throw causeOf(error);
  } finally {
    clearTimeout(timer);
  }
}
