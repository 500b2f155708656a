import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { HostFact } from "../../../../src/core/host-fact.ts";
import { BrowserWay, browserRisk } from "../../../../src/tools/mcp/browser/browser-way.ts";
import { openPlace } from "../../../support/cli.ts";

describe("an entry of a browser", () => {
  it("names the exact version that is fetched, the Chromium that was found and the tools that are offered", async () => {
    const place = await openPlace();
    const program = join(place.workspace, "chromium");
    await writeFile(program, "", { mode: 0o755 });
    const added = await place.run(["mcp", "add", "browser"], { env: { PATH: place.workspace } });
    expect(added.stderr).toContain(`its browser is ${program}\n`);
    const { stdout } = await place.run(["mcp", "list", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ name: "browser", state: "off", why: "it waits for your trust: agent mcp trust browser", command: "npx" },
      args: expect.arrayContaining(["-y", "@playwright/mcp@0.0.83", "--isolated", "--executable-path", program]),
    });
    expect((await place.run(["mcp", "add", "browser"], { env: { PATH: place.workspace } })).stderr).toContain(
      "there is a server browser already",
    );
  });

  it("is not written where there is no Chromium: it is said how one is installed, and another can be named", async () => {
    const place = await openPlace();
    const none = await place.run(["mcp", "add", "browser"], { env: { PATH: "" } });
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/there is no Chromium in PATH[\s\S]*(?:apt-get|brew) install .*chromium/),
    });
    for (const wrong of ["chromium", "/nowhere/chromium", place.workspace])
      expect((await place.run(["mcp", "add", "browser", "--chromium", wrong])).code).toBe(2);
    expect((await place.run(["mcp", "add", "b", "--browser", "--chromium", process.execPath])).code).toBe(0);
    for (const words of [["--env", "A=b"], ["--url", "https://x.example/"], ["--private"]])
      expect((await place.run(["mcp", "add", "c", "--browser", ...words])).code).toBe(2);
    expect((await place.run(["mcp", "add", "c", "--chromium", process.execPath, "--", "x"])).code).toBe(2);
  });

  it("is off where it leads past the proxy, or where a project says that it is one", async () => {
    const place = await openPlace();
    const entry = { command: "node", args: ["x.js"], browser: true };
    const wrong = {
      proxy: { ...entry, args: ["x.js", "--proxy-server=http://far.example"] },
      bypass: { ...entry, args: ["--proxy-bypass", "*"] },
      settings: { ...entry, args: ["--config", "mine.json"] },
      port: { ...entry, args: ["--cdp-endpoint", "http://127.0.0.1:9222"] },
      files: { ...entry, args: ["--allow-unrestricted-file-access"] },
      other: { ...entry, args: ["--browser", "firefox"] },
      variable: { ...entry, env: { PLAYWRIGHT_MCP_PROXY_BYPASS: "*" } },
      hidden: { ...entry, args: [`\${OPTION}`] },
    };
    await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: wrong }));
    await place.write(".mcp.json", JSON.stringify({ mcpServers: { theirs: entry } }));
    await place.run(["trust", "--yes"]);
    const { stdout } = await place.run(["mcp", "list"], { env: { OPTION: "--no-sandbox" } });
    expect(stdout.match(/off: it is a browser/g)).toHaveLength(Object.keys(wrong).length);
    expect(stdout).toContain(
      "theirs (this project's): off: it says that it is a browser, which only your own config.json may",
    );
  });
});

it("looking at a page is of low risk, using it medium, running code in it or giving it files high", () => {
  const risks = [
    "snapshot",
    "find",
    "navigate",
    "click",
    "type",
    "tabs",
    "evaluate",
    "file_upload",
    "drop",
    "new_one",
  ].map((name) => browserRisk(`browser_${name}`));
  expect(risks).toEqual(["low", "low", "medium", "medium", "medium", "medium", "high", "high", "high", "medium"]);
  expect(browserRisk("x_browser_snapshot")).toBe("medium");
});

it("a host that a call was let go to is open to its page until the next goes elsewhere; a rule that denies it is heard at once", async () => {
  const here: HostFact = { host: "localhost", port: 3000, range: "loopback", addresses: ["127.0.0.1", "::1"] };
  let decision: "ask" | "deny" = "ask";
  const lookup = async () => [];
  const way = { proxies: { httpProxy: "", httpsProxy: "", noProxy: "" }, lookup, known: new Map() };
  const browser = new BrowserWay(way, async () => ({ decision, why: "why" }));
  expect(await browser.hostsOf("browser_navigate", { url: "http://localhost:3000/a" })).toEqual([here]);
  expect(await browser.refuses(here)).toBe("why");
  await browser.begins("browser_navigate", { url: "http://localhost:3000/a" }, { summary: "", cwd: "", hosts: [here] });
  await browser.begins("browser_snapshot", {}, { summary: "", cwd: "" });
  expect(await browser.refuses({ ...here })).toBeUndefined();
  expect(await browser.refuses({ ...here, port: 3001 })).toBe("why");
  expect(await browser.refuses({ ...here, addresses: ["10.0.0.1"] })).toBe("why");
  decision = "deny";
  expect(await browser.refuses(here)).toBe("why");
  decision = "ask";
  await browser.begins(
    "browser_navigate",
    { url: "https://example.com" },
    { summary: "", cwd: "", hosts: [{ host: "example.com", port: 443 }] },
  );
  expect(await browser.refuses(here)).toBe("why");
});
