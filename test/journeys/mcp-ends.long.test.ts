import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Told } from "../support/cli.ts";
import { type McpPlace, openMcpPlace } from "../support/mcp.ts";
import { asks, says } from "../support/model-server.ts";

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

const starts = (place: McpPlace) => place.noted().filter((line) => line.startsWith("start ")).length;

const isGone = (place: McpPlace) => expect.poll(() => place.alive(), { timeout: 20_000 }).toEqual([]);

describe("no process of a server is left", () => {
  it("after agent mcp test, of one that started another and heeds no signal", async () => {
    const place = await openMcpPlace([], { env: { MCP_MODE: "stubborn" } });
    const before = starts(place);
    expect((await place.run(["mcp", "test", "small"])).stdout).toContain("small works");
    expect(starts(place)).toBe(before + 1);
    expect(place.alive()).toEqual([]);
  });

  it("after kill -9 while it hangs as it starts, and no call was made", async () => {
    const place = await openMcpPlace([asks("mcp__small__echo", { text: "a" }), says("Done.")], {
      env: { MCP_MODE: "stubborn" },
    });
    await writeFile(`${place.changed}.silent`, "");
    const before = starts(place);
    const running = place.spawn([...goes, "--json"]);
    await expect.poll(() => starts(place), { timeout: 60_000 }).toBe(before + 1);
    await expect.poll(() => place.alive().length, { timeout: 20_000 }).toBe(2);
    running.child.kill("SIGKILL");
    await running.done;
    await isGone(place);
    expect(place.noted().filter((line) => line.startsWith("call "))).toEqual([]);
  });

  it.each(["trust", "test"])("after Ctrl-C of agent mcp %s while it hangs as it starts", async (what) => {
    const place = await openMcpPlace([], { env: { MCP_MODE: "stubborn" } });
    await writeFile(`${place.changed}.silent`, "");
    const before = starts(place);
    const pty = place.chat(["mcp", what, "small", ...(what === "trust" ? ["--yes"] : [])]);
    await expect.poll(() => starts(place), { timeout: 60_000 }).toBe(before + 1);
    await expect.poll(() => place.alive().length, { timeout: 20_000 }).toBe(2);
    pty.key("ctrl-c");
    expect((await pty.exit).code).toBe(130);
    await isGone(place);
  });
});

it("a server over stdio that hangs with a call is told to stop at the limit of time, and the outcome is unknown", async () => {
  const place = await openMcpPlace([asks("mcp__small__hangs", {}), says("Done.")]);
  const file = join(place.home, "config.json");
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, "utf8")), toolTimeoutMs: 500 }));
  const ran = await place.json(goes);
  expect(ran.code).toBe(11);
  expect(ran.the("recovery_requested").calls).toMatchObject([{ toolName: "mcp__small__hangs", effect: "once" }]);
  expect(place.noted().filter((line) => /^(?:call|cancelled)/u.test(line))).toEqual(["call hangs", "cancelled"]);
  await isGone(place);
});

it("before a package is fetched in whatever version there is, that is said, and nothing is started", async () => {
  const place = await openPlace();
  const bin = join(place.home, "bin");
  await place.write("../home/bin/npx", '#!/bin/sh\ntouch "$0.ran"\n');
  await place.write("../home/bin/uvx", '#!/bin/sh\ntouch "$0.ran"\n');
  for (const name of ["npx", "uvx"]) await chmod(join(bin, name), 0o755);
  place.env["PATH"] = `${bin}:${place.env["PATH"]}`;
  const mcpServers = {
    any: { command: "npx", args: ["-y", "@scope/hub"] },
    one: { command: "npx", args: ["-y", "@scope/hub@1.2.3"] },
    py: { command: "uvx", args: ["mcp-server-git"] },
  };
  await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers }));
  const shown = async (name: string) => (await place.run(["mcp", "trust", name])).stdout;
  const careful = (name: string) => `careful: ${name} is fetched in whatever version there is that day`;
  expect(await shown("any")).toContain(careful("@scope/hub"));
  expect(await shown("py")).toContain(careful("mcp-server-git"));
  const pinned = await shown("one");
  expect(pinned).toContain("@scope/hub@1.2.3");
  expect(pinned).not.toContain("is fetched in whatever version");
  expect(place.has("../home/bin/npx.ran") || place.has("../home/bin/uvx.ran")).toBe(false);
});

it("many tools of a server are told by name alone, found by words, and one of them is called", async () => {
  const place = await openMcpPlace(
    [asks("search_tools", { query: "invoice seven" }), asks("mcp__small__invoice_7", { id: "a" }), says("Done.")],
    { trusted: false },
  );
  const words = "It says much of itself. ".repeat(100);
  const numbers = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  const tools = Array.from({ length: 40 }, (_, at) => ({
    name: `${at < 10 ? "invoice" : "shipment"}_${at}`,
    description: `Looks at number ${numbers[at] ?? at}. ${words}`,
    inputSchema: { type: "object", properties: { id: { type: "string" } }, required: ["id"] },
  }));
  await writeFile(`${place.changed}.tools`, JSON.stringify(tools));
  expect((await place.run(["mcp", "trust", "small", "--yes"])).code).toBe(0);
  const ran = await place.json(goes);
  expect(settled(ran)).toMatchObject([{ status: "success" }, { status: "success", result: { output: "ok" } }]);
  const offered = place.server.requests.map(({ body }) =>
    (body.tools ?? []).map((tool) => tool.function.name).filter((name) => name.startsWith("mcp__small__")),
  );
  expect(offered[0]).toEqual([]);
  expect(offered[1]).toContain("mcp__small__invoice_7");
  expect(offered[1]).not.toContain("mcp__small__echo");
  const search = place.server.requests[0]?.body.tools?.find((tool) => tool.function.name === "search_tools");
  expect(search?.function.description).toContain("invoice_7");
  expect(place.noted().filter((line) => line.startsWith("call "))).toEqual(["call invoice_7"]);
});

it("of more pictures than a result has room for, the rest is left out, and told", async () => {
  const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const place = await openMcpPlace([asks("mcp__small__picture", { count: 12 }), says("Done.")], {
    env: { MCP_PICTURE: picture },
  });
  const [call] = settled(await place.json(goes));
  expect(call).toMatchObject({
    status: "success",
    result: { output: expect.stringContaining("(2 more pictures are left out: a result has at most 10)") },
  });
  expect((call as { result: { images: unknown[] } }).result.images).toHaveLength(10);
});
