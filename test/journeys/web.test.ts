import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { makePdf } from "../support/pdf.ts";
import { sends, sendsOn, startWebServer } from "../support/web-server.ts";

test("a page, a PDF and a redirect to a private address, by the program as it ships", async () => {
  const inner = await startWebServer({ "/": sends("<main>inside</main>") });
  const server = await startWebServer({
    "/page": sends("<title>Guide</title><main><h1>Guide</h1><p>Read <a href='/more'>more</a>.</p></main>"),
    "/paper": sends(makePdf(["One", "Two"]), "application/pdf"),
    "/away": sendsOn(`http://0x7f.1:${inner.port}/`),
  });
  const place = await openPlace([
    asks("web_fetch", { url: `${server.url}/page` }),
    asks("web_fetch", { url: `${server.url}/paper` }),
    asks("web_fetch", { url: `${server.url}/away` }),
    asks("web_fetch", { url: `http://0x7f.1:${inner.port}/` }),
    says("I have read it."),
  ]);
  const ran = await place.spawn(["run", "read", "--allow", `web_fetch(127.0.0.1:${server.port})`, "--json"]).done;
  expect(ran.code).toBe(11);
  const lines = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(place.heard(1, -1)).toBe(`Guide\n${server.url}/page\n\n# Guide\n\nRead [more](${server.url}/more).`);
  expect(place.heard(2, -1)).toContain("PDF, 2 pages\n\n## Page 1\n\nOne\n\n## Page 2\n\nTwo");
  expect(place.heard(3, -1)).toContain(
    `leads on to http://127.0.0.1:${inner.port}/ (another host). It was not followed`,
  );
  const asked = lines.find(({ type }) => type === "approval_requested") as { calls: object[] } | undefined;
  expect(asked?.calls).toMatchObject([
    {
      callId: "c4",
      risk: "high",
      verdict: { decision: "ask", rule: { source: "watched" }, why: expect.stringContaining("on this machine") },
      plan: {
        summary: `GET http://127.0.0.1:${inner.port}/`,
        hosts: [{ host: "127.0.0.1", port: inner.port, range: "loopback", addresses: ["127.0.0.1"] }],
        warnings: [`what is asked for is http://127.0.0.1:${inner.port}/`],
      },
    },
  ]);
  expect(inner.seen).toEqual([]);

  const session = String(lines[0]?.["session"]);
  const done = await place.json(["resume", session, "--approve", "c4"]);
  expect([done.code, inner.seen]).toEqual([0, ["GET /"]]);
  expect(place.heard(4, -1)).toContain("inside");
});

test("what policy would say of a page, and what to set for a search", async () => {
  const place = await openPlace();
  const check = async (url: string) => {
    const { stdout } = await place.run(["policy", "check", "web_fetch", JSON.stringify({ url })]);
    const { decision, risk, rule } = JSON.parse(stdout) as { decision: string; risk: string; rule: { source: string } };
    return `${decision} ${risk} ${rule.source}`;
  };
  expect([
    await check("https://example.com/"),
    await check("http://localhost:3000/"),
    await check("http://169.254.169.254/latest/meta-data/"),
  ]).toEqual(["ask medium table", "ask high watched", "deny high sealed"]);

  const names = async () => {
    const { stdout } = await place.run(["tools", "--json"]);
    return stdout
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { name: string }).name);
  };
  const doctor = async () =>
    (await place.run(["doctor"])).stdout.split("\n").find((line) => line.includes("web search"));
  expect(await names()).not.toContain("web_search");
  expect(await doctor()).toContain('not offered: set "search"');
  const server = await startWebServer({ "/search": sends(JSON.stringify({ results: [] }), "application/json") });
  const config = `${place.home}/config.json`;
  await writeFile(config, JSON.stringify({ search: { provider: "searxng", url: server.url } }), { mode: 0o600 });
  expect(await names()).toContain("web_search");
  expect(await doctor()).toContain(`searxng at ${server.url}/`);
  await writeFile(config, JSON.stringify({ search: { provider: "altavista", key: "x" } }), { mode: 0o600 });
  const wrong = await place.run(["tools"]);
  expect([wrong.code, wrong.stderr]).toEqual([52, expect.stringMatching(/search\.provider[\s\S]*search\.key/u)]);
});
