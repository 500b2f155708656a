import { expect, test } from "vitest";
import { LeanHeaders } from "../../src/net/headers.ts";

type Step = (headers: Headers | LeanHeaders) => unknown;

const steps: [string, Step][] = [
  ["set in other letters", (headers) => headers.set("ACCEPT", "b")],
  ["appended", (headers) => headers.append("Accept", "b")],
  ["appended to none", (headers) => headers.append("x-new", "n")],
  ["deleted in other letters", (headers) => headers.delete("X-Key")],
  ["given blanks around its value", (headers) => headers.set("accept", " \t b\r\n")],
  ["given letters of Latin", (headers) => headers.set("accept", "é")],
  ["asked for", (headers) => [headers.get("Accept"), headers.get("nobody"), headers.has("X-KEY"), headers.has("no")]],
];

test.each(steps)("headers of which one is %s are what the global ones are", (_, step) => {
  const start = { "x-key": "k", Accept: "a" };
  const [mine, global] = [new LeanHeaders(start), new Headers(start)];
  expect(step(mine)).toEqual(step(global));
  expect([...mine]).toEqual([...global]);
  expect([...mine.entries()]).toEqual([...global.entries()]);
});

test.each<[string, Step]>([
  ["a name with a blank", (headers) => headers.set("a b", "c")],
  ["no name", (headers) => headers.append("", "c")],
  ["a name asked for that is none", (headers) => headers.get("a:b")],
  ["a value that would end the header", (headers) => headers.set("a", "b\r\nc: d")],
  ["a value with a zero", (headers) => headers.append("a", "b\0c")],
  ["a value beyond Latin", (headers) => headers.set("a", "€")],
])("headers refuse %s as the global ones do", (_, step) => {
  expect(() => step(new Headers())).toThrow(TypeError);
  expect(() => step(new LeanHeaders())).toThrow(TypeError);
});

test("headers are made from headers, from pairs and from nothing, and are known by their name", () => {
  const first = new LeanHeaders({ A: "1" });
  expect([[...new LeanHeaders(first)], [...new LeanHeaders([["b", "2"]])], [...new LeanHeaders()]]).toEqual([
    [["a", "1"]],
    [["b", "2"]],
    [],
  ]);
  expect(Object.prototype.toString.call(first)).toBe(Object.prototype.toString.call(new Headers()));
});
