import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import { errnoOf } from "../../core/errno.ts";
import type { HostFact } from "../../core/host-fact.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { limits } from "../../core/limits.ts";
import { EffectStopped } from "../../core/outcome.ts";
import type { ToolContext } from "../../core/tool.ts";
import { hostFactOf, hostOf, type Lookup, portOf } from "../../net/addresses.ts";
import { AddressRefused, BodyCut, BodyTooLarge, type CheckedAnswer, checkedFetch } from "../../net/checked-fetch.ts";
import { type Proxies, proxyFor } from "../../net/proxies.ts";
import { isPlain, methodSent, type RequestFields } from "./page-request.ts";
import { urlComplaint } from "./page-url.ts";

const mostRedirects = 5;

/** The way to the web, as one session has it. */
export interface Way {
  proxies: Proxies;
  lookup: Lookup;
  /** Addresses that allowed connections found of strangers' names, by host. */
  known: Map<string, readonly string[]>;
  /** For a page with its redirects, in milliseconds. */
  timeMs: number;
}

/**
 * How a URL is judged: behind a proxy by its name, for the proxy finds the address. `shown`: as the person was asked about it, which
 * holds in a process that has not yet met the host.
 */
export function hostFact(url: URL, { proxies, lookup, known }: Way, shown?: HostFact): Promise<HostFact> {
  if (proxyFor(url, proxies) !== undefined) return hostFactOf(url, async () => []);
  const asked = shown?.host === hostOf(url) ? shown.addresses : undefined;
  return hostFactOf(url, lookup, known.get(url.hostname) ?? asked);
}

export type Followed =
  | { kind: "page"; url: URL; answer: CheckedAnswer }
  /** The way leads on to a host that nobody has allowed. */
  | { kind: "elsewhere"; from: URL; to: URL; why: string };

/** The host did not hear of the request: it was not found, or did not take the connection. */
const unheard =
  /^(?:ENOTFOUND|EAI_\w+|ECONNREFUSED|UND_ERR_CONNECT_TIMEOUT|UND_ERR_INVALID_ARG|CERT_\w+|ERR_TLS_CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+)$/;

/**
 * Gets a page, over redirects of the same host, and of others that policy lets this call reach unasked. Each is checked as the first.
 * @param host as the plan has it: what was judged.
 * @throws EffectStopped where the host leads to another place than was judged, and nothing was sent; ToolRefusal TIMEOUT, TOO_LARGE,
 *   UNREACHABLE, HTTP_ERROR, NOT_FOUND, INVALID_ARGUMENT.
 */
export async function follow(
  first: URL,
  host: HostFact,
  ctx: ToolContext,
  way: Way,
  request: RequestFields = {},
): Promise<Followed> {
  const limit = joinSignals([ctx.signal], way.timeMs);
  try {
    return await followed(first, host, ctx, { ...way, request, signal: limit.signal });
  } finally {
    limit.release();
  }
}

async function followed(
  first: URL,
  host: HostFact,
  ctx: ToolContext,
  way: Way & { signal: AbortSignal; request: RequestFields },
): Promise<Followed> {
  let [url, fact] = [first, host];
  for (let hops = 0; ; hops += 1) {
    const answer = await hop(url, fact, { ...way, stop: ctx.signal, isFirst: hops === 0 });
    if ("kind" in answer) return answer;
    if (answer.location === undefined || answer.status < 300 || answer.status > 399)
      return { kind: "page", url, answer };
    if (hops === mostRedirects)
      throw new ToolRefusal("HTTP_ERROR", `more than ${mostRedirects} redirects, the last to ${url.href}`);
    const to = targetOf(answer.location, url, ctx);
    if (isBound(way.request, url, to)) return { kind: "elsewhere", from: url, to, why: `it answered ${answer.status}` };
    const next = isSameHost(url, to) ? { ...fact, port: portOf(to) } : await hostFact(to, way);
    if (!isSameHost(url, to) && ctx.mayReach?.(next) !== true)
      return { kind: "elsewhere", from: url, to, why: "another host" };
    [url, fact] = [to, next];
  }
}

/** What goes along with a request was let go to one place, and by one method. */
const isBound = (request: RequestFields, from: URL, to: URL): boolean =>
  methodSent(request) !== undefined || (!isPlain(request) && to.origin !== from.origin);

function targetOf(location: string, from: URL, { masking }: ToolContext): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const wrong = to === undefined ? "no URL" : urlComplaint(to.href);
  if (to === undefined || wrong !== undefined)
    throw new ToolRefusal(
      "HTTP_ERROR",
      `it redirects to what cannot be fetched: ${wrong} (${(masking?.text(location) ?? location).slice(0, 200)})`,
    );
  to.hash = "";
  return to;
}

/** The same host and port, or the step from http to https on the usual ports. */
const isSameHost = (from: URL, to: URL): boolean =>
  from.hostname === to.hostname &&
  (from.port === to.port ? from.protocol === to.protocol || from.port === "" : false) &&
  !(from.protocol === "https:" && to.protocol === "http:");

async function hop(
  url: URL,
  host: HostFact,
  {
    proxies,
    lookup,
    known,
    timeMs,
    stop,
    signal,
    request,
    isFirst,
  }: Way & { stop: AbortSignal; signal: AbortSignal; request: RequestFields; isFirst: boolean },
): Promise<CheckedAnswer | Followed> {
  try {
    return await checkedFetch({
      ...request,
      url,
      host,
      proxy: proxyFor(url, proxies),
      lookup,
      maxBytes: limits.webBody.most,
      idleMs: limits.webSilence.most,
      signal,
    });
  } catch (error) {
    if (methodSent(request) !== undefined && mayHaveBeenHeard(error))
      throw new EffectStopped(
        "unknown",
        `${request.method} was sent to ${url.host}, and no whole answer came: ${wordsOf(error)}`,
      );
    stop.throwIfAborted();
    if (!(error instanceof AddressRefused)) throw refusalOf(error, url, timeMs);
    known.set(url.hostname, error.addresses);
    const why = `${error.message}, which nobody has allowed`;
    if (isFirst) throw new EffectStopped("drifted", `${why}: nothing was sent`);
    return { kind: "elsewhere", from: url, to: url, why };
  }
}

const mayHaveBeenHeard = (error: unknown): boolean =>
  !(error instanceof AddressRefused) && !unheard.test(errnoOf(error) ?? "") && !isConnecting(error);

const isConnecting = (error: unknown): boolean =>
  error instanceof Error && "syscall" in error && error.syscall === "connect";

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));

function refusalOf(error: unknown, url: URL, timeMs: number): unknown {
  const refuse = (code: ErrorCode, message: string) => new ToolRefusal(code, message, { cause: error });
  if (error instanceof BodyTooLarge)
    return refuse("TOO_LARGE", `${url.href} is larger than ${limits.webBody.most / 1e6} MB`);
  if (error instanceof BodyCut)
    return refuse(
      "TIMEOUT",
      `${url.href} did not come whole within ${timeMs / 1000} s: ${error.bytes} bytes of it came`,
    );
  if (!(error instanceof Error)) return error;
  if (error.name === "TimeoutError") return refuse("TIMEOUT", `${url.href} did not come within ${timeMs / 1000} s`);
  if (error.name === "AbortError") return error;
  return refuse("UNREACHABLE", `${url.host} cannot be read: ${error.message || error.name}`);
}
