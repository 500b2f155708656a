import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { HostFact } from "../../src/core/host-fact.ts";
import { hostFactOf, type Lookup } from "../../src/net/addresses.ts";
import { checkedFetch } from "../../src/net/checked-fetch.ts";
import { proxiesOf, proxyFor } from "../../src/net/proxies.ts";
import { sends, sendsOn, startWebServer } from "../support/web-server.ts";

const nobody: Lookup = async (host) => {
  throw new Error(`${host} is unknown`);
};

/** The URL is fetched as the host that was judged; by default this machine, allowed. */
const get = async (
  url: string,
  more: { host?: HostFact; lookup?: Lookup; maxBytes?: number; signal?: AbortSignal } = {},
) =>
  checkedFetch({
    url: new URL(url),
    host: more.host ?? (await hostFactOf(new URL(url), nobody)),
    lookup: more.lookup ?? nobody,
    maxBytes: more.maxBytes ?? 1000,
    idleMs: 5000,
    signal: more.signal ?? new AbortController().signal,
  });

const asPublic: HostFact = { host: "example.com" };

test("a page comes whole, unpacked, and without cookies or credentials on either way", async () => {
  const server = await startWebServer({
    "/": sends(gzipSync("hello"), "text/plain", { "content-encoding": "gzip", "set-cookie": "id=1" }),
  });
  for (const url of [server.url, server.url])
    expect(await get(url)).toMatchObject({
      status: 200,
      contentType: "text/plain",
      bytes: new Uint8Array(Buffer.from("hello")),
    });
  expect(server.headers.flatMap((headers) => Object.keys(headers)).filter((name) => /cookie|auth/u.test(name))).toEqual(
    [],
  );
});

test("a redirect is told and not followed, and the body of an error is not read", async () => {
  const server = await startWebServer({ "/": sendsOn("/there", 301) });
  expect(await get(server.url)).toMatchObject({ status: 301, location: "/there", bytes: new Uint8Array() });
  expect(await get(`${server.url}/none`)).toMatchObject({ status: 404, bytes: new Uint8Array() });
  expect(server.seen).toEqual(["GET /", "GET /none"]);
});

test("a literal is checked although it is never looked up", async () => {
  const server = await startWebServer({ "/": sends("secret") });
  await expect(get(server.url, { host: asPublic })).rejects.toMatchObject({
    name: "AddressRefused",
    addresses: ["127.0.0.1"],
  });
  await expect(get(`http://[::ffff:127.0.0.1]:${server.port}/`, { host: asPublic })).rejects.toThrow(
    "leads to 127.0.0.1",
  );
  expect(server.seen).toEqual([]);
});

test("a name is looked up once, and each of its addresses must be allowed", async () => {
  const server = await startWebServer({ "/": sends("secret") });
  const url = `http://example.com:${server.port}/`;
  const asked: string[] = [];
  const lookup =
    (...found: string[]): Lookup =>
    async (host) => {
      asked.push(host);
      return found;
    };
  await expect(get(url, { host: asPublic, lookup: lookup("127.0.0.1") })).rejects.toThrow(
    "example.com leads to 127.0.0.1",
  );
  await expect(get(url, { host: asPublic, lookup: lookup("8.8.8.8", "10.0.0.1") })).rejects.toMatchObject({
    addresses: ["8.8.8.8", "10.0.0.1"],
  });
  await expect(get(url, { host: asPublic, lookup: nobody })).rejects.toThrow("example.com is unknown");
  expect([asked, server.seen]).toEqual([["example.com", "example.com"], []]);
});

test("a host whose addresses were allowed is not looked up again", async () => {
  const server = await startWebServer({ "/": sends("inside") });
  const host: HostFact = { host: "wiki.corp", range: "loopback", addresses: ["127.0.0.1"] };
  const answer = await get(`http://wiki.corp:${server.port}/`, { host });
  expect(Buffer.from(answer.bytes).toString()).toBe("inside");
  expect(server.headers[0]?.host).toBe(`wiki.corp:${server.port}`);
});

test("a body over the limit is given up, also where it was packed small, and one without an end", async () => {
  const server = await startWebServer({
    "/bomb": sends(gzipSync(Buffer.alloc(50_000_000)), "text/plain", { "content-encoding": "gzip" }),
    "/endless": (_, response) => {
      const more = (): void => void response.write("x".repeat(1000), () => setImmediate(more));
      response.on("error", () => undefined);
      more();
    },
  });
  await expect(get(`${server.url}/bomb`, { maxBytes: 100_000 })).rejects.toMatchObject({ name: "BodyTooLarge" });
  await expect(get(`${server.url}/endless`, { maxBytes: 100_000 })).rejects.toMatchObject({ name: "BodyTooLarge" });
});

test("an aborted signal ends it with its reason", async () => {
  const server = await startWebServer({ "/": () => undefined });
  const stop = new AbortController();
  const ended = expect(get(server.url, { signal: stop.signal })).rejects.toThrow("enough");
  stop.abort(new Error("enough"));
  await ended;
});

test.each([
  ["https://a.org/", { HTTPS_PROXY: "http://p" }, "http://p"],
  ["http://a.org/", { HTTPS_PROXY: "http://p" }, undefined],
  ["https://a.org/", { HTTP_PROXY: "http://p" }, "http://p"],
  ["https://a.org/", { https_proxy: "http://low", HTTPS_PROXY: "http://p" }, "http://low"],
  ["https://a.org/", { HTTPS_PROXY: "http://p", NO_PROXY: "*" }, undefined],
  ["https://b.a.org/", { HTTPS_PROXY: "http://p", NO_PROXY: "x, .a.org" }, undefined],
  ["https://ba.org/", { HTTPS_PROXY: "http://p", NO_PROXY: "a.org" }, "http://p"],
  ["https://a.org/", { HTTPS_PROXY: "http://p", NO_PROXY: "a.org:80" }, "http://p"],
  ["https://a.org/", { HTTPS_PROXY: "http://p", NO_PROXY: "a.org:443" }, undefined],
  ["https://a.org/", {}, undefined],
])("%s under %j goes through %s", (url, env, proxy) => {
  expect(proxyFor(new URL(url), proxiesOf(env))).toBe(proxy);
});
