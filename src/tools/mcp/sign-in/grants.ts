import type { AuthorizationServer, Client, ClientAuth, TokenEndpointResponse } from "oauth4webapi";
import * as oauth from "oauth4webapi";
import { isJsonObject } from "../../../core/json.ts";
import type { Authorization } from "./discovery.ts";
import { type Ask, longest, SignInProblem, signInUrl } from "./door.ts";
import type { SignedIn } from "./sign-in.ts";

/** The sign-in is over: only the person can begin another. */
export class SignInOver extends SignInProblem {}

/** A sign-in that waits for the person at a page. */
export interface Begun {
  found: Authorization;
  client: Client;
  redirectUri: string;
  state: string;
  verifier: string;
  /** The rights that are asked for. */
  asked: readonly string[];
  /** Of the page. */
  url: URL;
}

/** Each request goes through the door, which says which addresses may be asked: those of plain http too. */
const through = (ask: Ask) => ({ [oauth.customFetch]: ask as typeof fetch, [oauth.allowInsecureRequests]: true });

/** The same for who gives tokens. */
const throughForTokens = (ask: Ask) => through(async (url, asked) => ofUse(await ask(url, asked)));

const used = ["access_token", "token_type", "refresh_token", "error", "error_description"];

/** Tokens are given once: nothing that is said beside them and that nobody here reads, as who the person is, may cost them. */
async function ofUse(response: Response): Promise<Response> {
  const said: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (!isJsonObject(said)) return response;
  const kept = Object.entries(said).filter(([name, value]) => used.includes(name) && value !== null && value !== "");
  const { status, headers } = response;
  return new Response(JSON.stringify(Object.fromEntries(kept)), { status, headers });
}

export const newState = (): string => oauth.generateRandomState();

/** Begins a sign-in; the agent is registered (RFC 7591) where the entry names no client. @throws SignInProblem */
export async function beginSignIn(
  found: Authorization,
  asked: { redirectUri: string; state: string; scopes: readonly string[]; clientId?: string | undefined },
  ask: Ask,
): Promise<Begun> {
  const { as, resource } = found;
  const { redirectUri, state, scopes, clientId } = asked;
  const client = clientId === undefined ? await registered(as, redirectUri, scopes, ask) : { client_id: clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const url = signInUrl(as.authorization_endpoint, "the page to sign in on");
  const parameters = {
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    resource,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { found, client, redirectUri, state, verifier, asked: scopes, url };
}

async function registered(
  as: AuthorizationServer,
  redirectUri: string,
  scopes: readonly string[],
  ask: Ask,
): Promise<Client> {
  if (as.registration_endpoint === undefined)
    throw new SignInProblem(
      `${new URL(as.issuer).host} registers nobody by itself: register the agent there, and write the id that it gets into the entry, as "oauth": { "clientId": "…" }`,
    );
  const metadata = {
    client_name: "holdfast",
    redirect_uris: [redirectUri],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
  };
  const client = await told(async () =>
    oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, metadata, through(ask)),
    ),
  );
  if (client.client_id.length > longest)
    throw new SignInProblem(`${new URL(as.issuer).host} calls the agent by a name longer than ${longest} letters`);
  return client;
}

/** @param answer what came back from the page: its state and its issuer are looked at before the code is used. @throws SignInProblem */
export async function finishSignIn(
  { found: { as, resource }, client, redirectUri, state, verifier }: Begun,
  answer: URLSearchParams,
  server: Pick<SignedIn, "server" | "clientId" | "origin" | "isPrivate">,
  ask: Ask,
): Promise<SignedIn> {
  const tokens = await told(async () => {
    const parameters = oauth.validateAuthResponse(tellsIssuer(as), client, answer, state);
    const options = { ...throughForTokens(ask), additionalParameters: { resource } };
    const auth = authOf(client);
    return oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(as, client, auth, parameters, redirectUri, verifier, options),
    );
  }, [answer.get("code"), verifier, client["client_secret"]]);
  const { client_id, client_secret, token_endpoint_auth_method } = client;
  return {
    ...server,
    issuer: as.issuer,
    tokenEndpoint: as.token_endpoint ?? "",
    ...(as.revocation_endpoint === undefined ? {} : { revocationEndpoint: as.revocation_endpoint }),
    client: {
      client_id,
      ...(typeof client_secret === "string" ? { client_secret } : {}),
      ...(typeof token_endpoint_auth_method === "string" ? { token_endpoint_auth_method } : {}),
    },
    resource,
    ...tokensIn(tokens),
  };
}

