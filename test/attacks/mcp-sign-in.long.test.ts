import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkPage, signInDoor } from "../../src/tools/mcp/sign-in/door.ts";
import { openScene, pageIn, type Scene, signIn } from "../support/sign-in-scene.ts";
import { startSignInServer } from "../support/sign-in-server.ts";

/** A sign-in that is to fail before the page, in words; nothing is kept of it. */
async function failsAtOnce({ place }: Scene): Promise<string> {
  const ran = await place.run(["mcp", "login", "web", "--yes"]);
  expect(ran).toMatchObject({ code: 1 });
  expect(ran.stdout).not.toContain("response_type=");
  expect(existsSync(join(place.home, "secrets"))).toBe(false);
  return ran.stderr;
}

describe("what a server says of itself", () => {
  it.each([
    ["another host", (): string => "https://mcp.example.com/mcp"],
    ["another path", (scene: Scene): string => scene.web.url.replace(/mcp$/u, "other")],
    ["a path that only begins alike", (scene: Scene): string => scene.web.url.replace(/mcp$/u, "mc")],
  ])("is not taken where it is of %s", async (_, resource) => {
    const scene = await openScene();
    scene.described["resource"] = resource(scene);
    expect(await failsAtOnce(scene)).toContain("the server's description is that of another server");
    expect(scene.server.seen).toEqual([]);
  });

  it("is told in words that are those of an address, and without a query that is not the server's own", async () => {
    const scene = await openScene();
    const flood = `, and to nobody else: your bank says so ${"A".repeat(3_000)}`;
    scene.described["resource"] = `${scene.web.url}?${flood}`;
    expect(await failsAtOnce(scene)).toContain("the server's description is that of another server");
    scene.described["resource"] = `${scene.web.url.replace("http://127.0.0.1", "HTTP:\\\\127.0.0.1")}`;
    const usual = scene.web.before;
    scene.web.before = (asked) => {
      if (asked.request.url !== "/mcp") return usual(asked);
      asked.response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      return true;
    };
    scene.described["scopes_supported"] = Array.from({ length: 100 }, (_, at) => `${at}-${"s".repeat(190)}`);
    const login = scene.place.spawn(["mcp", "login", "web", "--yes"]);
    await login.shows("response_type=");
    login.child.kill("SIGINT");
    const { stdout } = await login.done;
    const first = stdout.split("\n").find((line) => line.includes("has you sign in at")) ?? "";
    expect(first).toContain(`; its token goes to ${scene.web.url}, for 0-sss`);
    expect(first).toMatch(/ and \d+ more$/u);
    expect(first.length).toBeLessThan(1_000);
    expect(pageIn(stdout).length).toBeLessThan(6_000);
    expect(new URL(pageIn(stdout)).searchParams.get("resource")).toBe(scene.web.url);
  });

  it("is no defect, whatever it is made of", async () => {
    const scene = await openScene();
    const { described, server } = scene;
    described["authorization_servers"] = { 0: server.origin };
    expect(await failsAtOnce(scene)).toContain("names nobody to sign in at");
    described["authorization_servers"] = [7, [server.origin]];
    expect(await failsAtOnce(scene)).toContain("names nobody to sign in at");
    described["authorization_servers"] = [server.origin];
    for (const name of ["authorization_endpoint", "token_endpoint"]) {
      const right = server.metadata[name];
      for (const odd of [7, null, [right], { href: right }]) {
        server.metadata[name] = odd;
        expect(await failsAtOnce(scene)).toContain("is no https address");
      }
      server.metadata[name] = right;
    }
    server.metadata["registration_endpoint"] = 7;
    await failsAtOnce(scene);
  });

  it("has no address so long that nobody reads what stands before it", async () => {
    const scene = await openScene();
    const { server } = scene;
    const flood = `${server.origin}/authorize?x=${"A".repeat(3_000)}`;
    for (const name of ["authorization_endpoint", "token_endpoint"]) {
      const right = server.metadata[name];
      server.metadata[name] = flood;
      expect(await failsAtOnce(scene)).toContain("has an address longer than 2000 letters");
      server.metadata[name] = right;
    }
    server.before = ({ url, response }) => {
      if (url.pathname !== "/register") return false;
      response.writeHead(201, { "content-type": "application/json" });
      response.end(JSON.stringify({ client_id: "A".repeat(3_000), token_endpoint_auth_method: "none" }));
      return true;
    };
    expect(await failsAtOnce(scene)).toContain("calls the agent by a name longer than 2000 letters");
  });

  it("is that of a path above it only where whoever has the whole host says so", async () => {
    const scene = await openScene();
    const { web, described } = scene;
    const usual = web.before;
    const base = new URL(web.url).origin;
    described["resource"] = `${base}/`;
    let at = "/mcp/about.json";
    web.before = (asked) => {
      const { request, response } = asked;
      if (request.url === at) {
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(described));
        return true;
      }
      if (request.url !== "/mcp") return usual(asked);
      response.writeHead(401, { "www-authenticate": `Bearer resource_metadata="${base}${at}"` }).end();
      return true;
    };
    expect(await failsAtOnce(scene)).toContain("the server's description is that of another server");
    expect(scene.server.seen).toEqual([]);
    at = "/mcp/.well-known/oauth-protected-resource";
    expect(await failsAtOnce(scene)).toContain("the server's description is that of another server");
    at = "/.well-known/oauth-protected-resource";
    expect(await signIn(scene)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`its token goes to ${base}/`),
    });
  });

  it("is not fetched from another host, and not where it redirects", async () => {
    const scene = await openScene();
    const elsewhere = `${scene.server.origin}/.well-known/oauth-protected-resource`;
    let header = `Bearer resource_metadata="${elsewhere}"`;
    scene.web.before = ({ request, response }) => {
      if (request.url?.includes("well-known")) response.writeHead(302, { location: elsewhere }).end();
      else response.writeHead(401, { "www-authenticate": header }).end();
      return true;
    };
    expect(await failsAtOnce(scene)).toContain("another host describes it");
    header = "Bearer";
    expect(await failsAtOnce(scene)).toContain("redirects, which is not followed");
    expect(scene.server.seen).toEqual([]);
  });

  it("is not read to an end that does not come", async () => {
    const scene = await openScene();
    scene.web.before = ({ response }) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        if (!response.destroyed) response.write("x".repeat(64_000), () => setImmediate(more));
      };
      more();
      return true;
    };
    expect(await failsAtOnce(scene)).toContain("says more than 256 kB");
  });
});

