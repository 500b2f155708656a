import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ToolRefusal } from "../../../src/core/codes.ts";
import type { AskedForm } from "../../../src/core/forms/asked-form.ts";
import { createMasking } from "../../../src/core/secrets/masking.ts";
import { askServer, type Judged, type Wish } from "../../../src/tools/mcp/ask-server.ts";
import { givenPrompt } from "../../../src/tools/mcp/given-prompt.ts";
import { mcpTool } from "../../../src/tools/mcp/mcp-tool.ts";
import { listPrompts } from "../../../src/tools/mcp/prompts.ts";
import { requestOf } from "../../../src/tools/mcp/request-of.ts";
import { givenResource, listedOnce } from "../../../src/tools/mcp/resources.ts";
import { McpServer } from "../../../src/tools/mcp/server.ts";
import { openServerLog } from "../../../src/tools/mcp/server-log.ts";
import { startServer } from "../../../src/tools/mcp/started-server.ts";
import { createToolContext, runTool } from "../../../src/tools/use/run-tool.ts";
import { givesText, type Offers, smallServer } from "../../support/mcp.ts";

/** The small server in a process of its own, and a person who can stop waiting for it. */
async function openStage(offers: Offers) {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-given-"));
  const [note, changed] = [join(folder, "noted"), join(folder, "changed")];
  await writeFile(`${changed}.offers`, JSON.stringify(offers));
  const env = { MCP_NOTE: note, MCP_CHANGED: changed };
  const entry = { command: process.execPath, args: [smallServer], env };
  const log = openServerLog(join(folder, "log"));
  const spec = { entry, workspace: folder, cwd: folder, env: { PATH: process.env["PATH"] ?? "" }, log };
  const server = new McpServer("small", {
    ...{ cwd: folder, version: "1", refuses: async () => undefined },
    connect: (heard, signal) => startServer(spec, heard, signal),
  });
  onTestFinished(() => server.close());
  const stop = new AbortController();
  const wish: Wish = { server, signal: stop.signal, mayAsk: true };
  const noted = () => readFileSync(note, "utf8").split("\n").filter(Boolean);
  return { folder, server, wish, noted, stop: () => stop.abort(new Error("stopped by the person")) };
}

const nothing: Judged = async () => undefined;

/** What was judged, one after another; `.env` is refused. */
function judge() {
  const judged: string[] = [];
  const one: Judged = async (named) => {
    judged.push(named);
    if (named.includes(".env")) throw new ToolRefusal("PROTECTED", `${named} is guarded`);
  };
  return { judged, one };
}

const promptOf = async (wish: Wish) => {
  const { prompts } = await askServer(wish, "its prompts", listPrompts);
  const [first] = prompts;
  if (first === undefined) throw new Error("no prompt");
  return first;
};

const lists = (count: number, uri: (at: number) => string) => [
  {
    uri: "note://all",
    name: "all",
    gives: { contents: Array.from({ length: count }, (_, at) => ({ uri: uri(at), text: "x" })) },
  },
];

const embedded = (uri: string) => ({
  gives: { messages: [{ role: "user", content: { type: "resource", resource: { uri, text: "KEY=letmein" } } }] },
});

it("a resource that stands in a prompt is judged by its address, and so are the arguments, before the server is asked", async () => {
  const { wish, noted } = await openStage({
    prompts: [{ name: "review", arguments: [{ name: "what" }], ...embedded("file:///w/.env") }],
  });
  const { judged, one } = judge();
  const prompt = await promptOf(wish);
  await expect(givenPrompt(wish, prompt, { what: ".env" }, one)).rejects.toThrow(".env is guarded");
  expect(noted().filter((line) => line.startsWith("prompt "))).toEqual([]);
  await expect(givenPrompt(wish, prompt, { what: "src" }, one)).rejects.toThrow("file:///w/.env is guarded");
  expect(judged).toEqual([".env", "src", "file:///w/.env"]);
});

