import { joinSignals } from "../../../core/join-signals.ts";
import { limits } from "../../../core/limits.ts";
import { allowsAddress, hostOf, isThisMachine, plainAddress } from "../../../net/addresses.ts";
import { AddressRefused } from "../../../net/checked-fetch.ts";
import { checkedStream, type StreamedAnswer } from "../../../net/checked-stream.ts";
import { until } from "../../../net/until.ts";
import { addressOf, placeOf, type Way } from "../address.ts";
import type { ReachedEntry, ServerOrigin } from "../entry.ts";
import { MessageTooLong, readWhole } from "../event-stream.ts";
import { typeOf } from "../http-answer.ts";
import { noAnswerWords } from "../http-status.ts";

/** The reason why nobody can be signed in, in words. */
export class SignInProblem extends Error {
  override readonly name = "SignInProblem";
}

export interface DoorSpec {
  /** Whom the sign-in is for. */
  entry: Pick<ReachedEntry, "url" | "isPrivate">;
  origin: ServerOrigin;
  way: Way;
  /** The version by which the program calls itself. */
  version: string;
  /** Ends what is under way, and lets nothing begin. */
  signal?: AbortSignal;
}

interface DoorRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
  /** With its header WWW-Authenticate: of an answer to a form the body says more. */
  tellsChallenge?: boolean;
}

/** One request, no redirect; what is answered as it is. @throws SignInProblem, or the signal's reason */
export type Ask = (url: string, asked?: DoorRequest) => Promise<Response>;

/** Letters that a server may have shown to the person: of more than that nobody sees the beginning. */
export const longest = 2_000;

/** Checks that a page or a service may be where somebody signs in: https, and plain http on this machine alone. */
export function signInUrl(text: unknown, what: string): URL {
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isThisMachine(hostOf(url)));
  if (url === undefined || !isSafe) throw new SignInProblem(`${what} is no https address`);
  if (url.username + url.password !== "") throw new SignInProblem(`${what} has a name or a password in it`);
  if (url.href.length > longest) throw new SignInProblem(`${what} has an address longer than ${longest} letters`);
  return url;
}

// Keeps tools 16.
/** The way of a sign-in to the network: that of the server, but that hosts which the server names are no way into other networks than its own. */
export function signInDoor(spec: DoorSpec): Ask {
  return async (text, asked = {}) => {
    const url = signInUrl(text, "what the sign-in leads to");
    spec.signal?.throwIfAborted();
    const limit = joinSignals(spec.signal === undefined ? [] : [spec.signal], limits.signInAnswer.most);
    try {
      const answer = await checkedStream({
        ...requestOf(asked, spec),
        url,
        signal: limit.signal,
        connectMs: limits.mcpConnect.most,
        lookup: spec.way.lookup,
        ...(await until(limit.signal, placeFor(url, spec))),
      });
      return await responseOf(answer, url, asked).finally(answer.close);
    } catch (error) {
      spec.signal?.throwIfAborted();
      throw problemOf(error, url);
    } finally {
      limit.release();
    }
  };
}

const requestOf = ({ method = "GET", headers = {}, body }: DoorRequest, { version }: DoorSpec) => ({
  method: method === "GET" ? ("GET" as const) : ("POST" as const),
  headers: { ...headers, "user-agent": `holdfast/${version}` },
  body: body === undefined || body === null ? undefined : String(body),
});

async function responseOf(answer: StreamedAnswer, { host }: URL, { tellsChallenge }: DoorRequest): Promise<Response> {
  const { status } = answer;
  if (status >= 300 && status < 400) throw new SignInProblem(`${host} redirects, which is not followed in a sign-in`);
  if (status < 200 || status > 599) throw new SignInProblem(`${host} answered ${status}`);
  const said = await readWhole(answer.body, limits.signInText.most);
  const type = typeOf(answer);
  const challenge = tellsChallenge === true ? answer.list("www-authenticate") : undefined;
  return new Response([204, 205].includes(status) ? null : said, {
    status,
    headers: {
      ...(type === "" ? {} : { "content-type": type }),
      ...(challenge === undefined ? {} : { "www-authenticate": challenge }),
    },
  });
}

function problemOf(error: unknown, url: URL): SignInProblem {
  if (error instanceof SignInProblem) return error;
  if (error instanceof MessageTooLong)
    return new SignInProblem(`${url.host} says more than ${limits.signInText.most / 1_000} kB`);
  if (error instanceof DOMException && error.name === "TimeoutError")
    return new SignInProblem(`${url.host} did not answer within ${limits.signInAnswer.most / 1_000} s`);
  if (error instanceof AddressRefused) return new SignInProblem(`${error.message}, which is no place to sign in at`);
  return new SignInProblem(noAnswerWords(error, url));
}

/** Of a page, which a browser of this machine opens: the same as of what is asked for here. @throws SignInProblem, or the signal's reason */
export async function checkPage(url: URL, spec: DoorSpec): Promise<void> {
  const limit = joinSignals(spec.signal === undefined ? [] : [spec.signal], limits.signInAnswer.most);
  try {
    await until(limit.signal, checkHost(url, spec));
  } catch (error) {
    spec.signal?.throwIfAborted();
    throw problemOf(error, url);
  } finally {
    limit.release();
  }
}

/** A name of the internet may lead anywhere: all that it leads to counts, but behind a proxy, which looks names up by itself. */
async function checkHost(url: URL, spec: DoorSpec): Promise<void> {
  const { host, proxy } = await placeFor(url, spec);
  if (proxy !== undefined || host.range !== undefined || plainAddress(host.host) !== undefined) return;
  const found = await spec.way.lookup(host.host);
  if (!found.every((address) => allowsAddress(host, address))) throw new AddressRefused(host.host, found);
}

/**
 * Finds the place of a host of the sign-in: on the internet, or where the server itself is. A server of the internet leads nobody into the person's
 * network, nor to this machine.
 * @throws AddressRefused
 */
async function placeFor(url: URL, { entry, origin, way }: DoorSpec): ReturnType<typeof placeOf> {
  const server = addressOf(entry);
  if (url.origin === server.origin) return placeOf(url, { isPrivate: entry.isPrivate, origin }, way);
  const { host } = await placeOf(server, { isPrivate: entry.isPrivate, origin }, way);
  const isWithin = host.range === "private" || entry.isPrivate;
  const place = await placeOf(url, { isPrivate: entry.isPrivate, origin: isWithin ? origin : "project" }, way);
  const { addresses = [] } = place.host;
  if (addresses.some(isThisMachine) && !host.addresses?.some(isThisMachine))
    throw new AddressRefused(hostOf(url), addresses);
  return place;
}
