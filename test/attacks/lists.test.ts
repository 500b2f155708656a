import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const put = (place: Place, file: string, text: string) => {
  mkdirSync(dirname(place.path(file)), { recursive: true });
  writeFileSync(place.path(file), text);
};

const writes = (file_path: string, content = "x") => asks("write_file", { file_path, content });

/** What policy says of calls, each as tool and path. */
async function judged(place: Place, calls: [tool: string, path: string][], mode = "accept-edits", from = ".") {
  const lines = calls.map(([tool, path]) => {
    const more = tool === "write_file" ? { content: "x" } : {};
    return JSON.stringify({ tool, args: { [tool === "ls" ? "path" : "file_path"]: path, ...more } });
  });
  const { stdout } = await place.run(["policy", "check", "--stdin", "--mode", mode, "-C", place.path(from)], {
    stdin: lines.join("\n"),
  });
  const verdicts = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return verdicts.map(({ decision, rule }) => `${decision} ${rule?.source}`);
}

const bare = (folder: string): [string, string][] => [
  [`${folder}/HEAD`, "ref: refs/heads/main\n"],
  [`${folder}/objects/x`, ""],
  [`${folder}/refs/x`, ""],
  [`${folder}/config`, "[core]\n\tfsmonitor = evil\n"],
];

describe("a directory of git's data, whatever it is called", () => {
  it.each([
    ["in four steps", (files: [string, string][]) => files.map(([path, text]) => writes(path, text))],
    [
      "in four steps, settings first",
      (files: [string, string][]) => files.toReversed().map(([path, text]) => writes(path, text)),
    ],
  ])("cannot be made by writes that are accepted unasked, %s", async (_, steps) => {
    const place = await openPlace([...steps(bare("docs")), says("Done.")]);
    await place.run(["run", "go", "--mode", "accept-edits"]);
    const made = bare("docs").map(([path]) => place.has(path));
    expect(made.filter(Boolean).length).toBeLessThan(4);
    expect(made[0] && made[1] && made[2]).toBe(false);
  });

  it("cannot be made by the writes of one message either", async () => {
    const calls = bare("docs").map(([file_path, content]) => ({
      name: "write_file",
      arguments: { file_path, content },
    }));
    const place = await openPlace([{ calls }, says("Done.")]);
    await place.run(["run", "go", "--mode", "accept-edits"]);
    expect(["HEAD", "objects/x", "refs/x"].every((name) => place.has(`docs/${name}`))).toBe(false);
  });

  it("is sealed where there is one, as a bare repository and as the target of a gitdir line", async () => {
    const place = await openPlace();
    for (const [path, text] of [...bare("docs"), ...bare("sub/.data")]) put(place, path, text);
    put(place, "tree/HEAD", "x");
    put(place, "tree/commondir", "../.git");
    // What a commondir leads to needs no HEAD.
    for (const name of ["config", "objects/x", "refs/x"]) put(place, `shared/${name}`, "");
    const asked: [string, string][] = [
      ["write_file", "docs/config"],
      ["write_file", "docs/hooks/post-checkout"],
      ["read_file", "docs/config"],
      ["ls", "docs"],
      ["write_file", "sub/.data/config"],
      ["write_file", "tree/index"],
      ["write_file", "shared/config"],
    ];
    expect(await judged(place, asked)).toEqual(asked.map(() => "deny sealed"));
  });

  it("is not every folder with a file called HEAD or config", async () => {
    const place = await openPlace();
    for (const file of ["a/HEAD", "a/config", "b/config", "b/objects/x", "c/HEAD"]) put(place, file, "x");
    const asked: [string, string][] = [
      ["write_file", "a/readme.md"],
      ["write_file", "b/readme.md"],
      ["write_file", "c/config"],
      ["write_file", "src/HEAD"],
    ];
    expect(await judged(place, asked)).toEqual(asked.map(() => "allow mode"));
  });

  it("takes its hooks from no folder that a call may write", async () => {
    const place = await openPlace();
    put(place, ".git/config", '[core]\n\tbare = false\n\thooksPath = "tools/on commit" ; ours\n');
    expect(
      await judged(place, [
        ["write_file", "tools/on commit/pre-push"],
        ["write_file", "tools/other.sh"],
      ]),
    ).toEqual(["deny sealed", "allow mode"]);
  });
});

