import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import {
  giveKeyring,
  openScene,
  pageIn,
  rowFile,
  type Scene,
  signal,
  signedInScene,
  signIn,
  writeEntry,
} from "../support/sign-in-scene.ts";
import { startSignInServer } from "../support/sign-in-server.ts";

type Keyring = Awaited<ReturnType<typeof giveKeyring>>;

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

/** The tokens that came to the server of tools while it was tested, or asked so. */
async function sentBy({ web, place }: Scene, words = ["mcp", "test", "web"]): Promise<(string | undefined)[]> {
  web.headers.length = 0;
  await place.run(words);
  expect(web.headers).not.toEqual([]);
  return web.headers.map(({ authorization }) => authorization?.replace("Bearer ", ""));
}

/** What is kept, written anew with other words in it. */
async function change(place: Place, changed: object): Promise<void> {
  const file = await rowFile(place);
  const row = JSON.parse(await readFile(file, "utf8")) as { value: string };
  const value = JSON.parse(row.value) as object;
  await writeFile(file, JSON.stringify({ ...row, value: JSON.stringify({ ...value, ...changed }) }));
}

/** A sign-in that is killed as soon as the keyring has its tokens. */
async function killedLogin({ place }: Scene, keyring: Keyring): Promise<void> {
  const pid = join(place.home, "pid");
  await keyring.behaves({ stored: `kill -9 $(cat '${pid}')` });
  const login = place.spawn(["mcp", "login", "web", "--yes"]);
  await login.shows("response_type=");
  await writeFile(pid, String(login.child.pid));
  await fetch(pageIn(login.stdout()));
  expect(await login.done).toMatchObject({ signal: "SIGKILL" });
}

describe("what is kept goes to nobody else", () => {
  it.each(["logout", "remove"])(
    "a first one that was killed when the keyring had it is found: %s ends it",
    async (word) => {
      const scene = await openScene();
      const { server, place } = scene;
      const keyring = await giveKeyring(place);
      await killedLogin(scene, keyring);
      const [token = "none"] = server.given;
      expect(await keyring.value()).toContain(token);
      await keyring.behaves({});
      expect((await place.run(["mcp", "list"])).stdout).toContain("needs you to sign in: agent mcp login web");
      expect(await sentBy(scene, ["mcp", "trust", "web", "--yes"])).not.toContain(token);
      const ran = await place.run(["mcp", word, "web"]);
      expect(ran).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("signed out of web: what was kept is gone"),
      });
      expect(ran.stderr).toContain("was told that its tokens are of no use any more");
      expect(server.given.filter((one) => server.takes(one))).toEqual([]);
      await expect(keyring.value()).rejects.toThrow("ENOENT");
    },
  );

  it("where a sign-in at another place, for the same server, was killed when the keyring had it: neither counts", async () => {
    const scene = await openScene();
    const { server, described, place } = scene;
    const keyring = await giveKeyring(place);
    expect(await signIn(scene)).toMatchObject({ code: 0 });
    const other = await startSignInServer();
    described["authorization_servers"] = [other.origin];
    await killedLogin(scene, keyring);
    await keyring.behaves({});
    expect((await place.run(["mcp", "list"])).stdout).toContain("needs you to sign in: agent mcp login web");
    const sent = await sentBy(scene, ["mcp", "trust", "web", "--yes"]);
    for (const token of [...server.given, ...other.given]) expect(sent).not.toContain(token);
    expect(await place.run(["mcp", "logout", "web"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("its tokens could not be read, and nobody was told"),
    });
    await expect(keyring.value()).rejects.toThrow("ENOENT");
  });

  it("where a sign-in at another address was killed when the keyring had it: it is none there, and the one before is over", async () => {
    const scene = await openScene();
    const { web, server, place } = scene;
    const keyring = await giveKeyring(place);
    expect(await signIn(scene)).toMatchObject({ code: 0, stderr: expect.stringContaining("in the system's keyring") });
    expect(await place.run(["mcp", "trust", "web", "--yes"])).toMatchObject({ code: 0 });
    const other = `${web.url}/b`;
    await writeEntry(place, { url: other });
    scene.described["resource"] = other;
    await killedLogin(scene, keyring);
    const ofOther = server.given.at(-2) ?? "none";
    expect(await keyring.value()).toContain(ofOther);

    await keyring.behaves({});
    await writeEntry(place, { url: web.url });
    expect(await sentBy(scene)).not.toContain(ofOther);
    expect((await place.run(["mcp", "list"])).stdout).toContain("needs you to sign in: agent mcp login web");
    scene.described["resource"] = web.url;
    expect(await signIn(scene)).toMatchObject({ code: 0 });
    expect(await sentBy(scene)).toContain(server.given.at(-2));
  });

  it.each([
    ["server", "https://other.example.com/mcp"],
    ["clientId", "another"],
    ["issuer", "https://other.example.com"],
    ["origin", "project"],
    ["tokenEndpoint", 7],
    ["client", "known"],
  ])("where its %s is another, or none", async (name, value) => {
    const scene = await signedInScene();
    const [token] = scene.server.given;
    expect(await sentBy(scene)).toContain(token);
    await change(scene.place, { [name]: value });
    const sent = await sentBy(scene);
    expect(sent).not.toContain(token);
    expect(await scene.place.run(["mcp", "logout", "web"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("its tokens could not be read, and nobody was told"),
    });
  });
});

