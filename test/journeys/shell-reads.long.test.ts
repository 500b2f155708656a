import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openPlace, type Told, told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInSandbox, freely } from "../support/needs.ts";
import { processesOf } from "../support/under-way.ts";

const shell = (command: string) => ({ name: "shell", arguments: { command } });
const calls = (told: Told) =>
  told.of("tool_call").flatMap(({ call }) => ("toolName" in call && call.status !== "pending" ? [call] : []));

describe("a command that only reads", () => {
  it("has no effect, and so runs beside others that only read, in the mode read-only too", async () => {
    const place = await openPlace(
      [asks("shell", { command: "cat a.txt | wc -l" }, { calls: [shell("ls"), shell("touch b.txt")] }), says("Read.")],
      { "a.txt": "a\n" },
    );
    const ran = await place.json(["run", "look", "--mode", "read-only"]);
    expect(calls(ran)).toMatchObject([
      { callId: "c3", status: "cancelled", effect: "once" },
      { callId: "c1", status: "success", effect: "none" },
      { callId: "c2", status: "success", effect: "none" },
    ]);
    const life = ran.of("tool_call").map(({ call: { callId, status } }) => `${callId} ${status}`);
    expect(life.slice(-4)).toEqual(["c1 executing", "c2 executing", "c1 success", "c2 success"]);
  });

  it("is run again after kill -9, and nobody is asked about it", async () => {
    const sleep = `sleep 5.8${process.pid}`;
    const place = await openPlace([asks("shell", { command: `${sleep}; cat a.txt` }), says("Read.")], {
      "a.txt": "text of a\n",
    });
    const dying = place.spawn(["run", "look", "--json"]);
    await expect.poll(() => processesOf(sleep)).toBeGreaterThan(0);
    dying.child.kill("SIGKILL");
    await dying.done;
    const { session } = JSON.parse(dying.stdout().split("\n")[0] ?? "") as { session: string };
    const on = await place.json(["resume", session]);
    expect(on).toMatchObject({ code: 0, end: { reason: "done", text: "Read." } });
    expect(calls(on)).toMatchObject([{ callId: "c1", status: "success", effect: "none", attempt: 2 }]);
    expect(place.heard(-1, -1)).toContain("text of a\n");
  });

  it("is asked about again where its words lead elsewhere by the time it is to run", async () => {
    const place = await openPlace(
      [asks("shell", { command: "ln -sf /etc/hostname link" }, { calls: [shell("cat link")] }), says("Read.")],
      { "a.txt": "a\n" },
    );
    symlinkSync("a.txt", `${place.workspace}/link`);
    const asked = await place.json(["run", "look"]);
    expect(asked.the("approval_requested").calls).toMatchObject([{ callId: "c1" }]);
    const on = await place.json(["resume", asked.session, "--approve", "c1"]);
    expect(on).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    expect(on.of("approval_requested").map(({ calls }) => calls.map(({ callId }) => callId))).toEqual([["c1"], ["c2"]]);
  });

  it("counts as one that does more, where that is what its words lead to by then", async () => {
    const place = await openPlace(
      [
        asks("shell", { command: "ln -sf /etc/hostname link" }, { calls: [shell("cat link"), shell("ls")] }),
        says("Read."),
      ],
      { "a.txt": "a\n" },
    );
    symlinkSync("a.txt", `${place.workspace}/link`);
    const ran = await place.json(["run", "look", "--mode", "full-auto", ...freely]);
    expect(calls(ran)).toMatchObject([
      { callId: "c1", status: "success", effect: "once" },
      { callId: "c2", status: "success", effect: "once" },
      { callId: "c3", status: "success", effect: "none" },
    ]);
  });

  it("that was approved is asked about again where its words lead elsewhere by then", async () => {
    const place = await openPlace([asks("shell", { command: "cat link" }), says("Read.")], {
      "a.txt": "a\n",
      "b.txt": "b\n",
    });
    symlinkSync("a.txt", `${place.workspace}/link`);
    await place.write("../home/policy.json", '{"rules": [{"tool": "shell", "command": "cat *", "decision": "ask"}]}');
    const asked = await place.json(["run", "look"]);
    const { digest } = asked.the("approval_requested").calls[0] ?? { digest: "" };
    spawnSync("ln", ["-sfn", "b.txt", "link"], { cwd: place.workspace });
    const on = await place.json(["resume", asked.session, "--approve", `c1@${digest}`]);
    expect(on.the("approval_requested").calls).toMatchObject([{ callId: "c1", changed: { from: digest } }]);
    const over = await place.json(["resume", asked.session, "--approve", "c1"]);
    expect(calls(over)).toMatchObject([{ status: "success", effect: "none", result: { output: "b\n(exit code 0)" } }]);
  });
});

