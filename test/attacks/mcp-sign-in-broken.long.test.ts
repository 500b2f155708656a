import { existsSync } from "node:fs";
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { giveKeyring, openScene, rowFile, signedInScene, signIn } from "../support/sign-in-scene.ts";

const breaks: [string, (file: string) => Promise<void>][] = [
  ["not as it was written", (file) => writeFile(file, "{")],
  ["open to others", (file) => chmod(file, 0o644)],
  [
    "a link",
    async (file) => {
      await rename(file, `${file}.other`);
      await symlink(`${file}.other`, file);
    },
  ],
];

describe.each(breaks)("a sign-in whose file is %s", (_, broken) => {
  it("is listed as one that cannot be read, and all other servers are, too", async () => {
    const { web, place } = await signedInScene();
    await broken(await rowFile(place));
    const [entry, other] = [
      { type: "http", url: web.url },
      { type: "http", url: `${web.url}/z` },
    ];
    await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { web: entry, zed: other } }));
    const { code, stdout } = await place.run(["mcp", "list"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("  its sign-in cannot be read: ")]);
    expect(stdout).toContain("zed (yours)");
    const rows = (await place.run(["mcp", "list", "--json"])).stdout.trim().split("\n");
    expect(rows.map((row) => JSON.parse(row) as object)).toMatchObject([
      { name: "web", signIn: { state: "unknown", why: expect.stringContaining("sign-ins") } },
      { name: "zed" },
    ]);
  });

  it.each(["logout", "remove"])("goes by %s, and it is said that nobody was told", async (word) => {
    const { place } = await signedInScene();
    const file = await rowFile(place);
    await broken(file);
    const ran = await place.run(["mcp", word, "web"]);
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("signed out of web: what was kept is gone") });
    expect(ran.stderr).toMatch(/its tokens could not be read \(.+\), and nobody was told/u);
    expect(existsSync(file)).toBe(false);
    if (word === "logout") expect(await signIn({ place })).toMatchObject({ code: 0 });
  });
});

describe("a keyring that does not remove", () => {
  it("what it may have of a file that cannot be read has that stay, until it does", async () => {
    const scene = await openScene();
    const { place } = scene;
    const keyring = await giveKeyring(place);
    expect(await signIn(scene)).toMatchObject({ code: 0, stderr: expect.stringContaining("in the system's keyring") });
    const file = await rowFile(place);
    await writeFile(file, "{");
    await keyring.behaves({ clear: "exit 1" });
    const ran = await place.run(["mcp", "remove", "web"]);
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("removed web, and your trust in it\n") });
    expect(ran.stderr).toContain("the sign-in at web stays: the system's keyring, where it is or may be, did not");
    expect(existsSync(file)).toBe(true);
    await keyring.behaves({});
    expect(await place.run(["mcp", "logout", "web"])).toMatchObject({ code: 0 });
    expect(existsSync(file)).toBe(false);
    await expect(keyring.value()).rejects.toThrow("ENOENT");
  });

  it("the person's does not keep the project's of that name", async () => {
    const scene = await openScene();
    const { web, server, place } = scene;
    const keyring = await giveKeyring(place);
    const path = place.env["PATH"];
    expect(await signIn(scene)).toMatchObject({ code: 0, stderr: expect.stringContaining("in the system's keyring") });
    await writeFile(join(place.home, "config.json"), "{}");
    await place.write(".mcp.json", JSON.stringify({ mcpServers: { web: { type: "http", url: web.url } } }));
    await place.run(["trust", "--yes"]);
    place.env["PATH"] = process.env["PATH"];
    expect(await signIn(scene)).toMatchObject({ code: 0, stderr: expect.stringContaining("which you alone may read") });
    place.env["PATH"] = path;
    await keyring.behaves({ clear: "exit 1" });
    const { code, stderr } = await place.run(["mcp", "logout", "web"]);
    expect(code).toBe(1);
    expect(stderr).toContain("the sign-in at web stays: ");
    expect(stderr).toContain("signed out of this project's web: what was kept is gone");
    expect(server.given.filter((token) => server.takes(token))).toEqual([]);
    expect(await keyring.value()).toContain(server.given[0]);
  });
});

it("a place that cannot be looked at is told of, and nothing is sent as nobody", async () => {
  const { web, place } = await signedInScene();
  const folder = dirname(await rowFile(place));
  await rename(folder, `${folder}.other`);
  await writeFile(folder, "");
  web.headers.length = 0;
  const ran = await place.run(["mcp", "test", "web"]);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`${folder} is no folder`) });
  expect(web.headers).toEqual([]);
  expect(await place.run(["mcp", "logout", "web"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the sign-in at web stays: "),
  });
  await rm(folder);
  await mkdir(folder, { mode: 0o700 });
  expect(await place.run(["mcp", "logout", "web"])).toMatchObject({ code: 2 });
});
