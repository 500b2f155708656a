import { execFileSync } from "node:child_process";
import { existsSync, linkSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sha256 } from "../../src/core/json.ts";
import { prepareCall } from "../../src/graph/calls/prepare.ts";
import type { Policy } from "../../src/policy/types.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { resultOf } from "../../src/tools/use/results.ts";
import { createToolContext } from "../../src/tools/use/run-tool.ts";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInSandbox } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

const shell = (command: string) => asks("shell", { command });
const write = (file_path: string, content: string) => asks("write_file", { file_path, content });
const open = ["--mode", "accept-edits", "--auto-sandbox"];
const run = (place: Place, ...flags: string[]) => place.json(["run", "do it", ...open, ...flags]);
const goOn = (place: Place, session: string) => place.json(["run", "go on", "--session", session, ...open]);
const asked = (ran: Told) => ran.of("approval_requested").map(({ calls }) => calls.map(({ callId }) => callId));

describeInSandbox("what a session wrote, by its journal (needs bubblewrap)", () => {
  it("does not count once it was undone, though a command put the same bytes back", async () => {
    const place = await openPlace([write("a.sh", "echo one\n"), shell("bash a.sh"), says("Done."), shell("bash a.sh")]);
    const ran = await run(place);
    expect(asked(ran)).toEqual([]);
    expect((await place.json(["undo", ran.session, "--yes"])).code).toBe(0);
    await place.write("a.sh", "echo one\n");
    expect(asked(await goOn(place, ran.session))).toHaveLength(1);
  });

  it("does not count in the fork that a rewind makes, nor in the session after it", async () => {
    const place = await openPlace([write("a.sh", "echo one\n"), says("Done."), shell("bash a.sh"), shell("bash a.sh")]);
    const ran = await run(place);
    const fork = (await place.run(["sessions", "fork", ran.session])).stdout.trim();
    expect((await place.json(["undo", ran.session, "--yes"])).code).toBe(0);
    await place.write("a.sh", "echo one\n");
    expect(asked(await goOn(place, fork))).toHaveLength(1);
    expect(asked(await goOn(place, ran.session))).toHaveLength(1);
  });

  it("is asked about where one message writes it, runs it, writes it again and runs it: no run has other bytes than were shown", async () => {
    const of = (...answers: ReturnType<typeof asks>[]) => ({ calls: answers.flatMap(({ calls = [] }) => calls) });
    const place = await openPlace([
      of(
        write("a.sh", "echo one\n"),
        shell("bash a.sh"),
        write("a.sh", "echo two; f=src; rm -r $f\n"),
        shell("bash a.sh"),
      ),
      says("Done."),
    ]);
    await place.write("src/keep.txt", "keep\n");
    const ran = await run(place);
    expect(asked(ran)).toEqual([["c2", "c4"]]);
    // By then it holds other bytes than when c2 was shown.
    const on = await place.json(["resume", ran.session, "--approve", "c2", "--deny", "c4", ...open]);
    expect(asked(on).at(-1)).toEqual(["c2"]);
    expect(on.of("tool_call").map(({ call }) => `${call.callId} ${call.status}`)).not.toContain("c2 executing");
    expect(await place.read("src/keep.txt")).toBe("keep\n");
  });

  it("does not count where the very bytes were there already: of such a write nobody is asked", async () => {
    const again = write("theirs.sh", "echo THEIRS\n");
    const place = await openPlace([again, shell("bash theirs.sh"), says("Done.")], { "theirs.sh": "echo THEIRS\n" });
    expect(asked(await place.json(["run", "do it", "--mode", "ask", "--auto-sandbox"]))).toEqual([["c2"]]);
    place.server.push(
      write("own.sh", "echo own\n"),
      write("own.sh", "echo own\n"),
      shell("bash own.sh"),
      says("Done."),
    );
    expect(asked(await run(place))).toEqual([]);
  });

  it("does not count while a write of it waits, nor where it was denied", async () => {
    const place = await openPlace([write("a.sh", "echo one\n"), shell("bash a.sh"), says("Done.")]);
    const mode = ["--mode", "ask", "--auto-sandbox"];
    const ran = await place.json(["run", "do it", ...mode]);
    expect(asked(ran)).toEqual([["c1"]]);
    await place.write("a.sh", "echo one\n");
    expect(asked(await place.json(["resume", ran.session, "--deny", "c1", ...mode]))).toContainEqual(["c2"]);
  });
});

const files = { "lib.sh": "echo THEIRS\n", "src/t.mjs": "console.log('THEIRS');\n", "package.json": "{}\n" };

