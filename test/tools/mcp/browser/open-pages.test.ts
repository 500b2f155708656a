import { expect, it } from "vitest";
import { OpenPages } from "../../../../src/tools/mcp/browser/open-pages.ts";

const said = (...messages: (object | string)[]): string =>
  messages.map((one) => `${typeof one === "string" ? one : JSON.stringify(one)}\0`).join("");

const attached = (sessionId: string, targetInfo: object, above?: string) => ({
  method: "Target.attachedToTarget",
  params: { sessionId, targetInfo },
  ...(above === undefined ? {} : { sessionId: above }),
});

const page = (sessionId: string, more: object = {}) =>
  attached(sessionId, { type: "page", targetId: `t-${sessionId}`, url: "about:blank", ...more });

/** Another document, and then whose it is. */
const shows = (sessionId: string, url: string, frame: object = {}, origin = new URL(url).origin): object[] => {
  const id = "id" in frame ? frame.id : `f-${sessionId}`;
  return [navigated(sessionId, url, frame), runs(sessionId, String(id), origin)];
};
const navigated = (sessionId: string, url: string, frame: object = {}) => ({
  method: "Page.frameNavigated",
  params: { frame: { id: `f-${sessionId}`, url, securityOrigin: new URL(url).origin, ...frame } },
  sessionId,
});
const runs = (sessionId: string, frameId: string, origin: string, isDefault = true) => ({
  method: "Runtime.executionContextCreated",
  params: { context: { id: 1, origin, name: "", auxData: { isDefault, frameId } } },
  sessionId,
});

const after = (...messages: (object | string)[]) => {
  const pages = new OpenPages();
  pages.take(said(...messages));
  return pages.pages;
};

const [own, other] = ["https://own.example", "https://other.example"];
const open = [page("A"), ...shows("A", `${own}/a`)];
const part = (url: string, origin = new URL(url).origin) => shows("A", url, { id: "part", parentId: "f-A" }, origin);

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
const added = { method: "Page.frameAttached", params: { frameId: "part", parentFrameId: "f-A" }, sessionId: "A" };
const inProcess = [
  attached("B", { type: "iframe", targetId: "part", url: `${other}/x` }, "A"),
  runs("B", "part", other),
];

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
    [page("A"), tree({ url: `${own}/a` }), runs("A", "f-A", own)],
    [{ url: `${own}/a`, origins: [own] }],
  ],
  ["shown, and not known yet whose", [page("A"), navigated("A", `${own}/a`)], [{ url: `${own}/a`, origins: [""] }]],
  [
    "shown anew, and not known yet whose",
    [...open, navigated("A", `${other}/a`)],
    [{ url: `${other}/a`, origins: [""] }],
  ],
  [
    "known by what is the agent's own in it",
    [page("A"), navigated("A", `${own}/a`), runs("A", "f-A", own, false)],
    [{ url: `${own}/a`, origins: [""] }],
  ],
  ["kept apart from its host", [page("A"), ...shows("A", `${own}/a`, {}, "://")], [{ url: `${own}/a`, origins: [""] }]],
  ["a part of another host", [...open, ...part(`${other}/x`)], [{ url: `${own}/a`, origins: [other, own] }]],
  ["a part that is kept apart", [...open, ...part(`${own}/x`, "://")], [{ url: `${own}/a`, origins: ["", own] }]],
  ["such a part, gone", [...open, ...part(`${other}/x`), gone("remove")], [{ url: `${own}/a`, origins: [own] }]],
  [
    "such a part that goes on elsewhere",
    [...open, ...part(`${other}/x`), gone("swap")],
    [{ url: `${own}/a`, origins: [other, own] }],
  ],
  ["a part in a process of its own", [...open, ...inProcess], [{ url: `${own}/a`, origins: [other, own] }]],
  ["that part, not known yet whose", [...open, ...inProcess.slice(0, 1)], [{ url: `${own}/a`, origins: ["", own] }]],
  [
    "that part's process gone",
    [...open, ...inProcess, { method: "Target.detachedFromTarget", params: { sessionId: "B" } }],
    [{ url: `${own}/a`, origins: [own] }],
  ],
  [
    "that part, elsewhere by now",
    [...open, ...inProcess, ...shows("B", `${own}/c`, { id: "part", parentId: "f-A" })],
    [{ url: `${own}/a`, origins: [own] }],
  ],
  [
    "a part that has not gone anywhere yet",
    [...open, added, runs("A", "part", own)],
    [{ url: `${own}/a`, origins: [own] }],
  ],
  ["a part of which nothing is told", [...open, added], [{ url: `${own}/a`, origins: ["", own] }]],
  [
    "a part without an address, of another host",
    [...open, ...part("about:blank", other)],
    [{ url: `${own}/a`, origins: [other, own] }],
  ],
  ["a part of nobody", [...open, ...part("data:text/html,x", "://")], [{ url: `${own}/a`, origins: ["", own] }]],
  [
    "another document: the parts of the one before are gone",
    [...open, ...part(`${other}/x`), ...shows("A", `${own}/b`)],
    [{ url: `${own}/b`, origins: [own] }],
  ],
  [
    "an error of the browser's",
    [...open, ...shows("A", "chrome-error://chromewebdata/", {}, "://")],
    [{ url: "chrome-error://chromewebdata/", origins: [""] }],
  ],
  ["a second page", [...open, page("C")], [{ url: `${own}/a`, origins: [own] }, { origins: [] }]],
  [
    "one that is only made ready",
    [...open, page("C", { subtype: "prerender" }), ...shows("C", `${other}/x`)],
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
    [...open, '{"method":"Page.frameNavigated",', ...shows("A", `${own}/b`)],
    [{ url: `${own}/b`, origins: [own] }],
  ],
  ["an address without bound", [...open, ...shows("A", `${own}/${"x".repeat(10_000)}`)], [{ origins: [own] }]],
  ["a message without bound", [...open, navigated("A", `${other}/${"x".repeat(5_000_000)}`)], [{ origins: ["", own] }]],
  [
    "what a page says of itself",
    [...open, { id: 3, result: { result: { value: said(...shows("A", `${other}/`)) } }, sessionId: "A" }],
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

it("pages without end take no room without end", () => {
  const pages = Array.from({ length: 500 }, (_, at) => page(`P${at}`));
  expect(after(...pages).length).toBe(100);
});

it("parts without end make a page unknown, and take no room without end", () => {
  const parts = Array.from({ length: 1_500 }, (_, at) =>
    shows("A", `${own}/${at}`, { id: `part-${at}`, parentId: "f-A" }),
  ).flat();
  expect(after(...open, ...parts)).toEqual([{ origins: ["", own] }]);
});
