import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../src/core/json.ts";
import { faultsOf, xmlFaults } from "./model-history.ts";

interface ReplyCall {
  name: string;
  /** A string is sent as it is, so that malformed arguments can be sent too. */
  arguments: JsonObject | string;
  /** Without one: `call_1`, `call_2`, ... counted over the server's life. */
  id?: string;
}

/** What the server says to one request. */
export interface Reply {
  text?: string;
  /** Sent as `reasoning_content`, before the text. */
  thought?: string;
  calls?: ReplyCall[];
  /** Without it `tool_calls` where there are calls, else `stop`; null sends none. */
  finish?: string | null;
  /** Pieces that the text, and each call's arguments, are cut into. Default 3. */
  chunks?: number;
  /** Milliseconds between two events. Default none. */
  delayMs?: number;
  /** Answers with this status and `body` in place of a stream. */
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Destroys the socket after this many events; 0: before any byte of an answer. */
  cutAfter?: number;
  /** Ends the stream in good order after this many events, without a finish reason or `[DONE]`. */
  endAfter?: number;
  /** Says nothing more after this many events, and never ends; 0: no answer at all. */
  hangAfter?: number;
  /** Tokens said in the last event where the client asked for it. Default 11 and 7. */
  usage?: { input: number; output: number; cached?: number };
  /** Sent with each call as `extra_content`. */
  signature?: JsonObject;
  /** Quirks of other servers. */
  noIndex?: boolean;
  wholeCalls?: boolean;
  emptyIds?: boolean;
  repeatIds?: boolean;
  noRole?: boolean;
  noDone?: boolean;
  /** A whole event's data sent in place of everything above, as it is: for what no field here can say. */
  events?: (JsonObject | string)[];
  /** The body of the answer byte by byte, in place of everything above; `status` and `headers` count. */
  bytes?: Uint8Array;
  /** So many of `bytes` are written at a time; all at once without it. */
  piece?: number;
  /** Destroys the socket behind `bytes`. */
  cut?: boolean;
}

export interface SeenRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: RequestBody;
  /** How the client left it: read to the end, or hung up before the end. */
  ended: Promise<"whole" | "hung up">;
}

/** The part of the body that tests look at; the rest is there, untyped. */
interface RequestBody {
  model: string;
  messages: { role: string; content: unknown; tool_call_id?: string; tool_calls?: WireCall[] }[];
  tools?: { type: string; function: { name: string; description?: string; parameters: JsonObject } }[];
  tool_choice?: unknown;
  stream_options?: unknown;
  [more: string]: unknown;
}

interface WireCall {
  id: string;
  type: string;
  function: { name: string; arguments: string };
}

export type Answer = Reply | ((request: SeenRequest, index: number) => Reply | Promise<Reply>);

export interface ModelServer {
  /** Base URL for OPENAI_BASE_URL, e.g. http://127.0.0.1:40123/v1 */
  url: string;
  port: number;
  /** Chat requests in the order they came. */
  requests: SeenRequest[];
  /** Requests for its list of models. */
  lists: Pick<SeenRequest, "path" | "headers">[];
  /** What a strict provider would have refused; a test should see this empty. */
  violations: string[];
  /** More answers at the end of the list. */
  push(...answers: Answer[]): void;
  close(): Promise<void>;
}

export const says = (text: string, more: Reply = {}): Reply => ({ text, ...more });

/** One call. `asks("ls", { path: "." })`; `calls` in `more` come after it. */
export const asks = (name: string, args: JsonObject | string, more: Reply = {}): Reply => ({
  ...more,
  calls: [{ name, arguments: args }, ...(more.calls ?? [])],
});

export interface ServerOptions {
  /** Refuse (401) every other key. */
  key?: string;
  /** What its list of models says. Default: one that reads 128,000 tokens. */
  models?: (string | JsonObject)[];
  /** What it says at `/api/NAME`, as Ollama does. */
  api?: Record<string, JsonObject>;
  /** `xml`: of a model without function calling. `tools` and tool messages are refused; calls are sent as text. */
  toolFormat?: "native" | "xml";
}