describe("what runs by itself, or when the person builds", () => {
  it("is asked about in every mode: a person's yes for the one, one key for the other", async () => {
    const place = await openPlace();
    const guarded = [
      ".bashrc",
      ".ssh/authorized_keys",
      ".config/autostart/a.desktop",
      ".github/workflows/a.yml",
      ".vscode/tasks.json",
      ".claude/settings.json",
      ".husky/pre-push",
      "flake.nix",
      ".envrc",
    ];
    const watched = [
      "package.json",
      "sub/Makefile",
      "pyproject.toml",
      "Dockerfile",
      "build.rs",
      "conftest.py",
      "vite.config.ts",
      "node_modules/a/index.js",
    ];
    for (const mode of ["accept-edits", "full-auto"]) {
      expect(
        await judged(
          place,
          guarded.map((path) => ["write_file", path]),
          mode,
        ),
      ).toEqual(guarded.map(() => "ask guarded"));
      expect(
        await judged(
          place,
          watched.map((path) => ["write_file", path]),
          mode,
        ),
      ).toEqual(watched.map(() => "ask watched"));
    }
    const read = [...watched, ".github/workflows/a.yml", ".vscode/tasks.json"];
    for (const path of read) put(place, path, "x");
    expect(
      await judged(
        place,
        read.map((path) => ["read_file", path]),
      ),
    ).toEqual(read.map(() => "allow table"));
  });

  it("is allowed by a rule that names it, and by none with a wildcard", async () => {
    const place = await openPlace();
    const rules = (paths: string[]) =>
      writeFileSync(
        join(place.home, "policy.json"),
        JSON.stringify({ rules: [{ tool: "write_file", paths, decision: "allow" }] }),
      );
    const asked: [string, string][] = [
      ["write_file", "package.json"],
      ["write_file", "src/a.ts"],
    ];
    rules(["**"]);
    expect(await judged(place, asked, "ask")).toEqual(["ask watched", "allow user"]);
    rules(["*.json", "src/**"]);
    expect(await judged(place, asked, "ask")).toEqual(["ask watched", "allow user"]);
    rules(["package.json", "src/**"]);
    expect(await judged(place, asked, "ask")).toEqual(["allow user", "allow user"]);
  });

  it("is not allowed by a tool's name alone", async () => {
    const place = await openPlace();
    const { stdout } = await place.run([
      "policy",
      "check",
      "write_file",
      '{"file_path":"Makefile","content":""}',
      "--allow",
      "write_file",
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ decision: "ask", risk: "medium", rule: { source: "watched" } });
  });
});

describe("secrets", () => {
  it("are known by whole names and by how a key begins; their neighbours are not", async () => {
    const place = await openPlace();
    const key = "-----BEGIN OPENSSH PRIVATE KEY-----\nabc\n";
    const secret = [
      "id_rsa",
      ".npmrc",
      ".aws/credentials",
      "prod.tfvars",
      "server.pem",
      ".bash_history",
      "deploy_key",
      "notes.txt",
    ];
    const heads = {
      "tls/curve":
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n-----BEGIN EC PRIVATE KEY-----\n",
      "tls/bag":
        "Bag Attributes\n    friendlyName: my-cert\nKey Attributes: <No Attributes>\n-----BEGIN PRIVATE KEY-----\n",
      "shop-4711.json": '{\n  "type": "service_account",\n  "project_id": "shop",\n  "private_key": "x"\n}\n',
    };
    for (const [path, head] of Object.entries(heads)) put(place, path, head);
    writeFileSync(place.path("wide"), Buffer.from(`\ufeff${key}`, "utf16le"));
    put(place, "account.json", '{ "name": "x", "type": "service_account" }');
    put(place, "curve.md", "-----BEGIN EC PARAMETERS-----\nBggq\n-----END EC PARAMETERS-----\n");
    const open = [
      "account.json",
      "curve.md",
      "src/id_generator.ts",
      "id_rsa.pub",
      "server.crt",
      "keys.ts",
      "docs/keys.md",
    ];
    for (const path of secret) put(place, path, path === "deploy_key" || path === "notes.txt" ? key : "x");
    for (const path of open.slice(2)) put(place, path, `about keys\n${key}`);
    const keys = [...secret, ...Object.keys(heads), "wide"];
    expect(
      await judged(
        place,
        keys.map((path) => ["read_file", path]),
      ),
    ).toEqual(keys.map(() => "ask guarded"));
    expect(
      await judged(
        place,
        open.map((path) => ["read_file", path]),
      ),
    ).toEqual(open.map(() => "allow table"));
    expect(
      await judged(
        place,
        secret.map((path) => ["ls", path]),
      ),
    ).not.toContain("ask guarded");
  });
});

describe("a workspace that is itself in a protected place", () => {
  it.each([
    [".git/hooks", "write_file", "pre-commit", "deny sealed"],
    [".holdfast", "write_file", "policy.json", "deny sealed"],
    [".holdfast", "read_file", "policy.json", "deny sealed"],
    [".github/workflows", "write_file", "ci.yml", "ask guarded"],
    [".husky/_", "write_file", "pre-push", "ask guarded"],
    ["venv/lib", "write_file", "a.py", "ask watched"],
    ["../.ssh", "read_file", "config", "ask guarded"],
    ["../.config", "write_file", "autostart/a.desktop", "ask guarded"],
    ["../.config", "write_file", "htop/htoprc", "allow mode"],
    ["src", "write_file", "a.ts", "allow mode"],
    [".claude/worktrees/one", "write_file", "src/a.ts", "allow mode"],
    [".claude/worktrees/one/src", "write_file", "a.ts", "allow mode"],
  ] as const)("%s: %s %s is %s", async (from, tool, path, verdict) => {
    const place = await openPlace();
    put(place, ".git/config", "[core]\n");
    put(place, ".claude/worktrees/one/.git", "gitdir: ../../../.git/worktrees/one\n");
    put(place, ".claude/worktrees/one/src/b.ts", "");
    put(place, `${from}/x`, "");
    expect(await judged(place, [[tool, path]], "accept-edits", from)).toEqual([verdict]);
  });
});

