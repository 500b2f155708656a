import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { createEditFileTool } from "../../src/tools/files/edit-file.ts";
import { createReadFileTool } from "../../src/tools/files/read-file.ts";
import { createGlobTool } from "../../src/tools/search/glob.ts";
import { createGrepTool } from "../../src/tools/search/grep.ts";
import { createLsTool } from "../../src/tools/search/ls.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { tempTree } from "../tools/temp-tree.ts";

const grep = createGrepTool();

const rule = (decision: Rule["decision"], tool: string, ...paths: string[]): Rule => ({
  tool,
  decision,
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
  ...(paths.length === 0 ? {} : { paths }),
});

const policyOf = (...rules: Rule[]): Policy => ({ rules, grants: [], mode: "ask", sealed: { roots: [] } });

/** What the model would read, and whether the call was let through; `isApproved`: the person was asked and said yes. */
async function answer(
  tool: ReturnType<typeof createGrepTool>,
  args: object,
  workspace: string,
  policy = policyOf(),
  isApproved = false,
) {
  const prepared = await prepareCall(tool, args, createToolContext({ workspace }), policy);
  if (prepared.kind !== "ready") return { decision: prepared.kind, output: "", title: "" };
  const { decision } = prepared.verdict;
  if (decision === "ask" && !isApproved) return { decision, output: "", title: "" };
  const result = resultOf(
    await prepared.run(new AbortController().signal, {
      policy,
      ...(isApproved ? { approved: prepared.verdict.rule } : {}),
    }),
  );
  return { decision, output: result.error ?? result.output, title: result.title };
}

const secret = "hunter2-hunter2";
const files = {
  "a.ts": "const word = 1;\n",
  "secrets/key.txt": `${secret} word\n`,
  "secrets/deep/b.txt": `${secret} word\n`,
  "odd [1]{a}!# name \\.txt": `${secret} word\n`,
  " blank ": `${secret} word\n`,
  "tab\t.txt": `${secret} word\n`,
};

