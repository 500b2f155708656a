import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findSandbox } from "../../../../src/tools/shell/running/sandbox.ts";
import { describeInSandbox } from "../../../support/needs.ts";
import { timeOfTheTest } from "../../../support/time-limit.ts";
import { tempTree } from "../../temp-tree.ts";
import { shellStage } from "../support.ts";

const boxed = (more: Parameters<typeof shellStage>[0] = {}, folder?: string) =>
  shellStage({ sandbox: "required", ...more }, folder);

test("the sandbox is found to work just where bubblewrap can make one", async () => {
  const unshared = ["--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "--proc", "/proc"];
  const { status } = spawnSync("bwrap", [...unshared, "--", "true"]);
  expect(await findSandbox()).toMatchObject({ works: status === 0 });
});

describeInSandbox("a command in the sandbox (needs bubblewrap)", () => {
  test("tells how it ended as one outside does, and that it could not be started where the sandbox could not", async () => {
    const { run } = boxed();
    expect(await run("echo out; echo err >&2; exit 3")).toMatchObject({
      output: "out\nerr\n(exit code 3)",
      metadata: { exitCode: 3 },
    });
    expect(await run("kill -9 $$")).toMatchObject({
      output: "(exit code 137, as after SIGKILL)",
      metadata: { exitCode: 137 },
    });
    const gone = tempTree();
    const broken = boxed({ scratch: join(gone, "file", "below") });
    writeFileSync(join(gone, "file"), "");
    expect(await broken.run("echo x > ran")).toMatchObject({ error: expect.any(String) });
    expect(existsSync(broken.path("ran"))).toBe(false);
  });

  test("that fails for what the sandbox keeps from it tells the way", async () => {
    const { run } = boxed();
    const fails = async (says: string, more: object = {}) =>
      (await run(`echo '${says}' >&2; exit 128`, more)).output.split("\n").slice(1);
    const hidden = expect.stringContaining("~/.netrc and ~/.npmrc: the person can show one by sandboxWrite");
    expect(await fails("fatal: could not read Username for x")).toEqual(["(exit code 128)", hidden]);
    expect(await fails("Could not resolve host: a.b")).toEqual([
      "(exit code 128)",
      expect.stringContaining("network: true"),
    ]);
    expect(await fails("Could not resolve host: a.b", { network: true })).toEqual(["(exit code 128)"]);
    expect(await fails("mkdir: x: Read-only file system")).toEqual([
      "(exit code 128)",
      expect.stringContaining("sandboxWrite"),
    ]);
    expect((await run("echo Read-only file system")).output).toBe("Read-only file system\n(exit code 0)");
  });

  test("writes in the workspace and in the folders that the person named, and nowhere else", async () => {
    const other = tempTree();
    const more = tempTree();
    const target = join(homedir(), ".holdfast-test-must-not-be");
    const { run, path } = boxed({ sandboxWrite: [more, "/not/there"], scratch: tempTree() });
    const { output } = await run(
      `echo in > in; echo more > ${more}/more; echo x > '${target}'; echo x > /etc/x; echo x > ${other}/x; touch /usr/x; echo x > /proc/sys/kernel/domainname; mount -o remount,rw /; echo tmp > /tmp/t; cat $TMPDIR/t; touch $XDG_CACHE_HOME/c && echo cached`,
    );
    expect(output).toContain("\ntmp\ncached\n");
    expect([path("in"), join(more, "more"), target, join(other, "x")].map((file) => existsSync(file))).toEqual([
      ...[true, true, false, false],
    ]);
    // Where the home lies below /tmp, it is not there at all.
    expect(output.match(/Read-only file system|No such file or directory/g)?.length).toBeGreaterThanOrEqual(4);
  });

  test("does not see our own places in a folder that was added, though the workspace lies in it too", async () => {
    const { workspace: added, path } = shellStage();
    mkdirSync(path("ours/ws"), { recursive: true });
    writeFileSync(path("ours/agent.db"), "secret\n");
    const { run } = boxed({ hidden: [path("ours")] }, path("ours/ws"));
    const { output } = await run(
      `ls ..; cat ../agent.db; echo x > in; echo x > ${path("out")}`,
      {},
      { addDirs: [added] },
    );
    expect(output).not.toContain("secret");
    expect(["out", "ours/ws/in"].map((name) => existsSync(path(name)))).toEqual([true, true]);
  });

  test("does not see keys, tokens and histories of the home, nor our own places", async () => {
    const home = shellStage().workspace;
    for (const folder of [".ssh", ".config/gh", ".ours"]) mkdirSync(join(home, folder), { recursive: true });
    for (const file of [
      ".ssh/id_rsa",
      ".config/gh/hosts.yml",
      ".ours/agent.db",
      ".netrc",
      ".bash_history",
      ".gitconfig",
    ])
      writeFileSync(join(home, file), `content of ${file}\n`);
    const { run } = shellStage(
      { sandbox: "required", env: { ...process.env, HOME: home }, hidden: [join(home, ".ours")] },
      home,
    );
    const { output } = await run(
      "cat .ssh/id_rsa .config/gh/hosts.yml .ours/agent.db; cat .netrc .bash_history .gitconfig; ls -A .ssh .ours",
    );
    expect(output).not.toMatch(/content of (?!\.gitconfig)/);
    expect(output).toContain("content of .gitconfig");
  });

  test("has no network, not even that of this machine, but where it asked for it", async () => {
    const server = createServer((socket) => socket.end("hello\n"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const { run } = boxed();
    const ask = `exec 5<>/dev/tcp/127.0.0.1/${port} && cat <&5`;
    expect((await run(ask)).output).toMatch(/(refused|unreachable)/);
    expect((await run(ask, { network: true })).output).toBe("hello\n(exit code 0)");
  });

  test("sees no process but its own, and takes with it what left its group", async () => {
    const { run, path } = boxed();
    const away = `98761.${process.pid}`;
    const { output } = await run(
      `ls /proc | grep -c '^[0-9]'; setsid sh -c ': > away; exec sleep ${away}' & while ! [ -e away ]; do sleep 0.05; done`,
    );
    expect(Number.parseInt(output, 10)).toBeLessThan(8);
    expect(existsSync(path("away"))).toBe(true);
    expect(spawnSync("ps", ["-eo", "args"], { encoding: "utf8" }).stdout).not.toContain(`sleep ${away}`);
  });

  test("ends whole at its time, and by shell_stop", async () => {
    const { run, call, path } = boxed();
    const time = timeOfTheTest();
    const late = run("trap '' TERM; echo begun; : > begun; while :; do sleep 0.1; done", { timeout_ms: 60_000 });
    await expect.poll(() => existsSync(path("begun"))).toBe(true);
    time.pass(60_000);
    expect(await late).toMatchObject({
      output: "begun\n",
      metadata: { code: "TIMEOUT" },
    });
    await run("trap 'echo bye; exit' TERM; echo up; : > up; while :; do sleep 0.05; done 2>/dev/null", {
      background: true,
    });
    await expect.poll(() => existsSync(path("up"))).toBe(true);
    expect((await call("shell_stop", { id: "c2" })).output).toMatch(/^up\n(.*\n)?bye\n\(stopped, ended by SIGTERM\)$/);
  });
});

function repository() {
  const stage = boxed({ scratch: tempTree() });
  const git = (...args: string[]) =>
    spawnSync("git", args, {
      cwd: stage.workspace,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: stage.workspace },
    });
  git("init", "-q");
  git("config", "user.email", "t@example.com");
  git("config", "user.name", "T");
  writeFileSync(stage.path("a.txt"), "a\n");
  return { ...stage, git };
}

describeInSandbox("git in the sandbox (needs bubblewrap)", () => {
  test("adds, commits and switches, and reads without it", async () => {
    const { run, git } = repository();
    expect(await run("git add a.txt && git commit -q -m first && git switch -q -c side")).toMatchObject({
      output: "(exit code 0)",
    });
    expect((await run("git status --short --branch; git log --oneline | wc -l")).output).toBe(
      "## side\n1\n(exit code 0)",
    );
    expect(git("branch", "--show-current").stdout).toBe("side\n");
  });

  test("is the only one that writes in .git, and not what git runs or obeys", async () => {
    const { run, path, git } = repository();
    const evil = "#!/bin/sh\ntouch evil\n";
    writeFileSync(path("evil.sh"), evil);
    chmodSync(path("evil.sh"), 0o755);
    await run(
      "echo x > .git/x; cp evil.sh .git/hooks/post-commit; echo '[core] fsmonitor = ./evil.sh' >> .git/config; mv .git g; rm -rf .git/hooks; echo x > .git/info/attributes",
    );
    // As a hook that is there already may do, in a command that is git's own.
    writeFileSync(
      path(".git/hooks/pre-commit"),
      "#!/bin/sh\ncp evil.sh .git/hooks/post-commit; git config core.fsmonitor ./evil.sh; mv .git g; echo x > .git/info/attributes; : > .git/written\n",
    );
    chmodSync(path(".git/hooks/pre-commit"), 0o755);
    const { output } = await run("git add a.txt && git commit -q -m first");
    expect(output).toContain("Read-only file system");
    expect(git("log", "--oneline").stdout.split("\n")).toHaveLength(2);
    expect(existsSync(path(".git/written"))).toBe(true);
    expect(
      ["x", "hooks/post-commit", "info/attributes"].filter((name) => existsSync(path(join(".git", name)))),
    ).toEqual([]);
    expect(readFileSync(path(".git/config"), "utf8")).not.toContain("evil");
    expect(existsSync(path("evil"))).toBe(false);
  });

  test.each([
    "git -c alias.x='!touch .git/ran' x",
    "git commit -m x; touch .git/ran",
    "GIT_DIR=.git git add .; touch .git/ran",
  ])("%s does not write there", async (command) => {
    const { run, path } = repository();
    await run(command);
    expect(existsSync(path(".git/ran"))).toBe(false);
  });
});