/** Lines that read in the box, each with what it tells of a repository with these files. */
const boxedLines: readonly (readonly [line: string, says: string | RegExp])[] = [
  ["cat *.json", '{ "a": 1 }'],
  ["find . -name '*.json'", "./a.json"],
  ["wc -l *.json", "1 a.json"],
  ["ps aux", /^USER/mu],
  ["env", /^AGENT=holdfast$/mu],
  ["grep -rn one .", "./sub/one.txt:1:one"],
  ["ls *.json | xargs head -1", '{ "a": 1 }'],
  ["cd sub && cat *.txt", "one"],
  ["git diff", "+more"],
  ["git show --stat HEAD", "a.json"],
  ["git status --short; grep -rn one sub", "sub/one.txt:1:one"],
  ["git blame a.json | awk '{print $NF}'", "}"],
];

const git = (folder: string, ...words: string[]): void => {
  const { status, stderr } = spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...words], {
    cwd: folder,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
};

describeInSandbox("lines that only read, by the built command (needs bubblewrap)", () => {
  const files = { "a.json": '{ "a": 1 }\n', "sub/one.txt": "one\n" };
  /** A repository with a change, and the program run in one of its folders, or in another one. */
  const answered = async (lines: typeof boxedLines, prepare: (repository: string) => string) => {
    const answers = [...lines.map(([command]) => asks("shell", { command })), says("Read.")];
    const place = await openPlace(answers, files);
    const repository = place.workspace;
    git(repository, "init", "-q");
    git(repository, "add", "-A");
    git(repository, "commit", "-qm", "one");
    await place.write("sub/one.txt", "one\nmore\n");
    const ran = told(await place.spawn(["run", "look", "--json"], { cwd: prepare(repository) }).done);
    const outputs = calls(ran).map((call) => [call.status, "result" in call ? call.result?.output : call]);
    expect(outputs).toEqual(
      lines.map(([, text]) => [
        "success",
        typeof text === "string" ? expect.stringContaining(text) : expect.stringMatching(text),
      ]),
    );
    expect(ran.end.reason).toBe("done");
  };

  it("are answered in a git repository", () => answered(boxedLines, (repository) => repository));

  const plain = boxedLines.filter(([line]) => !/git|sub/u.test(line));
  it("are answered in a linked working tree, in its own folder and from the repository around it", async () => {
    await answered(plain, (repository) => {
      git(repository, "worktree", "add", "-q", "../linked");
      return `${repository}/../linked`;
    });
    await answered(boxedLines, (repository) => {
      git(repository, "worktree", "add", "-q", "inner");
      return repository;
    });
  });

  it("are answered in a folder below the repository's top, and where the agent's own folder lies", async () => {
    await answered(
      [
        ["cat *.txt", "one"],
        ["find . -name '*.txt'", "./one.txt"],
      ],
      (repository) => `${repository}/sub`,
    );
    await answered(boxedLines, (repository) => {
      mkdirSync(`${repository}/.holdfast`);
      return repository;
    });
  });

  it("are answered in a submodule, and in the repository around one", async () => {
    const around = (repository: string): string => {
      const top = `${repository}/../top`;
      mkdirSync(top);
      git(top, "init", "-q");
      git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repository, "mod");
      return top;
    };
    await answered(
      [
        ["find . -name '*.json'", "./mod/a.json"],
        ["grep -rn one .", "./mod/sub/one.txt:1:one"],
      ],
      around,
    );
    await answered(plain, (repository) => `${around(repository)}/mod`);
  });
});