function stage({ policy = {} as Partial<Policy>, shell = {} as object, workspace = tempTree(files) } = {}) {
  const tools = createDefaultTools({ workspace, shell: { sandbox: "required", scratch: tempTree(), ...shell } });
  const tool = tools.find(({ name }) => name === "shell");
  if (tool === undefined) throw new Error("no shell");
  onTestFinished(async () => {
    for (const one of tools) await one.dispose?.();
  });
  const made = new Map<string, string>();
  const put = (name: string, text: string, mode = 0o755): string => {
    const path = join(workspace, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text, { mode });
    made.set(path, sha256(Buffer.from(text)));
    return path;
  };
  const all: Policy = { rules: [], grants: [], mode: "ask", sealed: { roots: [] }, autoSandbox: true, ...policy };
  const context = { ...createToolContext({ workspace, cwd: workspace, callId: "c1" }), made: () => made };
  const prepare = async (command: string) => {
    const prepared = await prepareCall(tool, { command }, context, all);
    if (prepared.kind !== "ready") throw new Error(`${prepared.kind}: ${command}`);
    return prepared;
  };
  const judge = async (command: string): Promise<string> => {
    const { plan, verdict } = await prepare(command);
    return `${plan.apart === true ? "apart " : ""}${verdict.decision}`;
  };
  const output = async (command: string): Promise<string> => {
    const { plan, run } = await prepare(command);
    if (plan.apart !== true) throw new Error(`not apart: ${command}`);
    return resultOf(await run(AbortSignal.timeout(30_000))).output;
  };
  return { workspace, put, made, prepare, judge, output };
}

