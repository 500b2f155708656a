import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { McpHttp } from "./mcp-http.ts";

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  form: URLSearchParams;
}

interface Code {
  client: string;
  redirect: string;
  challenge: string;
  resource: string;
}

/** A server of OAuth on loopback until the test's end, at which everybody who asks is let in; it behaves or misbehaves as the test says. */
export interface SignInServer {
  port: number;
  origin: string;
  /** What came: `GET /authorize`, `POST /token refresh_token`, … */
  seen: string[];
  forms: URLSearchParams[];
  /** Looks at each request first. @returns true where it has answered it, or will */
  before: (asked: Exchange) => boolean | Promise<boolean>;
  /** What it says of itself. */
  metadata: Record<string, unknown>;
  /** What it adds to the answer of its page. */
  answers: Record<string, string>;
  /** What it adds to an answer with tokens. */
  gives: Record<string, unknown>;
  /** Whether a token is one that counts now. */
  takes(token: string): boolean;
  /** All tokens to ask with are of no use any more; those to refresh with are. */
  expire(): void;
  /** All that were given, those to refresh with too. */
  given: string[];
}

const json = { "content-type": "application/json" };
const random = (): string => randomBytes(24).toString("base64url");

export async function startSignInServer(): Promise<SignInServer> {
  const clients = new Map<string, string[]>();
  const codes = new Map<string, Code>();
  const access = new Set<string>();
  /** The family of each: one that is used twice ends it, as servers do that find a theft. */
  const refresh = new Map<string, { family: string; isUsed: boolean }>();
  const ended = new Set<string>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const url = new URL(request.url ?? "/", self.origin);
    const isForm = String(request.headers["content-type"]).includes("form");
    const form = new URLSearchParams(isForm ? body : "");
    self.seen.push(`${request.method} ${url.pathname} ${form.get("grant_type") ?? ""}`.trim());
    if (isForm) self.forms.push(form);
    if (!(await self.before({ request, response, url, form }))) take({ request, response, url, form }, body);
  });
  const says = (response: ServerResponse, status: number, said: object): void => {
    response.writeHead(status, json).end(JSON.stringify(said));
  };
  const self: SignInServer = {
    ...{ port: 0, origin: "", seen: [], forms: [], given: [], metadata: {}, answers: {}, gives: {} },
    before: () => false,
    takes: (token) => access.has(token),
    expire: () => access.clear(),
  };

  function take({ response, url, form }: Exchange, body: string): void {
    if (url.pathname === "/.well-known/oauth-authorization-server") says(response, 200, self.metadata);
    else if (url.pathname === "/register") {
      const { redirect_uris: uris } = JSON.parse(body) as { redirect_uris: string[] };
      const client_id = random();
      clients.set(client_id, uris);
      says(response, 201, { client_id, redirect_uris: uris, token_endpoint_auth_method: "none" });
    } else if (url.pathname === "/authorize") authorize(response, url.searchParams);
    else if (url.pathname === "/revoke") {
      access.delete(form.get("token") ?? "");
      refresh.delete(form.get("token") ?? "");
      response.writeHead(200).end();
    } else if (url.pathname === "/token") token(response, form);
    else response.writeHead(404).end();
  }

  function authorize(response: ServerResponse, asked: URLSearchParams): void {
    const of = (name: string): string => asked.get(name) ?? "";
    const uris = clients.get(of("client_id")) ?? [];
    const isRight = of("response_type") === "code" && of("code_challenge_method") === "S256";
    if (!isRight || (!uris.includes(of("redirect_uri")) && of("client_id") !== "known-client"))
      return void response.writeHead(400).end("wrong");
    const code = random();
    const known = { client: of("client_id"), redirect: of("redirect_uri") };
    codes.set(code, { ...known, challenge: of("code_challenge"), resource: of("resource") });
    const to = new URL(of("redirect_uri"));
    const said = { code, state: of("state"), iss: String(self.metadata["issuer"]), ...self.answers };
    for (const [name, value] of Object.entries(said)) to.searchParams.set(name, value);
    response.writeHead(302, { location: to.href }).end();
  }

  function token(response: ServerResponse, form: URLSearchParams): void {
    const refused = (error: string): void => says(response, 400, { error, error_description: "not that one" });
    if (form.get("grant_type") === "authorization_code") {
      const code = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      const proof = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      const isRight = code?.client === form.get("client_id") && code.redirect === form.get("redirect_uri");
      if (!isRight || code.challenge !== proof || code.resource !== form.get("resource"))
        return void refused("invalid_grant");
      return void give(response, random());
    }
    const known = refresh.get(form.get("refresh_token") ?? "");
    if (known === undefined || ended.has(known.family)) return void refused("invalid_grant");
    if (known.isUsed) {
      ended.add(known.family);
      return void refused("invalid_grant");
    }
    known.isUsed = true;
    give(response, known.family);
  }

  function give(response: ServerResponse, family: string): void {
    const [made, further] = [`at-${random()}`, `rt-${random()}`];
    access.add(made);
    refresh.set(further, { family, isUsed: false });
    self.given.push(made, further);
    const said = { access_token: made, refresh_token: further, token_type: "Bearer", expires_in: 3600 };
    says(response, 200, { ...said, ...self.gives });
  }

  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  self.port = (server.address() as AddressInfo).port;
  self.origin = `http://127.0.0.1:${self.port}`;
  self.metadata = {
    issuer: self.origin,
    authorization_endpoint: `${self.origin}/authorize`,
    token_endpoint: `${self.origin}/token`,
    registration_endpoint: `${self.origin}/register`,
    revocation_endpoint: `${self.origin}/revoke`,
    response_types_supported: ["code"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  };
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return self;
}

/** The server of tools lets in those alone who signed in there. @returns what it says of itself, to be changed */
export function guard(web: McpHttp, signIn: SignInServer): { described: Record<string, unknown> } {
  const base = new URL(web.url).origin;
  const metadata = `${base}/.well-known/oauth-protected-resource/mcp`;
  const told = {
    described: { resource: web.url, authorization_servers: [signIn.origin], scopes_supported: ["tools"] } as Record<
      string,
      unknown
    >,
  };
  web.before = ({ request, response }) => {
    if (request.url?.startsWith("/.well-known/oauth-protected-resource/mcp") === true) {
      response.writeHead(200, json).end(JSON.stringify(told.described));
      return true;
    }
    if (signIn.takes(String(request.headers.authorization).replace("Bearer ", ""))) return false;
    response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${metadata}", scope="tools"` }).end();
    return true;
  };
  return told;
}