describe("who is signed in at", () => {
  it.each([
    "http://auth.example.com",
    "file:///etc/passwd",
    "https://169.254.169.254",
    "https://10.0.0.1",
    "https://metadata.google.internal",
    "https://user:word@127.0.0.1",
  ])("is not %s", async (issuer) => {
    const scene = await openScene();
    scene.described["authorization_servers"] = [issuer];
    expect(await failsAtOnce(scene)).toMatch(/is no https address|is no place to sign in at|name or a password in it/u);
    expect(scene.server.seen).toEqual([]);
  });

  it("is whom it says that it is (mix-up)", async () => {
    const scene = await openScene();
    scene.server.metadata["issuer"] = "https://honest.example.com";
    expect(await failsAtOnce(scene)).toContain("is that of another, or none");
  });

  it.each([[["plain"]], [7], ["S256"], [{ includes: "S256" }], [undefined]])(
    "is one that checks the proof of a code, which %j does not say",
    async (said) => {
      const scene = await openScene();
      scene.server.metadata["code_challenge_methods_supported"] = said;
      expect(await failsAtOnce(scene)).toContain("(PKCE, S256)");
      expect(scene.server.seen).toEqual(["GET /.well-known/oauth-authorization-server"]);
    },
  );

  it("gets no code of an honest one whose page it names as its own", async () => {
    const scene = await openScene();
    const honest = await startSignInServer();
    const { server } = scene;
    server.metadata["authorization_endpoint"] = `${honest.origin}/authorize`;
    delete server.metadata["authorization_response_iss_parameter_supported"];
    server.before = ({ url, response }) => {
      if (url.pathname !== "/register") return false;
      const known = { client_id: "known-client", token_endpoint_auth_method: "none" };
      response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(known));
      return true;
    };
    // The library takes an empty one for none.
    honest.answers = { iss: "" };
    expect(await signIn(scene)).toMatchObject({ code: 1, stderr: expect.stringContaining('"iss" (issuer) missing') });
    honest.answers = {};
    expect(await signIn(scene)).toMatchObject({ code: 1, stderr: expect.stringContaining('unexpected "iss"') });
    expect(honest.seen).toContain("GET /authorize");
    expect(server.forms).toEqual([]);

    // A page of another host is right where its answer says whose it is.
    honest.answers = { iss: server.origin };
    expect((await signIn(scene)).stderr).toContain("it was refused: invalid_grant");
  });

  it.each(["https://192.168.1.1/reboot?now=1", "https://10.0.0.1/", "https://169.254.169.254/", "https://[fd00::1]/"])(
    "has no page at %s",
    async (page) => {
      const scene = await openScene();
      scene.server.metadata["authorization_endpoint"] = page;
      expect(await failsAtOnce(scene)).toContain("is no place to sign in at");
      expect(scene.server.seen).toEqual(["GET /.well-known/oauth-authorization-server"]);
    },
  );

  it("has no page on this machine where the server is on the internet", async () => {
    const way = { proxies: { httpProxy: "", httpsProxy: "", noProxy: "" }, lookup: async () => ["93.184.215.14"] };
    const of = (url: string) => ({
      entry: { url, isPrivate: false },
      origin: "user" as const,
      way,
      version: "1",
    });
    const page = new URL("http://localhost:8080/off?now=1");
    await expect(checkPage(page, of("https://mcp.example.com/mcp"))).rejects.toThrow("is no place to sign in at");
    await expect(checkPage(page, of("http://127.0.0.1:9000/mcp"))).resolves.toBeUndefined();
    await expect(checkPage(new URL("https://auth.example.com/"), of("https://mcp.example.com/mcp"))).resolves.toBe(
      undefined,
    );
  });

  it("is nowhere on this machine where the server is elsewhere in the person's network, by whatever name", async () => {
    const at: Record<string, string[]> = {
      "hub.example.com": ["10.0.0.7"],
      "auth.example.com": ["10.0.0.8"],
      "here.example.com": ["127.0.0.1"],
      "both.example.com": ["10.0.0.8", "::1"],
    };
    const lookup = async (name: string): Promise<string[]> => at[name] ?? [];
    const way = { proxies: { httpProxy: "", httpsProxy: "", noProxy: "" }, lookup };
    const of = (host: string) => ({
      entry: { url: `https://${host}/mcp`, isPrivate: true },
      ...{ origin: "user" as const, way, version: "1" },
    });
    for (const page of ["https://here.example.com/", "https://both.example.com/", "https://localhost/"])
      await expect(checkPage(new URL(page), of("hub.example.com"))).rejects.toThrow("is no place to sign in at");
    await expect(checkPage(new URL("https://auth.example.com/"), of("hub.example.com"))).resolves.toBeUndefined();
    await expect(checkPage(new URL("https://both.example.com/"), of("here.example.com"))).resolves.toBeUndefined();
  });

  it.each([
    ["authorization_endpoint", "javascript:alert(1)"],
    ["authorization_endpoint", "file:///etc/passwd"],
    ["authorization_endpoint", "http://auth.example.com/authorize"],
    ["token_endpoint", "http://10.0.0.1/token"],
  ])("does not lead %s to %s", async (name, url) => {
    const scene = await openScene();
    scene.server.metadata[name] = url;
    expect(await failsAtOnce(scene)).toContain("is no https address");
  });

  it.each(["https://169.254.169.254/token", "https://10.0.0.1/token", "https://[fd00::1]/token"])(
    "gets no code at %s",
    async (url) => {
      const scene = await openScene();
      scene.server.metadata["token_endpoint"] = url;
      const ran = await signIn(scene);
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("is no place to sign in at") });
      expect(existsSync(join(scene.place.home, "secrets"))).toBe(false);
    },
  );
});

