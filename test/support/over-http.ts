import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { onTestFinished } from "vitest";
import { everythingServer } from "./needs.ts";

type Message = { id?: number | string; method?: string };

/** What is used here of the published library's own transport, which is a part of the servers that are published. */
interface ServerTransport {
  sessionId?: string;
  onmessage?: (message: Message) => void;
  start(): Promise<void>;
  send(message: Message, options?: { relatedRequestId?: number | string }): Promise<void>;
  handleRequest(request: IncomingMessage, response: ServerResponse, body?: unknown): Promise<void>;
  close(): Promise<void>;
}

interface TransportOptions {
  sessionIdGenerator(): string;
  onsessioninitialized(id: string): void;
}

/**
 * A published server that speaks over stdio alone, over streamable HTTP on loopback until the test's end: a process of it for each session,
 * which is over once that process has ended.
 * @returns where it is spoken to
 */
export async function startOverHttp(
  [program = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const Transport = await publishedTransport();
  const sessions = new Map<string, ServerTransport>();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const id = request.headers["mcp-session-id"];
    const known = sessions.get(String(id));
    if (known === undefined && id !== undefined) return void response.writeHead(404).end();
    const transport = known ?? (await begin());
    await transport.handleRequest(request, response, body === "" ? undefined : JSON.parse(body));
  });

  async function begin(): Promise<ServerTransport> {
    const child = spawn(program, args, {
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    child.once("exit", () => {
      sessions.delete(transport.sessionId ?? "");
      // What is open breaks off, as where the machine of a server is gone.
      server.closeAllConnections();
    });
    join(transport, child);
    await transport.start();
    return transport;
  }

  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** What the process asks or tells goes out on the stream of a request that is open, or of the next one. */
function join(transport: ServerTransport, { stdin, stdout }: ChildProcess): void {
  const open = new Set<number | string>();
  const held: Message[] = [];
  const tell = (message: Message): void => {
    const [related] = open;
    if (related === undefined) held.push(message);
    else void transport.send(message, { relatedRequestId: related });
  };
  transport.onmessage = (message) => {
    stdin?.write(`${JSON.stringify(message)}\n`);
    if (message.method === undefined || message.id === undefined) return;
    open.add(message.id);
    for (const one of held.splice(0)) tell(one);
  };
  createInterface({ input: stdout ?? process.stdin }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.method !== undefined) return tell(message);
    if (message.id !== undefined) open.delete(message.id);
    void transport.send(message);
  });
}

async function publishedTransport(): Promise<new (options: TransportOptions) => ServerTransport> {
  const file = createRequire(everythingServer).resolve("@modelcontextprotocol/sdk/server/streamableHttp.js");
  return (await import(pathToFileURL(file).href)).StreamableHTTPServerTransport;
}
