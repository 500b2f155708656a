import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pinRoots } from "../../src/files/pinned-roots.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import { leadLook } from "../../src/policy/files/lead-look.ts";
import type { Policy, Rule } from "../../src/policy/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { createToolContext, resultOf } from "../../src/tools/use/run-tool.ts";
import { describeInSandbox } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

const files = {
  ".env": "SECRET of .env\n",
  "a.txt": "plain\n",
  "b.txt": "other\n",
  "private/plan.txt": "SECRET of a denied file\n",
  "asked/x.txt": "SECRET of an asked file\n",
  "conf/server.pem": "SECRET of a key\n",
  "conf/open.txt": "plain\n",
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/config": '[remote "o"]\n\turl = https://SECRET@example.com/x\n',
  ".holdfast/policy.json": '{ "rules": [] } // SECRET\n',
};

const rule = (paths: string[], decision: Rule["decision"]): Rule => ({
  tool: "read_file",
  paths,
  decision,
  why: "",
  origin: { source: "user", file: "policy.json", line: 1 },
});

const rules = [rule(["private/**"], "deny"), rule(["asked/**"], "ask")];

/** A session's shell in a folder of its own; `run` runs only what is allowed without a question. */
function stage({
  env = {},
  shellEnv = [] as string[],
  mode = "ask" as Policy["mode"],
  sandbox = "required" as "required" | "off",
} = {}) {
  const workspace = tempTree(files);
  const scratch = tempTree();
  const outside = tempTree({ "secret.txt": "SECRET outside\n" });
  const shell = { sandbox, scratch, env: { ...process.env, ...env }, shellEnv };
  const tools = createDefaultTools({ workspace, shell });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("no shell");
  const pins = pinRoots(workspace);
  onTestFinished(async () => {
    for (const one of tools) await one.dispose?.();
    pins.close();
  });
  const leads = leadLook(workspace);
  const prepare = (command: string, more = {}) =>
    prepareCall(tool, { command, ...more }, createToolContext({ workspace, pins, cwd: workspace, callId: "c1" }), {
      rules,
      grants: [],
      mode,
      sealed: { roots: [] },
      leads: leads(),
    } satisfies Policy);
  const judge = async (command: string, more = {}) => {
    const prepared = await prepare(command, more);
    return prepared.kind === "ready" || prepared.kind === "denied" ? prepared.verdict.decision : prepared.kind;
  };
  const run = async (command: string) => {
    const prepared = await prepare(command);
    if (prepared.kind !== "ready" || prepared.verdict.decision !== "allow")
      throw new Error(`${prepared.kind === "ready" ? prepared.verdict.why : prepared.kind}: ${command}`);
    const result = resultOf(await prepared.run(AbortSignal.timeout(30_000)));
    if (result.error !== undefined) throw new Error(`${result.error}: ${command}`);
    return { ...result, effect: prepared.facts.effect };
  };
  return { workspace, scratch, outside, judge, run };
}

const emptied = "(what lies in .git, .holdfast is not there for it)";

