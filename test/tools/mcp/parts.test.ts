import { describe, expect, it } from "vitest";
import { createMasking } from "../../../src/core/secrets/masking.ts";
import { resultOfAnswer } from "../../../src/tools/mcp/call-result.ts";
import { changeOf, readTools } from "../../../src/tools/mcp/definitions.ts";
import { entryHashes, readEntry, unpinnedPackage, withVariables } from "../../../src/tools/mcp/entry.ts";
import { toolNameOf } from "../../../src/tools/mcp/names.ts";
import { makePdf } from "../../support/pdf.ts";

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

const { signal } = new AbortController();
const answer = (content: unknown, more: object = {}, how: Partial<Parameters<typeof resultOfAnswer>[1]> = {}) =>
  resultOfAnswer({ content, ...more } as never, { asked: "s: t", signal, ...how });

it("an answer is its texts in order, a line for what is neither text nor picture, and data where there is nothing else", async () => {
  expect(
    await answer([
      { type: "text", text: "one \ud800" },
      { type: "audio", data: "AA==", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "inside" } },
      { type: "resource_link", uri: "x://y", name: "y" },
      { type: "image", data: "AA==", mimeType: "image/png" },
      7,
    ]),
  ).toEqual({
    output:
      "one \ufffd\n(sound of audio/wav, left out)\nfile:///a:\ninside\n(a resource of the server, named and not read: y, x://y)\n(a part of the answer cannot be read)",
    images: [{ name: "picture", mediaType: "image/png", data: "AA==" }],
  });
  expect((await answer([], { structuredContent: { a: 1 } })).output).toBe('{"a":1}');
  expect((await answer("none")).output).toBe("");
  expect(await answer([{ type: "text", text: "no" }], { isError: true })).toEqual({
    output: "",
    error: "no",
    metadata: { code: "FAILED" },
  });
});

/** A resource that stands in an answer by its bytes. */
const embedded = (uri: string, bytes: Buffer, mimeType?: string) => ({
  type: "resource",
  resource: { uri, blob: bytes.toString("base64"), ...(mimeType === undefined ? {} : { mimeType }) },
});

describe("an embedded resource", () => {
  it("is what its bytes are, whatever the server calls it: a PDF its pages, a picture a picture, a text a text; the rest is told", async () => {
    const png = Buffer.from("89504e470d0a1a0a", "hex");
    const { output, images } = await answer([
      embedded("files://report", makePdf(["First page.", "Second page."]), "application/octet-stream"),
      embedded("files://dot", png),
      embedded("files://table", Buffer.from("a,b\n1,2\n"), "application/pdf"),
      embedded("files://pack", Buffer.from("PK\u0003\u0004"), "image/png"),
      embedded("files://broken", Buffer.from("%PDF-1.4 and nothing else"), "application/pdf"),
      { type: "resource", resource: { uri: "files://none" } },
    ]);
    expect(output).toBe(
      [
        "files://report (PDF, 2 pages):\n\n## Page 1\n\nFirst page.\n\n## Page 2\n\nSecond page.",
        "files://table:\na,b\n1,2\n",
        "(files://pack, image/png, is left out: it is not a text file: ZIP archive (or a format built on it), 4 bytes)",
        "(files://broken, application/pdf, is left out: the PDF cannot be read: InvalidPDFException: Invalid PDF structure.)",
        "(files://none cannot be read)",
      ].join("\n"),
    );
    expect(images).toEqual([{ name: "files://dot", mediaType: "of no named kind", data: png.toString("base64") }]);
  });

  it("that is a PDF has its first 200 pages told, and of one answer ten are read", async () => {
    const long = makePdf(Array.from({ length: 203 }, (_, at) => `Page number ${at + 1}.`));
    const { output } = await answer([embedded("files://long", long)]);
    expect(output).toContain("Page number 200.");
    expect(output).not.toContain("Page number 201.");
    expect(output).toContain("(pages 1-200 of 203; the others are left out)");
    const pdfs = Array.from({ length: 12 }, (_, at) => embedded(`files://${at}`, makePdf(["Text."])));
    const many = (await answer(pdfs, {}, { signal: AbortSignal.abort() })).output;
    expect(many.match(/it was stopped before it was read/gu)).toHaveLength(10);
    expect(many).toContain("(files://11, of no named kind, is left out: of one answer 10 PDFs are read)");
  });

  it("has no value of a secret in it, and a stop leaves a PDF out and keeps the rest of the answer", async () => {
    const masking = createMasking([{ name: "TOKEN", value: "s3cr3t-of-the-server" }]);
    const pdf = embedded("files://report", makePdf(["It is s3cr3t-of-the-server."]));
    expect((await answer([pdf], {}, { masking })).output).toContain("It is <secret>TOKEN</secret>.");
    const dot = embedded("files://s3cr3t-of-the-server", Buffer.from("89504e470d0a1a0a", "hex"));
    expect((await answer([dot], {}, { masking })).images).toMatchObject([{ name: "files://<secret>TOKEN</secret>" }]);
    const stopped = await answer([{ type: "text", text: "done" }, pdf], {}, { signal: AbortSignal.abort() });
    expect(stopped.output).toBe(
      "done\n(files://report, of no named kind, is left out: it was stopped before it was read)",
    );
  });

  it("that is only linked is told with its address, and how a person has it where the server has resources", async () => {
    const link = (uri: string, more: object = {}) => ({ type: "resource_link", uri, ...more });
    const links = [
      link("note://one", { name: "The\nnote", mimeType: "text/plain", size: 1200 }),
      link("note://two words"),
      link('note://"'),
      link("note://\u202eeno"),
      link(`note://${"x".repeat(3_000)}`),
    ];
    const { output } = await answer(links, {}, { from: "small" });
    const [one, two, quoted, unseen, long] = output.split("\n");
    const told = "(a resource of the server, named and not read:";
    expect(one).toBe(
      `${told} The note, text/plain, 1,200 bytes, note://one; in a chat the person attaches it as @small:note://one)`,
    );
    expect(two).toBe(`${told} note://two words; in a chat the person attaches it as @"small:note://two words")`);
    expect(quoted).toBe(`${told} note://")`);
    expect(unseen).toBe(`${told} note://eno)`);
    expect(long).toBe(`${told} note://${"x".repeat(1_993)}…)`);
  });

  it("that is a picture of a failure is left out, and told", async () => {
    const { error } = await answer(
      [
        { type: "text", text: "no" },
        { type: "image", data: "AA==", mimeType: "image/png" },
      ],
      { isError: true },
    );
    expect(error).toBe("no\n(one picture of a failure: left out)");
  });
});

it("an answer is cut without a part of a secret's value", async () => {
  const masking = createMasking([{ name: "TOKEN", value: "s3cr3t-of-the-server" }]);
  const content = [{ type: "text", text: `${"x".repeat(7_990)}s3cr3t-of-the-server` }];
  const { error } = await answer(content, { isError: true }, { masking });
  expect(error).toBe(`${"x".repeat(7_990)}<secret>TOKEN</secret>`);
  const long = [{ type: "text", text: `${"x".repeat(110)}s3cr3t-of-the-server${"y".repeat(20_000)}` }];
  const { longTermMemory } = await answer(long, {}, { masking });
  expect(longTermMemory).toMatch(/x<secret>TO$/);
});
