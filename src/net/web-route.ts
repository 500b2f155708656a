import type { HostFact } from "../core/host-fact.ts";
import { hostFactOf, hostOf, type Lookup } from "./addresses.ts";
import { type Proxies, proxyFor } from "./proxies.ts";

/** The way to the web, as one session has it. */
export interface WebRoute {
  proxies: Proxies;
  lookup: Lookup;
  /** Addresses that allowed connections found of strangers' names, by host. */
  known: Map<string, readonly string[]>;
}

/**
 * Returns the facts by which a URL is judged: behind a proxy those of its name, for the proxy finds the address. `shown`: as the person
 * was asked about it, which holds in a process that has not yet met the host.
 */
export function hostFact(url: URL, { proxies, lookup, known }: WebRoute, shown?: HostFact): Promise<HostFact> {
  if (proxyFor(url, proxies) !== undefined) return hostFactOf(url, async () => []);
  const asked = shown?.host === hostOf(url) ? shown.addresses : undefined;
  return hostFactOf(url, lookup, known.get(url.hostname) ?? asked);
}

/** Keeps what a name led to, of so many names, for a page can name ever more of its own: the oldest goes. */
export function keepFound(known: WebRoute["known"], name: string, addresses: readonly string[], most: number): void {
  const [oldest] = known.keys();
  if (known.size >= most && !known.has(name) && oldest !== undefined) known.delete(oldest);
  known.set(name, addresses);
}
