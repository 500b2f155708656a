import { afterEach, expect, it, vi } from "vitest";
import type { JsonObject } from "../../../../src/core/json.ts";
import { proxiesOf } from "../../../../src/net/proxies.ts";
import { BrowserWay } from "../../../../src/tools/mcp/browser/browser-way.ts";
import { lookAtPages, type NamedBrowser } from "../../../../src/tools/mcp/browser/look-at-page.ts";
import type { ShownPage } from "../../../../src/tools/mcp/browser/open-pages.ts";
import { type Connection, Exchange } from "../../../../src/tools/mcp/messages.ts";
import { McpServer } from "../../../../src/tools/mcp/server.ts";
import { makePng } from "../../../support/pictures.ts";

const url = "http://localhost:3000/";
const picture = { content: [{ type: "image", mimeType: "image/png", data: makePng(2, 1).toString("base64") }] };
const plain = (text: string): string => text;

afterEach(() => void vi.useRealTimers());

/** A browser in this process, which answers a call for a picture as the test says; undefined: not at all. */
function browserOf(
  answer: () => JsonObject | undefined,
  pages: ShownPage[] = [{ url, origins: [] }],
  name = "browser",
) {
  const heard: JsonObject[] = [];
  const state = { starts: 0, why: "", off: undefined as string | undefined, pages };
  const way = { proxies: proxiesOf({}), lookup: async () => [], known: new Map() };
  const browser = new BrowserWay(way, async () => ({ decision: "allow", why: "" }));
  const connect = async (): Promise<Connection> => {
    state.starts += 1;
    const exchange: Exchange = new Exchange({
      workspace: "/w",
      log: { write: () => undefined, flush: () => undefined },
      toolsChanged: () => undefined,
      tooMuch: () => undefined,
      asks: async () => ({ result: { action: "cancel" } }),
      send: async (message) => {
        heard.push(message);
        const said = replyTo(message, answer);
        if (said !== undefined)
          queueMicrotask(() => exchange.hear(JSON.stringify({ jsonrpc: "2.0", id: message["id"], ...said })));
        return true;
      },
    });
    browser.began({ refused: () => [], pages: () => state.pages });
    return {
      note: undefined,
      protocol: "2025-11-25",
      get why() {
        return state.why;
      },
      ended: new Promise(() => undefined),
      request: (method, params) => exchange.request(method, params, {}, state.why),
      tell: (method, params) => exchange.tell(method, params),
      becomeModern: () => exchange.becomeModern(),
      replyTo: exchange.replyTo,
      end: async (reason) => {
        state.why = reason;
      },
    };
  };
  const refuses = async () => state.off;
  const server = new McpServer(name, { cwd: "/w", browser, version: "0", refuses, connect });
  const start = () => server.ready(new AbortController().signal, false);
  return { state, heard, start, named: { name, server } satisfies NamedBrowser };
}

function replyTo({ method }: JsonObject, answer: () => JsonObject | undefined): JsonObject | undefined {
  if (method === "initialize") return { result: { protocolVersion: "2025-11-25" } };
  if (method === "tools/list") return { result: { tools: [] } };
  if (method === "server/discover") return { error: { code: -32601, message: "no such method" } };
  return method === "tools/call" ? answer() : undefined;
}

const cancels = (heard: JsonObject[]) => heard.filter(({ method }) => method === "notifications/cancelled");

it("shows the address and the picture, and leaves nothing behind that would cancel it later", async () => {
  const { heard, start, named } = browserOf(() => ({ result: picture }));
  await start();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const look = await lookAtPages([named], plain);
  expect(look).toEqual({
    pages: [{ browser: "browser", url }],
    areSeveral: false,
    picture: { browser: "browser", bytes: makePng(2, 1) },
  });
  vi.advanceTimersByTime(60_000);
  expect(cancels(heard)).toEqual([]);
});

it("gives a picture up that takes too long, and tells the address all the same", async () => {
  const { heard, start, named } = browserOf(() => undefined);
  await start();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const look = lookAtPages([named], plain);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await look).toEqual({
    pages: [{ browser: "browser", url }],
    areSeveral: false,
    reason: "browser has made no picture: it took longer than 15 s",
  });
  expect(cancels(heard)).toHaveLength(1);
});

it.each([
  ["its call fails", { result: { isError: true, content: [{ type: "text", text: "no: hunter2" }] } }, "no: (masked)"],
  ["it refuses", { error: { code: 7, message: "hunter2?" } }, "(masked)? (error 7)"],
  ["it sends none", { result: { content: [] } }, "what it sent is none"],
  [
    "it sends another file",
    { result: { content: [{ type: "image", mimeType: "image/png", data: "PGh0bWw+" }] } },
    "what it sent is none",
  ],
])("tells the address, and without secrets why there is no picture, where %s", async (_, answer, why) => {
  const { start, named } = browserOf(() => answer, [{ url: `${url}?key=hunter2`, origins: [] }]);
  await start();
  expect(await lookAtPages([named], (text) => text.replaceAll("hunter2", "(masked)"))).toEqual({
    pages: [{ browser: "browser", url: `${url}?key=(masked)` }],
    areSeveral: false,
    reason: `browser has made no picture: ${why}`,
  });
});

it("starts no browser: neither one that never ran, nor one that has just ended, nor one that is off by now", async () => {
  const { state, heard, start, named } = browserOf(() => ({ result: picture }));
  expect(await lookAtPages([named], plain)).toEqual({ pages: [], areSeveral: false });
  expect(state.starts).toBe(0);
  await start();
  state.why = "it crashed";
  expect(await lookAtPages([named], plain)).toMatchObject({ reason: "browser has made no picture: it has ended" });
  state.why = "";
  state.off = "its entry is gone";
  expect((await lookAtPages([named], plain)).reason).toContain("the MCP server browser is off: its entry is gone");
  expect([state.starts, heard.filter(({ method }) => method === "tools/call"), state.why]).toEqual([
    1,
    [],
    "it is off: its entry is gone",
  ]);
});

it("tells the addresses of behind the picture, and that they were others before it", async () => {
  const { state, start, named } = browserOf(() => {
    state.pages = [{ url: `${url}next`, origins: [] }];
    return { result: picture };
  });
  await start();
  expect(await lookAtPages([named], plain)).toMatchObject({
    pages: [{ browser: "browser", url: `${url}next` }],
    hasMoved: true,
  });
});

it("says of several browsers that run whose pages and whose picture it is", async () => {
  const [empty, shows] = [
    browserOf(() => undefined, [], "one"),
    browserOf(() => ({ result: picture }), undefined, "two"),
  ];
  const never = browserOf(() => undefined, undefined, "three");
  await empty.start();
  await shows.start();
  expect(await lookAtPages([empty.named, shows.named, never.named], plain)).toEqual({
    pages: [{ browser: "two", url }],
    areSeveral: true,
    picture: { browser: "two", bytes: makePng(2, 1) },
  });
});
