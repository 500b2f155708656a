import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import { leadLook } from "../../src/policy/files/lead-look.ts";
import type { Mode, Policy } from "../../src/policy/types.ts";
import { createReadFileTool } from "../../src/tools/files/read-file.ts";
import { createWriteFileTool } from "../../src/tools/files/write-file.ts";
import { createGrepTool } from "../../src/tools/search/grep.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { calls, openStage, says } from "../support/play.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** A workspace that is a repository, with links as `name -> what it names`. */
function place(files: Record<string, string>, links: Record<string, string>): string {
  const workspace = tempTree({ ".git/HEAD": "ref: refs/heads/main\n", ...files });
  for (const [path, target] of Object.entries(links)) link(workspace, path, target);
  return workspace;
}

function link(workspace: string, path: string, target: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true });
  symlinkSync(target, join(workspace, path));
}

const policyOf = (workspace: string, mode: Mode): Policy => ({
  ...{ rules: [], grants: [], mode, sealed: { roots: [] } },
  leads: leadLook(workspace)(),
});

/** What policy says of writing the file, in the mode that allows the most for edits, and of reading it. */
async function judged(workspace: string, file_path: string) {
  const ctx = createToolContext({ workspace });
  const policy = policyOf(workspace, "accept-edits");
  const write = await prepareCall(createWriteFileTool(), { file_path, content: "x\n" }, ctx, policy);
  const read = await prepareCall(createReadFileTool(), { file_path }, ctx, policy);
  const said = (one: typeof write) =>
    one.kind === "refused" ? one.code : `${one.verdict.decision} ${one.verdict.rule.source}`;
  return { write: said(write), read: said(read) };
}

const sealed = { write: "deny sealed", read: "deny sealed" };
const guarded = { write: "ask guarded", read: "allow table" };
const secret = { write: "ask guarded", read: "ask guarded" };
const open = { write: "allow mode", read: "allow table" };
const watched = { write: "ask watched", read: "allow table" };

const cases: [links: Record<string, string>, file: string, wanted: typeof open][] = [
  [{ ".holdfast": "hf" }, "hf/policy.json", sealed],
  [{ ".holdfast/policy.json": "../hf/policy.json" }, "hf/policy.json", sealed],
  [{ "AGENTS.md": "docs/guide.md" }, "docs/guide.md", guarded],
  [{ ".github/workflows": "../ci" }, "ci/build.yml", guarded],
  [{ ".husky": "hooks" }, "hooks/pre-commit", guarded],
  [{ ".env": "conf/dev.txt" }, "conf/dev.txt", secret],
  [{ ".git/hooks": "../hooks" }, "hooks/pre-commit", sealed],
  [{ ".vscode": "../outside/y", here: "." }, "y.txt", open],
  // in subfolders, of another case, by the whole path, by a link to a link, and by a folder that begins a name
  [{ "apps/web/.env": "../../conf/dev.txt" }, "conf/dev.txt", secret],
  [{ "apps/web/Claude.MD": "../../docs/guide.md" }, "docs/guide.md", guarded],
  [{ "CLAUDE.md": "a.md", "a.md": "docs/guide.md" }, "docs/guide.md", guarded],
  [{ ".env": "one", one: "two", two: "conf/dev.txt" }, "conf/dev.txt", secret],
  [{ ".config": "dot" }, "dot/nvim/init.lua", guarded],
  [{ ".config": "dot", "dot/nvim": "../vim" }, "vim/init.lua", guarded],
  [{ ".cursor/rules": "../docs" }, "docs/deep/er/guide.md", guarded],
  [{ "deploy/id_rsa": "../conf/dev.txt" }, "conf/dev.txt", secret],
  [{ Makefile: "build/rules.txt" }, "build/rules.txt", watched],
  [{ ".idea": "conf", conf2: "conf" }, "conf2/a.xml", guarded],
];

