/** A place that a secret may go to: a host, or with `*.` all names below it too, at one port or at the usual ones. */
interface Domain {
  host: string;
  below: boolean;
  /** None: 443 and, without encryption, 80. */
  port: string | undefined;
}

const isAddress = (host: string): boolean => host.startsWith("[") || /^[\d.]+$/.test(host);

/**
 * Reads a pattern of hosts: `api.github.com`, `*.github.com` (github.com too), `localhost:8080`.
 * @returns why it is none, in words, where it could mean a host of somebody else
 */
function readDomain(pattern: string): Domain | string {
  const below = pattern.startsWith("*.");
  const text = below ? pattern.slice(2) : pattern;
  if (text.includes("*"))
    return `"${pattern}": a * may stand only before the first dot, as in *.github.com; www.google.* would fit www.google.evil.com too`;
  if (/[@/?#\\\s%]/.test(text) || text === "")
    return `"${pattern}" is no host: write github.com or *.github.com, with :8443 behind it for another port, and no scheme, user or path`;
  const url = URL.canParse(`https://${text}`) ? new URL(`https://${text}`) : undefined;
  if (url === undefined || url.pathname !== "/" || url.username !== "" || url.hostname === "")
    return `"${pattern}" is no host`;
  const host = url.hostname.replace(/\.$/, "");
  if (below && (isAddress(host) || !host.includes(".")))
    return `"${pattern}" would fit hosts of anybody: name the host itself, as in *.github.com`;
  return { host, below, port: text.match(/:(\d+)$/)?.[1] };
}

/** Returns the reason that a secret cannot be bound to hosts by this pattern; undefined where it can. */
export function wrongDomain(pattern: string): string | undefined {
  const read = readDomain(pattern);
  return typeof read === "string" ? read : undefined;
}

/** Tells whether a host, as a URL or a plan has it, is one of the pattern's. */
export function fitsDomain(pattern: string, at: { host: string; port?: number | undefined }): boolean {
  const domain = readDomain(pattern);
  if (typeof domain === "string") return false;
  const host = bare(at.host);
  const [wanted, port] = [bare(domain.host), at.port ?? 443];
  const isHost = host === wanted || (domain.below && host.endsWith(`.${wanted}`));
  return isHost && (domain.port === undefined ? port === 443 || port === 80 : String(port) === domain.port);
}

const bare = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
