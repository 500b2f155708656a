import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { proxiesOf } from "../../../../src/net/proxies.ts";
import { mcpTool } from "../../../../src/tools/mcp/mcp-tool.ts";
import { reachServer } from "../../../../src/tools/mcp/reached-server.ts";
import { McpServer } from "../../../../src/tools/mcp/server.ts";
import { openServerLog } from "../../../../src/tools/mcp/server-log.ts";
import { createToolContext, runTool } from "../../../../src/tools/use/run-tool.ts";
import { eventOf, type McpHttp, startMcpHttp, streams } from "../../../support/mcp-http.ts";

const requestedSchema = { type: "object", properties: { name: { type: "string" } } };
const question = { id: "q1", method: "elicitation/create", params: { message: "Who are you?", requestedSchema } };

/** A server whose one call asks, and ends (or does not) once the answer has come; that answer is taken as `take` says. */
async function asksOnce(take: (response: Parameters<McpHttp["before"]>[0]["response"]) => void, ends = true) {
  let end = (): void => undefined;
  const call: McpHttp["tools"][string]["call"] = ({ message, response }) => {
    response.writeHead(200, streams).write(eventOf(question));
    end = () => void response.end(eventOf({ id: message.id, result: { content: [{ type: "text", text: "done" }] } }));
    return undefined;
  };
  const server = await startMcpHttp({ wants: { description: "Asks.", call } });
  server.before = ({ message, response }) => {
    if (message === undefined || message.method !== undefined) return false;
    take(response);
    if (ends) end();
    return true;
  };
  return server;
}

async function called(url: string) {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-asks-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const spec = {
    entry: { url, headers: {}, isPrivate: false },
    ...{ origin: "user" as const, keys: [], workspace: folder, version: "1" },
    way: { proxies: proxiesOf({}), lookup: async () => [], known: new Map() },
    log: openServerLog(join(folder, "log")),
  };
  const server = new McpServer("web", {
    ...{ cwd: folder, version: "1", refuses: async () => undefined },
    connect: (heard) => reachServer(spec, heard),
  });
  onTestFinished(() => server.close());
  const { tools } = await server.ready(new AbortController().signal, true);
  const definition = tools.tools.find(({ name }) => name === "wants");
  if (definition === undefined) throw new Error("no tool");
  const askPerson = async () => ({ action: "accept", content: { name: "Ada" } }) as const;
  const context = createToolContext({ workspace: folder, askPerson });
  return runTool(mcpTool({ server, scripts: [] }, definition), {}, context);
}

it("an answer was sent once the server has taken it", async () => {
  const { url } = await asksOnce((response) => void response.writeHead(202).end());
  expect(await called(url)).toMatchObject({
    result: {
      output: 'done\n(web asked the person something: they sent "name")',
      metadata: { asked: [{ action: "accept", sent: ["name"] }] },
    },
  });
});

it("whether it was taken is waited for, also where the call has ended before", async () => {
  let take = (): void => undefined;
  const server = await asksOnce((response) => {
    take = () => void response.writeHead(202).end();
  });
  const { before } = server;
  server.before = (asked) => {
    // Once whoever called has all of the answer to that.
    if (asked.message?.method === "tools/call") asked.response.on("close", () => take());
    return before(asked);
  };
  expect(await called(server.url)).toMatchObject({
    result: {
      output: expect.stringMatching(/^done\n.*they sent "name"\)$/u),
      metadata: { asked: [{ action: "accept", sent: ["name"] }] },
    },
  });
});

it.each<[string, Parameters<typeof asksOnce>[0]]>([
  ["says that it has failed", (response) => void response.writeHead(500).end()],
  ["breaks off", (response) => void response.destroy()],
])("where the server %s, whether an answer has reached it is not known", async (_, take) => {
  const { url } = await asksOnce(take);
  expect(await called(url)).toMatchObject({
    result: {
      output: expect.stringContaining('they sent "name"; whether it reached the server is not known)'),
      metadata: { asked: [{ action: "accept", unknown: ["name"] }] },
    },
  });
});

it("so it is where the server does not know the session any more, which ends the call", async () => {
  const { url } = await asksOnce((response) => void response.writeHead(404).end(), false);
  expect(await called(url)).toMatchObject({
    kind: "unknown",
    message: expect.stringMatching(
      /does not know the session any more\n.*whether it reached the server is not known\)$/u,
    ),
  });
});