describe("a protected name that is a link protects what it leads to", () => {
  test.each(cases)("%o: %s", async (links, file, wanted) => {
    const workspace = place({ "conf/dev.txt": "A=1\n", "docs/guide.md": "x\n", "README.md": "x\n" }, links);
    mkdirSync(dirname(join(workspace, file)), { recursive: true });
    writeFileSync(join(workspace, file), "now\n");
    expect(await judged(workspace, file)).toEqual(wanted);
    expect(await judged(workspace, "README.md")).toEqual(open);
    expect(await judged(workspace, "docs-of-mine.md")).toEqual({ ...open });
  });

  test("also where it is not there yet", async () => {
    const workspace = place({ "README.md": "x\n" }, { ".env.local": "conf/new.txt", "GEMINI.md": "docs/new.md" });
    expect((await judged(workspace, "conf/new.txt")).write).toBe("ask guarded");
    expect((await judged(workspace, "docs/new.md")).write).toBe("ask guarded");
  });

  test("by the root of the repository, where the agent is started below it", async () => {
    const top = place({ "sub/docs/guide.md": "x\n", "sub/dev.txt": "A=1\n" }, { "AGENTS.md": "sub/docs/guide.md" });
    link(top, ".github/copilot-instructions.md", "../sub/dev.txt");
    expect(await judged(join(top, "sub"), "docs/guide.md")).toEqual(guarded);
    expect(await judged(join(top, "sub"), "dev.txt")).toEqual(guarded);
  });

  test("without closing the workspace where it leads to what holds that: each call is a question", async () => {
    const workspace = place({ "a.txt": "x\n" }, { ".holdfast": "." });
    expect(await judged(workspace, "a.txt")).toEqual(secret);
  });

  test("and leaves alone what only honest links lead to", async () => {
    const links = { "docs/latest": "v2", "node_modules/@me/web": "../../packages/web", "notes.md": "docs/v2/a.md" };
    const workspace = place({ "docs/v2/a.md": "x\n", "packages/web/index.ts": "x\n" }, links);
    expect(await judged(workspace, "docs/v2/a.md")).toEqual(open);
    expect(await judged(workspace, "packages/web/index.ts")).toEqual(open);
  });
});

describe("another name of a protected file", () => {
  test("is that file, by device and inode", async () => {
    const workspace = place(
      { ".env": "A=1\n", "sub/.npmrc": "a\n", "AGENTS.md": "x\n", ".holdfast/policy.json": "{}" },
      {},
    );
    const pairs = [
      [".env", "notes.txt", secret],
      ["sub/.npmrc", "rc.txt", secret],
      ["AGENTS.md", "guide.md", guarded],
      [".holdfast/policy.json", "rules.json", sealed],
    ] as const;
    for (const [from, to, wanted] of pairs) {
      linkSync(join(workspace, from), join(workspace, to));
      expect([to, await judged(workspace, to)]).toEqual([to, wanted]);
    }
    writeFileSync(join(workspace, "one.txt"), "x\n");
    linkSync(join(workspace, "one.txt"), join(workspace, "two.txt"));
    expect(await judged(workspace, "two.txt")).toEqual(open);
  });

  test("is not searched, nor is what a link of a secret's name leads to", async () => {
    const workspace = place({ ".env": "hunter2\n", "conf/dev.txt": "hunter2\n", "a.txt": "hunter2\n" }, {});
    linkSync(join(workspace, ".env"), join(workspace, "notes.txt"));
    link(workspace, "sub/.env.dev", "../conf/dev.txt");
    const policy = policyOf(workspace, "ask");
    const made = await prepareCall(createGrepTool(), { pattern: "hunter" }, createToolContext({ workspace }), policy);
    if (made.kind !== "ready") throw new Error(made.kind);
    const { output } = resultOf(await made.run(new AbortController().signal, { policy }));
    expect(output).toContain("a.txt:1:hunter2");
    expect(output).not.toMatch(/notes\.txt|dev\.txt|\.env:/u);
  });
});

test("a link that a command makes counts for the next call, and one that is gone does not", async () => {
  const workspace = place({ "conf/dev.txt": "A=1\n", "sub/deep/a.txt": "x\n" }, {});
  const look = leadLook(workspace);
  const policy = (): Policy => ({ rules: [], grants: [], mode: "accept-edits", sealed: { roots: [] }, leads: look() });
  const read = async () => {
    const args = { file_path: "conf/dev.txt" };
    const made = await prepareCall(createReadFileTool(), args, createToolContext({ workspace }), policy());
    return made.kind === "refused" ? made.code : made.verdict.decision;
  };
  expect(await read()).toBe("allow");
  link(workspace, "sub/deep/.env", "../../conf/dev.txt");
  expect(await read()).toBe("ask");
  rmSync(join(workspace, "sub/deep/.env"));
  expect(await read()).toBe("allow");
  link(workspace, "new/folder/.env", "../../conf/dev.txt");
  expect(await read()).toBe("ask");
});

test("a session asks before it writes what its instructions lead to", async () => {
  const write = (file_path: string): [string, { file_path: string; content: string }] => [
    "write_file",
    { file_path, content: "new\n" },
  ];
  const stage = await openStage({
    lines: [calls(write("docs/guide.md"), write("docs/other.md")), says("done")],
    files: { "docs/guide.md": "old\n" },
    mode: "accept-edits",
  });
  link(stage.workspace, "AGENTS.md", "docs/guide.md");
  const life = await stage.begin("go");
  const { calls: asked } = life.last("approval_requested");
  expect(asked.map(({ verdict }) => verdict.why)).toEqual([
    "docs/guide.md, which AGENTS.md leads to, is guarded, a person decides each time: it instructs agents that work here",
  ]);
  expect(stage.text("docs/guide.md")).toBe("old\n");
  await life.close();
});
