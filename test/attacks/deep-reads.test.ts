import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Mode, Policy, Rule } from "../../src/policy/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { describeInSandbox } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

const files = {
  ".env": "SECRET of .env\n",
  "a.txt": "plain\n",
  "private/plan.txt": "SECRET of a denied file\n",
  "asked/x.txt": "SECRET of an asked file\n",
  "conf/server.pem": "SECRET of a key\n",
  "conf/deep/.npmrc": "SECRET of npm\n",
  "conf/open.txt": "plain\n",
  "package.json": '{"name":"a","version":"1.0.0","scripts":{"t":"cat .env"}}',
};

const rule = (paths: string[], decision: Rule["decision"], tool = "read_file"): Rule => ({
  tool,
  paths,
  decision,
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
});

const rules = [rule(["private/**"], "deny"), rule(["asked/**"], "ask")];

function stage(
  sandbox: "required" | "off",
  mode: Mode = "full-auto",
  given = rules,
  more: Record<string, string> = {},
) {
  const workspace = tempTree({ ...files, ...more });
  const tools = createDefaultTools({ workspace, shell: { sandbox, scratch: tempTree() } });
  const shell = tools.find(({ name }) => name === "shell");
  if (shell === undefined) throw new Error("no shell");
  onTestFinished(async () => {
    for (const tool of tools) await tool.dispose?.();
  });
  const policy: Policy = {
    rules: given,
    grants: [],
    mode,
    sealed: { roots: [] },
    ...(sandbox === "off" ? { isSandboxOff: true } : {}),
  };
  const prepare = (command: string) =>
    prepareCall(shell, { command }, createToolContext({ workspace, cwd: workspace, callId: "c1" }), policy);
  const run = async (command: string) => {
    const prepared = await prepare(command);
    if (prepared.kind !== "ready") throw new Error(`${prepared.kind}: ${command}`);
    const result = resultOf(await prepared.run(AbortSignal.timeout(30_000)));
    return { ...result, verdict: prepared.verdict };
  };
  const judge = async (command: string) => {
    const prepared = await prepare(command);
    return prepared.kind === "refused" ? prepared : prepared.verdict;
  };
  return { workspace, prepare, run, judge };
}

describeInSandbox("a command in the sandbox that reads what it does not name (needs bubblewrap)", () => {
  test.each([
    "grep -rh . .",
    "grep -Rh . conf private asked .",
    "cp -r . x; cd x && grep -rh . .",
    "tar cf - .",
    "f=$(printf '.e%s' nv); cat $f; cat $(ls -d pri*)/*",
    "find . -type f -exec cat {} +",
    "find . -type f | xargs cat",
    'ls -A | while read f; do cat "$f"; done',
    'read f < <(printf .env); cat "$f"; cat *',
    "diff -r . conf",
    "git init -q; git grep --no-index -h SECRET",
    "zip -qr - . 2>/dev/null || tar c .",
    "rg -uuu . 2>/dev/null || grep -r .",
  ])("%s does not come upon what is guarded, denied or asked about", async (command) => {
    const { run } = stage("required");
    const { output, verdict, error } = await run(command);
    expect(error).toBeUndefined();
    expect(verdict.decision).toBe("allow");
    expect(output).not.toContain("SECRET");
  });

  test("says what was kept from it, and reads all else", async () => {
    const { run, workspace } = stage("required");
    const { output, display } = await run("grep -rh . .");
    expect(output).toContain("plain\n");
    expect(output).toContain("cannot open what is not read without asking");
    expect(output).toContain(join(workspace, ".env"));
    expect(display).toContain("cannot open what is not read without asking");
  });

  test("a command that only runs the project's programs reads its files as before", async () => {
    const { run } = stage("required");
    expect((await run("npm run -s t")).output).toBe("SECRET of .env\n(exit code 0)");
    expect((await run("grep -rh plain conf/open.txt a.txt")).output).toBe("plain\nplain\n(exit code 0)");
    expect((await run("tar cf x.tar a.txt conf/open.txt 2>&1; rm -rf conf; ls")).output).toContain("a.txt");
  });

  test("what a person approved by its name is read, beside a folder that is gone through", async () => {
    const { prepare } = stage("required", "ask");
    const prepared = await prepare("cat .env; grep -rh SECRET conf");
    expect(prepared).toMatchObject({ kind: "ready", verdict: { decision: "ask", rule: { source: "guarded" } } });
    if (prepared.kind !== "ready") return;
    const { output } = resultOf(await prepared.run(AbortSignal.timeout(30_000)));
    expect(output).toContain("SECRET of .env");
    expect(output).not.toContain("SECRET of a key");
  });

  test("git commits what lies there, and nothing that was kept from a command", async () => {
    const { run, workspace } = stage("required", "full-auto", rules);
    const git = (...args: string[]) => spawnSync("git", args, { cwd: workspace, encoding: "utf8" }).stdout;
    git("init", "-q");
    git("config", "user.name", "T");
    git("config", "user.email", "t@example.com");
    await run("git add a.txt conf private && git commit -qm first");
    expect(git("show", "HEAD:private/plan.txt")).toBe(files["private/plan.txt"]);
    expect(git("status", "--short", "conf", "private")).toBe("");
  });

  test("where there is too much to look through, or to keep from it, it is not run", async () => {
    const many = Object.fromEntries(Array.from({ length: 401 }, (_, at) => [`keys/${at}.pem`, "SECRET\n"]));
    const { run } = stage("required", "full-auto", rules, many);
    expect(await run("grep -rh SECRET .")).toMatchObject({
      error: expect.stringMatching(/40\d files/),
      metadata: { code: "TOO_LARGE" },
    });
    expect((await run("grep -rh plain conf/open.txt; grep -rh plain conf 2>/dev/null")).output).toContain(
      "plain\nplain\n",
    );
  });
});

describe("a command without the sandbox that reads what it does not name", () => {
  test.each([
    "grep -rh . .",
    "tar cf - .",
    "cp -r . x",
    "find . -type f | xargs cat",
    "git grep --no-index SECRET",
    "cat $(ls)",
  ])("%s is asked about, also where it goes by an approval of all", async (command) => {
    const { judge } = stage("off");
    expect(await judge(command)).toMatchObject({ decision: "ask", risk: "high", rule: { source: "guarded" } });
  });

  test("names the place", async () => {
    const { judge } = stage("off", "full-auto", [rule(["asked/**"], "ask")]);
    expect(await judge("grep -rh . asked")).toMatchObject({ why: expect.stringMatching(/asked(\/x\.txt)? lies/) });
    expect(await judge("grep -rh . private")).toMatchObject({ decision: "allow" });
    expect(await judge("grep -rh . conf")).toMatchObject({ why: expect.stringContaining("conf/") });
  });

  test("a rule about shell and paths counts too", async () => {
    const { judge } = stage("off", "full-auto", [rule(["private/**"], "deny", "shell")]);
    expect(await judge("grep -rh . .")).toMatchObject({ decision: "ask" });
  });

  test("is not where nothing of the kind lies there", async () => {
    const { judge } = stage("off", "full-auto", []);
    for (const command of ["grep -rh plain private", "cp -r asked x", "npm run -s t", "grep plain a.txt", "cat *.txt"])
      expect([command, await judge(command)]).toMatchObject([command, { decision: "allow" }]);
  });
});
