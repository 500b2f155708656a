import { type ErrorCode, ToolRefusal } from "../../core/codes.ts";
import type { HostFact } from "../../core/host-fact.ts";
import { joinSignals } from "../../core/join-signals.ts";
import { limits } from "../../core/limits.ts";
import { EffectStopped } from "../../core/outcome.ts";
import type { ToolContext } from "../../core/tool.ts";
import { portOf } from "../../net/addresses.ts";
import { AddressRefused, BodyCut, BodyTooLarge, type CheckedAnswer, checkedFetch } from "../../net/checked-fetch.ts";
import { proxyFor } from "../../net/proxies.ts";
import { hostFact, type WebRoute } from "../../net/web-route.ts";
import { isPlain, methodSent, type RequestFields } from "./page-request.ts";
import { urlComplaint } from "./page-url.ts";

const mostRedirects = 5;

export interface Way extends WebRoute {
  /** For a page with its redirects, in milliseconds. */
  timeMs: number;
}

export type Followed =
  /** `astray`: of what was sent, that it was answered by a redirect to what cannot be fetched. */
  | { kind: "page"; url: URL; answer: CheckedAnswer; astray?: string }
  /** The way leads on to a host that nobody has allowed. */
  | { kind: "elsewhere"; from: URL; to: URL; why: string };

/**
 * Gets a page, over redirects of the same host, and of others that policy lets this call reach unasked. Each is checked as the first.
 * @param host as the plan has it: what was judged.
 * @throws EffectStopped where the host leads to another place than was judged, and nothing was sent, or where what was sent was not
 *   answered whole; ToolRefusal TIMEOUT, TOO_LARGE, UNREACHABLE, HTTP_ERROR, NOT_FOUND, INVALID_ARGUMENT.
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
    if (!isRedirect(answer)) return { kind: "page", url, answer };
    if (hops === mostRedirects)
      throw new ToolRefusal("HTTP_ERROR", `more than ${mostRedirects} redirects, the last to ${url.href}`);
    const next = await onward(answer, url, fact, ctx, way);
    if ("kind" in next) return next;
    [url, fact] = [next.url, next.fact];
  }
}

/** Returns the target of a redirect that may be followed unasked; else the outcome to tell instead. */
async function onward(
  answer: CheckedAnswer & { location: string },
  url: URL,
  fact: HostFact,
  ctx: ToolContext,
  way: Way & { request: RequestFields },
): Promise<Followed | { url: URL; fact: HostFact }> {
  const to = targetOf(answer.location, url, ctx);
  if (typeof to === "string") return astray(to, url, answer, way.request);
  if (isBound(way.request, url, to)) return { kind: "elsewhere", from: url, to, why: `it answered ${answer.status}` };
  if (isSameHost(url, to)) return { url: to, fact: { ...fact, port: portOf(to) } };
  const other = await hostFact(to, way);
  return ctx.mayReach?.(other) === true
    ? { url: to, fact: other }
    : { kind: "elsewhere", from: url, to, why: "another host" };
}

const isRedirect = (answer: CheckedAnswer): answer is CheckedAnswer & { location: string } =>
  answer.location !== undefined && answer.status >= 300 && answer.status <= 399;

/** A redirect to what cannot be fetched is an error, but of what a method did the answer tells. */
function astray(why: string, url: URL, answer: CheckedAnswer, request: RequestFields): Followed {
  if (methodSent(request) === undefined) throw new ToolRefusal("HTTP_ERROR", why);
  return { kind: "page", url, answer, astray: why };
}

/** Tells whether a request is bound to its place: the fields that go along with it were allowed for one place, and by one method. */
const isBound = (request: RequestFields, from: URL, to: URL): boolean =>
  methodSent(request) !== undefined || (!isPlain(request) && to.origin !== from.origin);

/** Returns the URL to which it leads, or in words the reason why it cannot be fetched. */
function targetOf(location: string, from: URL, { masking }: ToolContext): URL | string {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  const wrong = to === undefined ? "no URL" : urlComplaint(to.href);
  if (to === undefined || wrong !== undefined)
    return `it redirects to what cannot be fetched: ${wrong} (${(masking?.text(location) ?? location).slice(0, 200)})`;
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
  let isOut = false;
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
      goesOut: () => {
        isOut = true;
      },
    });
  } catch (error) {
    if (methodSent(request) !== undefined && isOut)
      throw new EffectStopped(
        "unknown",
        `${request.method} may have been sent to ${url.host}, and no whole answer came: ${wordsOf(error)}`,
      );
    stop.throwIfAborted();
    if (!(error instanceof AddressRefused)) throw refusalOf(error, url, timeMs);
    known.set(url.hostname, error.addresses);
    const why = `${error.message}, which nobody has allowed`;
    if (isFirst) throw new EffectStopped("drifted", `${why}: nothing was sent`);
    return { kind: "elsewhere", from: url, to: url, why };
  }
}

export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);

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
