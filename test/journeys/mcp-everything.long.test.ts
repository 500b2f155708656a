import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place, type Told, told } from "../support/cli.ts";
import { freePort, type Started, start } from "../support/everything.ts";
import { type Answer, asks, says } from "../support/model-server.ts";
import { describeWithEverything, everythingServer } from "../support/needs.ts";

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

async function ended({ child }: Started): Promise<void> {
  const end = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await end;
}

async function placeWith(entry: object, answers: Answer[]): Promise<Place> {
  const place = await openPlace(answers);
  await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { every: entry } }));
  const trusted = await place.run(["mcp", "trust", "every", "--yes"]);
  expect([trusted.code, trusted.stdout]).toEqual([0, expect.stringContaining("has 14 tools")]);
  return place;
}

const calls: Answer[] = [
  asks("mcp__every__echo", { message: "hello" }),
  asks("mcp__every__get-sum", { a: 2, b: 3 }),
  asks("mcp__every__get-sum", { a: "two" }),
  asks("mcp__every__get-tiny-image", {}),
  asks("mcp__every__trigger-long-running-operation", { duration: 0.4, steps: 4 }),
  asks("mcp__every__get-structured-content", { location: "Chicago" }),
  says("Done."),
];

function expectAll(ran: Told): void {
  expect(settled(ran)).toMatchObject([
    { status: "success", result: { output: "Echo: hello" } },
    { status: "success", result: { output: "The sum of 2 and 3 is 5." } },
    { status: "error", errorCode: "INVALID_ARGUMENT" },
    { status: "success", result: { images: [{ mediaType: "image/png" }] } },
    { status: "success", result: { output: expect.stringContaining("Long running operation completed") } },
    { status: "success", result: { output: expect.stringContaining("temperature") } },
  ]);
  expect(ran.of("tool_progress").some(({ figure }) => figure === 0.25)).toBe(true);
}

describeWithEverything("the server that shows all of MCP (needs @modelcontextprotocol/server-everything)", () => {
  it("works over stdio", async () => {
    const place = await placeWith({ command: process.execPath, args: [everythingServer, "stdio"] }, calls);
    expectAll(await place.json(goes));
  });

  it("works over streamable HTTP, and its session is ended", async () => {
    const server = await start(await freePort());
    const place = await placeWith({ type: "http", url: `http://127.0.0.1:${server.port}/mcp` }, calls);
    expectAll(await place.json(goes));
    await expect
      .poll(server.said)
      .toMatch(/Received session termination request[\s\S]*removing from transports map\s*$/);
  });

  it("killed under a call over HTTP: the outcome is unknown", async () => {
    const server = await start(await freePort());
    const place = await placeWith({ type: "http", url: `http://127.0.0.1:${server.port}/mcp` }, [
      asks("mcp__every__echo", { message: "one" }),
      asks("mcp__every__trigger-long-running-operation", { duration: 60, steps: 100 }),
      says("Done."),
    ]);
    const running = place.spawn([...goes, "--json"]);
    await running.shows('"figure":'); // It counts its steps: the call is with the server.
    await ended(server);
    const ran = told(await running.done);
    expect(settled(ran)).toMatchObject([{ result: { output: "Echo: one" } }]);
    expect(ran.code).toBe(11);
    expect(ran.the("recovery_requested").calls[0]?.known).toContain("gave no whole answer");
  });
});
