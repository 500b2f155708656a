import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { startProxy } from "../../support/proxy.ts";
import { sends, startWebServer } from "../../support/web-server.ts";
import { fetcher } from "./support.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

const answers =
  (status: number, headers: Record<string, string> = {}, body: string | Uint8Array = "") =>
  (_: unknown, response: ServerResponse): void => {
    response.writeHead(status, headers).end(body);
  };

describe("what a host was asked to do and has answered", () => {
  test.each<[string, ReturnType<typeof answers>, RegExp]>([
    [
      "with a picture",
      answers(201, { "content-type": "image/png" }, png),
      /\n201 Created; its body cannot be shown: what came is no text \(image\/png\): 16 bytes$/u,
    ],
    [
      "with a broken PDF",
      answers(200, { "content-type": "application/pdf" }, "%PDF-1.4\nnothing of it"),
      /\n200 OK; its body cannot be shown: /u,
    ],
    [
      "with a way on to what is no page",
      answers(303, { location: "mailto:a@b.example" }),
      /\n303 See Other: it redirects to what cannot be fetched: only http and https are fetched, not mailto:/u,
    ],
    [
      "with a way on that has credentials",
      answers(302, { location: "https://a:b@site.example/" }),
      /\n302 Found: it redirects to what cannot be fetched: the URL has credentials in it/u,
    ],
    ["with a way on to nowhere", answers(303), /\n303 See Other, without a body$/u],
    ["without a body", answers(204), /\n204 No Content, without a body$/u],
  ])("%s is done, and its status is told", async (_, page, told) => {
    const server = await startWebServer({ "/": page });
    for (const method of ["POST", "PUT", "DELETE"]) {
      const result = await fetcher()({ url: server.url, method });
      expect([method, result.error]).toEqual([method, undefined]);
      expect(result.output).toMatch(told);
    }
    expect(server.seen).toEqual(["POST /", "PUT /", "DELETE /"]);
  });

  test("is done too where the call is stopped while the answer is read", async () => {
    const stop = new AbortController();
    const server = await startWebServer({
      "/": (request, response) => {
        // Who asked closes the connection once the answer is whole.
        request.socket.once("close", () => stop.abort(new Error("enough")));
        response
          .writeHead(201, { "content-type": "text/html" })
          .end(`<body>${"<div>".repeat(20_000)}end${"</div>".repeat(20_000)}`);
      },
    });
    const { output, error } = await fetcher({}, stop.signal)({ url: server.url, method: "POST" });
    expect(error).toBeUndefined();
    expect(output).toContain("\n201 Created; its body cannot be shown: the call was stopped before it was read");
  });

  test.each([400, 404, 500, 503])("with %d is an error that says so", async (status) => {
    const server = await startWebServer({ "/": answers(status) });
    const { error, metadata } = await fetcher()({ url: server.url, method: "POST" });
    expect(error).toContain(`answered ${status} `);
    expect(metadata).toEqual({ code: status === 404 ? "NOT_FOUND" : "HTTP_ERROR" });
  });

  test.each([502, 504, 524])("with %d, which another says in its place, is unknown", async (status) => {
    const server = await startWebServer({ "/": answers(status) });
    const fetch = fetcher();
    expect(await fetch({ url: server.url, method: "POST" })).toMatchObject({
      error: expect.stringContaining(`what came of it is not known: ${server.url}/ answered ${status}`),
      metadata: { code: "OUTCOME_UNKNOWN" },
    });
    expect(await fetch({ url: server.url })).toMatchObject({ metadata: { code: "HTTP_ERROR" } });
  });
});

