import { createServer, request } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";

export interface ForwardProxy {
  url: string;
  /** What it was asked for, e.g. "CONNECT 127.0.0.1:8000". */
  seen: string[];
  close(): Promise<void>;
}

/** A forward proxy on loopback: CONNECT, and absolute addresses for plain http. Names in `.example` lead it to loopback. */
export async function startProxy(): Promise<ForwardProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((asked, answer) => {
    seen.push(`${asked.method} ${new URL(asked.url ?? "").host}`);
    const onward = request(
      onLoopback(asked.url ?? ""),
      { method: asked.method, headers: asked.headers },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      },
    );
    asked.pipe(onward);
  });
  server.on("connection", (socket) => sockets.add(socket));
  server.on("connect", (asked, client: Socket) => {
    seen.push(`CONNECT ${asked.url}`);
    const { hostname, port } = new URL(onLoopback(`http://${asked.url}`));
    const target = connect(Number(port), hostname, () => client.write("HTTP/1.1 200 Connection Established\r\n\r\n"));
    sockets.add(target);
    target.on("error", () => client.destroy());
    client.on("error", () => target.destroy());
    target.pipe(client);
    client.pipe(target);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((done) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => done());
      }),
  };
}

function onLoopback(address: string): string {
  const url = new URL(address);
  if (url.hostname.endsWith(".example")) url.hostname = "127.0.0.1";
  return url.href;
}
