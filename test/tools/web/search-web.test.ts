import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { executeTool } from "../../../src/graph/calls/execute-tool.ts";
import { createDefaultTools } from "../../../src/tools/create-default-tools.ts";
import { createWebSearchTool, type SearchSettings, searchAccess } from "../../../src/tools/web/search-web.ts";
import { startWebServer } from "../../support/web-server.ts";
import { tempTree } from "../temp-tree.ts";

const key = "k-123";
const env = { BRAVE_API_KEY: key, TAVILY_API_KEY: key, BOCHA_API_KEY: key, MINE: "m-1" };

interface Seen {
  line: string;
  key: string | undefined;
  body: unknown;
}

type Numbered = (page: number) => unknown;

/** A service that answers each request with the next page, as the real one would write it. */
async function startService(path: string, page: Numbered, status = 200): Promise<{ url: string; seen: Seen[] }> {
  const seen: Seen[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = "";
    for await (const part of request) text += part;
    const { headers } = request;
    seen.push({
      line: `${request.method} ${request.url}`,
      key: headers.authorization ?? (headers["x-subscription-token"] as string | undefined),
      body: text === "" ? undefined : JSON.parse(text),
    });
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(page(seen.length - 1)));
  };
  const server = await startWebServer({ [path]: (request, response) => void serve(request, response) });
  return { url: server.url, seen };
}

const search = async (settings: SearchSettings, args: object) => {
  const access = searchAccess(settings, env);
  if ("missing" in access) throw new Error(access.missing);
  return executeTool(createWebSearchTool(access, env), args, { workspace: tempTree() });
};

const hits = (count: number, page: number, make: (at: number) => object): object[] =>
  Array.from({ length: count }, (_, at) => make(page * count + at + 1));

const braveAnswer: Numbered = (page) => ({
  type: "search",
  query: { original: "cats", more_results_available: true },
  web: {
    type: "search",
    results: hits(20, page, (at) => ({
      type: "search_result",
      title: `Title <strong>${at}</strong>`,
      url: `https://example.com/${at}`,
      description: `About <strong>cats</strong> ${at}`,
      page_age: "2026-01-02T00:00:00",
      age: "January 2, 2026",
      family_friendly: true,
    })),
  },
});

test("Brave: its key in a header, its words for time, and further pages where more is wanted", async () => {
  const service = await startService("/res/v1/web/search", braveAnswer);
  const settings = { provider: "brave", url: `${service.url}/res/v1/` } as const;
  const few = await search(settings, { query: "big cats", max_results: 2, freshness: "oneWeek" });
  expect(few.output).toBe(
    "1. Title 1\n   https://example.com/1\n   2026-01-02T00:00:00 · About cats 1\n" +
      "2. Title 2\n   https://example.com/2\n   2026-01-02T00:00:00 · About cats 2",
  );
  const many = await search(settings, { query: "big cats", max_results: 50 });
  expect(many.output.split("\n").filter((line) => /^\d+\. /u.test(line))).toHaveLength(50);
  expect(service.seen.map(({ line, key: sent }) => [line, sent])).toEqual([
    ["GET /res/v1/web/search?q=big+cats&count=2&freshness=pw&text_decorations=false", key],
    ["GET /res/v1/web/search?q=big+cats&count=20&text_decorations=false", key],
    ["GET /res/v1/web/search?q=big+cats&count=20&text_decorations=false&offset=1", key],
    ["GET /res/v1/web/search?q=big+cats&count=20&text_decorations=false&offset=2", key],
  ]);
});

test("Tavily: a key as bearer and a body of JSON", async () => {
  const service = await startService("/search", () => ({
    query: "cats",
    follow_up_questions: null,
    answer: null,
    images: [],
    results: [{ title: "Cats", url: "https://c.org/", content: "All of\n them", score: 0.9, raw_content: null }],
    response_time: 1.2,
  }));
  const result = await search({ provider: "tavily", url: service.url }, { query: "cats", freshness: "oneMonth" });
  expect(result).toMatchObject({
    output: "1. Cats\n   https://c.org/\n   All of them",
    title: "1 results of tavily for cats",
    metadata: { results: 1, provider: "tavily" },
  });
  expect(service.seen).toEqual([
    { line: "POST /search", key: `Bearer ${key}`, body: { query: "cats", max_results: 10, time_range: "month" } },
  ]);
});

