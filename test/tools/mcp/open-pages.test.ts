import { expect, it } from "vitest";
import { OpenPages } from "../../../src/tools/mcp/browser/open-pages.ts";

const said = (...messages: (object | string)[]): string =>
  messages.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\0`).join("");

const attached = (sessionId: string, targetInfo: object, above?: string) => ({
  method: "Target.attachedToTarget",
  params: { sessionId, targetInfo },
  ...(above === undefined ? {} : { sessionId: above }),
});

const page = (sessionId: string, more: object = {}) =>
  attached(sessionId, { type: "page", targetId: `t-${sessionId}`, url: "about:blank", ...more });

const shows = (sessionId: string, url: string, frame: object = {}) => ({
  method: "Page.frameNavigated",
  params: { frame: { id: `f-${sessionId}`, url, securityOrigin: new URL(url).origin, ...frame } },
  sessionId,
});

const after = (...messages: (object | string)[]) => {
  const pages = new OpenPages();
  pages.take(said(...messages));
  return pages.pages;
};

const [own, other] = ["https://own.example", "https://other.example"];
const open = [page("A"), shows("A", `${own}/a`)];
const part = (url: string, more: object = {}) => shows("A", url, { id: "part", parentId: "f-A", ...more });

const tree = (frame: object) => ({
  id: 7,
  result: { frameTree: { frame: { id: "f-A", ...frame } } },
  sessionId: "A",
});
const gone = (reason: string) => ({
  method: "Page.frameDetached",
  params: { frameId: "part", reason },
  sessionId: "A",
});
const inProcess = attached("B", { type: "iframe", targetId: "part", url: `${other}/x` }, "A");

it("a page is what its main document is by now, in whatever pieces that is said", () => {
  const text = said(...open, {
    method: "Page.navigatedWithinDocument",
    params: { frameId: "f-A", url: `${own}/b` },
    sessionId: "A",
  });
  for (let at = 0; at <= text.length; at += 1) {
    const pages = new OpenPages();
    pages.take(text.slice(0, at));
    pages.take(text.slice(at));
    expect(pages.pages).toEqual([{ url: `${own}/b`, origins: [own] }]);
  }
});

it.each<[string, (object | string)[], object[]]>([
  ["opened and not yet told of", [page("A")], [{ origins: [] }]],
  [
    "told of by its tree",
    [page("A"), tree({ url: `${own}/a`, securityOrigin: own })],
    [{ url: `${own}/a`, origins: [own] }],
  ],
  ["a part of another host", [...open, part(`${other}/x`)], [{ url: `${own}/a`, origins: [other, own] }]],
  ["such a part, gone", [...open, part(`${other}/x`), gone("remove")], [{ url: `${own}/a`, origins: [own] }]],
  [
    "such a part that goes on elsewhere",
    [...open, part(`${other}/x`), gone("swap")],
    [{ url: `${own}/a`, origins: [other, own] }],
  ],
  ["a part in a process of its own", [...open, inProcess], [{ url: `${own}/a`, origins: [other, own] }]],
  [
    "that part's process gone",
    [...open, inProcess, { method: "Target.detachedFromTarget", params: { sessionId: "B" } }],
    [{ url: `${own}/a`, origins: [own] }],
  ],
  [
    "that part, elsewhere by now",
    [...open, inProcess, shows("B", `${own}/c`, { id: "part", parentId: "f-A" })],
    [{ url: `${own}/a`, origins: [own] }],
  ],
  [
    "a part without an address, of another host",
    [...open, part("about:blank", { securityOrigin: other })],
    [{ url: `${own}/a`, origins: [other, own] }],
  ],
  [
    "a part of nobody",
    [...open, part("data:text/html,x", { securityOrigin: "://" })],
    [{ url: `${own}/a`, origins: ["", own] }],
  ],
  [
    "a part by a blob",
    [...open, part(`blob:${other}/1`, { securityOrigin: other })],
    [{ url: `${own}/a`, origins: [other, own] }],
  ],
  [
    "another document: the parts of the one before are gone",
    [...open, part(`${other}/x`), shows("A", `${own}/b`)],
    [{ url: `${own}/b`, origins: [own] }],
  ],
  [
    "an error of the browser's",
    [...open, shows("A", "chrome-error://chromewebdata/", { securityOrigin: "://" })],
    [{ url: "chrome-error://chromewebdata/", origins: [""] }],
  ],
  ["a second page", [...open, page("C")], [{ url: `${own}/a`, origins: [own] }, { origins: [] }]],
  [
    "one that is only made ready",
    [...open, page("C", { subtype: "prerender" }), shows("C", `${other}/x`)],
    [{ url: `${own}/a`, origins: [own] }],
  ],
  ["closed", [...open, { method: "Target.detachedFromTarget", params: { sessionId: "A" } }], []],
  ["what cannot be read", [...open, '{"method":"Page.frameNavigated","params":{'], [{ origins: ["", own] }]],
  [
    "what lacks its address",
    [...open, { method: "Page.frameNavigated", params: { frame: { id: "f-A" } }, sessionId: "A" }],
    [{ origins: ["", own] }],
  ],
  [
    "known again by another document",
    [...open, '{"method":"Page.frameNavigated",', shows("A", `${own}/b`)],
    [{ url: `${own}/b`, origins: [own] }],
  ],
  ["an address without bound", [...open, shows("A", `${own}/${"x".repeat(10_000)}`)], [{ origins: [own] }]],
  ["a message without bound", [...open, shows("A", `${other}/${"x".repeat(5_000_000)}`)], [{ origins: ["", own] }]],
  [
    "what a page says of itself",
    [...open, { id: 3, result: { result: { value: said(shows("A", `${other}/`)) } }, sessionId: "A" }],
    [{ url: `${own}/a`, origins: [own] }],
  ],
  [
    "an answer as long as a picture",
    [...open, { id: 3, result: { data: "x".repeat(5_000_000) }, sessionId: "A" }],
    [{ url: `${own}/a`, origins: [own] }],
  ],
])("%s", (_, messages, expected) => {
  expect(after(...messages)).toEqual(expected);
});

it("parts without end make a page unknown, and take no room without end", () => {
  const parts = Array.from({ length: 1_500 }, (_, at) => part(`${own}/${at}`, { id: `part-${at}` }));
  expect(after(...open, ...parts)).toEqual([{ origins: ["", own] }]);
});
