import { type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { onwardHeaders } from "./proxy-requests.ts";

export interface Onward {
  socket: Duplex;
  url: URL;
  headers: string[];
  /** Bytes of the answer's head. */
  maxHeaderSize: number;
}

/** One request and its answer, each as it comes; an answer that is cut is cut for whoever asked, too. */
export async function exchange(
  asked: IncomingMessage,
  answer: ServerResponse,
  { socket, url, headers, maxHeaderSize }: Onward,
): Promise<void> {
  const onward = request({
    method: asked.method ?? "GET",
    path: `${url.pathname}${url.search}`,
    headers,
    createConnection: () => socket,
    maxHeaderSize,
    insecureHTTPParser: false,
  });
  try {
    const got = await new Promise<IncomingMessage>((resolve, reject) => {
      onward.once("response", resolve);
      onward.on("error", reject);
      onward.once("close", () => reject(new Error("no answer came")));
      asked.once("error", reject);
      asked.pipe(onward);
    });
    answer.writeHead(got.statusCode ?? 502, onwardHeaders(got));
    await pipeline(got, answer);
  } finally {
    socket.destroy();
    // The rest of a body that was answered before it was whole.
    asked.unpipe(onward).resume();
  }
}

/** A tunnel, each direction to its own end: what one side said before it left still reaches the other. @param said what comes from the client */
export async function joined(client: Duplex, said: Readable, target: Duplex): Promise<void> {
  target.allowHalfOpen = true;
  const left = new Promise<void>((done) => client.once("close", () => done()));
  target.once("close", () => {
    // Heard by nobody, but unread bytes would take what it was sent with them as the connection is closed.
    said.resume();
    client.end();
  });
  said.pipe(target);
  target.pipe(client);
  await left;
  target.destroy();
}
