import { Resolver } from "node:dns/promises";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Lookup } from "../../src/net/addresses.ts";
import { startNameServer } from "../support/name-server.ts";
import { sends, sendsOn, startWebServer } from "../support/web-server.ts";
import { fetcher } from "../tools/web/support.ts";

/** A name server that gives the name `evil.example` the next of these addresses with each question. */
async function namesOf(...answers: string[]): Promise<{ lookup: Lookup; asked: string[] }> {
  const { port, asked, close } = await startNameServer({ "evil.example": answers });
  onTestFinished(close);
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${port}`]);
  return { lookup: (host) => resolver.resolve4(host), asked };
}

describe("a name server that changes its mind", () => {
  test("between two questions: the address that was checked is the one that would be connected to", async () => {
    const server = await startWebServer({ "/": sends("secret") });
    const names = await namesOf("127.0.0.1", "8.8.8.8");
    const result = await fetcher({ lookup: names.lookup })({ url: `http://evil.example:${server.port}/` });
    expect(result).toMatchObject({
      error: "evil.example leads to 127.0.0.1, which nobody has allowed: nothing was sent",
      metadata: { code: "STALE" },
    });
    expect([names.asked, server.seen]).toEqual([["evil.example"], []]);
  });

  test("after a redirect to itself: each connection is checked", async () => {
    const server = await startWebServer({ "/": sendsOn("/secret"), "/secret": sends("secret") });
    const names = await namesOf("10.1.2.3");
    const fetch = fetcher({ lookup: names.lookup });
    const url = `http://evil.example:${server.port}/`;
    expect((await fetch({ url })).error).toContain("leads to 10.1.2.3");
    expect(server.seen).toEqual([]);
  });
});

test("a page leads on to no private address, in whatever spelling it says it", async () => {
  const inner = await startWebServer({ "/": sends("secret") });
  const spellings = ["127.1", "2130706433", "0x7f.1", "017700000001", "[::ffff:127.0.0.1]", "0.0.0.0", "localhost."];
  const targets = [
    ...spellings.map((host) => `http://${host}:${inner.port}/`),
    "http://169.254.169.254/latest/meta-data/",
  ];
  const pages = Object.fromEntries(targets.map((target, at) => [`/${at}`, sendsOn(target)]));
  const server = await startWebServer(pages);
  const fetch = fetcher();
  for (const [at] of targets.entries()) {
    const { output, error } = await fetch({ url: `${server.url}/${at}` });
    expect([error, output.includes("It was not followed")]).toEqual([undefined, true]);
  }
  expect(inner.seen).toEqual([]);
});

test("metadata and link-local addresses are denied before anything is sent", async () => {
  const fetch = fetcher();
  for (const host of [
    "169.254.169.254",
    "[fe80::1]",
    "[::ffff:169.254.169.254]",
    "metadata.google.internal",
    "[fd00:ec2::254]",
  ])
    expect((await fetch({ url: `http://${host}/` })).metadata).toEqual({ code: "PROTECTED" });
});

describe("a page made to hang or to fill the memory ends as words or as an error, soon", () => {
  const nested = (open: string, times: number, close: string) => `${open.repeat(times)}end${close.repeat(times)}`;

  test.each<[string, string, string]>([
    ["20,000 tags in one another", nested("<div>", 20_000, "</div>"), "end"],
    ["3,000 lists in one another", nested("<ul><li>", 3_000, "</li></ul>"), "end"],
    ["500 kB of <", "<".repeat(500_000), "<<<"],
    ["500 kB of an open tag", `words${"<a ".repeat(170_000)}`, "words"],
    ["half a megabyte of open comments", `words${"<!--".repeat(130_000)}`, "words"],
    ["half a megabyte of open scripts", `words${"<script>".repeat(65_000)}`, "words"],
    ["half a megabyte of emphasis", "<b><i>x".repeat(70_000), "x"],
  ])("%s", async (_, html, words) => {
    const server = await startWebServer({ "/": sends(`<html><body>${html}`) });
    const result = await fetcher()({ url: server.url, max_chars: 1000 });
    if (result.error === undefined) expect(result.output).toContain(words);
    else expect(result.metadata).toMatchObject({ code: expect.stringMatching(/^(?:TIMEOUT|TOO_LARGE)$/u) });
  });

  test("a small body that unpacks to a large one", async () => {
    const bomb = gzipSync(Buffer.alloc(30_000_000, "x"));
    const server = await startWebServer({ "/": sends(bomb, "text/html", { "content-encoding": "gzip" }) });
    expect(await fetcher()({ url: server.url })).toMatchObject({
      error: `${server.url}/ is larger than 10 MB`,
      metadata: { code: "TOO_LARGE" },
    });
  });

  test("a body that comes byte by byte: its time ends it, and what came is told", async () => {
    const server = await startWebServer({
      "/": (_, response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        const drip = setInterval(() => response.write("x"), 50);
        response.on("close", () => clearInterval(drip));
      },
      "/silent": () => undefined,
    });
    const fetch = fetcher({ timeMs: 1_500 });
    expect(await fetch({ url: server.url })).toMatchObject({
      error: expect.stringMatching(/\/ did not come whole within 1\.5 s: \d+ bytes of it came$/u),
      metadata: { code: "TIMEOUT" },
    });
    expect((await fetch({ url: `${server.url}/silent` })).error).toMatch(/\/silent did not come within 1\.5 s$/u);
  });

  test("a body that is not what its packing says", async () => {
    const server = await startWebServer({ "/": sends("plain", "text/html", { "content-encoding": "gzip" }) });
    expect(await fetcher()({ url: server.url })).toMatchObject({ metadata: { code: "UNREACHABLE" } });
  });

  test("a PDF that says it has a million pages", async () => {
    const pdf =
      "%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 1000000 >>\nendobj\ntrailer\n<< /Size 3 /Root 1 0 R >>\n%%EOF";
    const server = await startWebServer({ "/": sends(pdf, "application/pdf") });
    const { output, error } = await fetcher()({ url: server.url });
    expect(error ?? output).toMatch(/without text|cannot be read/u);
  });
});

test("cookies are neither kept nor sent on, and no credentials leave", async () => {
  const server = await startWebServer({
    "/": (_, response) => response.writeHead(302, { location: "/next", "set-cookie": "id=1" }).end(),
    "/next": sends("<main>ok</main>"),
  });
  const fetch = fetcher();
  await fetch({ url: server.url });
  await fetch({ url: server.url });
  expect(server.headers.map(({ cookie, authorization, referer }) => [cookie, authorization, referer])).toEqual(
    Array.from({ length: 4 }, () => [undefined, undefined, undefined]),
  );
});