describe("grep", () => {
  const guarded = {
    ".env": `KEY=${secret}\nword\n`,
    ".ENV.local": `KEY=${secret}\n`,
    ".env.d/db": `KEY=${secret}\n`,
    ".envs/prod/db.txt": `KEY=${secret}\n`,
    ".holdfast/policy.json": `"${secret}"`,
    "sub/.git/config": secret,
    "deploy/prod.env": `KEY=${secret}\n`,
    ".env.example": "KEY=\n",
    "a.ts": "const word = 1;\n",
  };

  test("shows no line of a key of whatever name, nor of git's data in whatever folder", async () => {
    const key = `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n`;
    const git = { "data/HEAD": "x", "data/objects/x": "", "data/refs/x": "", "data/config": secret };
    const workspace = tempTree({ deploy_key: key, "server.pem": secret, "a.ts": `// ${secret}\n`, ...git });
    const { output } = await answer(grep, { pattern: "hunter2" }, workspace);
    expect(output.split("\n")).toEqual([
      `a.ts:1:// ${secret}`,
      "(5 files were not searched: reading them is not allowed unasked)",
    ]);
    const asked = { pattern: "hunter2", path: "deploy_key" };
    expect(await answer(grep, asked, workspace)).toMatchObject({ decision: "ask", output: "" });
    expect((await answer(grep, asked, workspace, policyOf(), true)).output).toContain(secret);
  });

  test("answers byte for byte the same whether a pattern is in a file that it may not read, or not", async () => {
    const workspace = tempTree(guarded);
    for (const more of [{}, { include: ".env*" }, { include: "**/db*" }, { path: ".holdfast/.." }]) {
      const answers = ["KEY=hunter2", "KEY=hunter3", "^hunter", "h.*-x"].map(async (pattern) => {
        const { output, title } = await answer(grep, { pattern, ...more }, workspace);
        return JSON.stringify([output.replace(`for ${pattern} in`, "for PATTERN in"), title]);
      });
      expect(new Set(await Promise.all(answers)).size).toBe(1);
    }
    const { output } = await answer(grep, { pattern: "word|KEY" }, workspace);
    expect(output.split("\n")).toEqual([
      ".env.example:1:KEY=",
      "a.ts:1:const word = 1;",
      "(6 files were not searched: reading them is not allowed unasked)",
    ]);
  });

  test("counts the same whether a pattern is in a key of an honest name, where more lines match than are counted", async () => {
    const key = `-----BEGIN EC PARAMETERS-----\nBggq\n-----END EC PARAMETERS-----\n-----BEGIN EC PRIVATE KEY-----\n${secret}\n`;
    const workspace = tempTree({ "a.txt": "word\n".repeat(10_000), deploy: key, "more/deploy": key });
    const answers = ["hunter2", "hunter3"].map(async (guess) => {
      const { output, title } = await answer(grep, { pattern: `${guess}|word`, max_results: 2 }, workspace);
      return [output, title];
    });
    const [hit, miss] = await Promise.all(answers);
    expect(hit).toEqual(miss);
    expect(hit?.[1]).toBe("10,000 matches");
  });

  test("says nothing of a pattern that fails on a line of such a key", async () => {
    const line = `${"A".repeat(30)}${secret}${"A".repeat(30)}!`;
    const workspace = tempTree({ deploy: `-----BEGIN PRIVATE KEY-----\n${line}\n`, "a.txt": "word\n" });
    const answers = ["hunter2", "hunter3"].map(async (guess) => {
      const { output } = await answer(grep, { pattern: `(?=.*${guess})(?:[A-Z]+)+[~^]` }, workspace);
      return output.replace(guess, "GUESS");
    });
    const [hit, miss] = await Promise.all(answers);
    expect(hit).toBe(miss);
  });

  test.each<[string, Rule]>([
    ["denies grep a folder", rule("deny", "grep", "secrets/**", "*\\\\.txt", " blank ", "tab*")],
    ["denies read_file a folder", rule("deny", "read_file", "secrets/**", "*\\\\.txt", " blank ", "tab*")],
    ["denies every tool a folder", rule("deny", "*", "secrets/**", "*\\\\.txt", " blank ", "tab*")],
    ["asks about grep in a folder", rule("ask", "grep", "secrets/**", "*\\\\.txt", " blank ", "tab*")],
    ["asks about read_file in a folder", rule("ask", "read_file", "secrets/**", "*\\\\.txt", " blank ", "tab*")],
  ])("prints nothing of it where a rule %s, and counts the same whatever is included", async (_name, given) => {
    const workspace = tempTree(files);
    for (const include of [undefined, "*.txt", "secrets/k*", "*.ts"]) {
      const args = include === undefined ? { pattern: "word" } : { pattern: "word", include };
      const { output } = await answer(grep, args, workspace, policyOf(given));
      expect(output).not.toContain(secret);
      expect(output).toContain("(5 files were not searched: reading them is not allowed unasked)");
    }
  });

  test("searches what no rule speaks of, and what an allow rule takes back from nothing stays closed", async () => {
    const workspace = tempTree(files);
    const open = await answer(grep, { pattern: "word" }, workspace);
    expect(open.output.split("\n")).toHaveLength(6);
    const allowed = policyOf(rule("allow", "*", "**"), rule("deny", "grep", "secrets/**"));
    const { output } = await answer(grep, { pattern: "hunter2", path: "." }, workspace, allowed);
    expect(output).not.toContain("secrets/");
    expect(output).toContain("(2 files were not searched");
  });

  test("asks before it searches a guarded file by name; approved it does, and only there", async () => {
    const workspace = tempTree(guarded);
    expect(await answer(grep, { pattern: "KEY", path: ".env" }, workspace)).toMatchObject({ decision: "ask" });
    const one = await answer(grep, { pattern: "KEY", path: ".env" }, workspace, policyOf(), true);
    expect(one.output).toBe(`.env:1:KEY=${secret}`);
    const folder = await answer(grep, { pattern: "KEY", path: ".envs" }, workspace, policyOf(), true);
    expect(folder.output).toBe(`.envs/prod/db.txt:1:KEY=${secret}`);
    const asked = policyOf(rule("ask", "grep"));
    const rest = await answer(grep, { pattern: "KEY" }, workspace, asked, true);
    expect(rest.output.split("\n")).toEqual([
      ".env.example:1:KEY=",
      "(6 files were not searched: reading them is not allowed unasked)",
    ]);
  });
});

