import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { agentPath, bundling, runNode, tempFolder } from "./support/run.ts";

const program = "test/build/support/graph-program.ts";

test("in a bundle a graph asks after an await, and so does a child graph in a node of its parent", async () => {
  const out = tempFolder();
  await (await bundling()).bundleCommand({ program }, out);
  writeFileSync(join(out, "package.json"), '{"type":"module"}');
  const ran = runNode([join(out, "program.js")]);
  expect(ran.stderr).toBe("");
  expect(JSON.parse(ran.stdout)).toEqual({
    asked: [["after an await?"], ["and in the child?"]],
    heard: ["after an await? yes", "and in the child? yes, too"],
  });
});

test("what was to be left out and is not where it was is named, and so are fault points that would ship", async () => {
  const { bundleCommand } = await bundling();
  const { unmet } = await bundleCommand({ program }, tempFolder());
  expect(unmet).toEqual([
    "src/core/fault-point.ts",
    "ink/build/devtools.js",
    "src/cli/ui/chat/run-chat.tsx",
    "src/cli/terminal/highlight-engine.ts",
    "src/net/undici.ts",
  ]);
});

test("the command has LangChain in it, and neither LangSmith nor the token tables nor the debugger's connection", async () => {
  const { bundleCommand, commandEntries } = await bundling();
  const { packages, unmet } = await bundleCommand(commandEntries, tempFolder());
  expect(unmet).toEqual([]);
  expect(packages).toEqual(expect.arrayContaining(["@langchain/core", "@langchain/langgraph", "ink", "openai", "zod"]));
  const without = ["langsmith", "js-tiktoken", "react-devtools-core", "better-sqlite3", "@vscode/ripgrep"];
  expect(packages.filter((name) => without.includes(name))).toEqual([]);
});

test("every file of the command is ASCII, and what most starts do not need lies beside the program, once, in a file of that version", async () => {
  const { bundleCommand, commandEntries } = await bundling();
  const out = tempFolder();
  const { packages } = await bundleCommand(commandEntries, out);
  expect(packages).toContain("undici");
  const files = readdirSync(out).map((name) => [name, readFileSync(join(out, name), "latin1")] as const);
  expect(files.filter(([, text]) => /[^\x00-\x7f]/.test(text)).map(([name]) => name)).toEqual([]);
  const holds = (words: string) => files.filter(([, text]) => text.includes(words)).map(([name]) => name);
  expect(holds("UND_ERR_REQ_RETRY")).toEqual([expect.stringMatching(/^undici-[A-Z0-9]{8}\.cjs$/)]);
  expect(holds("highlight.js")).toEqual([expect.stringMatching(/^highlight-engine-[A-Z0-9]{8}\.cjs$/)]);
  expect(holds("react.suspense")).toEqual([expect.stringMatching(/^run-chat-[A-Z0-9]{8}\.cjs$/)]);
  // What reads a head of YAML, and TOML: only agents' files have such.
  const inOne = [expect.stringMatching(/^(?:dist|chunk)-[A-Z0-9]{8}\.cjs$/)];
  expect(["BAD_ALIAS", "Invalid TOML document"].map(holds)).toEqual([inOne, inOne]);
  expect(files.length).toBe(Object.keys(commandEntries).length + 11);
});

test("a character of a pattern that is no ASCII is the same one by its number; one behind a backslash is refused", async () => {
  const { bundleCommand } = await bundling();
  const [folder, out] = [tempFolder(), tempFolder()];
  const source = (pattern: string): string => {
    const file = join(folder, "pattern.ts");
    writeFileSync(file, `console.log(JSON.stringify([..."aé’\u{1f600}\\\\"].filter((one) => ${pattern}.test(one))));`);
    return file;
  };
  await bundleCommand({ pattern: source("/^[\\\\é’\u{1f600}]$/u") }, out);
  writeFileSync(join(out, "package.json"), '{"type":"module"}');
  expect(JSON.parse(runNode([join(out, "pattern.js")]).stdout)).toEqual(["é", "’", "\u{1f600}", "\\"]);
  await expect(bundleCommand({ pattern: source("/\\’/") }, out)).rejects.toThrow(
    "\\’ in a pattern: leave out its backslash",
  );
});

test("the library has no copy of what the programs that use it have too", async () => {
  const { bundleLibrary, libraryEntries } = await bundling();
  const { packages, unmet } = await bundleLibrary(libraryEntries, tempFolder());
  expect(unmet).toEqual([]);
  const shared = /^(@langchain\/|langsmith$|openai$|zod$|better-sqlite3$|@vscode\/ripgrep$)/;
  expect(packages.filter((name) => shared.test(name))).toEqual([]);
});

test("variables that turn LangSmith's tracing on wake nothing: the turn ends as ever and nobody is sent anything", async () => {
  const seen: string[] = [];
  const service = createServer((request, response) => {
    seen.push(String(request.url));
    response.end("{}");
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise((resolve) => service.close(() => resolve())));
  const endpoint = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const place = await openPlace([asks("ls", {}), says("Done.")]);
  const env = {
    LANGSMITH_TRACING: "true",
    LANGCHAIN_TRACING_V2: "true",
    LANGSMITH_API_KEY: "lsv2_test",
    LANGSMITH_ENDPOINT: endpoint,
    LANGCHAIN_ENDPOINT: endpoint,
  };
  const ran = await place.spawn(["run", "look around"], { env }).done;
  expect(ran).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(seen).toEqual([]);
});

test("DEV=true opens no debugger's connection and says nothing", () => {
  const ran = runNode([agentPath, "tools"], { env: { AGENT_HOME: tempFolder(), DEV: "true" } });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
});