describeInSandbox("a line that only reads, and is not asked about (needs bubblewrap)", () => {
  test("goes through folders and finds what is not closed; it says how much was left out", async () => {
    const { run } = stage();
    const { output, effect } = await run("grep -rhs . . | sort");
    expect(effect).toBe("none");
    expect(output).toBe(
      `other\nplain\nplain\n(exit code 0)\n${emptied}\n(4 places that are not read without asking were left out)`,
    );
    expect((await run("cat *.txt")).output).toContain("plain\nother\n");
    expect((await run("find . -name 'o*.txt'")).output).toContain("./conf/open.txt\n");
    expect((await run("awk '{print $1}' a.txt b.txt")).output).toContain("plain\nother\n");
    expect((await run("sed -n '1p;2p' a.txt")).output).toContain("plain\n");
  });

  test("says which folders of version control are empty, where the line would have gone through them", async () => {
    const { run } = stage();
    const says = async (line: string) => (await run(line)).output.includes(emptied);
    for (const line of ["find .", "find . -name HEAD | head", "grep -r plain .", "diff -r . conf"])
      expect([line, await says(line)]).toEqual([line, true]);
    for (const line of ["find conf", "ls -R .", "grep plain a.txt", "grep -r plain conf", "cat *.txt"])
      expect([line, await says(line)]).toEqual([line, false]);
  });

  test("counts what the line would have come upon, and not what lies elsewhere", async () => {
    const { run } = stage();
    const last = async (line: string) => (await run(line)).output.trimEnd().split("\n").at(-1);
    expect(await last("cat conf/* | wc -l")).toBe("(1 place that is not read without asking was left out)");
    expect(await last("grep -rhs . conf | sort")).toBe("(1 place that is not read without asking was left out)");
    expect(await last("f=a.txt; wc -l $f b*.txt")).toBe("(exit code 0)");
    expect(await last("cat $(ls a.txt)")).toBe(
      "(it may read any file by words that are known only when it runs: 4 places that are not read without asking are not there for it)",
    );
  });

  test("a file that a rule keeps from being read is no free reader's either, in the sandbox and without it", async () => {
    const lines = [
      "cat private/plan.txt",
      "cat < asked/x.txt",
      "head -1 asked/*",
      "x=$(<asked/x.txt)",
      "git show HEAD:asked/x.txt",
    ];
    for (const sandbox of ["required", "off"] as const) {
      const { judge } = stage({ sandbox });
      for (const line of lines) expect([line, await judge(line)]).toEqual([line, "ask"]);
      expect([await judge("ls private"), await judge("cat a.txt")]).toEqual(["allow", "allow"]);
    }
  });

  test.each([
    "grep -rhs . . .git",
    "cat $(printf '.e%s' nv) private/* asked/* 2>&1; true",
    "f=$(printf '.git/conf%s' ig); cat $f",
    "cat $(printf '/etc/sha%s' dow) $(printf '/ro%s/.bashrc' ot) /dev/null",
    "head -c 300 $(printf '/proc/1/envi%s' ron)",
    "find . -type f | xargs cat",
    'ls -A | while read -r f; do cat "$f"; done',
    "cat $(echo .holdfast/policy.json)",
    "zgrep -h . $(ls -d .e*)",
  ])("%s: nothing that is closed, or lies elsewhere, is told", async (command) => {
    const { judge, run } = stage();
    // Asked about is as good; but what runs tells nothing.
    if ((await judge(command)) !== "allow") return;
    const { output } = await run(command);
    expect(output).not.toContain("SECRET");
    expect(output).not.toMatch(/root:[*!$x]|^PATH=/mu);
  });

  test("a link of the workspace leads to nothing outside of it", async () => {
    const { workspace, outside, run, judge } = stage();
    symlinkSync(join(outside, "secret.txt"), join(workspace, "link.md"));
    symlinkSync(outside, join(workspace, "folder"));
    expect(await judge("cat link.md")).toBe("ask");
    expect((await run("grep -Rhs . . | sort -u")).output).not.toContain("SECRET");
    expect((await run("cat $(printf 'li%s' nk.md) 2>&1; true")).output).not.toContain("SECRET");
  });

  test("another name of a file that is closed tells nothing of it, a link and a hard link, wherever the file lies", async () => {
    const { workspace, run } = stage();
    const at = (name: string): string => join(workspace, name);
    mkdirSync(at("sub/deep"), { recursive: true });
    writeFileSync(at("sub/open.txt"), "open\n");
    linkSync(at(".env"), at("sub/deep/hard.txt"));
    linkSync(at("conf/server.pem"), at("sub/key.txt"));
    symlinkSync("../.env", at("sub/soft.txt"));
    symlinkSync("../private", at("sub/folder"));
    symlinkSync("../asked/x.txt", at("sub/asked.txt"));
    symlinkSync("../.git", at("sub/data"));
    symlinkSync("../.holdfast/policy.json", at("sub/rules.json"));
    symlinkSync("..", at("sub/deep/top"));
    for (const line of ["grep -Rhs . sub", "grep -rhs . sub", "cd sub && grep -Rhs . .", "diff -rN sub conf"])
      expect([line, (await run(line)).output]).toEqual([line, expect.not.stringContaining("SECRET")]);
    expect((await run("grep -rhs . sub")).output).toMatch(/^open\n\(exit code/u);
    linkSync(at("private/plan.txt"), at("twin.txt"));
    expect((await run("grep -rhs . . | sort")).output).not.toContain("SECRET");
    mkdirSync(at("led"));
    mkdirSync(at("plain"));
    writeFileSync(at("plain/of-it.txt"), "SECRET by its link alone\n");
    symlinkSync("../plain/of-it.txt", at("led/.env"));
    for (const line of ["grep -Rhs . led", "grep -rhs . led"])
      expect([line, (await run(line)).output]).toEqual([line, expect.not.stringContaining("SECRET")]);
  });

  test("more closed files than are looked at for their other names tell nothing: the line is not run", async () => {
    const { workspace, run } = stage();
    mkdirSync(join(workspace, "private/many"));
    for (let i = 0; i < 5100; i += 1) writeFileSync(join(workspace, "private/many", `${i}`), "");
    linkSync(join(workspace, "private/plan.txt"), join(workspace, "t.txt"));
    await expect(run("grep -rhs SECRET . --include=t.txt")).rejects.toThrow("too many to keep them from it");
  });

  test("git's data by another name, which a file .git leads to, is come upon as little as in its own folder", async () => {
    const { workspace, run } = stage();
    cpSync(join(workspace, ".git"), join(workspace, "sub/meta"), { recursive: true });
    writeFileSync(join(workspace, "sub/meta/config"), "url = SECRET\n");
    for (const name of ["objects", "refs"]) mkdirSync(join(workspace, "sub/meta", name), { recursive: true });
    writeFileSync(join(workspace, "sub/meta/HEAD"), "ref: refs/heads/main\n");
    expect((await run("grep -rhs . sub")).output).not.toContain("SECRET");
  });

  test("words that become options, and programs of the workspace, write nothing and start nothing that does", async () => {
    const { workspace, scratch, run } = stage();
    writeFileSync(join(workspace, "--output=made"), "x\n");
    writeFileSync(join(workspace, "--compress-program=touch"), "x\n");
    await expect(run("sort *")).rejects.toThrow("may be an option");
    await expect(run("f=$(printf -- '--output=ma%s' de); sort $f a.txt")).rejects.toThrow("may be an option");
    await expect(run(`f="sed w"; cat $f; o=$(printf -- '-es/a/b/w ma%s' de); sed -n p "$o" a.txt`)).rejects.toThrow(
      "may be an option",
    );
    await run("o=$(printf '{print > \"ma%s\"}' de); cat a.txt");
    expect(existsSync(join(workspace, "made"))).toBe(false);
    // What commands keep for a moment is read, and stays as it was.
    writeFileSync(join(scratch, "tmp", "kept"), "kept\n");
    expect((await run("cat $TMPDIR/kept")).output).toContain("kept\n");
    await run("sort --output=$TMPDIR/kept $(ls -d a*); f=$(printf -- '--output=%s/kept' $TMPDIR); sort $f a.txt").catch(
      () => undefined,
    );
    expect(readFileSync(join(scratch, "tmp", "kept"), "utf8")).toBe("kept\n");
  });

  test("tells in its result that not all names of a pattern were judged, for nobody has read it in a question", async () => {
    const { workspace, run } = stage();
    mkdirSync(join(workspace, "many"));
    for (let at = 0; at < 520; at += 1) writeFileSync(join(workspace, `many/${at}.txt`), "x\n");
    expect((await run("cat many/*.txt | wc -l")).output).toMatch(
      /^520\n.*\(a pattern in it stands for more files than are looked at/su,
    );
    expect((await run("cat many/51?.txt | wc -l")).output).not.toContain("a pattern in it");
  });

  test("variables that the person lets pass are not for it", async () => {
    const { run } = stage({ env: { MY_TOKEN: "SECRET of the person" }, shellEnv: ["MY_TOKEN"] });
    expect((await run("env")).output).not.toContain("SECRET");
    expect((await run("echo x$MY_TOKEN")).output).toContain("x\n");
  });

  test.each([
    "cat *.txt > made",
    "grep -r plain . | tee made",
    "find . -delete",
    "find . -exec rm {} +",
    "find . | xargs rm",
    "sort -o made *",
    "sed -i s/a/b/ *.txt",
    "sed -n 'w made' a.txt",
    "awk '{print > \"made\"}' a.txt",
    "awk 'BEGIN { system(\"id\") }'",
    "rg --pre ./x foo",
    "PATH=. grep -r plain .",
    "LD_PRELOAD=./x.so cat a.txt",
    "BASH_ENV=./x cat *.txt",
    "./cat a.txt",
    "cat $(./x)",
    "git status; rg plain",
    "git log; cat $x",
    "git ls-files | xargs cat",
    "rg plain /etc",
    "find / -name x",
    "cat /etc/hostname",
    "cat /etc/host*",
    "cat ~/.ba*",
    "head ../*",
    "ls --color=never /var/lo?",
    "x=/etc; cat $x/host*",
    "cat {/etc/hostname,a.txt}",
    "grep -rf /etc/hos* .",
    "tar xf a.tar",
    "python3 -c 'print(1)'",
    "yarn --version; ./x",
    "source a.txt",
    "eval cat $x",
    "$x a.txt",
  ])("%s asks", async (command) => {
    expect(await stage().judge(command)).toBe("ask");
  });

  test("with the network it asks, for it could tell what it read", async () => {
    const { judge } = stage();
    expect(await judge("grep -r plain .", { network: true })).toBe("ask");
    expect(await judge("cat $(ls)", { network: true })).toBe("ask");
  });

  test("says where the sandbox changes an answer", async () => {
    const { run } = stage();
    expect((await run("ps -e")).output).toContain("only the processes of this command are seen");
    expect((await run("df .")).output).toContain("the disks are those that it has");
  });

  test("any program may be asked for its version, and finds nothing that is closed", async () => {
    const bin = mkdtempSync("/var/tmp/holdfast-programs-");
    onTestFinished(() => rmSync(bin, { recursive: true }));
    const script = "#!/bin/sh\ncat .env .git/config; echo hidden > made; echo version 1\n";
    writeFileSync(join(bin, "frob"), script, { mode: 0o755 });
    const { workspace, run } = stage({ env: { PATH: `${bin}:${process.env["PATH"]}` } });
    const { output } = await run("frob --version 2>/dev/null");
    expect(output).toContain("version 1");
    expect(output).not.toContain("SECRET");
    expect(existsSync(join(workspace, "made"))).toBe(false);
  });

  test("runs where nothing may be changed", async () => {
    const { run } = stage({ mode: "read-only" });
    expect((await run("grep -rh other .")).output).toContain("other\n");
  });
});
