import { describe, expect, it } from "vitest";
import { createMasking } from "../../../src/core/secrets/masking.ts";
import { resultOfAnswer } from "../../../src/tools/mcp/call-result.ts";
import { changeOf, readTools } from "../../../src/tools/mcp/definitions.ts";
import { entryHashes, readEntry, unpinnedPackage, withVariables } from "../../../src/tools/mcp/entry.ts";
import { toolNameOf } from "../../../src/tools/mcp/names.ts";

describe("a tool's name", () => {
  it("is that of the server and the tool where models' servers take it", () => {
    expect(toolNameOf("files", "read_file")).toBe("mcp__files__read_file");
    expect(toolNameOf("a-b", "_c")).toBe("mcp__a-b___c");
  });

  it("is well formed, short and no other tool's, whatever the server says", () => {
    const pairs = [
      ["a", "b__c"],
      ["a__b", "c"],
      ["a_", "b"],
      ["a", "_b"],
      ["a.b", "c"],
      ["a_b", "c"],
      ["a", "b.c"],
      ["a", "b c"],
      ["a", "\u001b[31m"],
      ["a", "ｂ"],
      ["a", ""],
      ["a", "x".repeat(60)],
      ["a", `${"x".repeat(60)}y`],
    ] as const;
    const names = pairs.map(([server, tool]) => toolNameOf(server, tool));
    expect(new Set(names).size).toBe(pairs.length);
    for (const name of names) expect(name).toMatch(/^mcp__[a-zA-Z0-9_-]{1,59}$/);
  });
});

describe("an entry", () => {
  it("is read in the shape that all clients know, and told why where it is none", () => {
    expect(readEntry({ command: "x", args: ["-a"], env: { A: "1" }, type: "stdio", disabled: false })).toEqual({
      command: "x",
      args: ["-a"],
      env: { A: "1" },
    });
    expect(readEntry({ type: "sse", url: "https://x.example" })).toContain("the older HTTP");
    expect(readEntry({ type: "http", url: "https://x.example", headers: { A: "1" } })).toEqual({
      url: "https://x.example",
      headers: { A: "1" },
      isPrivate: false,
    });
    expect(readEntry({ url: "https://x.example", command: "x" })).toContain("can have but one");
    expect(readEntry({ url: "https://x.example", headers: { A: 1 } })).toContain("headers");
    expect(readEntry({ type: "stdio", url: "https://x.example" })).toContain("its type is not http");
    expect(readEntry({ type: "http", command: "x" })).toBe("it has no url");
    expect(readEntry({ args: [] })).toBe("it has no command");
    expect(readEntry({ command: "x", args: [1] })).toContain("args");
    expect(readEntry({ command: "x", env: { A: 1 } })).toContain("env");
    expect(readEntry(3)).toBe("it is no object");
  });

  it("has its variables replaced everywhere, or names the one that is missing", () => {
    const at = (text: string) =>
      withVariables({ command: "x", args: [text], env: { A: text } }, { HOME: "/h", EMPTY: "" });
    const named = (name: string) => `\${${name}}`;
    expect(at(`${named("HOME")}/a${named("EMPTY")}`)).toMatchObject({ args: ["/h/a"], env: { A: "/h/a" } });
    expect(at(named("GONE:-else"))).toMatchObject({ args: ["else"] });
    expect(at(named("GONE"))).toEqual({ missing: "GONE" });
    expect(at("$HOME")).toMatchObject({ args: ["$HOME"] });
  });

  it("tells a package that is fetched in any version", () => {
    const of = (command: string, ...args: string[]) => unpinnedPackage({ command, args, env: {} });
    expect(of("npx", "-y", "@scope/pkg", ".")).toBe("@scope/pkg");
    expect(of("/usr/bin/npx", "pkg@latest")).toBe("pkg@latest");
    expect(of("npx", "--package", "pkg", "run-it")).toBe("pkg");
    expect(of("uvx", "mcp-server-git")).toBe("mcp-server-git");
    expect(of("uv", "tool", "run", "git-mcp")).toBe("git-mcp");
    expect(of("npx", "-y", "@scope/pkg@1.2.3")).toBeUndefined();
    expect(of("uvx", "mcp-server-git==1.2")).toBeUndefined();
    expect(of("node", "server.js")).toBeUndefined();
  });

  it("is hashed part by part, so that what changed can be named", () => {
    const before = entryHashes({ command: "x", args: ["a"], env: { A: "1", B: "2" } });
    const now = entryHashes({ command: "x", args: ["b"], env: { A: "3", B: "2" } });
    const differing = Object.keys(now).filter((name) => now[name] !== before[name]);
    expect(differing).toEqual(["args", "env.A"]);
  });
});

