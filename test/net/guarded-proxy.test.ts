import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { getThrough, openTestProxy, tunnelTo } from "../support/guarded-proxy.ts";
import { startProxy } from "../support/proxy.ts";
import { sends, startWebServer } from "../support/web-server.ts";

/** Sends back what it is sent, until the test's end. @returns its port */
async function startEcho(): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

test("a page goes through with its headers, and what is said to the proxy does not", async () => {
  const server = await startWebServer({
    "/page": sends("hello", "text/html", { "x-more": "1", "set-cookie": "a=b" }),
  });
  const proxy = await openTestProxy({ inner: [`127.0.0.1:${server.port}`] });
  const got = await getThrough(proxy, `${server.url}/page?q=1`, {
    headers: { cookie: "c=d", "proxy-connection": "keep-alive", connection: "x-mine", "x-mine": "1" },
  });
  expect(got).toMatchObject({ status: 200, body: "hello", headers: { "x-more": "1", "set-cookie": ["a=b"] } });
  expect(server.seen).toEqual(["GET /page?q=1"]);
  expect(server.headers[0]).toEqual({ host: `127.0.0.1:${server.port}`, cookie: "c=d", connection: "close" });
});

test("a body goes through by its length and in chunks, and a request without one has none", async () => {
  const bodies: string[] = [];
  const server = await startWebServer({
    "/form": async (request, response) => {
      let text = `${request.headers["content-length"] ?? request.headers["transfer-encoding"]} `;
      for await (const chunk of request) text += chunk;
      bodies.push(text);
      response.end("ok");
    },
  });
  const proxy = await openTestProxy({ inner: [`127.0.0.1:${server.port}`] });
  const url = `${server.url}/form`;
  await getThrough(proxy, url, { method: "POST", body: "a=1", headers: { "content-length": "3" } });
  await getThrough(proxy, url, { method: "POST", body: "b=2", headers: { "transfer-encoding": "chunked" } });
  await getThrough(proxy, url, { method: "DELETE" });
  expect(bodies).toEqual(["3 a=1", "chunked b=2", "0 "]);
});

test("a tunnel carries whatever is said in it, and ends with either side", async () => {
  const port = await startEcho();
  const proxy = await openTestProxy({ inner: [`localhost:${port}`] });
  const tunnel = await tunnelTo(proxy, `localhost:${port}`);
  if (typeof tunnel === "number") throw new Error(`refused: ${tunnel}`);
  tunnel.write("to and fro");
  const [back] = await once(tunnel, "data");
  expect(String(back)).toBe("to and fro");
  tunnel.end();
  await once(tunnel, "close");
});

test("what ends its session ends all that goes through it", async () => {
  const port = await startEcho();
  const server = await startWebServer({ "/slow": () => undefined });
  const proxy = await openTestProxy({ inner: [`127.0.0.1:${port}`, `127.0.0.1:${server.port}`] });
  const tunnel = await tunnelTo(proxy, `127.0.0.1:${port}`);
  if (typeof tunnel === "number") throw new Error(`refused: ${tunnel}`);
  const waits = expect(getThrough(proxy, `${server.url}/slow`)).rejects.toThrow();
  await expect.poll(() => server.seen).toEqual(["GET /slow"]);
  const closed = once(tunnel, "close");
  tunnel.on("error", () => undefined);
  await proxy.close();
  await Promise.all([waits, closed]);
  await expect(tunnelTo(proxy, `127.0.0.1:${port}`)).rejects.toThrow("ECONNREFUSED");
});

test("names of strangers are judged as names, and connected to where all their addresses are of the internet", async () => {
  const judged: unknown[] = [];
  const proxy = await openTestProxy({
    names: { "far.example": ["10.0.0.7"] },
    refuses: async (host) => {
      judged.push(host);
      return host.range;
    },
  });
  expect((await getThrough(proxy, "http://far.example/")).body).toContain(
    "far.example leads to 10.0.0.7, which nobody has allowed",
  );
  expect((await getThrough(proxy, "http://far.example/")).status).toBe(403);
  expect(judged).toEqual([
    { host: "far.example", port: 80 },
    { host: "far.example", port: 80, range: "private", addresses: ["10.0.0.7"] },
  ]);
  expect((await getThrough(proxy, "http://nowhere.example/")).status).toBe(502);
});

test("the person's own proxy is gone through, but to this machine", async () => {
  const server = await startWebServer({ "/": sends("far") });
  const theirs = await startProxy();
  onTestFinished(() => theirs.close());
  const proxy = await openTestProxy({ env: { HTTP_PROXY: theirs.url }, inner: [`127.0.0.1:${server.port}`] });
  expect((await getThrough(proxy, `http://far.example:${server.port}/`)).body).toBe("far");
  expect(theirs.seen).toEqual([`CONNECT far.example:${server.port}`]);
  expect((await getThrough(proxy, server.url)).body).toBe("far");
  expect(theirs.seen).toHaveLength(1);
});

test("its log has hosts, and neither paths nor what goes along", async () => {
  const server = await startWebServer({ "/": sends("x") });
  const proxy = await openTestProxy({ inner: [`127.0.0.1:${server.port}`] });
  for (const path of ["/a?key=hunter22", "/b?key=hunter22"])
    await getThrough(proxy, `${server.url}${path}`, { headers: { authorization: "Bearer hunter22" } });
  await getThrough(proxy, "http://10.0.0.1/?key=hunter22");
  expect(proxy.logged).toEqual([`reached 127.0.0.1:${server.port}`, "refused 10.0.0.1:80: it is private"]);
  expect(proxy.refused()).toEqual(["10.0.0.1:80: it is private"]);
  expect(proxy.refused()).toEqual([]);
});
