import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that answers chat requests with whatever bytes a test has it send. */
export interface RawServer {
  /** Base URL for OPENAI_BASE_URL. */
  url: string;
  /** Requests that came. */
  count(): number;
  close(): Promise<void>;
}

/** Writes until the client hangs up, in step with how fast it reads; false once it is gone. */
export const send = (response: ServerResponse, data: string | Uint8Array): Promise<boolean> =>
  new Promise((done) => {
    if (response.destroyed) return done(false);
    const gone = (): void => done(false);
    response.once("close", gone);
    response.write(data, (error) => {
      response.off("close", gone);
      done(!error);
    });
  });

/** An event of a chat-completions stream. */
export const delta = (fields: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })}\n\n`;

export async function startRawServer(
  answer: (response: ServerResponse, request: IncomingMessage) => Promise<unknown>,
): Promise<RawServer> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    request.on("end", () => {
      answer(response, request).catch(() => response.destroy());
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    count: () => count,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
