import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { agentPackages } from "../../src/core/agent-packages.ts";
import { root, runNode, tempFolder } from "./support/run.ts";

const run = (command: string, args: readonly string[], cwd: string): string => {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", cwd, timeout: 600_000 });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
};

interface Manifest {
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
  devDependencies: Record<string, string>;
}

/** The package as `npm install` would unpack it, with these packages beside it. */
function install(packed: Packed, packages: readonly string[]): string {
  const folder = tempFolder();
  const modules = join(folder, "node_modules");
  const app = join(modules, "holdfast");
  mkdirSync(app, { recursive: true });
  run("tar", ["-xzf", packed.tarball, "-C", app, "--strip-components=1"], folder);
  for (const name of packages) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  return folder;
}

interface Packed {
  tarball: string;
  files: string[];
}

let packed: Packed;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-packed-"));
  run(process.execPath, [join(root, "scripts", "types.mjs")], root);
  const made = JSON.parse(
    run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root),
  ) as Record<string, { filename: string }>;
  const tarball = join(folder, Object.values(made)[0]?.filename ?? "");
  packed = { tarball, files: run("tar", ["-tzf", tarball], folder).trim().split("\n") };
  return () => rmSync(folder, { recursive: true, force: true });
});

const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta, devDependencies } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as Manifest;
const needed = Object.keys(dependencies);
/** Some are left out by npm where they do not fit the Node. */
const optional = Object.keys(optionalDependencies).filter((name) => existsSync(join(root, "node_modules", name)));
const all = [...needed, ...optional, ...Object.keys(peerDependencies)];

test("the packed tarball holds what runs and nothing else, and runs with its dependencies only", () => {
  const { files } = packed;
  const app = join(install(packed, needed), "node_modules", "holdfast");
  const folders = new Set(files.map((file) => file.split("/")[1]));
  expect([...folders].filter((name) => !["bin", "dist", "docs", "types"].includes(name ?? "")).sort()).toEqual(
    expect.arrayContaining(["LICENSE", "package.json"]),
  );
  expect(files.filter((file) => /^package\/(src|test|bench|scripts)\/(?!README[.]md$)/.test(file))).toEqual([]);
  expect(files.filter((file) => file.endsWith(".d.ts")).sort()).toEqual([
    "package/types/graph.d.ts",
    "package/types/index.d.ts",
  ]);

  const home = tempFolder();
  const workspace = tempFolder();
  const at = { env: { AGENT_HOME: home }, cwd: workspace };
  const tools = runNode([join(app, "bin", "agent.js"), "tools", "--json"], at);
  expect(tools).toMatchObject({ code: 0, stderr: "" });
  const names = tools.stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { name: string }).name);
  expect(names).toEqual(
    expect.arrayContaining(["read_file", "write_file", "edit_file", "ls", "glob", "grep", "save_memory"]),
  );

  writeFileSync(join(workspace, "a.txt"), "needle\n");
  const program = `
    import { createServer } from "node:http";
    import { createDefaultTools, executeTool } from "holdfast";
    const workspace = process.argv[1];
    const page = createServer((_, response) => response.setHeader("content-type", "text/html").end("<main><h1>Hi</h1></main>"));
    await new Promise((listening) => page.listen(0, "127.0.0.1", listening));
    const url = "http://127.0.0.1:" + page.address().port + "/";
    const tools = createDefaultTools({ workspace });
    const ask = async (name, args) => (await executeTool(tools.find((tool) => tool.name === name), args, { workspace })).output;
    console.log(JSON.stringify([await ask("read_file", { file_path: "a.txt" }), await ask("grep", { pattern: "needle" }),
      (await ask("web_fetch", { url })).replace(url, "URL")]));
    page.close();`;
  const used = runNode(["--input-type=module", "-e", program, workspace], { cwd: join(app, "..", "..") });
  expect(used.stderr).toBe("");
  expect(JSON.parse(used.stdout)).toEqual(["     1\tneedle", "a.txt:1:needle", "URL\n\n# Hi"]);
});