it("a sign-out revokes the one token where the other is not revoked, and says that", async () => {
  const { server, place } = await signedInScene();
  const [access = "", refresh] = server.given;
  server.before = ({ url, form, response }) => {
    if (url.pathname !== "/revoke" || form.get("token") !== refresh) return false;
    response.writeHead(503).end();
    return true;
  };
  expect((await place.run(["mcp", "logout", "web"])).stderr).toContain("could not be told, and its tokens end by them");
  expect(server.takes(access)).toBe(false);
});

it("a keyring that does not give it in time is told of, and asked anew: nothing is sent without it", async () => {
  const scene = await openScene({ answers: [asks("mcp__web__echo", { text: "a" }), says("Done.")] });
  const { web, place } = scene;
  const keyring = await giveKeyring(place);
  expect(await signIn(scene)).toMatchObject({ code: 0 });
  expect(await place.run(["mcp", "trust", "web", "--yes"])).toMatchObject({ code: 0 });
  web.headers.length = 0;
  await keyring.behaves({ lookup: "exit 1" });
  expect(await place.run(["mcp", "test", "web"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "the keyring does not give your sign-in: unlock it, or sign in again (agent mcp login web)",
    ),
  });
  expect(web.headers).toEqual([]);
  // Once it is late in a session, and then no more.
  const late = join(place.home, "late");
  await writeFile(late, "");
  await keyring.behaves({ lookup: `[ -e '${late}' ] && { rm '${late}'; exit 1; }` });
  const done = await place.json(goes);
  expect(done.of("tool_call").map(({ call }) => call.status)).toContain("error");
  expect(web.headers).toEqual([]);
  expect(await place.run(["mcp", "test", "web"])).toMatchObject({ code: 0 });
});

