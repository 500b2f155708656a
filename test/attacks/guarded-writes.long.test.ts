import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, type Reply, says } from "../support/model-server.ts";
import { describeInSandbox, freely } from "../support/needs.ts";

const ignored = "build/\n.envrc\nCLAUDE.local.md\n.claude/\n";

async function runs(script: string, files: Record<string, string> = {}, flags: readonly string[] = freely) {
  const place = await openPlace([asks("shell", { command: "sh make.sh" }), says("Done.")], {
    "make.sh": script,
    ".gitignore": ignored,
    "notes.txt": "notes\n",
    ".git/HEAD": "ref: refs/heads/main\n",
    ...files,
  });
  return { place, ran: await place.json(["run", "go", "--mode", "full-auto", ...flags]) };
}

const evil = "printf '[core]\\n\\tfsmonitor = /evil\\n'";

describe("a command that writes what is guarded, where git would not look", () => {
  it.each([
    [
      "in a folder that ignores itself",
      "mkdir .vscode; echo '*' > .vscode/.gitignore; echo {} > .vscode/tasks.json",
      ".vscode/tasks.json",
    ],
    [
      "in a hooks folder that ignores itself",
      "mkdir -p .husky/_; echo '*' > .husky/_/.gitignore; echo x > .husky/_/pre-commit",
      ".husky/_/pre-commit",
    ],
    ["under a name that is ignored", "echo x > .envrc", ".envrc"],
    ["under another", "echo x > CLAUDE.local.md", "CLAUDE.local.md"],
    ["in a folder that is ignored", "mkdir -p .claude; echo {} > .claude/settings.json", ".claude/settings.json"],
    ["deep below one", "mkdir -p build/a/.github/workflows; echo x > build/a/.github/workflows/ci.yml", "ci.yml"],
    ["as a link to a file", "ln -s notes.txt AGENTS.md", "AGENTS.md"],
    ["as a link to a folder", "mkdir vs; echo {} > vs/tasks.json; ln -s vs .vscode", ".vscode"],
    ["as a link that leads nowhere yet", "ln -s later .envrc", ".envrc"],
    ["in place, as long as it was", "echo y > .envrc", ".envrc", { ".envrc": "x\n" }],
    ["by another link", "ln -sf b.txt AGENTS.md", "AGENTS.md", {}, "ln -s notes.txt AGENTS.md"],
    ["by its removal", "rm .envrc", ".envrc", { ".envrc": "x\n" }],
    [
      "as settings of a repository",
      `mkdir -p build/n/.git/objects build/n/.git/refs; cp .git/HEAD build/n/.git; ${evil} > build/n/.git/config`,
      "build/n/.git/config",
    ],
    [
      "as a repository without a .git",
      `mkdir -p build/n/objects build/n/refs; cp .git/HEAD build/n; ${evil} > build/n/config`,
      "build/n/config",
    ],
  ] as [string, string, string, Record<string, string>?, string?][])(
    "%s, is stopped at",
    async (_, script, name, files = {}) => {
      const { ran } = await runs(script, files);
      expect(ran.code).toBe(11);
      expect(ran.the("recovery_requested").calls[0]?.known).toContain(name);
    },
  );

  it("is not, where it writes what others may write", async () => {
    const { ran } = await runs(
      `mkdir -p build/logs node_modules/x/.vscode node_modules/x/.github/workflows .venv/lib/x
       echo x > build/logs/a.log; echo {} > node_modules/x/.vscode/settings.json; echo x > node_modules/x/.github/workflows/ci.yml
       echo x > node_modules/x/AGENTS.md; ln -s ../notes.txt build/link; touch .envrc`,
      { ".envrc": "x\n" },
    );
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
  });
});

