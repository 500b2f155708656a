import { domainToASCII } from "node:url";
import { foldCase } from "../core/fold-case.ts";
import type { HostFact } from "../core/host-fact.ts";
import type { Reason } from "../words/contract/policy-reasons.ts";
import type { CallFacts } from "./types.ts";

/** A host and its port as they are shown and compared: `example.com:443`, `[::1]:8080`. */
export function hostText({ host, port }: HostFact): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === undefined ? name : `${name}:${port}`;
}

/** A pattern that means the host of a call and nothing else; of a host that is not public it names the port too. */
export const hostPattern = (fact: HostFact): string => (fact.range === undefined ? fact.host : hostText(fact));

interface HostPattern {
  /** ASCII, folded; without the `*.` before it. */
  name: string;
  isWide: boolean;
  port?: number;
}

function parsePattern(pattern: string): HostPattern {
  const [, six, sixPort] = /^\[([^\]]*)\](?::(\d+))?$/u.exec(pattern) ?? [];
  const [, four, fourPort] = /^([^:]*):(\d+)$/u.exec(pattern) ?? [];
  const port = sixPort ?? fourPort;
  const whole = six ?? four ?? pattern;
  const isWide = whole.startsWith("*.");
  return {
    name: plainName(isWide ? whole.slice(2) : whole),
    isWide,
    ...(port === undefined ? {} : { port: Number(port) }),
  };
}

/** As a URL's host is written: other letters in their ASCII form, so that a rule means what its reader sees. */
function plainName(name: string): string {
  const folded = foldCase(name).replace(/\.$/u, "");
  return /^[ -~]*$/u.test(folded) ? folded : domainToASCII(folded) || folded;
}

const isNamed = ({ name, isWide }: HostPattern, host: string): boolean =>
  isWide ? host.endsWith(`.${name}`) : host === name;

/**
 * Tells whether an allow means the host. `*.example.com` is every host below example.com, not example.com itself. Without a port it is any
 * port of a public host; a host that is not public is meant only by its own name and port.
 */
export function coversHost(pattern: string, fact: HostFact): boolean {
  const meant = parsePattern(pattern);
  const isPort = meant.port === undefined ? fact.range === undefined : meant.port === fact.port;
  return isPort && !(meant.isWide && fact.range !== undefined) && isNamed(meant, plainName(fact.host));
}

/** Tells whether a deny or an ask means the host: by its name or by an address that it leads to, on any port where it names none. */
export function touchesHost(pattern: string, { host, port, addresses = [] }: HostFact): boolean {
  const meant = parsePattern(pattern);
  if (meant.port !== undefined && port !== undefined && meant.port !== port) return false;
  return [host, ...addresses].some((one) => isNamed(meant, plainName(one)));
}

/** Hosts that a rule or grant must name itself, and no mode covers: they are not of the internet. */
const innerHosts = ({ hosts }: CallFacts): HostFact[] => hosts.filter(({ range }) => range !== undefined);

/** Tells whether the patterns name each of the call's hosts that must be named. */
export const namesInnerHosts = (patterns: readonly string[] | undefined, facts: CallFacts): boolean =>
  innerHosts(facts).every((fact) => patterns?.some((pattern) => coversHost(pattern, fact)) === true);

/** Gives the reason why no call may speak to one of the hosts, or undefined. */
export function forbiddenHost({ hosts }: CallFacts): Reason | undefined {
  const fact = hosts.find(({ range }) => range === "forbidden");
  return fact && { code: "sealed_host", host: ledTo(fact) };
}

/** Gives the reason to ask about a host of the call, whatever the mode, or undefined. */
export function innerReason(facts: CallFacts): Reason | undefined {
  const [fact] = innerHosts(facts);
  if (fact === undefined) return undefined;
  return { code: fact.range === "loopback" ? "on_this_machine" : "in_private_network", host: ledTo(fact) };
}

function ledTo(fact: HostFact): Reason {
  const addresses = (fact.addresses ?? []).filter((address) => address !== fact.host);
  return addresses.length === 0 ? hostText(fact) : { code: "host_at", host: hostText(fact), addresses };
}