describeInSandbox("a file that a session made (needs bubblewrap)", () => {
  it.each([
    ["a pipe", (at: string) => [rmSync(at), execFileSync("mkfifo", [at])]],
    ["a link that leads to itself", (at: string) => [rmSync(at), symlinkSync(at, at)]],
    [
      "renamed over by one of other bytes",
      (at: string) => [writeFileSync(`${at}.n`, "echo no\n"), renameSync(`${at}.n`, at)],
    ],
    ["a hard link of another file", (at: string) => [rmSync(at), linkSync(join(at, "../../lib.sh"), at)]],
    [
      "in a folder that is a link by now",
      (at: string) => [
        renameSync(join(at, ".."), `${at}.d`.replace("/x.sh.d", "2")),
        symlinkSync("in2", join(at, "..")),
      ],
    ],
  ] as const)("is asked about, and not run, where it is %s", async (_, change) => {
    const { put, prepare, judge } = stage();
    const at = put("in/x.sh", "echo one\n");
    const prepared = await prepare("bash in/x.sh");
    expect(prepared.plan.apart).toBe(true);
    change(at);
    expect(await prepared.run(AbortSignal.timeout(9_000))).toMatchObject({ kind: "failed", code: "STALE" });
    expect(await judge("bash in/x.sh")).toBe("ask");
  });

  it("runs as itself whatever its name holds, and is asked about where that is too long to be one", async () => {
    const { put, output, judge, made, workspace } = stage();
    for (const name of ["a b.sh", "two\nlines.sh", "it's.sh", "--x.sh", "é文.sh", "$HOME.sh", "*.sh"]) {
      put(`in/${name}`, "echo mine; f=lib; cat ../$f.sh $f.sh\n");
      const said = await output(`bash 'in/${name.replaceAll("'", "'\\''")}'`);
      expect([name, said.startsWith("mine\n"), said.includes("THEIRS")]).toEqual([name, true, false]);
    }
    const long = `in/${"x".repeat(300)}.sh`;
    made.set(join(workspace, long), "0".repeat(64));
    expect(await judge(`bash ${long}`)).toBe("ask");
  });

  it("is reached by no look-up, and is not run out of a folder that package managers run programs of", async () => {
    const path = `.:bin:node_modules/.bin:${process.env["PATH"]}`;
    const { put, judge, output } = stage({ shell: { env: { ...process.env, PATH: path } } });
    for (const name of ["bin/tool", "bash", "head"]) put(name, "#!/bin/sh\necho mine\n");
    put("x.sh", "echo one; command -v tool; command -v head; bash -c 'echo two'\n");
    for (const line of [
      "tool",
      "npx tool",
      "npm exec tool",
      "bin/tool; lib.sh",
      "bash tool",
      "env ./x.sh",
      "xargs ./x.sh",
      "./x.sh ./lib.sh",
      "node --import ./x.sh x.sh",
    ])
      expect([line, await judge(line)]).toEqual([line, "ask"]);
    expect(await output("bin/tool")).toMatch(/^mine\n/u);
    expect(await output("bash x.sh | head -5")).toMatch(/^one\n\/.*\/head\ntwo\n/u);
    put("node_modules/.bin/tool", "#!/bin/sh\necho mine\n");
    expect(await judge("node_modules/.bin/tool")).toBe("ask");
  });

  it("gets nothing that variables, start files or sites would load for it", async () => {
    const workspace = tempTree({
      "evil.sh": "echo THEIRS\n",
      "evil.cjs": "console.log('THEIRS')\n",
      "usercustomize.py": "print('THEIRS')\n",
    });
    const env = {
      ...process.env,
      NODE_OPTIONS: `--require=${workspace}/evil.cjs`,
      BASH_ENV: `${workspace}/evil.sh`,
      ENV: `${workspace}/evil.sh`,
      PYTHONPATH: workspace,
      PYTHONSTARTUP: `${workspace}/usercustomize.py`,
      PYTHONUSERBASE: workspace,
      PERL5OPT: `-I${workspace}`,
      LD_PRELOAD: `${workspace}/evil.so`,
    };
    const { put, output, workspace: own } = stage({ shell: { env, shellEnv: Object.keys(env) } });
    for (const name of ["sitecustomize.py", "usercustomize.py", "x.pth", ".bashrc", ".npmrc"])
      writeFileSync(join(own, name), name.endsWith(".py") ? "print('THEIRS')\n" : `import os; print("THEIRS")\n`);
    put("x.sh", "echo mine; env\n");
    put("x.mjs", "console.log('mine', process.env.NODE_OPTIONS, process.execArgv.length);\n");
    put("x.py", "import sys; print('mine', 'usercustomize' in sys.modules, 'sitecustomize' in sys.modules)\n");
    for (const line of ["bash x.sh", "sh x.sh", "node x.mjs", "python3 x.py", "./x.sh"]) {
      const said = await output(line);
      expect([line, /^mine/u.test(said), /THEIRS|evil|^PYTHON/mu.test(said)]).toEqual([line, true, false]);
    }
  });

  it.each([
    "#!./lib.sh",
    "#!/usr/bin/env -S bash ./lib.sh",
    "#!lib.sh",
    "#!/usr/bin/env -S node --import ./src/t.mjs",
    "#!/usr/bin/perl -I. -Mlib",
  ])("whose first line is %s finds no code of the repository by it", async (line) => {
    const { put, prepare } = stage();
    put("in/x", `${line}\necho mine\n`);
    const { plan, verdict, run } = await prepare("in/x");
    // Where its text names what is there, it is asked about at once.
    if (plan.apart !== true) return expect(verdict.decision).toBe("ask");
    return expect(resultOf(await run(AbortSignal.timeout(30_000))).output).not.toContain("THEIRS");
  });

  it("is shown no folder that holds the workspace, or the repository around it, though the person lets that be written", async () => {
    const base = tempTree({
      "repo/.git/HEAD": "x\n",
      "repo/ws/lib.sh": "echo THEIRS\n",
      "repo/other.sh": "x\n",
      "side.txt": "x\n",
    });
    const [workspace, named] = [join(base, "repo/ws"), tempTree({ "own.txt": "x\n" })];
    for (const holder of [base, join(base, "repo"), workspace]) {
      const { put, output } = stage({ workspace, shell: { sandboxWrite: [holder, named] } });
      put("x.sh", `ls . .. ../..; f=lib; bash $f.sh; echo evil > evil.txt; echo evil > ../evil.txt; ls ${named}\n`);
      const said = await output("bash x.sh");
      expect([holder, /THEIRS|side|other/u.test(said), said.includes("own.txt")]).toEqual([holder, false, true]);
      expect(["evil.txt", "../evil.txt"].filter((name) => existsSync(join(workspace, name)))).toEqual([]);
    }
  });

  it("runs by each mode's own rule: full-auto needs no box apart, plan and read-only allow nothing", async () => {
    const judged = async (mode: Policy["mode"]) => {
      const { put, judge } = stage({ policy: { mode } });
      put("x.sh", "echo one\n");
      return judge("bash x.sh").catch((error: Error) => error.message);
    };
    expect(await judged("full-auto")).toBe("allow");
    expect(await judged("accept-edits")).toBe("apart allow");
    expect(await judged("read-only")).toBe("denied: bash x.sh");
  });
});