describe("a sign-in that cannot be written", () => {
  it("is not made anew where that is found before: the old one stays of use", async () => {
    const scene = await openScene();
    const { server, place } = scene;
    const keyring = await giveKeyring(place);
    expect(await signIn(scene)).toMatchObject({ code: 0 });
    expect(await place.run(["mcp", "trust", "web", "--yes"])).toMatchObject({ code: 0 });
    const file = await rowFile(place);
    server.expire();
    // Whoever else has the lock: nothing is written any more.
    await keyring.behaves({ lookup: `[ -e '${file}.lock' ] && echo other > '${file}.lock'` });
    expect(await place.run(["mcp", "test", "web"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("your sign-in could not be made anew"),
    });
    expect(server.seen).not.toContain("POST /token refresh_token");
    await keyring.behaves({});
    expect(await place.run(["mcp", "test", "web"])).toMatchObject({ code: 0 });
  });

  it("after it was made anew is used in this process, and it is said that it is not kept", async () => {
    const calls = ["a", "b"].map((text) => asks("mcp__web__echo", { text }));
    const { web, server, place } = await signedInScene([...calls, says("Done.")]);
    const file = await rowFile(place);
    server.expire();
    let refreshes = 0;
    server.before = async ({ form }) => {
      if (form.get("grant_type") !== "refresh_token") return false;
      refreshes += 1;
      if (refreshes === 1) await writeFile(`${file}.lock`, "other\n");
      return false;
    };
    const usual = web.before;
    let isFirst = true;
    web.before = (asked) => {
      if (asked.message?.params?.arguments?.["text"] === "b" && isFirst) {
        isFirst = false;
        server.expire();
      }
      return usual(asked);
    };
    const done = await place.json(goes);
    const results = done
      .of("tool_call")
      .flatMap(({ call }) => (call.status === "success" && "result" in call ? [call.result.output] : []));
    expect(results).toEqual(["a", "b"]);
    expect(refreshes).toBe(2);
    const logs = await place.run(["mcp", "logs", "web"]);
    expect(logs.stdout).toContain("your sign-in was made anew, and could not be kept");
    expect(logs.stdout).toContain("after this session sign in again: agent mcp login web");
    for (const token of server.given) expect(done.stdout + logs.stdout).not.toContain(token);
    // The second one was kept, by whoever has the lock then.
    expect(await readFile(file, "utf8")).toContain(server.given.at(-2));
    expect(await place.run(["mcp", "test", "web"])).toMatchObject({ code: 0 });
  });
});

describe("tokens that are given once are not lost", () => {
  const part = (said: object): string => Buffer.from(JSON.stringify(said)).toString("base64url");

  it.each([
    [
      "who the person is, in a way that is not known",
      { id_token: `${part({ alg: "ES256" })}.${part({ sub: "me" })}.x` },
    ],
    ["who the person is, in no way", { id_token: "me" }],
    ["nothing, in so many words", { id_token: null, scope: null, expires_in: null }],
    ["for how long, in words", { expires_in: "a while" }],
  ])("where the answer says beside them %s", async (_, gives) => {
    const scene = await signedInScene([], async ({ server }) => {
      server.gives = gives;
    });
    const { server, place } = scene;
    server.expire();
    expect(await place.run(["mcp", "test", "web"])).toMatchObject({ code: 0 });
    expect(server.given).toHaveLength(4);
    expect(await readFile(await rowFile(place), "utf8")).toContain(server.given.at(-1));
  });

  it.each([
    ["a run", [...goes, "--json"]],
    ["a look at its tools", ["mcp", "test", "web"]],
    ["a person who is to trust it", ["mcp", "trust", "web", "--yes"]],
  ])("where %s is stopped while they are asked for", async (_, words) => {
    const { server, place } = await signedInScene([asks("mcp__web__echo", { text: "a" }), says("Done.")]);
    server.expire();
    const [asked, goesOn] = [signal(), signal()];
    server.before = async ({ form }) => {
      if (form.get("grant_type") !== "refresh_token") return false;
      asked.comes();
      await goesOn.came;
      return false;
    };
    const stopped = place.spawn(words);
    await asked.came;
    stopped.child.kill("SIGINT");
    setTimeout(goesOn.comes, 500);
    expect(await stopped.done).toMatchObject({ code: 130 });
    expect(server.given).toHaveLength(4);
    expect(await readFile(await rowFile(place), "utf8")).toContain(server.given.at(-1));
  });
});

describe("a sign-in that comes to nothing", () => {
  it("leaves no token behind where it is stopped between the code and its tokens, and says what came of them", async () => {
    const scene = await openScene();
    const { server, place } = scene;
    const [asked, goesOn] = [signal(), signal()];
    server.before = async ({ form }) => {
      if (form.get("grant_type") !== "authorization_code") return false;
      asked.comes();
      await goesOn.came;
      return false;
    };
    const login = place.spawn(["mcp", "login", "web", "--yes"]);
    await login.shows("response_type=");
    await fetch(pageIn(login.stdout()));
    await asked.came;
    login.child.kill("SIGINT");
    setTimeout(goesOn.comes, 500);
    const ran = await login.done;
    expect(ran).toMatchObject({ code: 130, stderr: expect.stringContaining("could not be kept: it was stopped; ") });
    expect(ran.stderr).toContain("was told that its tokens are of no use any more");
    expect(server.takes(server.given[0] ?? "")).toBe(false);
    expect(server.seen.filter((line) => line === "POST /revoke")).toHaveLength(2);
    expect(await place.run(["mcp", "logout", "web"])).toMatchObject({ code: 2 });
  });

  it("is not begun where what is kept would be open to others", async () => {
    const scene = await openScene();
    await mkdir(join(scene.place.home, "secrets"));
    await chmod(join(scene.place.home, "secrets"), 0o755);
    expect(await scene.place.run(["mcp", "login", "web", "--yes"])).toMatchObject({ code: 52 });
    expect([scene.web.seen, scene.server.seen]).toEqual([[], []]);
  });

  it("leaves no token behind where it cannot be kept", async () => {
    const scene = await openScene();
    const { server, place } = scene;
    server.before = async ({ form }) => {
      if (form.get("grant_type") !== "authorization_code") return false;
      await mkdir(join(place.home, "secrets"));
      await chmod(join(place.home, "secrets"), 0o755);
      return false;
    };
    const ran = await signIn(scene);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("not signed in: it could not be kept:") });
    expect(ran.stderr).toContain("was told that its tokens are of no use any more");
    expect(server.takes(server.given[0] ?? "")).toBe(false);
    expect(server.seen.filter((line) => line === "POST /revoke")).toHaveLength(2);
  });
});

