import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { AroundPrograms } from "../../src/tools/shell/running/around-programs.ts";
import { allClosedBelow } from "../../src/tools/shell/running/closed-below.ts";
import { describeInSandbox } from "../support/needs.ts";
import { shellStage } from "../support/shell-stage.ts";
import { tempTree } from "../tools/temp-tree.ts";

/** A workspace with a FIFO, a link to it and a socket that somebody listens at; the shell of a session there. */
async function stage(sandbox: "required" | "off", around?: string) {
  const workspace = tempTree({ "a.txt": "plain\n", "src/b.txt": "plain\n" }, around);
  const fifo = join(workspace, "src/fifo");
  execFileSync("mkfifo", [fifo]);
  mkdirSync(join(workspace, "other"));
  symlinkSync("../src/fifo", join(workspace, "other/link"));
  const server = createServer((socket) => socket.end("SECRET of a service\n"));
  await new Promise<void>((resolve) => server.listen(join(workspace, "src/sock"), resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const { judge, tried } = shellStage(
    workspace,
    { rules: [], grants: [], mode: "ask", sealed: { roots: [] } },
    sandbox,
  );
  const run = async (command: string): Promise<string> => {
    const { decision, output } = await tried(command);
    if (decision !== "allow") throw new Error(`not free: ${command}`);
    return output;
  };
  return { workspace, fifo, judge, run };
}

/** Somebody who waits for a reader of the FIFO. */
function writer(fifo: string): void {
  const child = spawn("/bin/sh", ["-c", 'printf "SECRET of another\\n" > "$1"', "sh", fifo]);
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
}

const naming = [
  "cat src/fifo",
  "cat src/sock",
  "cat other/link",
  "head -c 5 src/fifo a.txt",
  "grep x src/fifo",
  "diff a.txt src/fifo",
  "cat < src/fifo",
  "while read l; do echo x; done < src/fifo",
  "sort src/fifo",
  "wc -l src/*",
  "cat src/f*",
  "awk '{print}' src/fifo",
  "sed -n 1p src/fifo",
  "cat src/fif{o,a}",
  'f=src/fifo; cat "$f"',
];
/** Bash opens it, whatever the program does. */
const redirected = [
  "ls < src/fifo",
  "stat a.txt < src/fifo",
  "[[ -f a.txt ]] < src/fifo",
  "test -e a.txt < src/fifo",
  "cd src < src/fifo",
  "readlink other/link < other/link",
  "ls a.txt 3< src/fifo",
  "ls < src/f*",
  'f=src/fifo; ls < "$f"',
];
const tellingNames = [
  "ls -la src",
  "stat src/fifo",
  "test -p src/fifo",
  "[ -e src/sock ]",
  "readlink other/link",
  "ls src/fifo < a.txt",
];

describeInSandbox("FIFOs, sockets and devices in the workspace (needs bubblewrap)", () => {
  test("one that a line reads by its name, or by a pattern, is asked about; its name is free", async () => {
    const { judge } = await stage("required");
    for (const line of [...naming, ...redirected, "du < src/fifo", "find src < src/fifo"])
      expect([line, await judge(line)]).toEqual([line, "ask"]);
    for (const line of [...tellingNames, "find . -type p", "find src/fifo -newer a.txt", "cat a.txt src/b*"])
      expect([line, await judge(line)]).toEqual([line, "allow"]);
  });

  test("one that git is asked about by its name is free, for it tells names and opens none", async () => {
    const { workspace, judge } = await stage("required");
    execFileSync("git", ["init", "-q"], { cwd: workspace });
    for (const line of ["git log --oneline -- src/fifo", "git status --short src/fifo", "git check-ignore src/fifo"])
      expect([line, await judge(line)]).toEqual([line, "allow"]);
    for (const line of ["git diff --no-index --name-only a.txt src/fifo", "git log --oneline < src/fifo"])
      expect([line, await judge(line)]).toEqual([line, "ask"]);
  });

  test("one that a line could come upon is not there: nothing is taken from it, and nothing written into it", async () => {
    const { fifo, run } = await stage("required");
    writer(fifo);
    for (const line of [
      "cat $(find src -type f -o -name fifo)",
      "for f in $(ls src); do cat src/$f; done",
      "find src -name fifo | xargs cat",
      "grep -D read -r SECRET src",
      "find other | xargs cat",
    ])
      expect([line, (await run(line)).includes("SECRET")]).toEqual([line, false]);
    expect(await run("grep -rc plain src")).toContain("2 places that are not read without asking were left out");
  });
});

test("one is not there in a folder that the person lets be read, nor around a folder of programs", () => {
  const folder = tempTree({ "bin/run": "", "lib/a.txt": "" });
  execFileSync("mkfifo", [join(folder, "lib/fifo")]);
  const closed = { isClosed: () => false, mayHold: () => false };
  const mask = { at: join(folder, "lib/fifo"), kind: "nothing", isFile: true };
  expect(allClosedBelow(folder, closed)).toEqual([mask]);
  expect(new AroundPrograms(closed, 2_000).mounts(folder, join(folder, "bin"))).toContainEqual(mask);
});

describe("FIFOs, sockets and devices in the workspace, without the sandbox", () => {
  test("one that a line reads by its name is asked about", async () => {
    const { judge } = await stage("off");
    for (const line of [...naming, ...redirected]) expect([line, await judge(line)]).toEqual([line, "ask"]);
    for (const line of tellingNames) expect([line, await judge(line)]).toEqual([line, "allow"]);
  });

  test.skipIf(!existsSync("/dev/shm"))("a workspace among the system's devices holds none of them", async () => {
    const { judge } = await stage("off", "/dev/shm");
    for (const line of naming) expect([line, await judge(line)]).toEqual([line, "ask"]);
    for (const line of tellingNames) expect([line, await judge(line)]).toEqual([line, "allow"]);
  });
});
