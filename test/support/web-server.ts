import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

type Page = (request: IncomingMessage, response: ServerResponse) => void;

export interface WebServer {
  port: number;
  /** `http://127.0.0.1:PORT` */
  url: string;
  /** What was asked for, e.g. "GET /page". */
  seen: string[];
  /** Headers of each request. */
  headers: IncomingMessage["headers"][];
}

/** A web server on loopback until the test's end. What it has no page for is 404. */
export async function startWebServer(pages: Record<string, Page>): Promise<WebServer> {
  const [seen, headers]: [string[], IncomingMessage["headers"][]] = [[], []];
  const sockets = new Set<Socket>();
  const server: Server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    const page = pages[(request.url ?? "").replace(/\?.*$/u, "")];
    if (page !== undefined) page(request, response);
    else response.writeHead(404).end("nothing here");
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => undefined);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((closed) => server.close(closed));
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, seen, headers };
}

export const sends =
  (body: string | Uint8Array, type = "text/html; charset=utf-8", more: Record<string, string> = {}): Page =>
  (_, response) => {
    response.writeHead(200, { "content-type": type, ...more }).end(body);
  };

export const sendsOn =
  (location: string, status = 302): Page =>
  (_, response) => {
    response.writeHead(status, { location }).end();
  };
