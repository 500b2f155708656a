// The agent as a web service on this machine. It shows each change as a diff on a page, and a person approves there what was shown, by its digest.
//
//   node server.mjs --workspace DIR --store FILE --model openai:gpt-5 [--port 8080]
//
// Open the address that it prints: the token is in it. Without --model a script plays the model, so that no key is needed.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createAgent, SessionBusy, UnknownSession } from "holdfast";
import { checkNames, checkToken, Refusal } from "./door.mjs";
import { routesOf } from "./routes.mjs";

/** @import { IncomingMessage, ServerResponse } from "node:http" */
/** @import { AddressInfo } from "node:net" */

const script = fileURLToPath(new URL("script.ndjson", import.meta.url));
const { values } = parseArgs({
  options: {
    workspace: { type: "string", default: process.cwd() },
    store: { type: "string", default: "agent.db" },
    model: { type: "string", default: `script:${script}` },
    port: { type: "string", default: "0" },
  },
});
const agent = createAgent({ workspace: values.workspace, model: values.model, store: values.store });
const routes = routesOf(agent);
const token = randomBytes(32).toString("base64url");

/** Had without the token: there is nothing of anybody's in them. @type {Record<string, [file: string, type: string]>} */
const pages = {
  "/": ["page.html", "text/html"],
  "/page.css": ["page.css", "text/css"],
  "/page.mjs": ["page.mjs", "text/javascript"],
};
const pageHeaders = {
  "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  "x-content-type-options": "nosniff",
};

/** @param {IncomingMessage} request @param {ServerResponse} response */
async function serve(request, response) {
  checkNames(request, port);
  const { method, url = "" } = request;
  const page = method === "GET" ? pages[url] : undefined;
  if (page !== undefined) {
    response.writeHead(200, { ...pageHeaders, "content-type": `${page[1]}; charset=utf-8` });
    response.end(await readFile(new URL(page[0], import.meta.url)));
    return;
  }
  checkToken(request, token);
  const [, first, id = "", what] = url.split("/");
  const route = routes[`${method} /${[first, id && "ID", what].filter(Boolean).join("/")}`];
  if (route === undefined) throw new Refusal(404, "there is no such place here");
  const result = await route(request, id, response);
  if (!response.headersSent) response.setHeader("content-type", "application/json").end(JSON.stringify(result ?? {}));
}

/** @param {unknown} error */
function refusalOf(error) {
  if (error instanceof Refusal) return error;
  if (error instanceof UnknownSession) return new Refusal(404, error.message);
  if (error instanceof SessionBusy) return new Refusal(409, error.message);
  console.error(error);
  return new Refusal(500, "the service failed; its log says how");
}

const server = createServer(async (request, response) => {
  try {
    await serve(request, response);
  } catch (error) {
    if (response.headersSent) return void response.destroy(); // whoever reads events comes back, and is told then
    const { status, message, more } = refusalOf(error);
    response.writeHead(status, { "content-type": "application/json", connection: "close" });
    response.end(JSON.stringify({ error: message, ...more }));
  }
});
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