test("Bocha: the same words for time as ours, and a summary before a snippet", async () => {
  const service = await startService("/v1/web-search", () => ({
    code: 200,
    log_id: "x",
    msg: null,
    data: {
      _type: "SearchResponse",
      queryContext: { originalQuery: "猫" },
      webPages: {
        webSearchUrl: "",
        totalEstimatedMatches: 2,
        value: [
          {
            id: "0",
            name: "猫",
            url: "https://m.cn/1",
            snippet: "短",
            summary: "长",
            datePublished: "2025-07-22T11:58:00+08:00",
          },
          { id: "1", name: "", url: "https://m.cn/2", snippet: "只有" },
        ],
      },
    },
  }));
  const settings = { provider: "bocha", url: `${service.url}/v1`, keyEnv: "MINE" } as const;
  const result = await search(settings, { query: "猫", max_results: 50, freshness: "oneYear" });
  expect(result.output).toBe(
    "1. 猫\n   https://m.cn/1\n   2025-07-22T11:58:00+08:00 · 长\n2. https://m.cn/2\n   https://m.cn/2\n   只有",
  );
  expect(service.seen).toEqual([
    {
      line: "POST /v1/web-search",
      key: "Bearer m-1",
      body: { query: "猫", count: 50, freshness: "oneYear", summary: true },
    },
  ]);
});

test("SearXNG: no key, and pages until there is nothing new", async () => {
  const service = await startService("/searx/search", (page) => ({
    query: "cats",
    number_of_results: 0,
    results:
      page > 1
        ? []
        : hits(8, page, (at) => ({ title: `T${at}`, url: `https://e.org/${at}`, content: "c", engine: "x" })),
    answers: [],
    unresponsive_engines: [],
  }));
  const result = await search(
    { provider: "searxng", url: `${service.url}/searx` },
    { query: "cats", max_results: 30, freshness: "oneDay" },
  );
  expect(result.metadata).toEqual({ results: 16, provider: "searxng" });
  expect(service.seen.map(({ line }) => line)).toEqual([
    "GET /searx/search?q=cats&format=json&time_range=day",
    "GET /searx/search?q=cats&format=json&time_range=day&pageno=2",
    "GET /searx/search?q=cats&format=json&time_range=day&pageno=3",
  ]);
});

test("nothing found is said, and what is no list of results is an error with what came", async () => {
  const none = await startService("/search", () => ({ results: [] }));
  expect((await search({ provider: "tavily", url: none.url }, { query: "x" })).output).toBe("No results for: x");
  const wrong = await startService("/search", () => ({ code: 403, msg: "no credit" }));
  expect(await search({ provider: "bocha", url: wrong.url }, { query: "x" })).toMatchObject({
    metadata: { code: "HTTP_ERROR" },
  });
  const refusing = await startService("/search", () => ({ detail: { error: "Unauthorized" } }), 401);
  const refused = await search({ provider: "tavily", url: refusing.url }, { query: "x" });
  expect(refused).toMatchObject({
    error: 'tavily answered 401 Unauthorized: {"detail":{"error":"Unauthorized"}}',
    metadata: { code: "HTTP_ERROR" },
  });
  expect(JSON.stringify(refused)).not.toContain(key);
  expect(await search({ provider: "searxng", url: "http://127.0.0.1:9/" }, { query: "x" })).toMatchObject({
    metadata: { code: "UNREACHABLE" },
  });
});

test("hits with hostile fields are told as text or not at all", async () => {
  const service = await startService("/search", () => ({
    results: [
      { title: "a\u{e0041}\u202eb", url: "https://e.org/1", content: "x\u0007".repeat(2000) },
      { title: { deep: 1 }, url: "javascript:alert(1)", content: "no" },
      "text",
      null,
      { title: 7, url: `https://e.org/${"x".repeat(3000)}` },
    ],
  }));
  const { output } = await search({ provider: "tavily", url: service.url }, { query: "x" });
  expect(output.length).toBeLessThan(800);
  expect(output).toMatch(/^1\. ab\n {3}https:\/\/e\.org\/1\n {3}x+…$/u);
});

test("it is offered where it can be asked, and else it is said what to set", () => {
  const offered = (search: SearchSettings | undefined, given: Record<string, string>) =>
    createDefaultTools({ workspace: "/ws", web: { env: given, ...(search === undefined ? {} : { search }) } })
      .map(({ name }) => name)
      .filter((name) => name.startsWith("web_"));
  expect(offered(undefined, env)).toEqual(["web_fetch"]);
  expect(offered({ provider: "brave" }, {})).toEqual(["web_fetch"]);
  expect(offered({ provider: "brave" }, env)).toEqual(["web_fetch", "web_search"]);
  expect(offered({ provider: "searxng", url: "http://127.0.0.1:8080" }, {})).toEqual(["web_fetch", "web_search"]);
  expect([
    searchAccess(undefined, env),
    searchAccess({ provider: "searxng" }, env),
    searchAccess({ provider: "brave", keyEnv: "NONE" }, env),
  ]).toEqual([
    { missing: expect.stringContaining('set "search"') },
    { missing: 'not offered: set "url" in "search" to where your searxng answers' },
    { missing: "not offered: brave needs its key in NONE" },
  ]);
});
