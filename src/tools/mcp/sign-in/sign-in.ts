import { canonicalJson, type Sha, sha256 } from "../../../core/json.ts";
import type { NamedValue } from "../../../core/secrets/masking.ts";
import { addressOf, isUnencrypted } from "../address.ts";
import { isScope, type ReachedEntry, type ServerOrigin } from "../entry.ts";

/** The sign-in of a person at a server, for those who speak to it. */
export interface SignIn {
  /** The command that signs in. */
  command: string;
  /** Returns the token that is sent as the bearer; undefined where nobody is signed in. */
  token(): Promise<string | undefined>;
  /**
   * Another one for that which the server refused. Where the signal aborts nothing begins any more; what has begun goes on to its end, for what it gets must not
   * be lost.
   */
  renewed(refused: string, signal: AbortSignal): Promise<Renewed>;
  /** The server refused one that was just made: none is made anew for it until it takes it. */
  refusedAnew(token: string): void;
  /** The server took it. */
  taken(token: string): void;
  /** All that this process has had, and nobody is shown. */
  keys(): readonly NamedValue[];
  /** Nothing is under way any more. */
  settled(): Promise<void>;
}

/** The token that is sent from now on, with a note on it for the person; or the reason why there is none, in words. */
export type Renewed = { token: string; note?: string } | { why: string };

/** The record of a sign-in: bound to the server that it is for, to the one that gave it, and to the one that it was given to. */
export interface SignedIn {
  /** Origin and path of the server. */
  server: string;
  /** As its entry names it; null where the agent was registered for this. */
  clientId: string | null;
  origin: ServerOrigin;
  isPrivate: boolean;
  issuer: string;
  tokenEndpoint: string;
  revocationEndpoint?: string;
  client: { client_id: string; client_secret?: string; token_endpoint_auth_method?: string };
  /** The server's name for itself where it is signed in at. */
  resource: string;
  access: string;
  refresh?: string;
}

/** Origin and path: what a sign-in is for. */
export function serverOf(entry: Pick<ReachedEntry, "url">): string {
  const { origin, pathname } = addressOf(entry);
  return origin + pathname;
}

/** Returns the hash of the parts of an entry that a sign-in is bound to; another one is another server's, or another client's. */
export const boundTo = (entry: Pick<ReachedEntry, "url" | "oauth">): Sha =>
  boundOf({ server: serverOf(entry), clientId: entry.oauth?.clientId ?? null });

/** The same of what is kept. */
export const boundOf = ({ server, clientId }: Pick<SignedIn, "server" | "clientId">): Sha =>
  sha256(canonicalJson([server, clientId]));

/** Says why nobody signs in at it; undefined where one may. */
export function signInComplaint(entry: ReachedEntry): string | undefined {
  if (Object.keys(entry.headers).some((name) => name.toLowerCase() === "authorization"))
    return "its entry has the header Authorization, which is what is sent";
  if (isUnencrypted(entry)) return "it goes over plain http, where whoever is on the way would read the token";
  return undefined;
}

/** The words of a server on how it wants to be asked. */
export interface Challenge {
  /** The address where it describes itself. */
  metadata?: string | undefined;
  scopes: readonly string[];
  error?: string | undefined;
}

/** That of its kind Bearer; undefined where there is none. */
export function challengeIn(header: string | undefined): Challenge | undefined {
  // What stands in quotation marks names no kind.
  const bare = (header ?? "").replace(/"(?:[^"\\]|\\.)*"/gu, (quoted) => "_".repeat(quoted.length));
  const found = /(?:^|,)\s*bearer(?:\s+|$)/iu.exec(bare);
  if (header === undefined || found === null) return undefined;
  const said = new Map<string, string>();
  const rest = header.slice(found.index + found[0].length);
  for (const [, name = "", quoted, plain] of rest.matchAll(/([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/gu))
    if (!said.has(name.toLowerCase())) said.set(name.toLowerCase(), quoted?.replace(/\\(.)/gu, "$1") ?? plain ?? "");
  return { metadata: said.get("resource_metadata"), scopes: scopesIn(said.get("scope")), error: said.get("error") };
}

/** Scopes as they are written (RFC 6749, 3.3); what is none is left out. */
const scopesIn = (text: string | undefined): string[] =>
  fewScopes([...new Set((text ?? "").split(" "))].filter((one) => isScope(one)));

/** As many as anybody would ask a person for: they go into the address of a page. */
export function fewScopes(scopes: readonly string[]): string[] {
  let length = 0;
  return scopes.slice(0, 100).filter((scope) => {
    length += scope.length + 1;
    return length <= mostOfScopes;
  });
}

const mostOfScopes = 4_000;
