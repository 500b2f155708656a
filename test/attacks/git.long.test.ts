import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInSandbox, freely } from "../support/needs.ts";

/** The person's own git, with a home of its own. */
function person(place: Place, ...args: string[]) {
  const env = { PATH: process.env["PATH"], HOME: join(place.home, ".."), GIT_CONFIG_NOSYSTEM: "1" };
  const { status, stdout } = spawnSync("git", args, { cwd: place.workspace, env, encoding: "utf8" });
  return { status, stdout };
}

/** A workspace that is a repository with one commit, and a program that leaves a mark outside of it when it runs. */
async function repository(answers: Parameters<typeof openPlace>[0] = [], files: Record<string, string> = {}) {
  const place = await openPlace(answers, { "a.txt": "a\n", ...files });
  const ran = join(place.home, "..", "ran");
  const evil = join(place.home, "..", "evil.sh");
  writeFileSync(evil, `#!/bin/sh\necho "$0" >> ${ran}\ncat\n`);
  chmodSync(evil, 0o755);
  person(place, "init", "-q");
  for (const [name, value] of [
    ["user.email", "t@example.com"],
    ["user.name", "T"],
  ] as const)
    person(place, "config", name, value);
  person(place, "add", "a.txt");
  person(place, "commit", "-q", "-m", "first");
  return { ...place, git: (...args: string[]) => person(place, ...args), evil, hasRun: () => existsSync(ran) };
}

/** What a script does to make a folder of git's data: all but the settings and the HEAD. */
const data = (folder: string): string =>
  `mkdir -p ${folder} && cp -r .git/objects .git/refs ${folder}/ && printf '[core]\\n\\tfsmonitor = /evil\\n' > ${folder}/config`;
const head = (folder: string): string => `mkdir -p ${folder} && cp .git/HEAD ${folder}/HEAD`;

