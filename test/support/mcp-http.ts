import { writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openPlace, type Place } from "./cli.ts";
import type { Answer } from "./model-server.ts";

type Message = {
  id?: number;
  method?: string;
  params?: { name?: string; arguments?: Record<string, unknown>; _meta?: { progressToken?: number } };
};

/** What a tool does with the request that calls it; a value is its text, told as JSON. */
type Call = (asked: { args: Record<string, unknown>; message: Message } & Exchange) => string | undefined;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** A server of MCP over streamable HTTP on loopback until the test's end, that behaves or misbehaves as the test says. */
export interface McpHttp {
  port: number;
  url: string;
  /** What came: `POST initialize`, `call echo`, `GET`, `DELETE`, … */
  seen: string[];
  headers: IncomingHttpHeaders[];
  tools: Record<string, { description: string; call: Call }>;
  /** Looks at each request first. @returns true where it has answered it */
  before: (asked: Exchange & { message: Message | undefined }) => boolean;
  /** No session that there was is known any more. */
  forget(): void;
  /** Told to whoever listens. */
  tell(method: string): void;
  /** Hears nobody, until it listens again. */
  stop(): Promise<void>;
  listen(): Promise<void>;
  calls(): string[];
}

const text = (said: string) => ({ content: [{ type: "text", text: said }] });

export const eventOf = (message: object): string =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;

export const streams = { "content-type": "text/event-stream" };

const usualTools: McpHttp["tools"] = {
  echo: { description: "Says it back.", call: ({ args }) => String(args["text"]) },
};

export async function startMcpHttp(tools: McpHttp["tools"] = {}): Promise<McpHttp> {
  const sockets = new Set<Socket>();
  const sessions = new Set<string>();
  const listening = new Set<ServerResponse>();
  let made = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    take({ request, response, message: body === "" ? undefined : (JSON.parse(body) as Message) });
  });
  const self: McpHttp = {
    ...{ port: 0, url: "", seen: [], headers: [] },
    tools: { ...usualTools, ...tools },
    before: () => false,
    forget: () => sessions.clear(),
    tell: (method) => {
      for (const response of listening) response.write(eventOf({ method }));
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
    async listen() {
      await new Promise<void>((ready) => server.listen(self.port, "127.0.0.1", ready));
      self.port = (server.address() as AddressInfo).port;
      self.url = `http://127.0.0.1:${self.port}/mcp`;
    },
    calls: () => self.seen.filter((line) => line.startsWith("call ")),
  };

  function take(asked: Exchange & { message: Message | undefined }): void {
    const { request, response, message } = asked;
    const method = message?.method ?? (message === undefined ? "" : "answer");
    self.headers.push(request.headers);
    if (method === "tools/call") self.seen.push(`call ${message?.params?.name}`);
    else self.seen.push(`${request.method} ${method}`.trim());
    if (self.before(asked)) return;
    const session = String(request.headers["mcp-session-id"]);
    if (method !== "initialize" && !sessions.has(session)) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32001, message: "Session not found" } }));
    } else if (request.method === "GET") {
      response.writeHead(200, streams).flushHeaders();
      listening.add(response);
    } else if (request.method === "DELETE") {
      sessions.delete(session);
      response.writeHead(200).end();
    } else if (message?.id === undefined || method === "answer") response.writeHead(202).end();
    else answer(asked as Exchange & { message: Message });
  }

  function answer({ request, response, message }: Exchange & { message: Message }): void {
    const { id, method, params = {} } = message;
    const says = (result: object): void => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    if (method === "initialize") {
      made += 1;
      sessions.add(`s${made}`);
      response.setHeader("mcp-session-id", `s${made}`);
      const serverInfo = { name: "web", version: "1" };
      says({ protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo });
    } else if (method === "tools/list") {
      const listed = Object.entries(self.tools).map(([name, { description }]) => ({ name, description }));
      says({ tools: listed.map((tool) => ({ ...tool, inputSchema: { type: "object" } })) });
    } else {
      const tool = self.tools[params.name ?? ""];
      const said = tool?.call({ args: params.arguments ?? {}, message, request, response });
      if (said !== undefined) says(text(said));
    }
  }

  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  await self.listen();
  onTestFinished(() => self.stop());
  return self;
}

/** A person's place with that server, named `web`, in their settings. */
export async function openHttpPlace(
  server: Pick<McpHttp, "url">,
  answers: Answer[] = [],
  { entry = {}, trusted = true, env = {} }: { entry?: object; trusted?: boolean; env?: Record<string, string> } = {},
): Promise<Place> {
  const place = await openPlace(answers);
  Object.assign(place.env, env);
  const web = { type: "http", url: server.url, ...entry };
  await writeFile(join(place.home, "config.json"), JSON.stringify({ mcpServers: { web } }));
  if (trusted) {
    const { code, stderr } = await place.run(["mcp", "trust", "web", "--yes"]);
    if (code !== 0) throw new Error(stderr);
  }
  return place;
}
