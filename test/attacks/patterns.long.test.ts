import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { executeTool } from "../../src/graph/calls/execute-tool.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import { parseRules } from "../../src/policy/files/rules.ts";
import { createGlobTool } from "../../src/tools/search/glob.ts";
import { createGrepTool } from "../../src/tools/search/grep.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { agentCommand } from "../support/agent-command.ts";
import { openPlace } from "../support/cli.ts";
import { callsInProcess, deadlineMs } from "../support/tool-process.ts";
import { tempTree } from "../tools/temp-tree.ts";

const name = "a".repeat(240);

/** Each could be shared out over a name or a path in more ways than can ever be tried. */
const endless = {
  stars: `${"*a".repeat(12)}b`,
  groups: `${"?(a|aa)".repeat(60)}b`,
  ranges: `${"[a-z]*".repeat(20)}9`,
  folders: `${"**/a/".repeat(7)}b`,
  "more folders": `${"**/a/".repeat(40)}b`,
  brackets: "[".repeat(900),
  braces: `${"{a,b}".repeat(8)}${"{".repeat(300)}a${"}".repeat(300)}`,
};
const patterns = Object.values(endless);

/** 120 folders, one in the other, and a file in the last. */
function deepTree(files: Record<string, string>): string {
  const root = tempTree({ ...files, [name]: "word\n" });
  mkdirSync(join(root, "a/".repeat(120)), { recursive: true });
  writeFileSync(join(root, end), "word\n");
  return root;
}
const end = `${"a/".repeat(120)}end.txt`;

describe("patterns that could be matched in endless ways", { timeout: 2 * deadlineMs }, () => {
  test("end as glob's pattern", async () => {
    const calls = patterns.map((pattern) => ({ tool: "glob", args: { pattern } }));
    for (const { output, error = "" } of await callsInProcess({ workspace: deepTree({}), calls }))
      expect(`${output}${error}`).toMatch(/^No file matches|wildcards|too many patterns/);
  });

  test("end as what ls leaves out", async () => {
    const calls = patterns.map((pattern) => ({ tool: "ls", args: { ignore: [pattern, "", "!", "["] } }));
    for (const { output } of await callsInProcess({ workspace: tempTree({ [name]: "" }), calls }))
      expect(output).toBe(name);
  });

  test("end as the files that grep includes", async () => {
    const wanted = [endless.stars, endless.ranges, endless.folders, endless["more folders"]];
    const calls = wanted.map((include) => ({ tool: "grep", args: { pattern: "word", include } }));
    for (const { output } of await callsInProcess({ workspace: deepTree({}), calls }))
      expect(output).toMatch(/^No match for word/);
  });

  test("end in a .gitignore", async () => {
    const workspace = deepTree({ ".gitignore": `${patterns.join("\n")}\n`.repeat(20) });
    const calls = [
      { tool: "glob", args: { pattern: "**/*.txt" } },
      { tool: "ls", args: {} },
      { tool: "grep", args: { pattern: "word" } },
    ];
    const results = await callsInProcess({ workspace, calls });
    const [glob, ls, grep] = results.map(({ output }) => output.split("\n"));
    expect([glob, grep]).toEqual([[end], [`${end}:1:word`, `${name}:1:word`]]);
    expect(ls).toContain(name);
  });
});

