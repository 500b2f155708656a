import type { AuthorizationServer } from "oauth4webapi";
import { isJsonObject } from "../../../core/json.ts";
import { isScope } from "../entry.ts";
import { type Ask, SignInProblem, signInUrl } from "./door.ts";
import { type Challenge, fewScopes } from "./sign-in.ts";

/** The place where a person signs in for a server, as the two describe themselves. */
export interface Authorization {
  as: AuthorizationServer;
  /** The server's name for itself there. */
  resource: string;
  /** The scopes that it is of use for, as the server says. */
  scopes: readonly string[];
}

const wellKnown = (kind: string, { origin, pathname }: URL): string =>
  `${origin}/.well-known/${kind}${pathname.replace(/\/$/u, "")}`;

/**
 * From the server's own description (RFC 9728) to that of whom it names (RFC 8414, or OpenID Connect's).
 * @throws SignInProblem where either is none, or speaks of another
 */
export async function findAuthorization(
  server: URL,
  challenge: Challenge | undefined,
  ask: Ask,
): Promise<Authorization> {
  const described = await resourceOf(server, challenge, ask);
  const [named] = described.issuers;
  if (named === undefined) throw new SignInProblem("the server names nobody to sign in at");
  const issuer = signInUrl(named, "the address that the server has you sign in at");
  if (issuer.search + issuer.hash !== "") throw new SignInProblem("the address to sign in at has a ? or # in it");
  const as = await serverOf(issuer, ask);
  signInUrl(as.authorization_endpoint, "the page to sign in on");
  signInUrl(as.token_endpoint, "the address that gives tokens");
  if (!textsIn(as.code_challenge_methods_supported).includes("S256"))
    throw new SignInProblem(`${issuer.host} does not say that it checks a code's proof (PKCE, S256)`);
  return { as, resource: described.resource, scopes: described.scopes };
}

interface Described {
  resource: string;
  issuers: readonly string[];
  scopes: readonly string[];
}

async function resourceOf(server: URL, challenge: Challenge | undefined, ask: Ask): Promise<Described> {
  const given = challenge?.metadata;
  if (given !== undefined && (!URL.canParse(given) || new URL(given).origin !== server.origin))
    throw new SignInProblem("the server says that another host describes it");
  const kind = "oauth-protected-resource";
  const places =
    given === undefined ? [wellKnown(kind, server), wellKnown(kind, new URL("/", server))] : [new URL(given).href];
  const response = await firstOf(places, ask);
  if (response === undefined) throw new SignInProblem("the server does not say where to sign in");
  const said: unknown = await response.json().catch(() => undefined);
  const described = isJsonObject(said) ? said : {};
  const isOfHost = given === undefined || new URL(given).pathname.startsWith(`/.well-known/${kind}`);
  const resource = resourceIn(described["resource"], server, isOfHost);
  const scopes = textsIn(described["scopes_supported"]).filter(isScope);
  return { resource, issuers: textsIn(described["authorization_servers"]), scopes: fewScopes(scopes) };
}

/**
 * The name that a server gives itself: its own address, or one above it, as addresses are written.
 * @param isOfHost whoever has the whole host says so: of a path anybody might who has a part of it, for a token that is of use in all of it
 */
function resourceIn(resource: unknown, server: URL, isOfHost: boolean): string {
  if (typeof resource !== "string" || !URL.canParse(resource))
    throw new SignInProblem("what the server says of itself is no description");
  const { href, origin, pathname, search, hash, username, password } = new URL(resource);
  const isAbove = isOfHost && slashed(server.pathname).startsWith(slashed(pathname));
  const isIts = isAbove || slashed(pathname) === slashed(server.pathname);
  const isOther = origin !== server.origin || username + password !== "" || (search !== "" && search !== server.search);
  if (isOther || hash !== "" || !isIts) throw new SignInProblem("the server's description is that of another server");
  // Of a host alone both ways of writing are right, and some compare them letter by letter.
  return `${resource}/` === href ? resource : href;
}

const slashed = (path: string): string => `${path.replace(/\/$/u, "")}/`;

async function serverOf(issuer: URL, ask: Ask): Promise<AuthorizationServer> {
  const isRoot = issuer.pathname === "/";
  const places = [
    wellKnown("oauth-authorization-server", issuer),
    wellKnown("openid-configuration", issuer),
    ...(isRoot ? [] : [`${issuer.href.replace(/\/$/u, "")}/.well-known/openid-configuration`]),
  ];
  const response = await firstOf(places, ask);
  if (response === undefined) throw new SignInProblem(`${issuer.host} does not say how to sign in`);
  const { processDiscoveryResponse } = await import("oauth4webapi");
  return processDiscoveryResponse(issuer, response).catch((cause: unknown) => {
    throw new SignInProblem(`what ${issuer.host} says of itself is that of another, or none`, { cause });
  });
}

/** The first that is there. */
async function firstOf(places: readonly string[], ask: Ask): Promise<Response | undefined> {
  for (const place of places) {
    const response = await ask(place, { headers: { accept: "application/json" } });
    if (response.status === 200) return response;
  }
  return undefined;
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, 100).filter((one) => typeof one === "string") : [];