test("what the agent runs on are optional peers, in ranges that begin with the version it is built with", () => {
  const lowest = Object.entries(peerDependencies).map(([name, range]) => [name, /^>=(\S+) </.exec(range)?.[1]]);
  expect(Object.fromEntries(lowest)).toEqual(agentPackages);
  expect(devDependencies).toMatchObject(agentPackages);
  expect(peerDependenciesMeta).toEqual(
    Object.fromEntries(Object.keys(agentPackages).map((name) => [name, { optional: true }])),
  );
});

describe("a strict program that uses the package", () => {
  /**
   * Compiled with these checks, of the package's declarations too, but not of its packages': those are their authors'. `start` runs
   * one, and gives what it prints.
   */
  const compile = (names: readonly string[], packages: readonly string[], checks: object) => {
    const folder = install(packed, [...packages, "@types/node", "undici-types"]);
    const files = names.map((name) => join(folder, `${name}.mts`));
    for (const file of files) cpSync(join(root, "test", "build", "consumer", basename(file)), file);
    const json = { ...checks, module: "NodeNext", target: "ES2023", types: ["node"] };
    const { options } = ts.convertCompilerOptionsFromJson(json, folder);
    const program = ts.createProgram(files, { ...options, configFilePath: join(folder, "tsconfig.json") });
    const checked = program
      .getSourceFiles()
      .filter(({ fileName }) => /node_modules\/holdfast\/|^(?!.*\/node_modules\/)/.test(fileName));
    expect(checked.map(({ fileName }) => fileName)).toEqual(
      expect.arrayContaining([...files, join(folder, "node_modules", "holdfast", "types", "index.d.ts")]),
    );
    const problems = [
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...checked.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
      ...program.emit().diagnostics,
    ];
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
    const workspace = tempFolder();
    writeFileSync(join(workspace, "a.txt"), "needle\n");
    const start = (name: string): unknown => {
      const ran = runNode([join(folder, `${name}.mjs`), workspace], { cwd: folder });
      expect(ran).toMatchObject({ code: 0, stderr: "" });
      return JSON.parse(ran.stdout);
    };
    return { start };
  };
  const strict = { strict: true, skipLibCheck: false, noUncheckedIndexedAccess: true, verbatimModuleSyntax: true };
  const strictest = { ...strict, exactOptionalPropertyTypes: true };

  test("has all but the graph without LangGraph's types, and is told what an agent would need to run", () => {
    const wanted = Object.entries(agentPackages).map(([name, version]) => `${name}@${version}`);
    const { start } = compile(["tools", "agent"], needed, strictest);
    expect(start("tools")).toEqual({
      one: ["text"],
      names: ["add_days", "shout", "read_file"],
      ran: ["2026-02-01 s1", "HEY!", "     1\tneedle"],
      decision: "ask",
      digest: 64,
      row: "low",
      described: "Adds days, at https://example.com/.",
      missing: `the agent needs @langchain/core, which is not installed: npm install ${wanted.join(" ")}`,
    });
  });

  // LangChain's own declarations do not pass `exactOptionalPropertyTypes`.
  test("drives an agent, and the graph by LangGraph's own API, to a question and past it", () => {
    const { start } = compile(["agent", "graph"], all, strict);
    expect(start("agent")).toEqual({
      asked: [expect.stringContaining("written.txt")],
      outcomes: [{ ok: true }],
      settled: expect.arrayContaining(["pending", "success"]),
      text: "I wrote it: true",
    });
    expect(start("graph")).toEqual({ asked: [expect.stringContaining("graph.txt")], last: "Done." });
  });

  test("meets no `any`", () => {
    const app = join(install(packed, []), "node_modules", "holdfast");
    for (const name of ["index", "graph"]) {
      const file = join(app, "types", `${name}.d.ts`);
      const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest);
      const found: string[] = [];
      const look = (node: ts.Node): void => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(node.parent?.getText(source) ?? `at ${node.pos}`);
        ts.forEachChild(node, look);
      };
      look(source);
      expect(found).toEqual([]);
    }
  });
});
