import { domainToASCII } from "node:url";
import type { Tool } from "../../core/tool.ts";
import { wildMatch } from "../../core/wild-match.ts";

// `[scheme://]host[:port][/path]`. Without a scheme it is for http and https, without a port or a path for all of them. In the host `*.` at the
// beginning stands for all names below it and for none, so that `*.github.com` is for github.com too, and `.*` at the end for one ending (`com`, `co.uk`). In
// the path `*` stands for any characters of one name, and a name that is `**` for any number of names.
interface PagePattern {
  /** With its colon. */
  scheme: string | undefined;
  host: readonly Part[];
  /** Behind these comes an ending. */
  hasEnding: boolean;
  port: string | undefined;
  path: readonly Part[] | undefined;
}

/** Any number of labels or names. */
const any = Symbol("any");
type Part = string | typeof any;

const ports: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
const form = /^(?:([a-z][a-z0-9+.-]*|\*):\/\/)?([^/:@?#\\\s[\]]*|\[[\da-f:.]+\])(?::(\d{1,5}))?(\/[^?#\\\s]*)?$/iu;

/** @returns why it is none, in words */
function read(pattern: string): PagePattern | string {
  const [, scheme, host = "", port, path] = form.exec(pattern) ?? [];
  if (host === "" && (scheme !== "file" || path === undefined))
    return `"${pattern}" is no pattern of pages: write *.github.com, www.google.*, or https://github.com/**/issues`;
  return {
    scheme: scheme === undefined ? undefined : `${scheme.toLowerCase()}:`,
    ...hostParts(host),
    port,
    path: path === undefined ? undefined : namesOf(new URL(`http://a${path}`).pathname).map(pathPart),
  };
}

function hostParts(text: string): Pick<PagePattern, "host" | "hasEnding"> {
  const labels = text.toLowerCase().replace(/\.$/u, "").split(".");
  const hasEnding = labels.length > 1 && labels.at(-1) === "*";
  const host = (hasEnding ? labels.slice(0, -1) : labels).map((label, index): Part => {
    if (label === "*" && index === 0) return any;
    // Of a number alone that would be an address.
    return label.includes("*") || /^[\w-]+$/u.test(label) ? label : domainToASCII(label) || label;
  });
  return { host, hasEnding };
}

/** Names that countries have others registered under. */
const secondLevel: ReadonlySet<string> = new Set([
  "ac",
  "co",
  "com",
  "edu",
  "gob",
  "gov",
  "go",
  "ne",
  "net",
  "or",
  "org",
]);

const isEnding = ([first = "", second]: readonly string[]): boolean =>
  second === undefined || (second.length === 2 && secondLevel.has(first));

const pathPart = (name: string): Part => (name === "**" ? any : name);

/** A path that ends with `/` is the one that does not. */
const namesOf = (path: string): string[] => path.replace(/(?<=.)\/$/u, "").split("/");

/** Returns the fault of a tool's patterns; undefined where there is none. */
export const patternProblem = (patterns: Tool["urlPatterns"]): string | undefined =>
  patterns?.map(read).find((one) => typeof one === "string");

/**
 * Tells whether a tool is offered on this page. One without patterns always is, one with patterns only where one of them fits; without a
 * url no page is open.
 */
export function isOfferedAt(patterns: Tool["urlPatterns"], url: string | undefined): boolean {
  if (patterns === undefined) return true;
  if (url === undefined || !URL.canParse(url)) return false;
  const page = new URL(url);
  return patterns.some((pattern) => {
    const wanted = read(pattern);
    return typeof wanted !== "string" && fits(wanted, page);
  });
}

/** A page by its place: what stands behind `?` and `#`, and a name before `@`, may be somebody's secret and is left out. */
export function pageOf(url: string): string {
  if (!URL.canParse(url)) return "none that has an address";
  const { protocol, host, pathname } = new URL(url);
  return protocol in ports || protocol === "file:" ? `${protocol}//${host}${pathname}` : protocol;
}

/** Returns the reason why a tool is not offered on this page; undefined where it is. */
export function whyNotAt({ name, urlPatterns = [] }: Tool, url: string | undefined): string | undefined {
  if (urlPatterns.length === 0 || isOfferedAt(urlPatterns, url)) return undefined;
  const at = url === undefined ? "no page is open" : `the page is ${pageOf(url)}`;
  return `${name} is for pages of ${urlPatterns.join(", ")} alone, and ${at}`;
}

function fits({ scheme, host, hasEnding, port, path }: PagePattern, page: URL): boolean {
  const isScheme = scheme === undefined ? page.protocol in ports : scheme === "*:" || scheme === page.protocol;
  const isPort = port === undefined || port === (page.port === "" ? ports[page.protocol] : page.port);
  return (
    isScheme &&
    isPort &&
    fitHost(host, hasEnding, page.hostname.replace(/\.$/u, "").split(".")) &&
    (path === undefined || fitParts(path, namesOf(page.pathname)))
  );
}

const fitHost = (host: readonly Part[], hasEnding: boolean, labels: readonly string[]): boolean =>
  hasEnding
    ? [1, 2].some((taken) => isEnding(labels.slice(-taken)) && fitParts(host, labels.slice(0, -taken)))
    : fitParts(host, labels);

const fitParts = (parts: readonly Part[], names: readonly string[]): boolean =>
  wildMatch(
    parts,
    names,
    (part) => part === any,
    (part, name) => part !== any && fitName(part, name),
  );

const fitName = (part: string, name: string): boolean =>
  wildMatch(
    [...part],
    [...name],
    (char) => char === "*",
    (char, other) => char === other,
  );
