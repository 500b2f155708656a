// The agent as a web service on this machine. It shows each change as a diff on a page, and a person approves there what was shown, by its digest.
//
//   node server.mjs --workspace DIR --store FILE --model openai:gpt-5 [--port 8080]
//
// Open the address that it prints: the token is in it. Without --model a script plays the model, so that no key is needed.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createAgent, z } from "holdfast";
import { bodyOf, checkNames, checkToken, Refusal, refusalOf } from "./door.mjs";

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { AddressInfo } from "node:net" */
/** @import { AgentEvent, AnswerOutcome, Session } from "holdfast" */

const { values } = parseArgs({
  options: {
    workspace: { type: "string", default: process.cwd() },
    store: { type: "string", default: "agent.db" },
    model: { type: "string", default: `script:${fileURLToPath(new URL("script.ndjson", import.meta.url))}` },
    port: { type: "string", default: "0" },
  },
});
const agent = createAgent({ workspace: resolve(values.workspace), model: values.model, store: values.store });
const token = randomBytes(32).toString("base64url");
/** Events are numbered anew each time a session is opened, so their ids name this process too. */
const life = randomBytes(6).toString("hex");

/** The sessions that this process drives. @type {Map<string, Session | Promise<Session>>} */
const driven = new Map();

/** Opened once, whoever asks for it first; it goes on with what waited or was cut off. @param {string} name */
async function sessionNamed(name) {
  const { id } = await agent.sessions.get(name);
  const session = driven.get(id) ?? agent.resume(id).then((opened) => opened.proceed().then(() => opened));
  driven.set(id, session);
  try {
    return await session;
  } catch (error) {
    driven.delete(id);
    throw error;
  }
}

/** An answer that does not hold, to another digest say, has decided nothing. @param {AnswerOutcome} outcome */
function checkHeld(outcome) {
  if (!outcome.ok) throw new Refusal(409, outcome.message);
}

/** @param {AsyncIterable<AgentEvent>} events */
async function* asText(events) {
  for await (const event of events) yield `id: ${life}.${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

const message = z.strictObject({ text: z.string().trim().min(1) });
const call = z.strictObject({ session: z.string(), call: z.string() });
const answer = call.extend({
  decision: z.discriminatedUnion("decision", [
    z.strictObject({ decision: z.literal("approve"), digest: z.string().length(64) }),
    z.strictObject({ decision: z.literal("deny"), reason: z.string().exactOptional() }),
  ]),
});
const recovery = call.extend({ choice: z.enum(["retry", "done", "cancel"]) });

/** What each gives back is sent as JSON. @type {Record<string, (request: IncomingMessage, id: string, response: ServerResponse) => Promise<unknown>>} */
const routes = {
  "GET /sessions": () => agent.sessions.list(),
  "POST /sessions": async (request) => {
    const { text } = await bodyOf(request, message);
    const session = agent.start();
    driven.set(session.id, session);
    await session.submit(text);
    return { id: session.id };
  },
  "POST /sessions/ID/messages": async (request, id) => {
    const { text } = await bodyOf(request, message);
    await (await sessionNamed(id)).submit(text);
  },
  "POST /sessions/ID/answers": async (request, id) => {
    const { decision, ...to } = await bodyOf(request, answer);
    checkHeld(await (await sessionNamed(id)).answer(to, decision));
  },
  "POST /sessions/ID/recoveries": async (request, id) => {
    const { choice, ...to } = await bodyOf(request, recovery);
    checkHeld(await (await sessionNamed(id)).recover(to, choice));
  },
  "POST /sessions/ID/stop": async (request, id) => {
    await bodyOf(request, z.strictObject({}));
    await (await sessionNamed(id)).stop();
  },
  "GET /sessions/ID/events": async (request, id, response) => {
    const [of, seq] = `${request.headers["last-event-id"] ?? ""}`.split(".");
    const events = (await sessionNamed(id)).events({ after: of === life ? Number(seq) || 0 : 0 });
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    await pipeline(Readable.from(asText(events)), response);
  },
};

/** Had without the token: there is nothing of anybody's in them. @type {Record<string, string>} */
const pages = { "/page.html": "text/html", "/page.css": "text/css", "/page.mjs": "text/javascript" };
const pageHeaders = {
  "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
};

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

const server = createServer((request, response) =>
  serve(request, response).catch((error) => {
    if (response.headersSent) return response.destroy(); // whoever reads events comes back, and is told then
    const { status, message: said, after } = refusalOf(error);
    response.writeHead(status, { "content-type": "application/json", connection: "close" });
    return response.end(JSON.stringify({ error: said, ...(after === undefined ? {} : { after: `${life}.${after}` }) }));
  }),
);
server.listen(Number(values.port), "127.0.0.1");
await once(server, "listening");
const { port } = /** @type {AddressInfo} */ (server.address());
console.log(`http://127.0.0.1:${port}/#${token}`);

for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, async () => {
    server.close();
    await agent.close();
    server.closeAllConnections();
  });
