import { isIP, type LookupFunction } from "node:net";
import type { HostFact } from "../core/host-fact.ts";
import { allowsAddress, hostOf, type Lookup, plainAddress } from "./addresses.ts";
import { loadUndici, type Undici } from "./load-undici.ts";
import { watchSending } from "./watch-sending.ts";

/** The host leads to an address that nobody allowed: no byte was sent to it. */
export class AddressRefused extends Error {
  override readonly name = "AddressRefused";
  readonly host: string;
  readonly addresses: readonly string[];
  constructor(host: string, addresses: readonly string[]) {
    super(`${host} leads to ${addresses.join(", ")}`);
    this.host = host;
    this.addresses = addresses;
  }
}

/** The body, after decompression, is larger than what is taken. */
export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** The time was up before the body was whole. */
export class BodyCut extends Error {
  override readonly name = "BodyCut";
  /** That had come, after decompression. */
  readonly bytes: number;
  constructor(bytes: number) {
    super(`${bytes} bytes came in time`);
    this.bytes = bytes;
  }
}

export interface CheckedRequest {
  url: URL;
  /** Default GET. */
  method?: string | undefined;
  /** Beside those that are always sent, or in their place. */
  headers?: Readonly<Record<string, string>> | undefined;
  body?: string | undefined;
  /** As it was judged: only the addresses that this allows are connected to. */
  host: HostFact;
  /** Judged by name: the proxy finds the address. */
  proxy?: string | undefined;
  lookup: Lookup;
  /** Bytes, after decompression. */
  maxBytes: number;
  /** Milliseconds to connect, and without a byte. */
  idleMs: number;
  signal: AbortSignal;
  /** Told before the first byte of the request goes over a connection that is open: until then the host has heard nothing. */
  goesOut?: (() => void) | undefined;
}

export interface CheckedAnswer {
  status: number;
  statusText: string;
  contentType: string;
  /** Of a redirect. */
  location: string | undefined;
  /** Empty where the status is not 200 to 299. */
  bytes: Uint8Array;
}

const usualHeaders = {
  accept: "text/html,application/xhtml+xml,text/markdown,text/plain,application/json,application/pdf;q=0.9,*/*;q=0.5",
  "user-agent": "Mozilla/5.0 (compatible; holdfast)",
};

// Keeps net 1.
/**
 * One request, by default a GET without cookies or credentials, and no redirect, over a connection of its own to an address that was checked: of a name when it
 * is looked up (all of its addresses, once, and these are connected to), of a literal before it is connected to (a literal is never
 * looked up), and of both again on the open socket. What asks the host to do something is sent once, whatever is answered.
 * @throws AddressRefused, BodyTooLarge, BodyCut, what aborted the signal, or why there was no answer.
 */
export async function checkedFetch(request: CheckedRequest): Promise<CheckedAnswer> {
  const { url, signal, method = "GET", body } = request;
  const { Agent, ProxyAgent, buildConnector, fetch } = await loadUndici();
  const times = { headersTimeout: request.idleMs, bodyTimeout: request.idleMs };
  const dispatcher =
    request.proxy === undefined
      ? new Agent({ ...times, connect: checkedConnector(request, buildConnector) })
      : new ProxyAgent({ ...times, uri: request.proxy });
  watchSending(dispatcher, request.goesOut);
  const got = { bytes: 0 };
  try {
    const headers = { ...usualHeaders, ...lowered(request.headers) };
    const sent = { method, headers, ...(body === undefined ? {} : { body }) };
    const answer = await fetch(url.href, { redirect: "manual", signal, dispatcher, ...sent });
    const isWanted = answer.status >= 200 && answer.status < 300;
    return {
      status: answer.status,
      statusText: answer.statusText,
      contentType: answer.headers.get("content-type") ?? "",
      location: answer.headers.get("location") ?? undefined,
      bytes: isWanted && answer.body !== null ? await readBody(answer.body, request.maxBytes, got) : new Uint8Array(),
    };
  } catch (error) {
    if (got.bytes > 0 && signal.reason?.name === "TimeoutError") throw new BodyCut(got.bytes);
    signal.throwIfAborted();
    throw causeOf(error);
  } finally {
    void dispatcher.destroy();
  }
}

const lowered = (headers: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Returns the error that fetch wraps: a refusal of ours, else the error that says most. */
export function causeOf(error: unknown): unknown {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause : error;
}

async function readBody(body: AsyncIterable<Uint8Array>, most: number, got: { bytes: number }): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of body) {
    got.bytes += part.byteLength;
    if (got.bytes > most) throw new BodyTooLarge();
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts, got.bytes));
}

export interface Connecting extends Pick<CheckedRequest, "url" | "host" | "lookup" | "idleMs"> {
  /** Ends each connection, before it is open and after. */
  ends?: AbortSignal;
}

/** Connects to what the host was judged to be, and to nothing else. @param idleMs to connect */
export function checkedConnector(
  { url, host, lookup, idleMs, ends }: Connecting,
  buildConnector: Undici["buildConnector"],
): ReturnType<Undici["buildConnector"]> {
  const name = hostOf(url);
  const connect = buildConnector({
    timeout: idleMs,
    lookup: checkedLookup(host, name, lookup),
    ...(ends && { signal: ends }),
  });
  return (options, callback) => {
    const literal = plainAddress(options.hostname);
    if (literal !== undefined && !allowsAddress(host, literal)) {
      callback(new AddressRefused(name, [literal]), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const at = socket.remoteAddress ?? "";
      if (allowsAddress(host, at)) return callback(null, socket);
      socket.destroy();
      return callback(new AddressRefused(name, [at]), null);
    });
  };
}

/** Every address must be allowed: one that is not among many is how a name is made to lead astray. */
function checkedLookup(host: HostFact, name: string, lookup: Lookup): LookupFunction {
  const find = async (): Promise<string[]> => {
    const found = host.addresses ?? (await lookup(name));
    if (!found.every((address) => allowsAddress(host, address))) throw new AddressRefused(name, found);
    return [...found];
  };
  return (_, options, callback) => {
    find().then(
      (found) => {
        const all = found.map((address) => ({ address, family: isIP(address) }));
        const [first] = all;
        if (first === undefined) callback(new Error(`${name} has no address`), "");
        else if (options.all === true) callback(null, all);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ""),
    );
  };
}
