import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace, type Place, type Told, told } from "../support/cli.ts";
import { aliveIn, noteOf, smallServer } from "../support/mcp.ts";
import { asks, says } from "../support/model-server.ts";

const goes = ["run", "go", "--mode", "full-auto", "--sandbox", "off"];

const settled = (ran: Told) =>
  ran.of("tool_call").flatMap(({ call }) => (["success", "error", "cancelled"].includes(call.status) ? [call] : []));

interface Servers extends Place {
  noted(name: string): string[];
  alive(name: string): number[];
  /** From now on neither answers before the other one is there, too. */
  meet(one: string, other: string): Promise<void>;
  /** What makes a server another one, as the small server says. */
  changed(name: string): string;
}

/** Small servers by these names, each trusted. */
async function openServers(names: readonly string[]): Promise<Servers> {
  const place = await openPlace();
  const file = (name: string, what: string) => join(place.home, `${name}-${what}`);
  const changed = (name: string) => file(name, "changed");
  const entry = (name: string) => ({
    ...{ command: process.execPath, args: [smallServer] },
    env: { MCP_NOTE: file(name, "noted"), MCP_CHANGED: changed(name) },
  });
  const mcpServers = Object.fromEntries(names.map((name) => [name, entry(name)]));
  await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers }));
  const resource = { uri: "note://one", name: "one", gives: { contents: [{ uri: "note://one", text: "Read." }] } };
  for (const name of names) {
    await writeFile(`${changed(name)}.offers`, JSON.stringify({ resources: [resource] }));
    expect((await place.run(["mcp", "trust", name, "--yes"])).code).toBe(0);
  }
  const meets = (mine: string, other: string) =>
    writeFile(`${changed(mine)}.meets`, JSON.stringify([file(mine, "there"), file(other, "there")]));
  return {
    ...place,
    changed,
    noted: (name) => noteOf(file(name, "noted")),
    alive: (name) => aliveIn(noteOf(file(name, "noted"))),
    meet: async (one, other) => void (await Promise.all([meets(one, other), meets(other, one)])),
  };
}

const starts = (lines: readonly string[]) => lines.filter((line) => line.startsWith("start ")).length;

const echo = (server: string, text: string) => ({ name: `mcp__${server}__echo`, arguments: { text } });

it("servers that several calls in a row need start side by side, the calls run in their order, and no other server starts", async () => {
  const place = await openServers(["one", "two", "three"]);
  await place.meet("one", "two");
  place.server.push({ calls: [echo("one", "a"), echo("two", "b")] }, says("Done."));
  const ran = await place.json(goes);
  expect(settled(ran)).toMatchObject([{ result: { output: "a" } }, { result: { output: "b" } }]);
  const moves = ran.of("tool_call").map(({ call }) => `${call.callId} ${call.status}`);
  expect(moves.indexOf("c2 executing")).toBeGreaterThan(moves.indexOf("c1 success"));
  expect(["one", "two", "three"].map((name) => starts(place.noted(name)))).toEqual([2, 2, 1]);
});

it("a server whose call is denied by then is not started with the others", async () => {
  const place = await openServers(["one", "two"]);
  const waits = { name: "shell", arguments: { command: "while [ ! -e go ]; do sleep 0.1; done" } };
  place.server.push({ calls: [waits, echo("one", "a"), echo("two", "b")] }, says("Done."));
  const running = place.spawn([...goes, "--json"]);
  await running.shows('"executing"');
  const rules = [{ tool: "mcp__two__*", decision: "deny", why: "test" }];
  await writeFile(join(place.home, "policy.json"), JSON.stringify({ rules }));
  await place.write("go", "");
  const ran = told(await running.done);
  expect(settled(ran)).toMatchObject([
    { status: "success" },
    { result: { output: "a" } },
    { status: "cancelled", ended: { why: "policy" } },
  ]);
  expect(["one", "two"].map((name) => starts(place.noted(name)))).toEqual([2, 1]);
});

it("servers of the resources that a message names start side by side", async () => {
  const names = ["one", "two"];
  const place = await openServers(names);
  place.server.push(says("Both read."));
  const pty = place.chat(["chat"], { cols: 100, rows: 30 });
  await pty.waitFor(/ask, or|^> /mu);
  for (const name of names) {
    // The menu asks it for what it has, once a minute: what is started then has ended before the message is sent.
    pty.type(`@${name}:note`);
    await pty.waitFor(`${name}:note://one`);
    pty.type("://one ");
  }
  await expect.poll(() => names.flatMap(place.alive), { timeout: 20_000 }).toEqual([]);
  await place.meet("one", "two");
  pty.key("enter");
  await pty.waitFor("Both read.");
  const said = JSON.stringify(place.server.requests.at(-1)?.body.messages);
  for (const name of names) expect(said).toContain(`of the MCP server ${name}`);
  pty.leave();
  await pty.exit;
});

it("a trusted server that hangs as it starts leaves the prompt and the answers that do not need it alone", async () => {
  const place = await openServers(["one"]);
  await writeFile(`${place.changed("one")}.silent`, "");
  place.server.push(says("Hello."), asks("mcp__one__echo", { text: "a" }));
  const pty = place.chat(["chat"], { cols: 100, rows: 30 });
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("hello\r");
  await pty.waitFor("Hello.");
  expect(starts(place.noted("one"))).toBe(1);
  pty.leave();
  await pty.exit;
});