describe("rules that a repository brings", { timeout: deadlineMs }, () => {
  const policy = (rules: object[]) => parseRules(JSON.stringify({ rules }), "policy.json", "project");

  test.each<[string, object[]]>([
    ["patterns", [{ tool: "*", decision: "deny", paths: Array.from({ length: 8_000 }, (_, i) => `**/a${i}/**/b*c*`) }]],
    [
      "what braces stand for",
      Array.from({ length: 400 }, (_, i) => ({ tool: "*", decision: "ask", paths: [`${"{a,b}".repeat(6)}${i}`] })),
    ],
    ["rules of tools", Array.from({ length: 20_000 }, () => ({ tool: "a*b*c*d", decision: "deny" }))],
  ])("are refused where their %s would stall every search", async (_, rules) => {
    const [problem] = ((await policy(rules)) as { problems: { message: string }[] }).problems;
    expect(problem?.message).toBe("the patterns up to here come to more than 100000 characters: fewer are needed");
  });

  test("are refused where trying their examples would stall the start", async () => {
    const [paths, match] = ["*a", "a"].map((text) => Array.from({ length: 60 }, () => text.repeat(300)));
    const stalling = await policy([{ tool: "*", decision: "deny", paths, match: match?.map((text) => `${text}b`) }]);
    expect(stalling).toMatchObject({ problems: [{ message: "the examples up to here are too many to be tried" }] });
  });

  test("come to many hundreds where people wrote them, each with its examples", async () => {
    const rules = Array.from({ length: 800 }, (_, i) => ({
      tool: "edit_file",
      paths: [`packages/p${i}/{src,test}/**/*.{ts,tsx}`],
      decision: "ask",
      match: [`packages/p${i}/src/a/b.ts`],
      notMatch: [`packages/p${i}/a.ts`],
    }));
    expect(await policy(rules)).toMatchObject({ rules: { length: 800 } });
  });

  test("end where git's own settings are one line without an end, or include themselves in endless ways", async () => {
    const place = await openPlace();
    mkdirSync(place.path(".git"));
    const [node, program] = agentCommand;
    const includes = `[include]\n${["config", "./config", "other"].map((path) => `\tpath = ${path}\n`.repeat(50)).join("")}`;
    writeFileSync(place.path(".git/other"), includes);
    for (const line of [
      includes,
      "[",
      `[${"a".repeat(900_000)}`,
      `[a${" ".repeat(900_000)}`,
      `a${" ".repeat(900_000)}`,
    ]) {
      writeFileSync(place.path(".git/config"), `${line}\n`);
      const file = JSON.stringify({ file_path: "b.txt", content: "new\n" });
      const env = Object.fromEntries(Object.entries(place.env).filter(([, value]) => value !== undefined));
      const ran = spawnSync(node, [program, "policy", "check", "--json", "write_file", file], {
        ...{ cwd: place.workspace, env: env as NodeJS.ProcessEnv, encoding: "utf8", timeout: deadlineMs },
      });
      expect(ran).toMatchObject({ status: 0, stdout: expect.stringContaining('"ask"') });
    }
  });

  test("let a search be stopped however long judging takes", async () => {
    const names = Array.from({ length: 3_000 }, (_, i) => `d${i % 30}/e${i % 7}/f${i}.txt`);
    const workspace = tempTree(Object.fromEntries(names.map((name) => [name, "word\n"])));
    const paths = Array.from({ length: 10_000 }, (_, i) => `**/a${i}/**/*b*c*d*/**/x`);
    const origin = { source: "project" as const, file: "policy.json", line: 1 };
    const rules = [{ tool: "*", decision: "deny" as const, why: "", paths, origin }];
    const stop = new AbortController();
    const grep = createGrepTool();
    const prepared = await prepareCall(grep, { pattern: "word" }, createToolContext({ workspace }), {
      rules: [],
      grants: [],
      mode: "ask",
      sealed: { roots: [] },
    });
    if (prepared.kind !== "ready") throw new Error(prepared.kind);
    const now = { rules, grants: [], mode: "ask" as const, sealed: { roots: [] } };
    const running = prepared.run(stop.signal, { policy: now });
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    expect(await running).toMatchObject({ kind: "failed", code: "CANCELLED" });
  });
});

describe("what people write is matched as before", () => {
  const files = {
    ".gitignore": "*.log\n/dist/\ncache/**/tmp\n!keep.log\n[Bb]in/\nnotes\\ .txt\n",
    "a.test.ts": "",
    "a.ts": "",
    "app/(auth)/page.tsx": "",
    "b1.ts": "",
    "b2.ts": "",
    "Bin/x.ts": "",
    "cache/one/tmp/x.ts": "",
    "cache/x.ts": "",
    "dist/x.ts": "",
    "keep.log": "",
    "src/dist/x.ts": "",
    "x.log": "",
  };
  test.each([
    ["b[12].ts", ["b1.ts", "b2.ts"]],
    ["b[!1].ts", ["b2.ts"]],
    ["b[[:digit:]].ts", ["b1.ts", "b2.ts"]],
    ["b{1..3}.ts", ["b1.ts", "b2.ts"]],
    ["a?(.test).ts", ["a.test.ts", "a.ts"]],
    ["@(a|b2).ts", ["a.ts", "b2.ts"]],
    ["app/(auth)/*", ["app/(auth)/page.tsx"]],
    ["**/x.*", ["cache/x.ts", "src/dist/x.ts"]],
    ["./src//dist/*.ts", ["src/dist/x.ts"]],
    ["*.log", ["keep.log"]],
    ["**/dist/**", ["src/dist/x.ts"]],
  ])("glob %s", async (pattern, wanted) => {
    const { output } = await executeTool(createGlobTool(), { pattern }, { workspace: tempTree(files) });
    expect(output.split("\n").sort()).toEqual(wanted);
  });
});