describe("names", () => {
  const tree = { ...files, ".env": "KEY=1", ".git/config": "", ".holdfast/policy.json": "" };

  test("of guarded files are told, of sealed places and of what a rule closes they are not", async () => {
    const workspace = tempTree(tree);
    const policy = policyOf(rule("deny", "glob", "secrets/**"), rule("ask", "ls", "secrets/**"));
    const glob = await answer(createGlobTool(), { pattern: "**/*" }, workspace, policy);
    expect(glob.output.split("\n").sort()).toEqual([
      " blank ",
      '"tab\\t.txt"',
      "(2 names left out: telling them is not allowed unasked)",
      ".env",
      "a.ts",
      "odd [1]{a}!# name \\.txt",
    ]);
    const ls = await answer(createLsTool(), {}, workspace, policy);
    expect(ls.output).toContain(".env\n");
    expect(ls.output).not.toMatch(/secrets|holdfast/);
    expect(ls.output).toContain("(2 names left out: telling them is not allowed unasked)");
  });

  test("in a closed folder cannot be guessed: glob answers the same whether there is one or not", async () => {
    const workspace = tempTree(tree);
    const policy = policyOf(rule("deny", "*", "secrets/**"));
    const answers = ["secrets/key.txt", "secrets/no.txt", "secrets/*", "secrets/deep/*"].map(async (pattern) => {
      const { output } = await answer(createGlobTool(), { pattern }, workspace, policy);
      return output.replace(pattern, "PATTERN");
    });
    expect(new Set(await Promise.all(answers)).size).toBe(1);
  });
});

test("a name that a rule closes is no hint where another is not found; others are", async () => {
  const workspace = tempTree({ "merger-acme.md": "x", "merger-plan.md": "x", ".env.prod": "" });
  const policy = policyOf(rule("deny", "*", "merger-acme.md"));
  const edit = { old_string: "a", new_string: "b" };
  for (const file_path of ["merger-acm.md", "Merger-acme.txt"]) {
    const read = await answer(createReadFileTool(), { file_path }, workspace, policy);
    expect(read.output).toContain(`${file_path} does not exist.`);
    expect(read.output).not.toContain("acme.md");
    const edited = await prepareCall(
      createEditFileTool(),
      { file_path, ...edit },
      createToolContext({ workspace }),
      policy,
    );
    expect(edited).toMatchObject({ kind: "refused", message: expect.not.stringContaining("acme.md") });
  }
  const found = await answer(createReadFileTool(), { file_path: "merger-pla.md" }, workspace, policy);
  expect(found.output).toBe("merger-pla.md does not exist. Did you mean merger-plan.md?");
  const secret = await answer(createReadFileTool(), { file_path: "env.prod" }, workspace);
  expect(secret.output).toContain("Did you mean .env.prod?");
});

test("a thousand closed files among open ones are left out one by one", async () => {
  const root = tempTree({ "open.txt": "word" });
  mkdirSync(join(root, "many"));
  for (let i = 0; i < 1_000; i += 1) {
    writeFileSync(join(root, "many", `${i}.key.txt`), `${secret} word`);
    writeFileSync(join(root, "many", `${i}.txt`), "nothing");
  }
  const policy = policyOf(rule("deny", "read_file", "**/*.key.txt"));
  expect((await answer(grep, { pattern: "word" }, root, policy)).output.split("\n")).toEqual([
    "open.txt:1:word",
    "(1,000 files were not searched: reading them is not allowed unasked)",
  ]);
});