describe("what git's settings name", () => {
  it("is sealed where it is hooks, guarded where it is run or read, and nothing else is", async () => {
    const place = await openPlace();
    put(
      place,
      ".git/config",
      `[include]\n\tpath = ../settings/git # ours\n[filter "strip"]\n\tclean = python3 tools/strip.py --fast\n\tsmudge = cat\n[alias]\n\tst = status src/b.ts\n`,
    );
    put(place, "settings/git", '[core]\n\tfsmonitor = "tools/watch.sh"\n[includeIf "onbranch:x"]\n\tpath = more\n');
    put(place, "tools/run.sh", "");
    symlinkSync("run.sh", place.path("tools/watch.sh"));
    put(place, "sub/lib/.git/config", "[core]\n\thooksPath = on\n");
    const asked = [
      "settings/git",
      "settings/more",
      "tools/strip.py",
      "tools/watch.sh",
      "tools/run.sh",
      "sub/lib/on/pre-push",
    ];
    const honest = ["cat", "tools/other.py", "settings/else", "on/pre-push", "sub/lib/once.ts", "sub/on/a"];
    expect(
      await judged(
        place,
        [...asked, ...honest].map((path) => ["write_file", path]),
      ),
    ).toEqual([...asked.slice(0, -1).map(() => "ask guarded"), "deny sealed", ...honest.map(() => "allow mode")]);
    expect(await judged(place, [["read_file", "settings/git"]])).toEqual(["allow table"]);
  });
});

describe("what a person's own start files are links to", () => {
  it("is guarded where it really lies; what lies beside it is not", async () => {
    const place = await openPlace();
    for (const path of ["shell/bashrc", "nvim/init.lua", "secret/netrc", "notes.md"]) put(place, path, "x\n");
    const home = dirname(place.workspace);
    mkdirSync(join(home, ".config"), { recursive: true });
    symlinkSync(place.path("shell/bashrc"), join(home, ".bashrc"));
    symlinkSync(place.path("nvim"), join(home, ".config", "nvim"));
    symlinkSync(place.path("secret/netrc"), join(home, ".netrc"));
    symlinkSync(place.path("notes.md"), join(home, "notes.md"));
    writeFileSync(join(home, ".gitconfig"), `[include]\n\tpath = ${place.path("git/mine")}\n`);
    expect(
      await judged(place, [
        ["write_file", "shell/bashrc"],
        ["write_file", "nvim/lua/a.lua"],
        ["write_file", "git/mine"],
        ["read_file", "secret/netrc"],
        ["read_file", "shell/bashrc"],
        ["write_file", "shell/readme"],
        ["write_file", "notes.md"],
      ]),
    ).toEqual([
      ...["ask guarded", "ask guarded", "ask guarded", "ask guarded"],
      ...["allow table", "allow mode", "allow mode"],
    ]);
  });
});

describe("a workspace that holds the person's home", () => {
  it.each(["accept-edits", "full-auto"])("is no place for %s: 2, nothing sent", async (mode) => {
    const place = await openPlace();
    const home = dirname(place.workspace);
    for (const folder of [home, "/"]) {
      const ran = await place.run(["run", "hi", "--mode", mode, "-C", folder]);
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr).toContain(`the mode ${mode} is not for ${folder}`);
    }
    expect(place.server.requests).toEqual([]);
  });

  it("can be worked in with the modes that ask, and a project below it with all", async () => {
    const place = await openPlace([says("Hi."), says("Hi.")]);
    const home = dirname(place.workspace);
    const first = await place.json(["run", "hi", "-C", home]);
    expect(first.code).toBe(0);
    expect(await place.run(["run", "hi", "--mode", "accept-edits"])).toMatchObject({ code: 0 });
    const older = await place.run(["resume", first.session, "go on", "--mode", "accept-edits"]);
    expect(older).toMatchObject({ code: 2 });
  });

  it("keeps a chat's mode where another is asked for, and says why", async () => {
    const place = await openPlace();
    const chat = place.chat(["chat", "-C", dirname(place.workspace)]);
    await chat.waitFor("ask ·");
    chat.type("/mode accept-edits\r");
    await chat.waitFor("the mode accept-edits is not for");
    chat.key("shift-tab");
    await chat.waitFor((one) => one.scrollback().join("\n").split("is not for").length > 2);
    await chat.waitFor((one) => one.screen().join("\n").includes("ask ·"));
    chat.type("/mode read-only\r");
    await chat.waitFor("read-only ·");
  });
});
