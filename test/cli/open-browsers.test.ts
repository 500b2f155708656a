import { expect, it } from "vitest";
import { OpenBrowsers } from "../../src/cli/open-browsers.ts";
import { McpServer } from "../../src/tools/mcp/server.ts";

const serverNamed = (name: string): McpServer =>
  new McpServer(name, {
    ...{ cwd: "/w", version: "0", refuses: async () => undefined },
    connect: () => Promise.reject(new Error("it is not started here")),
  });

it("has the browsers of a session and of its helpers, and says of which helper", () => {
  const open = new OpenBrowsers();
  open.add("brisk-otter-4f2a", [serverNamed("browser")]);
  open.add("brisk-otter-4f2a@2", [serverNamed("browser")]);
  open.add("calm-heron-1a2b", [serverNamed("browser")]);
  expect(open.of("brisk-otter-4f2a").map(({ name }) => name)).toEqual(["browser", "browser of brisk-otter-4f2a@2"]);
});

it("keeps those of a session that was opened again when the earlier ones are ended", () => {
  const open = new OpenBrowsers();
  const forgetEarlier = open.add("brisk-otter-4f2a", [serverNamed("earlier")]);
  const forget = open.add("brisk-otter-4f2a", [serverNamed("later")]);
  forgetEarlier();
  expect(open.of("brisk-otter-4f2a").map(({ name }) => name)).toEqual(["later"]);
  forget();
  expect(open.of("brisk-otter-4f2a")).toEqual([]);
});
