import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { filesWith, formsIn, keyTexts } from "../support/secret-forms.ts";
import { sends, sendsOn, startWebServer } from "../support/web-server.ts";

const value = 'gx7"Q/<v>&_ 9zK+t';
const tag = "<secret>SITE_TOKEN</secret>";
const bearer = { authorization: `Bearer ${tag}` };
const fetches = (url: string, more: object = {}) => asks("web_fetch", { url, headers: bearer, ...more });

async function placeWith(answers: Answer[], domain: string[] = [], ...rules: object[]): Promise<Place> {
  const place = await openPlace(answers);
  const given = domain.flatMap((one) => ["--domain", one]);
  const kept = await place.run(["secrets", "set", "SITE_TOKEN", "--stdin", ...given], { stdin: value });
  expect(kept).toMatchObject({ code: 0 });
  if (rules.length > 0) await place.write("../home/policy.json", JSON.stringify({ rules }));
  return place;
}

const leftIn = (place: Place, ...more: string[]): string[] =>
  filesWith(dirname(place.home), [value, ...more], ["secrets"]);

/** Says what it was asked with, in a page that escapes it. */
const echoes = (request: { headers: Record<string, unknown> }, response: import("node:http").ServerResponse): void => {
  const said = String(request.headers["authorization"]);
  const html = said.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  response
    .writeHead(200, { "content-type": "text/html" })
    .end(`<p>${html}</p><p>${Buffer.from(said).toString("base64")}</p><p>${encodeURIComponent(said)}</p>`);
};

describe("web_fetch with a secret", () => {
  it("sends it in headers and body to the host it is for, and nothing that is shown or kept has it", async () => {
    const bodies: string[] = [];
    const web = await startWebServer({
      "/me": echoes,
      "/post": (request, response) => {
        request.on("data", (part) => bodies.push(String(part)));
        request.on("end", () =>
          response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ got: bodies.join("") })),
        );
      },
    });
    const headers = { ...bearer, "x-code": "<secret>site_bu_2fa_code</secret>" };
    const post = { method: "POST", headers, body: `{"key": "${tag}", "code": "<secret>site_bu_2fa_code</secret>"}` };
    const place = await placeWith(
      [fetches(`${web.url}/me`), fetches(`${web.url}/post`, post), says("Done.")],
      [`127.0.0.1:${web.port}`],
    );
    const key = "JBSWY3DPEHPK3PXP";
    const kept = await place.run(["secrets", "set", "site_bu_2fa_code", "--stdin"], { stdin: key });
    expect(kept).toMatchObject({ code: 0 });
    const first = await place.json(["run", "ask it", "--mode", "full-auto"]);
    const [asked] = first.the("approval_requested").calls;
    expect(asked).toMatchObject({
      arguments: { headers: bearer },
      plan: { warnings: expect.arrayContaining([`your secret SITE_TOKEN goes to 127.0.0.1 (in headers)`]) },
    });
    expect(web.seen).toEqual([]);
    const second = await place.json(["resume", first.session, "--approve", "all"]);
    expect(second.of("approval_requested").at(-1)?.calls[0]).toMatchObject({ risk: "high", plan: { method: "POST" } });
    const third = await place.json(["resume", first.session, "--approve", "all"]);
    expect(third).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 2 } } });
    expect(web.seen).toEqual(["GET /me", "POST /post"]);
    expect(web.headers.map(({ authorization }) => authorization)).toEqual([`Bearer ${value}`, `Bearer ${value}`]);
    const code = String(web.headers[1]?.["x-code"]);
    expect(code).toMatch(/^\d{6}$/);
    expect(bodies).toEqual([`{"key": "${value}", "code": "${code}"}`]);
    expect(String(place.heard(1, -1)).split(tag).length).toBe(4);
    expect(place.heard(2, -1)).toContain(tag);
    expect(place.heard(2, -1)).toContain("<secret>site_bu_2fa_code</secret>");
    const shown = [first, second, third].map(({ stdout, stderr }) => stdout + stderr).join("\n");
    const requests = JSON.stringify(place.server.requests.map(({ body }) => body));
    const exported = (await place.run(["sessions", "export", first.session])).stdout;
    const values = [value, code, ...keyTexts(key)];
    expect([shown, requests, exported].flatMap((text) => values.flatMap((one) => formsIn(text, one)))).toEqual([]);
    expect(leftIn(place, ...values)).toEqual([]);
  });

  it("is never sent on to another host or port", async () => {
    const other = await startWebServer({ "/": sends("hers") });
    const web = await startWebServer({
      "/": sendsOn(`${other.url}/`),
      "/own": sendsOn("/page"),
      "/page": sends("<p>mine</p>"),
    });
    const rules = [web, other].map(({ port }) => ({
      tool: "web_fetch",
      hosts: [`127.0.0.1:${port}`],
      secrets: ["SITE_TOKEN"],
      decision: "allow",
      why: "mine",
    }));
    const place = await placeWith([fetches(`${web.url}/`), fetches(`${web.url}/own`), says("Done.")], [], ...rules);
    const ran = await place.json(["run", "ask it"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 2 } } });
    expect(other.seen).toEqual([]);
    expect(place.heard(1, -1)).toContain("It was not followed");
    expect(place.heard(2, -1)).toContain("mine");
  });

  it.each([
    ["http://google.evil.test/", ["www.google.com"]],
    ["http://www.google.com.evil.test/", ["*.google.com"]],
    ["http://127.0.0.1:9/", ["127.0.0.1"]],
  ])("is refused for %s where it is for %s", async (url, domains) => {
    const place = await placeWith([fetches(url), says("Done.")], domains);
    const ran = await place.json(["run", "ask it", "--mode", "full-auto"]);
    expect(ran).toMatchObject({ code: 0, end: { calls: { error: 1 } } });
    expect(place.heard(1, -1)).toContain(`the secret SITE_TOKEN goes to ${domains.join(", ")} alone`);
  });

  it("is asked about where a rule names the host alone, or a grant does; a rule for reading sends nothing", async () => {
    const web = await startWebServer({ "/": sends("ok") });
    const hosts = [`127.0.0.1:${web.port}`];
    const rule = { tool: "web_fetch", hosts, decision: "allow", why: "mine" };
    const place = await placeWith([fetches(web.url), says("Done.")], [], rule);
    expect(await place.json(["run", "ask it", "--mode", "full-auto"])).toMatchObject({ code: 11 });
    const plain = await openPlace([
      asks("web_fetch", { url: web.url }),
      asks("web_fetch", { url: web.url, method: "DELETE" }),
      says("Done."),
    ]);
    await plain.write("../home/policy.json", JSON.stringify({ rules: [rule] }));
    expect(await plain.json(["run", "ask it"])).toMatchObject({ code: 11, end: { calls: { success: 1 } } });
    expect(web.seen).toEqual(["GET /"]);
  });

  it.each([
    ["http://site.example/", "secrets would go unencrypted"],
    ["https://site.example:8443/", "secrets would go to port 8443"],
  ])("is asked about for %s, though a rule names it and the host", async (url, why) => {
    const rule = {
      tool: "web_fetch",
      hosts: ["site.example"],
      secrets: ["SITE_TOKEN"],
      decision: "allow",
      why: "mine",
    };
    const place = await placeWith([fetches(url), says("Done.")], [], rule);
    const ran = await place.json(["run", "ask it", "--mode", "full-auto"]);
    expect(ran.code).toBe(11);
    expect(ran.the("approval_requested").calls[0]).toMatchObject({
      plan: { confirm: expect.stringContaining(why) },
      verdict: { decision: "ask", rule: { source: "confirm" } },
    });
  });

  it("stays a tag in the address, and the model is told", async () => {
    const web = await startWebServer({ "/": sends("ok") });
    const place = await placeWith(
      [
        asks("web_fetch", { url: `${web.url}/?key=%3Csecret%3E`, headers: { "x-note": "plain" } }),
        asks("grep", { pattern: tag }),
        says("Done."),
      ],
      [],
      { tool: "web_fetch", hosts: [`127.0.0.1:${web.port}`], decision: "allow", why: "mine" },
    );
    const ran = await place.json(["run", "ask it"]);
    expect(ran).toMatchObject({ code: 0 });
    expect(web.headers[0]).toMatchObject({ "x-note": "plain" });
    expect(place.heard(2, -1)).toContain(`${tag} in pattern was taken as it is written`);
  });
});

