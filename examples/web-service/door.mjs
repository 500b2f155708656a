// The service's side of HTTP: who may come in, what they may send, what they are told who may not, and events as a stream.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { EventsGone, SessionBusy, UnknownSession } from "holdfast";

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { AddressInfo } from "node:net" */
/** @import { AgentEvent, z } from "holdfast" */
/** @typedef {(request: IncomingMessage, id: string, response: ServerResponse) => Promise<unknown>} Route */

/** Events are numbered anew each time a session is opened, so their ids name this process too. */
const life = randomBytes(6).toString("hex");

/** What a request is told that is not served. */
export class Refusal extends Error {
  /** @param {number} status @param {string} message @param {string} [after] the id of the event from which on events can be had */
  constructor(status, message, after) {
    super(message);
    this.status = status;
    this.after = after;
  }
}

/** @param {unknown} error */
function refusalOf(error) {
  if (error instanceof Refusal) return error;
  if (error instanceof UnknownSession) return new Refusal(404, error.message);
  if (error instanceof SessionBusy) return new Refusal(409, error.message);
  if (error instanceof EventsGone) return new Refusal(410, error.message, `${life}.${error.first - 1}`);
  console.error(error);
  return new Refusal(500, "the service failed; its log says how");
}

/**
 * A name that somebody else owns can be made to lead to this machine, and a page of another site can send requests here: neither may.
 * Programs that are no browsers send no Origin.
 * @param {IncomingMessage} request @param {number} port
 */
function checkNames({ headers: { host = "", origin } }, port) {
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`)
    throw new Refusal(421, "this service is not known by that name");
  if (origin !== undefined && origin !== `http://${host}`)
    throw new Refusal(403, "another site's page may not ask this");
}

/** @param {IncomingMessage} request @param {string} token */
function checkToken({ headers: { authorization = "" } }, token) {
  if (!timingSafeEqual(sha256(authorization), sha256(`Bearer ${token}`)))
    throw new Refusal(401, "the token is missing or not this service's: open the address that it printed");
}

const sha256 = (/** @type {string} */ text) => createHash("sha256").update(text).digest();

/**
 * The JSON of a request's body. A form of another site's page cannot have this type.
 * @template T @param {IncomingMessage} request @param {z.ZodType<T>} schema @returns {Promise<T>}
 */
export async function bodyOf(request, schema) {
  if (request.headers["content-type"] !== "application/json") throw new Refusal(415, "send application/json");
  let body = Buffer.alloc(0);
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    body = Buffer.concat([body, piece]);
    if (body.length > 65_536) throw new Refusal(413, "send at most 65536 bytes");
  }
  try {
    return schema.parse(JSON.parse(body.toString()));
  } catch (error) {
    throw new Refusal(400, error instanceof Error ? error.message : "that is no JSON");
  }
}

/** @param {AsyncIterable<AgentEvent>} events */
async function* asText(events) {
  for await (const event of events) yield `id: ${life}.${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

/**
 * Sends events by SSE, on from the one that whoever asks has read last.
 * @param {IncomingMessage} request @param {ServerResponse} response @param {(after: number) => AsyncIterable<AgentEvent>} eventsAfter
 */
export async function sendEvents({ headers: { "last-event-id": last } }, response, eventsAfter) {
  const [of, seq] = `${last ?? ""}`.split(".");
  const events = eventsAfter(of === life ? Number(seq) || 0 : 0);
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  await pipeline(Readable.from(asText(events)), response);
}

/** Had without the token: there is nothing of anybody's in them. @type {Record<string, string>} */
const pages = { "/page.html": "text/html", "/page.css": "text/css", "/page.mjs": "text/javascript" };
const pageHeaders = {
  "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
};

/**
 * Serves the page, and each route to whoever has the token.
 * @param {Record<string, Route>} routes by `METHOD /first/ID/what` @param {number} wanted the port; 0 is any
 */
export async function listen(routes, wanted) {
  const token = randomBytes(32).toString("base64url");
  const server = createServer((request, response) =>
    serve(request, response).catch((error) => {
      if (response.headersSent) return response.destroy(); // whoever reads events comes back, and is told then
      const { status, message, after } = refusalOf(error);
      response.writeHead(status, { "content-type": "application/json", connection: "close" });
      return response.end(JSON.stringify({ error: message, after }));
    }),
  );
  server.listen(wanted, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {AddressInfo} */ (server.address());

  /** @param {IncomingMessage} request @param {ServerResponse} response */
  async function serve(request, response) {
    checkNames(request, port);
    const { method, url = "" } = request;
    const file = url === "/" ? "/page.html" : url;
    if (method === "GET" && pages[file] !== undefined) {
      response.writeHead(200, { ...pageHeaders, "content-type": `${pages[file]}; charset=utf-8` });
      response.end(await readFile(new URL(`.${file}`, import.meta.url)));
      return;
    }
    checkToken(request, token);
    const [, first, id = "", what] = url.split("/");
    const route = routes[`${method} /${[first, id && "ID", what].filter(Boolean).join("/")}`];
    if (route === undefined) throw new Refusal(404, "there is no such place here");
    const result = await route(request, id, response);
    if (!response.headersSent) response.setHeader("content-type", "application/json").end(JSON.stringify(result ?? {}));
  }

  return {
    address: `http://127.0.0.1:${port}/#${token}`,
    close: () => server.close(),
    closeConnections: () => server.closeAllConnections(),
  };
}
