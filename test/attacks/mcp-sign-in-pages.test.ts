import { Resolver } from "node:dns/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkPage } from "../../src/tools/mcp/sign-in/door.ts";
import { startNameServer } from "../support/name-server.ts";
import { openScene, signIn } from "../support/sign-in-scene.ts";
import { startSignInServer } from "../support/sign-in-server.ts";

describe("a page at a name of the internet", () => {
  const names = {
    "mcp.example.com": ["93.184.215.14"],
    "auth.example.com": ["93.184.215.15"],
    "printer.example.com": ["192.168.1.1"],
    "here.example.com": ["127.0.0.1"],
    "clouds.example.com": ["169.254.169.254"],
    "hub.lan": ["10.0.0.7"],
  };

  /** How pages are judged for a server, with names that are looked up. */
  async function door(url: string, { httpsProxy = "", isPrivate = false, signal = new AbortController().signal } = {}) {
    const { port, asked, close } = await startNameServer(names);
    onTestFinished(close);
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${port}`]);
    const way = {
      proxies: { httpProxy: "", httpsProxy, noProxy: "" },
      lookup: (host: string) => resolver.resolve4(host),
    };
    const spec = { entry: { url, isPrivate }, origin: "user" as const, way, version: "1", signal };
    return { asked, spec, checks: (page: string) => checkPage(new URL(page), spec) };
  }

  it.each(["https://mcp.example.com/mcp", "http://127.0.0.1:9000/mcp", "https://hub.lan/mcp"])(
    "that leads into a network, to this machine or to clouds is none for %s",
    async (url) => {
      const { checks } = await door(url);
      for (const host of ["printer", "here", "clouds"])
        await expect(checks(`https://${host}.example.com/off`)).rejects.toThrow("is no place to sign in at");
      await expect(checks("https://auth.example.com/")).resolves.toBeUndefined();
      await expect(checks("https://nobody.example.com/")).rejects.toThrow("nobody.example.com");
    },
  );

  it("in the person's network is one for a server that they say is there, and behind a proxy no name is looked up", async () => {
    const { checks } = await door("https://hub.lan/mcp", { isPrivate: true });
    await expect(checks("https://printer.example.com/")).resolves.toBeUndefined();
    await expect(checks("https://here.example.com/")).rejects.toThrow("is no place to sign in at");
    await expect(checks("https://clouds.example.com/")).rejects.toThrow("is no place to sign in at");
    const behind = await door("https://mcp.example.com/mcp", { httpsProxy: "http://proxy.example.com:8080" });
    await expect(behind.checks("https://printer.example.com/")).resolves.toBeUndefined();
    expect(behind.asked).toEqual([]);
  });

  it("that is looked up for ever does not keep a sign-in that is to end", async () => {
    const end = new AbortController();
    const { spec } = await door("https://mcp.example.com/mcp", { signal: end.signal });
    const lookup = (): Promise<string[]> => {
      setImmediate(() => end.abort(new Error("it was stopped")));
      return new Promise(() => undefined);
    };
    const way = { ...spec.way, lookup };
    await expect(checkPage(new URL("https://auth.example.com/"), { ...spec, way })).rejects.toThrow("it was stopped");
  });
});

it("who has a part of a host gets no code of that host's page, which it names as its own", async () => {
  const scene = await openScene();
  const honest = await startSignInServer();
  const { server, described } = scene;
  const issuer = `${honest.origin}/part`;
  described["authorization_servers"] = [issuer];
  honest.before = ({ url, response }) => {
    if (url.pathname !== "/.well-known/oauth-authorization-server/part") return false;
    const page = `${honest.origin}/authorize`;
    const { authorization_response_iss_parameter_supported: _, ...said } = server.metadata;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...said, issuer, authorization_endpoint: page }));
    return true;
  };
  server.before = ({ url, response }) => {
    if (url.pathname !== "/register") return false;
    const known = { client_id: "known-client", token_endpoint_auth_method: "none" };
    response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(known));
    return true;
  };
  // The library takes an empty one for none.
  honest.answers = { iss: "" };
  expect(await signIn(scene)).toMatchObject({ code: 1, stderr: expect.stringContaining('"iss" (issuer) missing') });
  expect(honest.seen).toContain("GET /authorize");
  expect(server.forms).toEqual([]);
});
