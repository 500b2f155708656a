import type { HostFact } from "../../core/host-fact.ts";
import type { NamedValue } from "../../core/secrets/masking.ts";
import { hostFactOf, hostOf, isLocalName, isThisMachine, type Lookup, portOf } from "../../net/addresses.ts";
import { AddressRefused } from "../../net/checked-fetch.ts";
import { type Proxies, proxyFor } from "../../net/proxies.ts";
import { urlComplaint } from "../web/page-url.ts";
import { hasVariable, type ReachedEntry, type ServerOrigin } from "./entry.ts";

/** Headers that the protocol and the connection need for themselves; with `_` in the place of `-` some servers take them for the same. */
const ours =
  /^(?:host|content-.*|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|accept|accept-encoding|mcp-.*|last-event-id|proxy-.*)$/i;

/** Says why a server cannot be spoken to as its entry says, its variables replaced, in words without a value of it; undefined where it can. */
export function addressComplaint({ url, headers, isPrivate }: ReachedEntry, origin: ServerOrigin): string | undefined {
  const wrong = urlComplaint(url);
  if (wrong !== undefined) return `its url cannot be used: ${wrong}`;
  if (isPrivate && origin === "project") return "it says that it is private, which only your own config.json may";
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (new Set(names).size < names.length) return "it has one header twice";
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name)) return "one of its headers has a name that is none";
    if (ours.test(name.replaceAll("_", "-"))) return `its header ${name} is the program's own to set`;
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value) || value.length > longestHeader)
      return `its header ${name} has line ends or other signs in it that no header has, or is longer than ${longestHeader} bytes`;
  }
  return undefined;
}

const longestHeader = 8_192;

/** The address that is asked for. */
export function addressOf({ url }: Pick<ReachedEntry, "url">): URL {
  const address = new URL(url);
  address.hash = "";
  return address;
}

/** The host of a server, as calls of its tools are judged: the person named it themselves, so that it is a name and no more. */
export const namedHost = (entry: Pick<ReachedEntry, "url">): HostFact => {
  const url = addressOf(entry);
  return { host: hostOf(url), port: portOf(url) };
};

/** Tells whether others on the way read all that goes along. */
export const isUnencrypted = (entry: Pick<ReachedEntry, "url">): boolean => {
  const url = addressOf(entry);
  return url.protocol === "http:" && !isThisMachine(hostOf(url));
};

export interface Way {
  proxies: Proxies;
  lookup: Lookup;
}

/**
 * Finds the place of a server, now: this machine where its entry names it, a private network where the entry of the person names an address or a name
 * of one, or says that it is private; else the internet. Never where clouds keep credentials.
 * @throws AddressRefused
 */
export async function placeOf(
  url: URL,
  { isPrivate, origin }: { isPrivate: boolean; origin: ServerOrigin },
  { proxies, lookup }: Way,
): Promise<{ host: HostFact; proxy?: string }> {
  const name = hostOf(url);
  // A proxy would lead to its own machine.
  const proxy = isThisMachine(name) ? undefined : proxyFor(url, proxies);
  const known = isPrivate && proxy === undefined ? await lookup(name) : undefined;
  const host = await hostFactOf(url, proxy === undefined ? lookup : async () => [], known);
  const { range, addresses = [name] } = host;
  // A proxy looks names up by itself.
  const isPublic = range === undefined && !(proxy !== undefined && isLocalName(name));
  const isNamed = origin === "user" || isPublic || isThisMachine(name);
  if (range === "forbidden" || !isNamed) throw new AddressRefused(name, addresses);
  return { host, ...(proxy === undefined ? {} : { proxy }) };
}

/** Of a shorter value nobody can tell whether it is one. */
const shortestKey = 8;

/**
 * Finds the parts of an entry that may be keys: values of headers that name a variable, and of those whose names say so, without the word before a
 * token, too; and the values of variables in its url. A word of letters alone stands in paths and schemas: it is one only where the header's name
 * says so, and it is all that stands there.
 * @param written with the workspace in its place
 */
export function keysIn(written: ReachedEntry, ready: ReachedEntry): NamedValue[] {
  const headers = Object.entries(ready.headers).flatMap(([name, value]): NamedValue[] => {
    const isKey = /auth|key|token|secret|cookie|pass/iu.test(name);
    if (!isKey && !hasVariable(written.headers[name] ?? "")) return [];
    const parts = [...(isKey ? [] : [value]), ...value.split(/[\s;,="']+/u)].filter((part) => !isWord(part));
    return [...(isKey ? [value] : []), ...parts].map((part) => ({ name: `header ${name}`, value: part }));
  });
  const known = new Set(partsOf(written.url));
  const filled = partsOf(ready.url).filter((part) => !known.has(part) && !isWord(part));
  return [...headers, ...filled.map((value) => ({ name: "url", value }))].filter(
    ({ value }) => value.length >= shortestKey,
  );
}

const isWord = (text: string): boolean => /^[A-Za-z]?[a-z]+$/u.test(text);

const partsOf = (url: string): string[] => url.split(/[/?&=#]+/u);