/**
 * Requires the page's answer to say whose it is where the page is at another host than its issuer: a stranger may name the page of somebody honest as
 * its own, and would be sent a code that is of use there. So it is, too, where an issuer that has a part of a host, and no more, names a page of that
 * host, and has the code sent elsewhere.
 */
function tellsIssuer(as: AuthorizationServer): AuthorizationServer {
  const [issuer, page] = [new URL(as.issuer), new URL(as.authorization_endpoint ?? "")];
  const isOfPart = issuer.pathname !== "/" && new URL(as.token_endpoint ?? "").origin !== page.origin;
  const isElsewhere = page.origin !== issuer.origin || isOfPart;
  return isElsewhere ? { ...as, authorization_response_iss_parameter_supported: true } : as;
}

/** The same with new tokens. @throws SignInOver; SignInProblem where it may be tried again */
export async function refreshSignIn(kept: SignedIn, ask: Ask): Promise<SignedIn> {
  const { client, resource, refresh } = kept;
  if (refresh === undefined) throw new SignInOver("its time is up");
  const as = serverIn(kept);
  const tokens = await told(
    async () =>
      oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, authOf(client), refresh, {
          ...throughForTokens(ask),
          additionalParameters: { resource },
        }),
      ),
    hiddenIn(kept),
  );
  return { ...kept, ...tokensIn(tokens) };
}

/** Asks that nobody may use its tokens any more (RFC 7009), each of them whatever became of the other. @returns false where there is nobody to ask. @throws SignInProblem */
export async function revokeSignIn(kept: SignedIn, ask: Ask): Promise<boolean> {
  const { client, revocationEndpoint, access, refresh } = kept;
  if (revocationEndpoint === undefined) return false;
  const as = serverIn(kept);
  const problems: unknown[] = [];
  for (const token of [...(refresh === undefined ? [] : [refresh]), access])
    await told(
      async () =>
        oauth.processRevocationResponse(await oauth.revocationRequest(as, client, authOf(client), token, through(ask))),
      hiddenIn(kept),
    ).catch((error: unknown) => problems.push(error));
  if (problems.length > 0) throw problems[0];
  return true;
}

const hiddenIn = ({ access, refresh, client }: SignedIn) => [access, refresh, client.client_secret];

const serverIn = ({ issuer, tokenEndpoint, revocationEndpoint }: SignedIn): AuthorizationServer => ({
  issuer,
  token_endpoint: tokenEndpoint,
  ...(revocationEndpoint === undefined ? {} : { revocation_endpoint: revocationEndpoint }),
});

function authOf({ client_secret, token_endpoint_auth_method: method }: Client): ClientAuth {
  if (typeof client_secret !== "string" || method === "none") return oauth.None();
  return method === "client_secret_post"
    ? oauth.ClientSecretPost(client_secret)
    : oauth.ClientSecretBasic(client_secret);
}

/** A server gives a new one to refresh with, or lets the old one be used again. */
function tokensIn(tokens: TokenEndpointResponse): Pick<SignedIn, "access" | "refresh"> {
  const { access_token: access, refresh_token: refresh, token_type: type } = tokens;
  if (type !== "bearer" || !/^[\x21-\x7e]{1,8192}$/u.test(access))
    throw new SignInProblem("what it gave is no token that can be sent");
  return { access, ...(refresh === undefined ? {} : { refresh }) };
}

/** After these nothing but another sign-in helps. */
const overs = ["invalid_grant", "invalid_client", "unauthorized_client"];

/**
 * The same with what went wrong in words: those of others without what a terminal would obey, and without what nobody is shown. No cause is kept, for answers with
 * tokens are in it.
 */
async function told<T>(work: () => Promise<T>, hidden: readonly unknown[] = []): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SignInProblem) throw error;
    if (error instanceof oauth.ResponseBodyError && overs.includes(error.error))
      throw new SignInOver(saidOf(error, hidden));
    const isSaid = error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError;
    const words = isSaid ? saidOf(error, hidden) : error instanceof Error ? error.message : String(error);
    throw new SignInProblem(words);
  }
}

interface Said {
  error: string;
  error_description?: string | undefined;
}

function saidOf({ error, error_description: more }: Said, hidden: readonly unknown[]): string {
  const said = [error, ...(more === undefined || more === "" ? [] : [`(${more})`])].join(" ");
  const keys = hidden.filter((key): key is string => typeof key === "string" && key !== "");
  const shown = keys.reduce((text, key) => text.replaceAll(key, "…"), said);
  return `it was refused: ${shown.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").slice(0, 300)}`;
}
