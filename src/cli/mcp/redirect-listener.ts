import { timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errnoOf } from "../../core/errno.ts";
import { sha256 } from "../../core/json.ts";
import { mcpSignIn as words } from "../../words/en/mcp-sign-in.ts";
import { CliProblem } from "../problem.ts";

const path = "/callback";

/** Hears what the page sends the person back with. */
export interface RedirectListener {
  uri: string;
  /** The one answer that has the state; rejects for the signal's reason. */
  answer(signal: AbortSignal): Promise<URLSearchParams>;
  close(): void;
}

/** On loopback alone. What has another path or another state hears that it is none, and changes nothing. @param port any free one where it is 0 */
export async function listenForRedirect(state: string, port: number): Promise<RedirectListener> {
  let hear: (answer: URLSearchParams) => void = () => undefined;
  const heard = new Promise<URLSearchParams>((resolve) => {
    hear = resolve;
  });
  let isAnswered = false;
  const server = createServer((request, response) => {
    const answer = isAnswered ? undefined : answerIn(request, state, own());
    if (answer === undefined) return says(response, 404, words().noAnswer);
    isAnswered = true;
    says(response, 200, words().heard);
    hear(answer);
  });
  const own = (): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  }).catch((cause: unknown) => {
    const why = errnoOf(cause) === "EADDRINUSE" ? words().portTaken : String(errnoOf(cause));
    throw new CliProblem("failed", words().notHeard({ port, why }), { cause });
  });
  return {
    uri: `http://${own()}${path}`,
    answer: (signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason);
        if (signal.aborted) stop();
        signal.addEventListener("abort", stop, { once: true });
        void heard.then(resolve);
      }),
    close() {
      server.close();
      // What was answered is on its way; the rest is nobody's.
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 200).unref();
    },
  };
}

/** @param host as a browser names it: a page elsewhere that has its own name lead here is not heard */
function answerIn({ method, url = "", headers }: IncomingMessage, state: string, host: string) {
  if (method !== "GET" || headers.host !== host || !URL.canParse(url, "http://localhost")) return undefined;
  const { pathname, searchParams } = new URL(url, "http://localhost");
  return pathname === path && isSame(searchParams.get("state") ?? "", state) ? searchParams : undefined;
}

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)));

function says(response: ServerResponse, status: number, text: string): void {
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    connection: "close",
  };
  response.writeHead(status, headers).end(`${text}\n`);
}
