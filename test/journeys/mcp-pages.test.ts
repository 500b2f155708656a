import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { openMcpPlace, smallServer } from "../support/mcp.ts";
import { asks, says } from "../support/model-server.ts";

const entryWith = (urlPatterns: unknown) => ({ command: process.execPath, args: [smallServer], urlPatterns });

it("a server's tool that an entry has for pages is not there where no browser shows one, and the others are", async () => {
  const place = await openMcpPlace([asks("mcp__small__echo", { text: "hi" }), says("Done.")], { trusted: false });
  const config = join(place.home, "config.json");
  await writeFile(config, JSON.stringify({ mcpServers: { small: entryWith({ echo: ["*.github.com"] }) } }));
  expect(await place.run(["mcp", "trust", "small", "--yes"])).toMatchObject({ code: 0 });
  const ran = await place.json(["run", "go", "--mode", "full-auto", "--sandbox", "off"]);
  const names = place.server.requests[0]?.body.tools?.map(({ function: { name } }) => name) ?? [];
  expect(names).toContain("mcp__small__fails");
  expect(names).not.toContain("mcp__small__echo");
  expect(place.noted().filter((line) => line.startsWith("call"))).toEqual([]);
  const ended = ran.of("tool_call").flatMap(({ call }) => (call.status === "error" ? [call] : []));
  expect(ended).toMatchObject([
    { errorCode: "UNKNOWN_TOOL", errorMsg: expect.stringMatching(/for pages of \*\.github\.com alone, and no page/u) },
  ]);
  expect(ran.stderr + ran.stdout).not.toContain("they narrow none");
  // Another list is another entry.
  await writeFile(config, JSON.stringify({ mcpServers: { small: entryWith({ echo: ["*.gitlab.com"] }) } }));
  expect((await place.run(["mcp", "list"])).stdout).toContain("off: its urlPatterns changed since you trusted it");
});

it.each([[{ echo: ["not a page!"] }], [{ echo: [] }], [{ echo: "*" }], [["echo"]]])(
  "an entry whose patterns are none is off, and says so: %j",
  async (urlPatterns) => {
    const place = await openPlace([], { ".mcp.json": JSON.stringify({ mcpServers: { one: entryWith(urlPatterns) } }) });
    const { stdout } = await place.run(["mcp", "list"]);
    expect(stdout).toContain("one (this project's): off: its urlPatterns cannot be used: ");
  },
);

it("patterns for a tool that the server does not have are told: nothing is narrowed by them", async () => {
  const place = await openMcpPlace([says("Done.")], { trusted: false });
  const config = join(place.home, "config.json");
  await writeFile(config, JSON.stringify({ mcpServers: { small: entryWith({ eco: ["*.github.com"] }) } }));
  await place.run(["mcp", "trust", "small", "--yes"]);
  const ran = await place.json(["run", "go"]);
  expect(ran.of("notice").map(({ text }) => text)).toContain(
    "MCP server small: no tool of it is called eco, as its urlPatterns have it: they narrow none",
  );
});

it.each(["//[", "//:80", "//x/y", "/%zz"])(
  "a project's pattern with the path %s ends no command, trusted or not",
  async (path) => {
    const entry = entryWith({ echo: [`github.com${path}`] });
    const place = await openPlace([says("Done.")], { ".mcp.json": JSON.stringify({ mcpServers: { one: entry } }) });
    expect(await place.run(["mcp", "list"])).toMatchObject({ code: 0, stdout: expect.stringContaining("one (this") });
    expect((await place.json(["run", "go"])).code).toBe(0);
  },
);