it("of what a server gives each address is judged once, at most a hundred parts are taken, and a stop ends the judging", async () => {
  const stage = await openStage({ resources: lists(100, (at) => `note://${at % 2}`) });
  const { judged, one } = judge();
  await givenResource(stage.wish, "all", one);
  expect(judged).toEqual(["note://all", "note://0", "note://1"]);
  const stops: Judged = async (named) => {
    judged.push(named);
    if (named === "note://0") stage.stop();
  };
  await expect(givenResource(stage.wish, "all", stops)).rejects.toThrow("stopped by the person");
  expect(judged.slice(3)).toEqual(["note://all", "note://0"]);
  const more = await openStage({ resources: lists(101, (at) => `note://${at}`) });
  await expect(givenResource(more.wish, "all", nothing)).rejects.toThrow("gives 101 parts, and a message takes 100");
  const long = await openStage({
    prompts: [
      { name: "long", gives: { messages: Array(101).fill({ role: "user", content: { type: "text", text: "x" } }) } },
    ],
  });
  await expect(givenPrompt(long.wish, await promptOf(long.wish), {}, nothing)).rejects.toThrow("gives 101 parts");
});

it("several resources are looked for in one listing", async () => {
  const resources = ["one", "two", "three"].map((name) => ({
    ...{ uri: `note://${name}`, name },
    gives: { contents: [{ uri: `note://${name}`, text: name }] },
  }));
  const { wish, noted } = await openStage({ resources });
  const list = listedOnce();
  for (const name of ["one", "two", "note://three"])
    expect((await givenResource(wish, name, nothing, list)).text).toContain(name);
  expect(noted().filter((line) => line === "resources")).toHaveLength(1);
  expect(noted().filter((line) => line.startsWith("resource "))).toHaveLength(3);
});

it("past a stop no request goes out, and one that is under way is given up and its answer not waited for", async () => {
  const stage = await openStage({ resources: lists(1, () => "note://x"), hangs: "resources/list" });
  const { server, wish, noted } = stage;
  const asked = givenResource(wish, "all", nothing);
  await expect.poll(noted).toContain("hangs resources/list");
  const { connection } = await server.ready(new AbortController().signal, true);
  stage.stop();
  await expect(asked).rejects.toThrow("stopped by the person");
  await expect.poll(noted).toContain("cancelled");
  await expect(requestOf({ connection }, "prompts/get", { name: "x" }, wish.signal)).rejects.toThrow("stopped");
  await connection.request("ping", {}).answer.catch(() => undefined);
  expect(noted().filter((line) => /^(?:resource|prompt) /u.test(line))).toEqual([]);
});

it("what a server asks the person meanwhile is put to nobody, and to no call that is under way beside", async () => {
  const form = {
    message: "Who are you?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } } },
  };
  const { folder, server, wish, noted } = await openStage({
    prompts: [{ name: "asks", does: "asks", form, ...givesText("Given.") }],
  });
  const prompt = await promptOf(wish);
  const { tools } = await server.ready(wish.signal, true);
  const definition = tools.tools.find(({ name }) => name === "hangs");
  if (definition === undefined) throw new Error("no tool");
  const asked: AskedForm[] = [];
  const over = new AbortController();
  const ctx = createToolContext({
    workspace: folder,
    signal: over.signal,
    askPerson: async (one) => {
      asked.push(one);
      return { action: "cancel" };
    },
  });
  const call = runTool(mcpTool({ server, scripts: [] }, definition), {}, ctx);
  await expect.poll(noted).toContain("call hangs");
  expect((await givenPrompt(wish, prompt, {}, nothing)).text).toBe("Given.");
  expect([asked, noted().filter((line) => line.startsWith("heard"))]).toEqual([[], ["heard decline"]]);
  over.abort(new Error("over"));
  await call;
});

it("what a server says of its failure is told in one short line, without values of secrets", async () => {
  const { wish } = await openStage({});
  const value = "sesame-open-4711-abcdef";
  const masking = createMasking([{ name: "KEY", value }]);
  const failing = askServer({ ...wish, masking }, "it", async () => {
    throw new Error(`${"x".repeat(190)}${value}\n\u001b[31m${"y".repeat(500)}`);
  });
  const error = (await failing.catch((one: unknown) => one)) as Error;
  expect(error.message).toMatch(/^the MCP server small could not be asked for it: x{190}/u);
  expect(error.message).not.toMatch(/sesame|[\n\u001b]/u);
  expect(error.message.length).toBeLessThan(300);
});