/**
 * A chat-completions server on 127.0.0.1 that speaks the stream strictly: a request whose history a strict provider
 * would refuse is answered 400 and recorded in `violations`; so is a request for which no answer is left.
 *
 * @param script one answer a request, in order, or one function that answers them all.
 */
export async function startModelServer(
  script: Answer[] | Extract<Answer, (...args: never[]) => unknown> = [],
  options: ServerOptions = {},
): Promise<ModelServer> {
  const answers = Array.isArray(script) ? [...script] : [];
  const always = Array.isArray(script) ? undefined : script;
  const requests: SeenRequest[] = [];
  const lists: ModelServer["lists"] = [];
  const violations: string[] = [];
  const ids = { next: 1 };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await bodyOf(request);
    if (options.key !== undefined && request.headers.authorization !== `Bearer ${options.key}`) {
      sendJson(response, 401, { error: { message: "Incorrect API key provided", code: "invalid_api_key" } });
      return;
    }
    if (request.url?.endsWith("/models")) {
      const listed = options.models ?? [{ id: "test-model", context_length: 128_000 }];
      lists.push({ path: request.url, headers: request.headers });
      const data = listed.map((one) => (typeof one === "string" ? { id: one } : one));
      sendJson(response, 200, { object: "list", data });
      return;
    }
    const [, own] = /^\/api\/(ps|show)$/.exec(request.url ?? "") ?? [];
    if (own !== undefined) {
      lists.push({ path: request.url ?? "", headers: request.headers });
      const said = options.api?.[own];
      sendJson(response, said === undefined ? 404 : 200, said ?? { error: "not found" });
      return;
    }
    if (request.method !== "POST" || request.url?.endsWith("/chat/completions") !== true) {
      sendJson(response, 404, { error: { message: `no such path: ${request.method} ${request.url}` } });
      return;
    }
    const refuse = (fault: string): void => {
      violations.push(fault);
      sendJson(response, 400, { error: { message: fault, type: "invalid_request_error" } });
    };
    const body = parsed(text);
    const seen: SeenRequest = {
      path: request.url,
      headers: request.headers,
      body: body as RequestBody,
      ended: endOf(response),
    };
    requests.push(seen);
    const index = requests.length - 1;
    const isXml = options.toolFormat === "xml";
    const faults = [...faultsOf(body), ...(isXml ? xmlFaults(body) : [])];
    if (faults.length > 0) return refuse(`request ${index + 1}: ${faults.join("; ")}`);
    const next = always ?? answers.shift();
    if (next === undefined) return refuse(`request ${index + 1}: the server has no answer left`);
    const reply = typeof next === "function" ? await next(seen, index) : next;
    await send(response, isXml ? inXml(reply) : reply, seen.body, ids);
  };

  const server = createServer((request, response) => {
    response.on("error", () => undefined);
    answer(request, response).catch((error: unknown) => {
      if (!response.destroyed) violations.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    requests,
    lists,
    violations,
    push: (...more) => void answers.push(...more),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** The same reply of a model that writes its calls. Arguments that are a string stand there as they are. */
function inXml({ calls = [], ...reply }: Reply): Reply {
  const written = calls.map(({ name, arguments: args }) => {
    const params =
      typeof args === "string"
        ? args
        : Object.entries(args).map(([param, value]) => {
            const text = typeof value === "string" ? value : JSON.stringify(value);
            return `<${param}><![CDATA[${text.split("]]>").join("]]]]><![CDATA[>")}]]></${param}>`;
          });
    return `<tool_call>\n<name>${name}</name>\n<params>${[params].flat().join("\n")}</params>\n</tool_call>`;
  });
  return { ...reply, text: [...(reply.text === undefined ? [] : [reply.text]), ...written].join("\n") };
}

async function send(response: ServerResponse, reply: Reply, body: RequestBody, ids: { next: number }): Promise<void> {
  if (reply.bytes !== undefined) return sendBytes(response, reply.bytes, reply);
  if (reply.status !== undefined && reply.status !== 200)
    return sendJson(response, reply.status, reply.body ?? {}, reply.headers);
  if (reply.cutAfter === 0) return void response.destroy();
  if (reply.hangAfter === 0) return;
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache", ...reply.headers });
  let sent = 0;
  for (const data of eventsOf(reply, body, ids)) {
    if (response.destroyed) return;
    if (sent === reply.cutAfter) return void response.destroy();
    if (sent === reply.endAfter) return void response.end();
    if (sent === reply.hangAfter) return;
    if (reply.delayMs !== undefined && sent > 0) await sleep(reply.delayMs);
    // a piece sent just before the socket is destroyed must have left this process
    await new Promise<void>((done) => response.write(`data: ${data}\n\n`, () => done()));
    sent += 1;
  }
  response.end();
}

async function sendBytes(response: ServerResponse, bytes: Uint8Array, reply: Reply): Promise<void> {
  const { status = 200, headers = { "content-type": "text/event-stream" }, piece = Math.max(1, bytes.length) } = reply;
  response.writeHead(status, headers);
  for (let at = 0; at < bytes.length && !response.destroyed; at += piece)
    await new Promise<void>((done) => response.write(bytes.subarray(at, at + piece), () => done()));
  if (reply.cut === true) response.destroy();
  else response.end();
}

/** The data of each event, in order. */
function* eventsOf(reply: Reply, body: RequestBody, ids: { next: number }): Generator<string> {
  if (reply.events !== undefined) {
    for (const event of reply.events) yield typeof event === "string" ? event : JSON.stringify(event);
    return;
  }
  const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: body.model };
  const event = (delta: JsonObject, finish: string | null = null): string =>
    JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
  const pieces = reply.chunks ?? 3;
  if (reply.noRole !== true) yield event({ role: "assistant", content: "" });
  for (const piece of cut(reply.thought ?? "", pieces)) yield event({ reasoning_content: piece });
  for (const piece of cut(reply.text ?? "", pieces)) yield event({ content: piece });
  for (const delta of callDeltas(reply, pieces, ids)) yield event({ tool_calls: [delta] });
  const finish = reply.finish === undefined ? ((reply.calls?.length ?? 0) > 0 ? "tool_calls" : "stop") : reply.finish;
  if (finish !== null) yield event({}, finish);
  if (body.stream_options !== undefined) {
    const { input, output, cached } = reply.usage ?? { input: 11, output: 7 };
    const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
    const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, ...details };
    yield JSON.stringify({ ...base, choices: [], usage });
  }
  if (reply.noDone !== true) yield "[DONE]";
}

function* callDeltas(reply: Reply, pieces: number, ids: { next: number }): Generator<JsonObject> {
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const id = reply.emptyIds === true ? "" : (call.id ?? `call_${ids.next++}`);
    const text = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
    const signed = reply.signature === undefined ? {} : { extra_content: reply.signature };
    const at = { ...(reply.noIndex === true ? {} : { index }), ...signed };
    if (reply.wholeCalls === true) {
      yield { ...at, id, type: "function", function: { name: call.name, arguments: text } };
      continue;
    }
    yield { ...at, id, type: "function", function: { name: call.name, arguments: "" } };
    for (const piece of cut(text, pieces)) {
      yield { ...at, ...(reply.repeatIds === true ? { id } : {}), function: { arguments: piece } };
    }
  }
}

/** `text` in at most `pieces` parts of about the same length, none of them empty. */
function cut(text: string, pieces: number): string[] {
  const size = Math.max(1, Math.ceil(text.length / Math.max(1, pieces)));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(text);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const endOf = (response: ServerResponse): Promise<"whole" | "hung up"> =>
  new Promise((done) => response.once("close", () => done(response.writableFinished ? "whole" : "hung up")));