describe("a sign-out", () => {
  it("is one of all that have the name here", async () => {
    const scene = await openScene();
    const { web, server, place } = scene;
    expect(await signIn(scene)).toMatchObject({ code: 0 });
    await writeFile(join(place.home, "config.json"), "{}");
    await place.write(".mcp.json", JSON.stringify({ mcpServers: { web: { type: "http", url: web.url } } }));
    await place.run(["trust", "--yes"]);
    expect(await signIn(scene)).toMatchObject({ code: 0 });
    const { code, stderr } = await place.run(["mcp", "logout", "web"]);
    expect(code).toBe(0);
    expect(stderr).toContain("signed out of web: ");
    expect(stderr).toContain("signed out of this project's web: ");
    expect(server.given.filter((token) => server.takes(token))).toEqual([]);
    expect(await place.run(["mcp", "logout", "web"])).toMatchObject({ code: 2 });
  });

  it("is part of a server's removal", async () => {
    const scene = await signedInScene();
    const { server, place } = scene;
    const { code, stderr } = await place.run(["mcp", "remove", "web"]);
    expect(code).toBe(0);
    expect(stderr).toContain("removed web, and your trust in it\n");
    expect(stderr).toMatch(/signed out of web: what was kept is gone; \S+ was told that its tokens are of no use/u);
    expect(server.given.filter((token) => server.takes(token))).toEqual([]);
    await expect(rowFile(place).then((file) => readFile(file))).rejects.toThrow();
  });

  it("leaves nothing in a keyring that was not there for a while", async () => {
    const scene = await openScene();
    const { place } = scene;
    const keyring = await giveKeyring(place);
    const path = place.env["PATH"];
    expect(await signIn(scene)).toMatchObject({ code: 0, stderr: expect.stringContaining("in the system's keyring") });
    place.env["PATH"] = process.env["PATH"];
    expect(await signIn(scene)).toMatchObject({ code: 0, stderr: expect.stringContaining("which you alone may read") });
    place.env["PATH"] = path;
    expect(await place.run(["mcp", "logout", "web"])).toMatchObject({ code: 0 });
    await expect(keyring.value()).rejects.toThrow("ENOENT");
  });
});