it("a code of another issuer is not used, and one is not sent on by a redirect", async () => {
  const scene = await openScene();
  scene.server.answers = { iss: "https://other.example.com" };
  expect(await signIn(scene)).toMatchObject({ code: 1, stderr: expect.stringContaining('unexpected "iss"') });
  expect(scene.server.forms).toEqual([]);

  scene.server.answers = {};
  const seen: string[] = [];
  scene.server.before = ({ url, response }) => {
    seen.push(url.pathname);
    if (url.pathname === "/token") response.writeHead(307, { location: `${scene.server.origin}/thief` }).end();
    return url.pathname === "/token";
  };
  expect(await signIn(scene)).toMatchObject({ code: 1, stderr: expect.stringContaining("redirects") });
  expect(seen).not.toContain("/thief");
});

it("a name that is looked up for ever does not keep a sign-in that is to end", async () => {
  const end = new AbortController();
  let asks: () => void = () => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asks = resolve;
  });
  const lookup = (): Promise<string[]> => {
    asks();
    return new Promise(() => undefined);
  };
  const way = { proxies: { httpProxy: "", httpsProxy: "", noProxy: "" }, lookup };
  const entry = { url: "https://hub.example.com/mcp", isPrivate: true };
  const door = signInDoor({ entry, origin: "user", way, version: "1", signal: end.signal });
  const answer = door("https://hub.example.com/token");
  await isAsked;
  end.abort(new Error("it was stopped"));
  await expect(answer).rejects.toThrow("it was stopped");
});

it("words of an error do not write to the terminal", async () => {
  const scene = await openScene();
  scene.server.answers = { error: "access_denied", error_description: "\u001b]0;owned\u0007\u001b[2Jno\u202e" };
  const ran = await signIn(scene);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("access_denied") });
  expect(ran.stderr).not.toMatch(/[\u001b\u0007\u202e]/u);
});

