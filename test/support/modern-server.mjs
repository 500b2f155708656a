// A server of MCP 2026-07-28, made with the published package, over stdio, or over HTTP where its first word is `http`: then it says its port.
import { appendFileSync, existsSync } from "node:fs";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { createMcpHandler, inputRequired, inputResponse, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const { MCP_NOTE: note, MCP_CHANGED: changed } = process.env;
const noted = (line) => note && appendFileSync(note, `${line}\n`);
noted(`start ${process.pid}`);

const text = (said) => ({ content: [{ type: "text", text: typeof said === "string" ? said : JSON.stringify(said) }] });
const form = (message, properties, required = []) =>
  inputRequired.elicit({ message, requestedSchema: { type: "object", properties, required } });

/** What each tool does: it is called anew with what came of what it wanted to know. */
const tools = {
  echo: {
    inputSchema: z.object({ text: z.string() }),
    call: ({ text: said }) => text(said),
  },
  slow: {
    inputSchema: z.object({}),
    call: async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      const params = { progressToken, progress: 1, total: 4, message: "a quarter" };
      await mcpReq.notify({ method: "notifications/progress", params });
      return text("done");
    },
  },
  hangs: {
    inputSchema: z.object({}),
    call: async (_, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress: 1, message: "hanging" },
      });
      await new Promise((stopped) => mcpReq.signal.addEventListener("abort", stopped));
      noted("stopped");
      return text("stopped");
    },
  },
  wants: {
    inputSchema: z.object({ quiet: z.boolean().optional() }),
    call: ({ quiet }, { mcpReq }) => {
      const heard = inputResponse(mcpReq.inputResponses, "who");
      if (heard.kind === "missing") {
        const who = form("Who are you?", { name: { type: "string", title: "Your name" } }, ["name"]);
        return inputRequired({ inputRequests: { who }, requestState: 'a state: \u00e9 \u{1f600} \\ "' });
      }
      noted(`heard ${heard.action} with ${mcpReq.requestState()}`);
      return text(quiet ? "thanks" : heard);
    },
  },
  samples: {
    inputSchema: z.object({}),
    call: (_, { mcpReq }) => {
      const heard = inputResponse(mcpReq.inputResponses, "capital");
      const messages = [{ role: "user", content: { type: "text", text: "Capital of France?" } }];
      if (heard.kind === "missing")
        return inputRequired({ inputRequests: { capital: inputRequired.createMessage({ messages, maxTokens: 100 }) } });
      noted(`heard ${heard.result.content.text}`);
      return text(heard.result.content.text);
    },
  },
  roots: {
    inputSchema: z.object({}),
    call: (_, { mcpReq }) => {
      const heard = inputResponse(mcpReq.inputResponses, "where");
      if (heard.kind === "missing") return inputRequired({ inputRequests: { where: inputRequired.listRoots() } });
      return text(heard.roots);
    },
  },
  mirrors: {
    inputSchema: z.object({
      region: z.string().meta({ "x-mcp-header": "Region" }),
      many: z.number().int().optional().meta({ "x-mcp-header": "many" }),
    }),
    call: (args) => text(args),
  },
};

function factory() {
  const server = new McpServer({ name: "modern", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  const registered = [];
  for (const [name, { inputSchema, call }] of Object.entries(tools)) {
    const description = `${existsSync(changed ?? "/nowhere") ? "Another " : ""}${name}.`;
    const tool = server.registerTool(name, { description, inputSchema }, async (args, ctx) => {
      noted(`call ${name}${ctx.mcpReq.inputResponses === undefined ? "" : " again"}`);
      return call(args, ctx);
    });
    registered.push({ name, tool });
  }
  server.registerPrompt("greet", { description: "Greets." }, (ctx) => {
    const heard = inputResponse(ctx.mcpReq.inputResponses, "who");
    if (heard.kind === "missing")
      return inputRequired({ inputRequests: { who: form("Who?", { a: { type: "string" } }) } });
    return { messages: [{ role: "user", content: { type: "text", text: `heard ${heard.action}` } }] };
  });
  if (process.argv[2] !== "http")
    process.once("SIGUSR2", () => {
      for (const { name, tool } of registered) tool.update({ description: `Another ${name}.` });
    });
  return server;
}

if (process.argv[2] === "http") {
  const handler = createMcpHandler(factory);
  process.on("SIGUSR2", () => handler.notify.toolsChanged());
  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const asked = { method, headers, signal: gone.signal };
    const body = method === "POST" ? { body: Readable.toWeb(request), duplex: "half" } : {};
    noted(`${method} ${headers["mcp-method"]} ${headers["mcp-name"] ?? ""}`.trim());
    for (const name of ["mcp-session-id", "mcp-param-region", "mcp-param-many"])
      if (headers[name] !== undefined) noted(`${name}: ${headers[name]}`);
    const said = await handler.fetch(new Request(`http://127.0.0.1${url}`, { ...asked, ...body }));
    response.writeHead(said.status, Object.fromEntries(said.headers));
    try {
      for await (const chunk of said.body ?? []) response.write(chunk);
    } catch {
      // Whoever asked is gone.
    }
    response.end();
  });
  server.listen(Number(process.argv[3] ?? 0), "127.0.0.1", () =>
    process.stdout.write(`port ${server.address().port}\n`),
  );
} else serveStdio(factory);