describe("web_fetch by other methods", () => {
  it("has an unknown outcome where no answer comes, and is not sent again", async () => {
    let heard = 0;
    const web = await startWebServer({
      "/": (request) => {
        heard += 1;
        request.socket.destroy();
      },
    });
    const place = await openPlace([asks("web_fetch", { url: web.url, method: "POST", body: "x" }), says("Done.")]);
    const first = await place.json(["run", "ask it"]);
    const second = await place.json(["resume", first.session, "--approve", "all"]);
    expect(second.the("recovery_requested").calls[0]).toMatchObject({ toolName: "web_fetch", effect: "once" });
    expect(heard).toBe(1);
  });

  it.each([
    [{ method: "GET", body: "x" }, "a GET has no body"],
    [{ headers: { Host: "evil.test" } }, "the header Host cannot be set"],
    [{ headers: { "X-HTTP-Method-Override": "DELETE" } }, "the header X-HTTP-Method-Override cannot be set"],
    [{ headers: { "x-a": "b\r\nc: d" } }, "line ends or other signs"],
    [{ method: "POST", start: 5 }, "not sent again"],
  ])("refuses %j", async (more, told) => {
    const place = await openPlace([asks("web_fetch", { url: "http://127.0.0.1:9/", ...more }), says("Done.")]);
    await place.json(["run", "ask it", "--mode", "full-auto"]);
    expect(place.heard(1, -1)).toContain(told);
  });

  it("is denied in read-only mode", async () => {
    const place = await openPlace([asks("web_fetch", { url: "http://127.0.0.1:9/", method: "PUT" }), says("Done.")]);
    expect(await place.json(["run", "ask it", "--mode", "read-only"])).toMatchObject({ code: 10 });
  });
});