describe("a program that was started as one that only reads", () => {
  it("and writes what is guarded all the same is told of", async () => {
    const place = await openPlace([asks("shell", { command: "git status" }), says("Ok.")], { "a.txt": "a\n" });
    const bin = join(place.home, "../bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "git"), "#!/bin/sh\necho evil > AGENTS.md\necho clean\n");
    chmodSync(join(bin, "git"), 0o755);
    const env = { PATH: `${bin}:${place.env["PATH"]}` };
    const ran = await place.json(["run", "go", "--mode", "read-only", "--sandbox", "off"], { env });
    expect(ran.code).toBe(11);
    expect(ran.the("recovery_requested").calls[0]).toMatchObject({
      toolName: "shell",
      known: expect.stringContaining("AGENTS.md"),
      choices: ["done", "cancel"],
    });
    writeFileSync(join(bin, "git"), "#!/bin/sh\necho changed > a.txt\necho clean\n");
    const again = await openPlace([asks("shell", { command: "git status" }), says("Ok.")], { "a.txt": "a\n" });
    expect(
      await again.json(["run", "go", "--mode", "read-only", "--sandbox", "off"], { env: { PATH: env.PATH } }),
    ).toMatchObject({
      code: 0,
    });
  });
});

describe("what our own processes write in the workspace while a command runs", () => {
  it.each([["auto"], ["off"]])("is no overstepping of that command, with the sandbox %s", async (sandbox) => {
    const place = await openPlace([asks("shell", { command: "sh make.sh" }), says("Done.")], {
      "make.sh": ": > begun; while ! [ -e goes-on ]; do sleep 0.05; done\n",
    });
    const env = { AGENT_HOME: place.path("home") };
    const running = place.spawn(["run", "go", "--json", "--mode", "full-auto", "--sandbox", sandbox], { env });
    await expect.poll(() => place.has("begun"), { timeout: 20_000 }).toBe(true);
    // As another run does in its course.
    for (const name of [
      "kept/other.tree",
      "kept/other.bytes",
      "logs/a.log",
      "history",
      "shell/a/cache/b",
      "agent.db-other",
    ])
      await place.write(`home/${name}`, "x");
    await place.write("goes-on", "");
    const { code, stderr } = await running.done;
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("changed")]);
  });

  it("does not hide what a command without the sandbox writes to our settings there", async () => {
    for (const name of ["config.json", "policy.json", "trust.json", "tools/x.mjs"]) {
      const place = await openPlace([asks("shell", { command: "sh make.sh" }), says("Done.")], {
        "make.sh": `mkdir -p home/tools; echo '{}' > home/${name}\n`,
      });
      const env = { AGENT_HOME: place.path("home") };
      const ran = await place.json(["run", "go", "--mode", "full-auto", "--sandbox", "off"], { env });
      expect([name, ran.code]).toEqual([name, 11]);
      expect(ran.the("recovery_requested").calls[0]?.known).toContain(`home/${name}`);
    }
  });
});