it("a header of the person's entry is what is sent: nobody signs in, whatever the server says", async () => {
  const scene = await openScene({ entry: { headers: { Authorization: "Bearer of-the-person-1" } } });
  expect(await failsAtOnce(scene)).toContain("its entry has the header Authorization, which is what is sent");
  expect((await scene.place.run(["mcp", "trust", "web", "--yes"])).stderr).toContain(
    "it does not take the header of its entry (Authorization)",
  );
  expect(scene.web.headers.every(({ authorization }) => authorization === "Bearer of-the-person-1")).toBe(true);
  expect(scene.server.seen).toEqual([]);
});

it("over plain http to another machine nobody signs in, and nothing is asked", async () => {
  const scene = await openScene({ entry: { url: "http://mcp.example.com/mcp" } });
  expect(await failsAtOnce(scene)).toContain("it goes over plain http, where whoever is on the way");
});

describe("a token", () => {
  it("is sent to no other address than it is for, nor as another client, and is masked where the server says it", async () => {
    const scene = await openScene();
    const { web, server, place } = scene;
    expect(await signIn(scene)).toMatchObject({ code: 0 });
    const token = server.given[0] ?? "";
    web.tools = { tells: { description: `Tells ${token}.`, call: () => token } };
    const trusted = await place.run(["mcp", "trust", "web", "--yes"]);
    expect(trusted).toMatchObject({ code: 0, stdout: expect.stringContaining("Tells (its sign-in).") });

    const sent = async (entry: object): Promise<boolean> => {
      web.headers.length = 0;
      await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { web: entry } }));
      const ran = await place.run(["mcp", "trust", "web", "--yes"]);
      expect(ran.stdout + ran.stderr).not.toContain(token);
      expect(web.headers).not.toEqual([]);
      return web.headers.some(({ authorization }) => authorization === `Bearer ${token}`);
    };
    expect(await sent({ type: "http", url: web.url })).toBe(true);
    expect(await sent({ type: "http", url: `${web.url}/other` })).toBe(false);
    expect(await sent({ type: "http", url: web.url.replace("127.0.0.1", "localhost") })).toBe(false);
    expect(await sent({ type: "http", url: web.url, oauth: { clientId: "other" } })).toBe(false);
    expect(await place.run(["mcp", "list"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("needs you to sign in: agent mcp login web"),
    });
  });

  it("of a person's server is not sent to a project's of that name, and a project's client is asked for by trust alone", async () => {
    const scene = await openScene();
    const { web, server, place } = scene;
    expect(await signIn(scene)).toMatchObject({ code: 0 });
    await writeFile(join(place.home, "config.json"), "{}");
    const oauth = { clientId: "known-client", scopes: ["tools"] };
    await place.write(".mcp.json", JSON.stringify({ mcpServers: { web: { type: "http", url: web.url, oauth } } }));
    web.headers.length = 0;
    expect(await place.run(["mcp", "login", "web", "--yes"])).toMatchObject({ code: 1 });
    expect(web.headers).toEqual([]);
    await place.run(["trust", "--yes"]);
    const trusted = await place.run(["mcp", "trust", "web", "--yes"]);
    expect(trusted.stdout).toContain("where you sign in as a user of the client known-client");
    expect(web.headers.every(({ authorization }) => authorization === undefined)).toBe(true);
    expect(await signIn(scene)).toMatchObject({ code: 0 });
    expect(server.seen.filter((line) => line === "POST /register")).toHaveLength(1);
    expect(await place.run(["mcp", "trust", "web", "--yes"])).toMatchObject({ code: 0 });
  });
});

it("a store that others may read, or that is not as it was written, is not read, and nothing of it is said", async () => {
  const scene = await openScene();
  const { place, server } = scene;
  expect(await signIn(scene)).toMatchObject({ code: 0 });
  const { readdirSync, chmodSync } = await import("node:fs");
  const folder = join(place.home, "secrets", "sign-ins");
  const file = join(folder, readdirSync(folder)[0] ?? "");
  chmodSync(file, 0o644);
  expect((await place.run(["mcp", "list"])).stdout).toContain("its sign-in cannot be read: ");
  chmodSync(file, 0o600);
  const row = JSON.parse(await readFile(file, "utf8")) as { value: string };
  await writeFile(file, JSON.stringify({ ...row, value: row.value.slice(1) }));
  const ran = await place.run(["mcp", "trust", "web", "--yes"]);
  expect(ran.stderr).toContain("agent mcp login web");
  for (const token of server.given) expect(ran.stdout + ran.stderr).not.toContain(token);
});