describe("a request that asks a host to do something", () => {
  test("is sent once, where it is answered that it came to the wrong one", async () => {
    const server = await startWebServer({ "/": answers(421) });
    const proxy = await startProxy();
    onTestFinished(() => proxy.close());
    const straight = await fetcher()({ url: server.url, method: "POST", body: "x" });
    const proxied = await fetcher({ env: { HTTP_PROXY: proxy.url } })({
      url: `http://site.example:${server.port}/`,
      method: "DELETE",
    });
    for (const result of [straight, proxied])
      expect(result).toMatchObject({
        error: expect.stringContaining("no whole answer came: it was answered by 421, and is not sent again"),
        metadata: { code: "OUTCOME_UNKNOWN" },
      });
    expect(server.seen).toEqual(["POST /", "DELETE /"]);
  });

  test("may have been sent where the connection ends before an answer", async () => {
    const server = await startWebServer({ "/": (request) => request.socket.destroy() });
    expect(await fetcher()({ url: server.url, method: "POST", body: "x" })).toMatchObject({
      error: expect.stringMatching(/^POST may have been sent to 127\.0\.0\.1:\d+, and no whole answer came: /u),
      metadata: { code: "OUTCOME_UNKNOWN" },
    });
  });

  test("was not sent where it is stopped while the host is looked for", async () => {
    const stop = new AbortController();
    const lookup = async (): Promise<string[]> => {
      setImmediate(() => stop.abort(new Error("enough")));
      return new Promise(() => undefined);
    };
    expect(await fetcher({ lookup }, stop.signal)({ url: "http://site.example/", method: "POST" })).toMatchObject({
      error: "web_fetch was cancelled",
      metadata: { code: "CANCELLED" },
    });
  });

  test("was not sent where nobody listens, or the time is up before anybody does", async () => {
    const gone = createServer();
    await new Promise<void>((listening) => gone.listen(0, "127.0.0.1", listening));
    const { port } = gone.address() as AddressInfo;
    await new Promise((closed) => gone.close(closed));
    expect(await fetcher()({ url: `http://127.0.0.1:${port}/`, method: "POST" })).toMatchObject({
      metadata: { code: "UNREACHABLE" },
    });
    const lookup = () => new Promise<string[]>(() => undefined);
    expect(await fetcher({ lookup, timeMs: 200 })({ url: "http://site.example/", method: "POST" })).toMatchObject({
      metadata: { code: "TIMEOUT" },
    });
  });

  test("was not sent where the proxy refuses to lead on", async () => {
    const sockets = new Set<Socket>();
    const proxy = createServer().on("connect", (_, socket: Socket) => {
      sockets.add(socket);
      socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
    });
    await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => proxy.close(closed));
    });
    const env = { HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
    expect(await fetcher({ env })({ url: "http://site.example/", method: "POST", body: "x" })).toMatchObject({
      error: expect.stringContaining("site.example cannot be read"),
      metadata: { code: "UNREACHABLE" },
    });
  });
});

test("a page is asked for again where the answer was that the question came to the wrong one", async () => {
  let times = 0;
  const server = await startWebServer({
    "/": (request, response) => {
      times += 1;
      (times === 1 ? answers(421) : sends("<main>here</main>"))(request, response);
    },
  });
  expect((await fetcher()({ url: server.url })).output).toContain("here");
});

describe("a header", () => {
  test.each([
    ...["X-HTTP-Method-Override", "X_HTTP_METHOD_OVERRIDE", "X.Http.Method", "Transfer_Encoding", "Content_Length"],
    ...["Proxy_Authorization", "X-Original-URL", "X_Original_Url", "X-Rewrite-URL", "Forwarded", "X-Forwarded-For"],
    ...["X_Forwarded_Host", "X-Forwarded", "X-Real-IP", "True-Client-IP", "X-Host"],
  ])("%s cannot be set", async (name) => {
    const server = await startWebServer({ "/": sends("ok") });
    expect(await fetcher()({ url: server.url, headers: { [name]: "1" } })).toMatchObject({
      error: expect.stringContaining(`the header ${name} cannot be set`),
      metadata: { code: "INVALID_ARGUMENT" },
    });
    expect(server.seen).toEqual([]);
  });

  test.each(["X-Request-Id", "X_API_KEY", "Content-Type", "X-Original-Filename", "X-Hostname", "Authorization"])(
    "%s can",
    async (name) => {
      const server = await startWebServer({ "/": sends("ok") });
      expect((await fetcher()({ url: server.url, headers: { [name]: "1" } })).output).toContain("ok");
      expect(server.headers[0]).toMatchObject({ [name.toLowerCase()]: "1" });
    },
  );
});