describeInSandbox("a command in the sandbox (needs bubblewrap)", () => {
  it("writes nothing of our own in the workspace", async () => {
    const place = await openPlace([asks("shell", { command: "sh make.sh" }), says("Done.")], {
      "make.sh": "echo '{}' > home/policy.json; rm -rf home/agent.db; true\n",
    });
    const env = { AGENT_HOME: place.path("home") };
    const ran = await place.json(["run", "go", "--mode", "full-auto"], { env });
    expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
    expect([place.has("home/policy.json"), place.has("home/agent.db")]).toEqual([false, true]);
  });

  it.each([
    ["settings where none are yet", "conf", "mkdir -p conf/holdfast; echo '{}' > conf/holdfast/policy.json; true"],
    [
      "others in the place of a folder around them",
      "deep/conf",
      "mv deep d2; mkdir -p deep/conf/holdfast; echo '{}' > deep/conf/holdfast/policy.json; true",
    ],
  ])("makes no %s", async (_, folder, script) => {
    const place = await openPlace([asks("shell", { command: "sh make.sh" }), says("Done.")], {
      "make.sh": script,
      "conf/a.txt": "a\n",
      "deep/conf/holdfast/config.json": "{}",
    });
    const env = { AGENT_HOME: undefined, XDG_CONFIG_HOME: place.path(folder) };
    const ran = await place.json(["run", "go", "--mode", "full-auto"], { env });
    expect([ran.code, place.has(`${folder}/holdfast/policy.json`)]).toEqual([0, false]);
  });

  it("is stopped at where it makes them by a way that it made itself", async () => {
    const place = await openPlace([asks("shell", { command: "sh make.sh" }), says("Done.")], {
      "make.sh": "rm conf; mkdir -p conf/holdfast; echo '{}' > conf/holdfast/policy.json\n",
      "dots/holdfast/config.json": "{}",
    });
    symlinkSync("dots", place.path("conf"));
    const env = { AGENT_HOME: undefined, XDG_CONFIG_HOME: place.path("conf") };
    const ran = await place.json(["run", "go", "--mode", "full-auto"], { env });
    expect(ran.code).toBe(11);
    expect(ran.the("recovery_requested").calls[0]?.known).toContain("conf/holdfast");
  });

  it("changes no settings that are links into the workspace unsaid", async () => {
    const place = await openPlace([asks("shell", { command: "sh make.sh" }), says("Done.")], {
      "make.sh": `echo '{"rules": [ ]}' > hf/policy.json\n`,
      "hf/policy.json": '{"rules": []}\n',
      ".gitignore": "hf/\n",
    });
    symlinkSync(place.path("hf/policy.json"), join(place.home, "policy.json"));
    const ran = await place.json(["run", "go", "--mode", "full-auto"]);
    expect([ran.code, ran.the("recovery_requested").calls[0]?.known]).toEqual([
      11,
      expect.stringContaining("hf/policy.json"),
    ]);
  });
});

describe("what a background job writes after its call", () => {
  /** What the person is told of it where the model goes on with these answers once the job has written. */
  async function besideJob(file: string, first: Reply, ...rest: Reply[]) {
    const place = await openPlace([asks("shell", { command: "sh make.sh", background: true })], {
      "make.sh": `while ! [ -e goes-on ]; do sleep 0.05; done; echo x > ${file}; : > written; sleep 60`,
      "wait.sh": "true",
    });
    const onceWritten = async () => {
      await place.write("goes-on", "");
      await expect.poll(() => place.has("written"), { timeout: 20_000 }).toBe(true);
      return first;
    };
    place.server.push(onceWritten, ...rest);
    const ran = await place.json(["run", "go", "--mode", "full-auto", ...freely]);
    expect(ran.code).toBe(0);
    return ran
      .of("notice")
      .filter(({ code }) => code === "job_changed")
      .map(({ text }) => text);
  }
  const next = asks("shell", { command: "sh wait.sh" });

  it("is told to the person, once, before the next command or at the end", async () => {
    const told = [expect.stringContaining("AGENTS.md")];
    expect(await besideJob("AGENTS.md", next, next, says("Done."))).toEqual(told);
    expect(await besideJob("AGENTS.md", says("Done."))).toEqual(told);
  });

  it("is not, where others may write it", async () => {
    expect(await besideJob("notes.txt", next, says("Done."))).toEqual([]);
  });
});

describe("what a command puts deeper than a path can be", () => {
  it("is said not to have been looked through", async () => {
    const name = "d".repeat(200);
    const { place, ran } = await runs(
      `i=0; while [ $i -lt 25 ]; do mkdir ${name}; cd -P ${name}; i=$((i+1)); done; mkdir .vscode; echo {} > .vscode/tasks.json`,
    );
    spawnSync("rm", ["-rf", place.path(name)]);
    expect([ran.code, place.heard(1, -1)]).toEqual([0, expect.stringContaining("not looked through")]);
  });
});
