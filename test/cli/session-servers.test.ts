import { expect, it } from "vitest";
import { SessionServers } from "../../src/cli/session-servers.ts";
import { proxiesOf } from "../../src/net/proxies.ts";
import { BrowserWay } from "../../src/tools/mcp/browser/browser-way.ts";
import { McpServer } from "../../src/tools/mcp/server.ts";

const way = { proxies: proxiesOf({}), lookup: async () => [], known: new Map() };

const serverNamed = (name: string, isBrowser = true): McpServer =>
  new McpServer(name, {
    ...(isBrowser ? { browser: new BrowserWay(way, async () => ({ decision: "ask", why: "" })) } : {}),
    ...{ cwd: "/w", version: "0", refuses: async () => undefined },
    connect: () => Promise.reject(new Error("it is not started here")),
  });

it("has the browsers of a session and of its helpers, and says of which helper", () => {
  const open = new SessionServers();
  open.add("brisk-otter-4f2a", [serverNamed("browser"), serverNamed("files", false)]);
  open.add("brisk-otter-4f2a@2", [serverNamed("browser")]);
  open.add("calm-heron-1a2b", [serverNamed("browser")]);
  expect(open.browsersOf("brisk-otter-4f2a").map(({ name }) => name)).toEqual([
    "browser",
    "browser of brisk-otter-4f2a@2",
  ]);
  expect(open.of("brisk-otter-4f2a", "files")?.name).toBe("files");
  expect(open.of("calm-heron-1a2b", "files")).toBeUndefined();
});

it("keeps those of a session that was opened again when the earlier ones are ended", () => {
  const open = new SessionServers();
  const forgetEarlier = open.add("brisk-otter-4f2a", [serverNamed("earlier")]);
  const forget = open.add("brisk-otter-4f2a", [serverNamed("later")]);
  forgetEarlier();
  expect(open.browsersOf("brisk-otter-4f2a").map(({ name }) => name)).toEqual(["later"]);
  forget();
  expect(open.browsersOf("brisk-otter-4f2a")).toEqual([]);
});
