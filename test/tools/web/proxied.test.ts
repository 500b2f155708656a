import { expect, onTestFinished, test } from "vitest";
import { startProxy } from "../../support/proxy.ts";
import { sends, sendsOn, startWebServer } from "../../support/web-server.ts";
import { fetcher, planOf } from "./support.ts";

/** Nothing is looked up: the proxy finds the address. */
const lookup = async (host: string): Promise<string[]> => {
  throw new Error(`${host} was looked up`);
};

async function world() {
  const inner = await startWebServer({ "/": sends("inside") });
  const server = await startWebServer({
    "/page": sends("<main>through the proxy</main>"),
    "/private": sendsOn(`http://127.0.0.1:${inner.port}/`),
    "/cloud": sendsOn("http://169.254.169.254/latest/meta-data/"),
    "/own": sendsOn("/page"),
  });
  const proxy = await startProxy();
  onTestFinished(() => proxy.close());
  const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, NO_PROXY: "direct.test" };
  return { inner, server, proxy, env, site: `http://site.example:${server.port}` };
}

test("a page and its redirects come through the proxy, by the host's name", async () => {
  const { server, proxy, env, site } = await world();
  const fetch = fetcher({ env, lookup });
  expect((await fetch({ url: `${site}/own` })).output).toContain("through the proxy");
  expect(server.seen).toEqual(["GET /own", "GET /page"]);
  expect(server.headers.map(({ host }) => host)).toEqual(Array(2).fill(`site.example:${server.port}`));
  expect(proxy.seen.every((asked) => asked.endsWith(` site.example:${server.port}`))).toBe(true);
});

test("https goes through a tunnel to the host's name", async () => {
  const { server, proxy, env } = await world();
  const result = await fetcher({ env, lookup })({ url: `https://site.example:${server.port}/page` });
  expect(result.metadata).toEqual({ code: "UNREACHABLE" });
  expect([proxy.seen, server.seen]).toEqual([[`CONNECT site.example:${server.port}`], []]);
});

test("a host of NO_PROXY is reached without it, at the address that was checked", async () => {
  const { server, proxy, env } = await world();
  const fetch = fetcher({ env, lookup: async () => ["127.0.0.1"] });
  expect((await fetch({ url: `http://direct.test:${server.port}/page` })).output).toContain("through the proxy");
  expect([proxy.seen, server.seen]).toEqual([[], ["GET /page"]]);
});

test("a redirect to a private address is told and not followed, also where the proxy would reach it", async () => {
  const { inner, proxy, env, site } = await world();
  const fetch = fetcher({ env, lookup });
  expect((await fetch({ url: `${site}/private` })).output).toContain(
    `leads on to http://127.0.0.1:${inner.port}/ (another host). It was not followed`,
  );
  expect((await fetch({ url: `${site}/cloud` })).output).toContain("It was not followed");
  expect(inner.seen).toEqual([]);
  expect(proxy.seen.join()).not.toMatch(/127\.0\.0\.1|169\.254/u);
});

test("a private address in the URL is judged as what it is, though the proxy would connect to it", async () => {
  const { proxy, env } = await world();
  expect((await planOf("http://0x7f.1:3000/", { env, lookup })).hosts).toEqual([
    { host: "127.0.0.1", port: 3000, range: "loopback", addresses: ["127.0.0.1"] },
  ]);
  const denied = await fetcher({ env, lookup })({ url: "http://169.254.169.254/" });
  expect([denied.metadata, proxy.seen]).toEqual([{ code: "PROTECTED" }, []]);
});
