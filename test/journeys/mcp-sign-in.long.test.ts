import { existsSync } from "node:fs";
import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { openPlace, Place, Told } from "../support/cli.ts";
import { openHttpPlace, startMcpHttp } from "../support/mcp-http.ts";
import { asks, says } from "../support/model-server.ts";
import { guard, startSignInServer } from "../support/sign-in-server.ts";

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

/** The page that a sign-in waits at. */
const pageIn = (stdout: string): string => /^ {2}(http\S+\/authorize\?\S+)$/mu.exec(stdout)?.[1] ?? "";

/** Signs in as a person does who opens the printed page: in a process of its own. */
async function signIn(place: Place, name = "web", ...more: string[]) {
  const login = place.spawn(["mcp", "login", name, "--yes", ...more]);
  await login.shows("/authorize?");
  const page = await fetch(pageIn(login.stdout()));
  return { page: await page.text(), ...(await login.done) };
}

async function signedInPlace(answers: Parameters<typeof openPlace>[0] = []) {
  const [web, server] = [await startMcpHttp(), await startSignInServer()];
  const told = guard(web, server);
  const place = await openHttpPlace(web, answers, { trusted: false });
  const ran = await signIn(place);
  expect(ran).toMatchObject({ code: 0, page: expect.stringContaining("The agent has heard it") });
  const trusted = await place.run(["mcp", "trust", "web", "--yes"]);
  if (trusted.code !== 0) throw new Error(trusted.stderr);
  return { web, server, told, place, ran };
}

/** What is answered where the address is asked for under another name. */
const statusFor = (url: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => resolve(response.resume().statusCode))
      .once("error", reject)
      .end();
  });

/** Files of the home in which one of the texts stands. */
async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const found: string[] = [];
  for (const file of files) {
    const bytes = await readFile(file);
    if (texts.some((text) => bytes.includes(text))) found.push(file);
  }
  return found;
}

