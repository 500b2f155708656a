import ipaddr from "ipaddr.js";
import type { HostFact } from "../core/host-fact.ts";

/**
 * The range of an address. `loopback`: this machine. `private`: a network that is not the internet's. `forbidden`: link-local, where
 * clouds keep the credentials of a machine, their other well-known places, and every address of no single host.
 */
export type AddressRange = "public" | NonNullable<HostFact["range"]>;

/** The addresses at which clouds keep a machine's metadata, but for those that are link-local. */
const metadataAddresses = ["fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"];
const metadataNames = ["metadata.google.internal", "metadata.goog", "metadata"];

const ranges: Readonly<Record<string, AddressRange>> = {
  unicast: "public",
  loopback: "loopback",
  // Linux takes it for this machine.
  unspecified: "loopback",
  linkLocal: "forbidden",
  multicast: "forbidden",
  broadcast: "forbidden",
};

/** The range of an address in any spelling; what is no address is forbidden. An IPv4 address within one of IPv6 counts. */
export function rangeOf(address: string): AddressRange {
  const plain = plainAddress(address);
  if (plain === undefined || metadataAddresses.includes(plain)) return "forbidden";
  const parsed = ipaddr.process(plain);
  if (parsed instanceof ipaddr.IPv6 && localInner(parsed).some((one) => rangeOf(one) === "forbidden"))
    return "forbidden";
  const inner = parsed instanceof ipaddr.IPv6 ? innerAddress(parsed) : undefined;
  return inner === undefined ? (ranges[parsed.range()] ?? "private") : rangeOf(inner);
}

/** An address as it is compared: without brackets or zone, an IPv4 address in IPv6 as IPv4, short. Undefined for what is none. */
export function plainAddress(address: string): string | undefined {
  const bare = address.replace(/^\[(.*)\]$/u, "$1").replace(/%.*$/u, "");
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
    ? ipaddr.process(bare).toString()
    : undefined;
}

/** The IPv4 address that a translator reads in the last 32 bits of `::`, `::ffff:0:` and `64:ff9b::`, or a relay in 6to4. */
function innerAddress(address: ipaddr.IPv6): string | undefined {
  const head = address.parts
    .slice(0, 6)
    .map((part) => part.toString(16))
    .join(":");
  const [, high = 0, low = 0, , , , seventh = 0, last = 0] = address.parts;
  if (address.parts[0] === 0x2002) return dotted(high, low);
  const isSmall = seventh === 0 && last <= 1;
  if (head === "64:ff9b:0:0:0:0" || head === "0:0:0:0:ffff:0" || (head === "0:0:0:0:0:0" && !isSmall))
    return dotted(seventh, last);
  return undefined;
}

/**
 * The IPv4 addresses that a network's own translator may read in one of `64:ff9b:1::/48` (RFC 8215): how long its prefix is nobody outside
 * knows, and that says where the address stands (RFC 6052, 2.2).
 */
function localInner({ parts }: ipaddr.IPv6): string[] {
  const [a, b, c, fourth = 0, fifth = 0, sixth = 0, seventh = 0, last = 0] = parts;
  if (a !== 0x64 || b !== 0xff9b || c !== 1) return [];
  const behind48 = dotted(fourth, ((fifth & 255) << 8) | (sixth >> 8));
  const behind56 = dotted(((fourth & 255) << 8) | (fifth & 255), sixth);
  const behind64 = dotted(((fifth & 255) << 8) | (sixth >> 8), ((sixth & 255) << 8) | (seventh >> 8));
  return [behind48, behind56, behind64, dotted(seventh, last)];
}

const dotted = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join(".");

/** Names that no stranger can own: looking one up tells nobody but the own network. */
const localEndings = [
  "localhost",
  "local",
  "internal",
  "intranet",
  "lan",
  "home",
  "corp",
  "private",
  "test",
  "localdomain",
];

const isLoopbackName = (host: string): boolean => host === "localhost" || host.endsWith(".localhost");

/** Tells whether a host, as a URL has it, is this machine by its name or address; no name is looked up. */
export const isThisMachine = (host: string): boolean => isLoopbackName(host) || rangeOf(host) === "loopback";

/** Of a network that is not the internet, by its name. */
export const isLocalName = (host: string): boolean =>
  !host.includes(".") || host.endsWith(".home.arpa") || localEndings.some((end) => host.endsWith(`.${end}`));

/** All addresses of a name. Rejects where it has none. */
export type Lookup = (host: string) => Promise<string[]>;

/**
 * Returns the facts of a URL's host, without telling a stranger: an address is taken as it is, a name of the own network is looked up,
 * and any other name is judged as a name, since looking it up would already say it to whoever owns it. Addresses `known` from an allowed
 * connection count.
 */
export async function hostFactOf(url: URL, lookup: Lookup, known?: readonly string[]): Promise<HostFact> {
  const host = hostOf(url);
  const named = { host, port: portOf(url) };
  if (metadataNames.includes(host)) return { ...named, range: "forbidden" };
  const literal = plainAddress(host);
  if (literal !== undefined) return { ...named, ...factOf([literal]) };
  if (isLoopbackName(host)) return { ...named, range: "loopback", addresses: ["127.0.0.1", "::1"] };
  if (known !== undefined) return { ...named, ...factOf(known) };
  if (!isLocalName(host)) return named;
  return { ...named, ...factOf(await lookup(host).catch(() => [])) };
}

/** The strictest range among the addresses, and, where it is not public, they themselves. */
function factOf(addresses: readonly string[]): Pick<HostFact, "range" | "addresses"> {
  const found = addresses.map(rangeOf);
  const range = (["forbidden", "private", "loopback"] as const).find((one) => found.includes(one));
  return range === undefined ? {} : { range, addresses: [...addresses].map((one) => plainAddress(one) ?? one).sort() };
}

/** ASCII, lower case, without brackets or the dot at its end: as it is judged, shown and written into a grant. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/u, "$1").replace(/\.$/u, "");

export const portOf = ({ port, protocol }: URL): number =>
  port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);

/** Tells whether the host that was judged may be spoken to at this address. */
export function allowsAddress({ range, addresses }: HostFact, address: string): boolean {
  if (range === "forbidden") return false;
  const plain = plainAddress(address);
  if (plain === undefined) return false;
  return range === undefined ? rangeOf(plain) === "public" : addresses?.includes(plain) === true;
}