describeInSandbox(
  "a script in the sandbox that makes a repository whose settings run a program (needs bubblewrap)",
  () => {
    it.each([
      ["by a commondir", `${data("x")}; echo '*' > x/.gitignore; ${head("sm/.git")}; echo ../../x > sm/.git/commondir`],
      ["by an absolute commondir", `${data("x")}; ${head("sm/.git")}; echo "$PWD/x" > sm/.git/commondir`],
      [
        "by a file that leads to a folder with a commondir",
        `${data("x")}; ${head("y")}; echo ../x > y/commondir; mkdir sm; echo 'gitdir: ../y' > sm/.git`,
      ],
      ["by a link", `${data("x")}; ${head("x")}; echo '*' > x/.gitignore; mkdir sm; ln -s ../x sm/.git`],
      [
        "by commondirs one behind the other",
        `${data("x")}; ${head("sm/.git")}; echo ../x > x/commondir; echo ../../x > sm/.git/commondir`,
      ],
      ["by a commondir that cannot be read", `${head("sm/.git")}; mkdir sm/.git/commondir`],
      [
        "by settings of a working tree",
        `${data("sm/.git")}; ${head("sm/.git")}; mv sm/.git/config sm/.git/config.worktree; printf '[extensions]\\n\\tworktreeConfig\\n' > sm/.git/config`,
      ],
      [
        "by more settings in the tree",
        `${data("sm/.git")}; ${head("sm/.git")}; printf '[include]\\n\\tpath = ../../c\\n' > sm/.git/config; mv x/config c 2>/dev/null; true`,
      ],
      [
        "in a submodule of it",
        `${head("sm/.git")}; mkdir -p sm/.git/objects sm/.git/refs; ${data("sm/.git/modules/x")}; ${head("sm/.git/modules/x")}`,
      ],
      [
        "by hooks that are a link",
        `${data("sm/.git")}; ${head("sm/.git")}; : > sm/.git/config; mkdir h; printf '#!/bin/sh\\n' > h/post-checkout; chmod +x h/post-checkout; ln -s ../../h sm/.git/hooks`,
      ],
      [
        "by another working tree",
        `${data("sm/.git")}; ${head("sm/.git")}; printf '[core]\\n\\tworktree = ../..\\n' > sm/.git/config`,
      ],
      ["by its own form without a .git", `${data("n")}; ${head("n")}`],
    ])("is stopped at: %s", async (_, script) => {
      const place = await repository([asks("shell", { command: "sh make.sh" }), says("Done.")], { "make.sh": script });
      const ran = await place.json(["run", "go", "--mode", "full-auto"]);
      expect(ran.code).toBe(11);
      expect(ran.the("recovery_requested").calls[0]?.known).toMatch(/\b(sm|x|y|n)\//u);
    });

    it("is not, where the repository runs nothing", async () => {
      const script = `git init -q a && git -C a -c user.name=T -c user.email=t@example.com commit -q --allow-empty -m x && git clone -q a c && git -C c worktree add -q ../d
      git init -q --bare e/.git; mkdir -p a/.git/objects/info; echo /nowhere > a/.git/objects/info/alternates`;
      const place = await repository([asks("shell", { command: "sh make.sh" }), says("Done.")], { "make.sh": script });
      const ran = await place.json(["run", "go", "--mode", "full-auto"]);
      expect(ran.code).toBe(0);
      expect(["c/.git/HEAD", "d/.git", "e/.git/HEAD"].map(place.has)).toEqual([true, true, true]);
    });

    it.each([
      ["before", ["git update-index --add --cacheinfo 160000,$SHA,node_modules/e", "sh make.sh"]],
      ["after", ["sh make.sh", "git update-index --add --cacheinfo 160000,$SHA,node_modules/e"]],
    ])("among packages is stopped at where the index leads there, %s it is made", async (_, lines) => {
      const script = `${data("node_modules/e/.git")}; ${head("node_modules/e/.git")}`;
      const place = await repository([], { "make.sh": script });
      const sha = spawnSync("git", ["rev-parse", "HEAD"], { cwd: place.workspace, encoding: "utf8" }).stdout.trim();
      for (const line of lines) place.server.push(asks("shell", { command: line.replace("$SHA", sha) }));
      place.server.push(says("Done."));
      const ran = await place.json(["run", "go", "--mode", "full-auto"]);
      expect(ran.code).toBe(11);
      expect(ran.the("recovery_requested").calls[0]).toMatchObject({
        toolName: "shell",
        known: expect.stringContaining("node_modules/e/.git/config"),
      });
    });

    it("is not, where the index leads to one that runs nothing", async () => {
      const place = await repository([asks("shell", { command: "sh make.sh" }), says("Done.")], {
        "make.sh": "git init -q node_modules/e; git -C node_modules/e config user.name T; touch node_modules/e/a\n",
      });
      const sha = spawnSync("git", ["rev-parse", "HEAD"], { cwd: place.workspace, encoding: "utf8" }).stdout.trim();
      place.git("update-index", "--add", "--cacheinfo", `160000,${sha},node_modules/e`);
      expect(await place.json(["run", "go", "--mode", "full-auto"])).toMatchObject({ code: 0 });
    });

    it("and hides in a commondir is not taken in, nor asked for its state, unasked", async () => {
      const place = await repository();
      const make = `${data("x")}; ${head("sm/.git")}; echo ../../x > sm/.git/commondir; cp .git/index sm/.git/; cp a.txt sm/`;
      spawnSync("sh", ["-c", make.replace("/evil", place.evil)], { cwd: place.workspace });
      const check = async (command: string, more: string[] = []) => {
        const { stdout } = await place.run(["policy", "check", "shell", JSON.stringify({ command }), ...more]);
        return JSON.parse(stdout) as { decision: string };
      };
      const full = ["--mode", "full-auto", "--sandbox", "off"];
      for (const command of [
        "git add sm",
        "git add .",
        "git add -A",
        "git add 's*'",
        "git stage ./sm",
        "git submodule add ./sm sm",
      ])
        expect([command, (await check(command, full)).decision]).toEqual([command, "ask"]);
      expect((await check("git add a.txt", full)).decision).toBe("allow");
      place.git("add", "sm");
      for (const command of ["git commit -m x", "git stash", "npm test && git status", "git -C sm add a.txt"])
        expect([command, (await check(command, full)).decision]).toEqual([command, "ask"]);
    });
  },
);

/** Settings of a submodule, and what of it would run for `git status`. */
const sets = (name: string) => (evil: string) => ["config", name, evil];

describe("git that is only asked what there is", () => {
  const commands = [
    "git status",
    "git status --short",
    "git status -uno && ls",
    "git diff --stat",
    "git diff --name-only HEAD",
    "git describe --always",
    "git log --oneline -3 | head -2",
    "git ls-files -m",
  ];

  it.each([
    ["a submodule's monitor", sets("core.fsmonitor")],
    ["a submodule's filter", sets("filter.f.clean")],
    ["a submodule's filter that stays", sets("filter.f.process")],
    ["a submodule's hooks", () => ["config", "core.hooksPath", "../hooks"]],
    ["a filter of a name with dots and quotes", sets("filter.a.b'c!d.clean")],
    ["the top's own monitor", sets("core.fsmonitor"), "."],
    ["the top's own filter", sets("filter.f.clean"), "."],
  ] as [string, (evil: string) => string[], string?][])(
    "runs nothing of %s, in read-only too",
    async (_, args, at = "sm") => {
      const calls = commands.map((command) => ({ name: "shell", arguments: { command } }));
      const place = await repository([
        { calls },
        says("Ok."),
        asks("shell", { command: "git describe --always --dirty" }),
        says("Ok."),
      ]);
      const filter = args("").join(" ").includes("b'c") ? "a.b'c!d" : "f";
      mkdirSync(place.path("sm"));
      for (const one of [
        ["init", "-q"],
        ["config", "user.email", "t@example.com"],
        ["config", "user.name", "T"],
        ["add", "."],
        ["commit", "-q", "--allow-empty", "-m", "x"],
      ])
        place.git("-C", "sm", ...one);
      mkdirSync(place.path("hooks"));
      writeFileSync(place.path("hooks/post-index-change"), readFileSync(place.evil), { mode: 0o755 });
      await place.write("sm/b.txt", "b\n");
      await place.write("sm/same.txt", "same\n");
      place.git("-C", "sm", "add", "b.txt", "same.txt");
      place.git("-C", "sm", "commit", "-q", "-m", "b");
      place.git("add", "sm");
      place.git("commit", "-q", "-m", "sub");
      place.git("-C", at, ...args(place.evil));
      await place.write(`${at}/.git/info/attributes`, `* filter=${filter}\n`);
      // As long as it was, so that git must read it to know whether it changed.
      await place.write("sm/b.txt", "c\n");
      await place.write("a.txt", "b\n");
      // Its time alone is another: git that may would note that in its index, however slow all this was.
      utimesSync(place.path("sm/same.txt"), 1, 1);
      expect(place.hasRun()).toBe(false);
      const ran = await place.json(["run", "go", "--mode", "read-only", "--sandbox", "off"]);
      expect(ran).toMatchObject({ code: 0, end: { calls: { success: commands.length } } });
      expect(place.hasRun()).toBe(false);
      expect(place.heard(1, -commands.length)).toMatch(/modified: +sm/u);
      // What would write git's index is free only where it cannot.
      const inBox = freely.length === 0;
      const dirty = await place.json(["run", "go", "--mode", "read-only", ...freely]);
      expect(dirty).toMatchObject({ code: inBox ? 0 : 10, end: { calls: inBox ? { success: 1 } : {} } });
      expect(place.hasRun()).toBe(false);
      // The person's own git does run it: the trap is real.
      place.git("status");
      expect(place.hasRun()).toBe(true);
    },
  );
});