it("login signs in at the page, trust and calls send the token, logout ends it; no token is in a word, a log or another file", async () => {
  const { web, server, place, ran } = await signedInPlace([asks("mcp__web__echo", { text: "hello" }), says("Done.")]);
  expect(ran.stdout).toContain(
    `web has you sign in at 127.0.0.1:${server.port}; its token goes to ${web.url}, for tools\n`,
  );
  expect(ran.stderr).toContain("signed in to web; the sign-in is kept in ");
  expect(server.forms[0]?.get("resource")).toBe(web.url);

  const done = await place.json(goes);
  expect(settled(done)).toMatchObject([{ status: "success", result: { output: "hello" } }]);
  const listed = [await place.run(["mcp", "list"]), await place.run(["mcp", "list", "--json"])];
  expect(listed[0]?.stdout).toContain(`  signed in at 127.0.0.1:${server.port}\n`);
  expect(JSON.parse(listed[1]?.stdout ?? "")).toMatchObject({
    signIn: { state: "in", host: `127.0.0.1:${server.port}` },
  });
  const exported = await place.run(["sessions", "export", done.session]);
  const logs = await place.run(["mcp", "logs", "web"]);
  for (const { stdout, stderr } of [ran, done, ...listed, exported, logs])
    for (const token of server.given) expect(stdout + stderr).not.toContain(token);
  const files = await filesWith(place.home, server.given);
  expect(files).toEqual([expect.stringMatching(/\/secrets\/sign-ins\/[0-9a-f]{32}\.json$/u)]);
  expect((await stat(files[0] ?? "")).mode & 0o777).toBe(0o600);

  const out = await place.run(["mcp", "logout", "web"]);
  expect(out).toMatchObject({ code: 0, stderr: expect.stringContaining("was told that its tokens are of no use") });
  expect(server.takes(server.given[0] ?? "")).toBe(false);
  expect(await filesWith(place.home, server.given)).toEqual([]);
  expect(await place.run(["mcp", "test", "web"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("it wants you to sign in: agent mcp login web"),
  });
  expect(await place.run(["mcp", "logout", "web"])).toMatchObject({ code: 2 });
});

it("at a terminal the page is opened by the program of BROWSER, as one word of its arguments", async () => {
  const [web, server] = [await startMcpHttp(), await startSignInServer()];
  guard(web, server);
  server.metadata["authorization_endpoint"] = `${server.origin}/authorize?a=$(touch%20x);b='%26c`;
  const place = await openHttpPlace(web, [], { trusted: false });
  const [browser, noted] = [join(place.home, "browser.mjs"), join(place.home, "noted")];
  await writeFile(
    browser,
    `#!${process.execPath}
import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(noted)}, JSON.stringify(process.argv.slice(2)));
await fetch(process.argv.at(-1));
`,
  );
  await chmod(browser, 0o700);
  const pty = place.prints(["mcp", "login", "web", "--yes"], { cols: 400, rows: 30 }, { BROWSER: `${browser} --new` });
  expect(await pty.exit).toMatchObject({ code: 0 });
  const words = JSON.parse(await readFile(noted, "utf8")) as string[];
  expect(words).toEqual(["--new", pageIn(pty.scrollback().join("\n"))]);
  expect(existsSync(place.path("x"))).toBe(false);
});

it("at a terminal no program of the workspace opens the page, by whatever path BROWSER names it", async () => {
  const [web, server] = [await startMcpHttp(), await startSignInServer()];
  guard(web, server);
  const place = await openHttpPlace(web, [], { trusted: false });
  await place.write("browser.sh", `#!/bin/sh\ntouch '${place.path("ran")}'\n`);
  await chmod(place.path("browser.sh"), 0o700);
  const link = join(place.home, "browser");
  await symlink(place.path("browser.sh"), link);
  for (const BROWSER of [place.path("browser.sh"), link]) {
    const pty = place.chat(["mcp", "login", "web", "--yes"], { cols: 400, rows: 30 }, { BROWSER });
    await pty.waitFor("waiting for 5 minutes");
    await pty.waitFor("open it in a browser of this machine; waiting", 1);
    pty.key("ctrl-c");
    await pty.exit;
  }
  expect(place.has("ran")).toBe(false);
});

describe("what is heard on loopback", () => {
  it("is one answer with the right path and state; others change nothing", async () => {
    const [web, server] = [await startMcpHttp(), await startSignInServer()];
    guard(web, server);
    const place = await openHttpPlace(web, [], { trusted: false });
    const login = place.spawn(["mcp", "login", "web", "--yes"]);
    await login.shows("/authorize?");
    const page = new URL(pageIn(login.stdout()));
    const back = new URL(page.searchParams.get("redirect_uri") ?? "");
    const state = page.searchParams.get("state") ?? "";
    const tries = [
      `${back.origin}/`,
      `${back.href}?code=stolen&state=wrong`,
      `${back.href}?code=stolen`,
      `${back.origin}/other?code=stolen&state=${state}`,
    ];
    for (const url of tries) expect((await fetch(url)).status).toBe(404);
    expect((await fetch(`${back.href}?code=stolen&state=${state}`, { method: "POST" })).status).toBe(404);
    // A page elsewhere whose name was made to lead here.
    for (const host of [`localhost:${back.port}`, `evil.example:${back.port}`, "127.0.0.1"])
      expect(await statusFor(`${back.href}?code=stolen&state=${state}`, host)).toBe(404);
    expect(server.seen.filter((line) => line.startsWith("POST /token"))).toEqual([]);
    expect((await fetch(page)).status).toBe(200);
    expect(await login.done).toMatchObject({ code: 0 });
    expect(server.forms.every((form) => form.get("code") !== "stolen")).toBe(true);
  });

  it("is nothing once Ctrl-C came: nothing is kept", async () => {
    const [web, server] = [await startMcpHttp(), await startSignInServer()];
    guard(web, server);
    const place = await openHttpPlace(web, [], { trusted: false });
    const login = place.spawn(["mcp", "login", "web", "--yes"]);
    await login.shows("/authorize?");
    login.child.kill("SIGINT");
    expect(await login.done).toMatchObject({
      code: 130,
      stderr: expect.stringContaining("not signed in: nothing changed"),
    });
    expect(existsSync(join(place.home, "secrets"))).toBe(false);
  });
});

it("a server that is not trusted is asked for nothing before the person says so", async () => {
  const [web, server] = [await startMcpHttp(), await startSignInServer()];
  guard(web, server);
  const place = await openHttpPlace(web, [], { trusted: false });
  expect(await place.run(["mcp", "login", "web"])).toMatchObject({ code: 2 });
  expect([web.seen, server.seen]).toEqual([[], []]);
});

describe("a sign-in is made anew", () => {
  it("where a call is refused by 401: once, and the call is done once", async () => {
    const { web, server, place } = await signedInPlace([asks("mcp__web__echo", { text: "hello" }), says("Done.")]);
    server.expire();
    const done = await place.json(goes);
    expect(settled(done)).toMatchObject([{ status: "success", result: { output: "hello" } }]);
    expect(server.seen.filter((line) => line === "POST /token refresh_token")).toHaveLength(1);
    expect(web.calls()).toEqual(["call echo"]);
    for (const token of server.given) expect(done.stdout + done.stderr).not.toContain(token);
  });

  it("by one of many processes: nobody is signed out", async () => {
    const { server, place } = await signedInPlace();
    server.expire();
    const ran = await Promise.all(Array.from({ length: 6 }, () => place.spawn(["mcp", "test", "web"]).done));
    expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual(ran.map(() => [0, ""]));
    expect(server.seen.filter((line) => line === "POST /token refresh_token")).toHaveLength(1);
    expect(server.forms.every((form) => form.get("resource") !== null)).toBe(true);
  });

  it("after a process was killed while it was under way: the old one was not lost", async () => {
    const { server, place } = await signedInPlace();
    server.expire();
    let isAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve;
    });
    server.before = ({ form }) => {
      if (form.get("grant_type") === "refresh_token") isAsked();
      return form.get("grant_type") === "refresh_token";
    };
    const killed = place.spawn(["mcp", "test", "web"]);
    await asked;
    killed.child.kill("SIGKILL");
    await killed.done;
    server.before = () => false;
    expect(await place.run(["mcp", "test", "web"])).toMatchObject({ code: 0 });
  });

  it("not where that is refused for good: it is said how to sign in again, and listed; nothing is asked a second time", async () => {
    const { server, place } = await signedInPlace();
    server.expire();
    server.before = ({ form, response }) => {
      if (form.get("grant_type") !== "refresh_token") return false;
      const error_description = `\u001b]0;x\u0007gone ${form.get("refresh_token")}`;
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "invalid_grant", error_description }));
      return true;
    };
    const ran = [await place.run(["mcp", "test", "web"]), await place.run(["mcp", "test", "web"])];
    expect(ran[0]).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "your sign-in does not hold any more: sign in again (it was refused: invalid_grant ( ]0;x gone …)): agent mcp login web",
      ),
    });
    expect(ran[1]?.stderr).toContain("agent mcp login web");
    expect(server.seen.filter((line) => line === "POST /token refresh_token")).toHaveLength(1);
    expect((await place.run(["mcp", "list"])).stdout).toContain("  needs you to sign in: agent mcp login web\n");
  });

  it("not where the server takes the new one no more than the old: it is asked twice, and no more", async () => {
    const { web, server, place } = await signedInPlace([asks("mcp__web__echo", { text: "a" }), says("Done.")]);
    web.seen.length = 0;
    web.before = ({ response }) => {
      response.writeHead(401, { "www-authenticate": "Bearer" }).end();
      return true;
    };
    const done = await place.json(goes);
    expect(settled(done)).toMatchObject([{ status: "error" }]);
    expect(web.seen).toEqual(["POST initialize", "POST initialize"]);
    expect(server.seen.filter((line) => line === "POST /token refresh_token")).toHaveLength(1);
  });

  it("not for rights that it lacks: these are told", async () => {
    const { web, server, place } = await signedInPlace();
    web.before = ({ response }) => {
      const challenge = `Bearer error="insufficient_scope", scope="read write"`;
      response.writeHead(403, { "www-authenticate": challenge }).end();
      return true;
    };
    expect((await place.run(["mcp", "test", "web"])).stderr).toContain(
      "it wants further rights than your sign-in has: agent mcp login web --scope read --scope write",
    );
    expect(server.seen.filter((line) => line === "POST /token refresh_token")).toEqual([]);
  });
});