describe("definitions", () => {
  const tool = (name: string, more: object = {}) => ({ name, inputSchema: { type: "object" }, ...more });

  it("of two tools with one name, and of one past the limits, the others stay", () => {
    const { tools, leftOut } = readTools([
      tool("a"),
      tool("a"),
      tool("big", { description: "x".repeat(60_000) }),
      tool("b"),
    ]);
    expect(tools.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(leftOut.map(({ name }) => name)).toEqual(["a", "big"]);
  });

  it("with a schema that is too deep or cannot be checked by are offered unchecked", () => {
    let deep: object = { type: "string" };
    for (let at = 0; at < 60; at += 1) deep = { type: "object", properties: { a: deep } };
    const { tools } = readTools([
      { name: "deep", inputSchema: deep },
      { name: "pattern", inputSchema: { type: "object", properties: { a: { type: "string", pattern: "(?i)x" } } } },
    ] as never);
    expect(tools.map(({ unchecked }) => unchecked)).toEqual([
      "its schema is too deep",
      expect.stringContaining("pattern"),
    ]);
    for (const { inputSchema } of tools)
      expect(inputSchema).toEqual({ type: "object", properties: {}, additionalProperties: true });
  });

  it("hide nothing from the person that the model would read", () => {
    const [read] = readTools([tool("a", { description: "Plain.\u200b\u{e0041}\u202e\u001b[8m and more" })]).tools;
    expect(read?.description).toBe("Plain.[8m and more");
  });

  it("that changed say what did, invisible signs too", () => {
    const [before] = readTools([tool("a", { description: "Plain." })]).tools;
    if (before === undefined) throw new Error("it was not read");
    expect(changeOf(before, readTools([tool("a", { description: "Plain." })]))).toBeUndefined();
    expect(changeOf(before, readTools([tool("a", { description: "Plain.\u200b" })]))).toBe(
      "the server changed its description",
    );
    expect(
      changeOf(before, readTools([tool("a", { description: "Plain.", inputSchema: { type: "object", title: "x" } })])),
    ).toBe("the server changed the schema of its arguments");
    expect(changeOf(before, readTools([]))).toBe("the server does not have it any more");
  });
});

it("an answer is its texts in order, a line for what is neither text nor picture, and data where there is nothing else", () => {
  const answer = (content: unknown, more: object = {}) => resultOfAnswer({ content, ...more } as never, "s: t");
  expect(
    answer([
      { type: "text", text: "one \ud800" },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "inside" } },
      { type: "resource_link", uri: "x://y", name: "y" },
      { type: "image", data: "AA==", mimeType: "image/png" },
      7,
    ]),
  ).toEqual({
    output:
      "one \ufffd\n(sound of audio/wav, left out)\nfile:///a:\ninside\n(a resource of the server: y, x://y)\n(a part of the answer cannot be read)",
    images: [{ name: "picture", mediaType: "image/png", data: "AA==" }],
  });
  expect(answer([], { structuredContent: { a: 1 } }).output).toBe('{"a":1}');
  expect(answer("none").output).toBe("");
  expect(answer([{ type: "text", text: "no" }], { isError: true })).toEqual({
    output: "",
    error: "no",
    metadata: { code: "FAILED" },
  });
});

it("an answer is cut without a part of a secret's value", () => {
  const masking = createMasking([{ name: "TOKEN", value: "s3cr3t-of-the-server" }]);
  const content = [{ type: "text", text: `${"x".repeat(7_990)}s3cr3t-of-the-server` }];
  const { error } = resultOfAnswer({ content, isError: true } as never, "s: t", masking);
  expect(error).toBe(`${"x".repeat(7_990)}<secret>TOKEN</secret>`);
  const long = [{ type: "text", text: `${"x".repeat(110)}s3cr3t-of-the-server${"y".repeat(20_000)}` }];
  const { longTermMemory } = resultOfAnswer({ content: long } as never, "s: t", masking);
  expect(longTermMemory).toMatch(/x<secret>TO$/);
});
