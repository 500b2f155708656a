import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/json.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { itInSandbox } from "../support/needs.ts";

/** A folder beside the workspace, with these files. */
async function folderBeside(place: Place, files: Record<string, string>, name = "lib"): Promise<string> {
  const folder = join(dirname(place.workspace), name);
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

const bare = { "bare/HEAD": "ref: x\n", "bare/config": "", "bare/objects/a": "", "bare/refs/a": "" };
const files = { "src/a.ts": "one needle\n", ".env": "KEY=needle\n", ".git/config": "[core]\n", ...bare };

type Call = [string, JsonObject];

type Line = { decision?: string; rule?: { source: string }; error?: string };

/** What policy says of each call, in words: its decision and where that comes from. */
async function verdicts(place: Place, calls: Call[], flags: string[]): Promise<string[]> {
  const stdin = calls.map(([tool, args]) => JSON.stringify({ tool, args })).join("\n");
  const ran = await place.run(["policy", "check", "--stdin", ...flags], { stdin });
  expect(ran.stderr).toBe("");
  return ran.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)
    .map(({ decision, rule, error }) => error ?? `${decision} ${rule?.source}`);
}

const read = (file_path: string): Call => ["read_file", { file_path }];
const write = (file_path: string): Call => ["write_file", { file_path, content: "x\n" }];

describe("an added folder", () => {
  it("is reached by absolute paths, and by nothing else; without the flag by nothing", async () => {
    const place = await openPlace([], { "src/a.ts": "mine\n" });
    const lib = await folderBeside(place, files);
    const at = (file: string) => join(lib, file);
    const calls = [
      read(at("src/a.ts")),
      ["grep", { pattern: "n", path: lib }],
      write(at("src/a.ts")),
      write(at("new/b.ts")),
    ];
    const asked = calls as Call[];
    expect(await verdicts(place, asked, [])).toEqual(Array(4).fill("deny sealed"));
    expect(await verdicts(place, asked, ["--add-dir", lib])).toEqual([
      "allow table",
      "allow table",
      "ask table",
      "ask table",
    ]);
    expect(await verdicts(place, asked, ["--add-dir", "../lib", "--mode", "accept-edits"])).toEqual([
      "allow table",
      "allow table",
      "allow mode",
      "allow mode",
    ]);
    expect(await verdicts(place, [read("../lib2/a"), read(`${lib}-evil/a`)], ["--add-dir", lib])).toEqual(
      Array(2).fill("deny sealed"),
    );
  });

  it("is worked in as the workspace is: searched, read, changed and taken back", async () => {
    const place = await openPlace([], { "src/a.ts": "mine\n" });
    const lib = await folderBeside(place, files);
    const a = join(lib, "src/a.ts");
    for (const answer of [
      asks(
        "grep",
        { pattern: "needle", path: lib },
        { calls: [{ name: "glob", arguments: { pattern: "**/*.ts", path: lib } }] },
      ),
      asks("ls", { path: lib }, { calls: [{ name: "read_file", arguments: { file_path: a } }] }),
      asks(
        "edit_file",
        { file_path: a, old_string: "one", new_string: "two" },
        {
          calls: [{ name: "write_file", arguments: { file_path: "src/a.ts", content: "yours\n" } }],
        },
      ),
      says("Done."),
    ])
      place.server.push(answer);
    const ran = await place.json(["run", "go", "--add-dir", lib, "--mode", "accept-edits"]);
    expect(ran).toMatchObject({ code: 0, end: { text: "Done.", calls: { success: 6, error: 0 } } });
    expect(place.heard(-1, 3)).toBe(
      `${a}:1:one needle\n(5 files were not searched: reading them is not allowed unasked)`,
    );
    expect(place.heard(-1, 4)).toContain(a);
    expect([await readFile(a, "utf8"), await place.read("src/a.ts")]).toEqual(["two needle\n", "yours\n"]);
    expect(place.heard(0, 0)).toContain(`added folder: ${lib}`);

    expect((await place.run(["undo", ran.session, "--yes"])).code).toBe(1);
    expect((await place.run(["undo", ran.session, "--yes", "--add-dir", lib])).code).toBe(0);
    expect([await readFile(a, "utf8"), await place.read("src/a.ts")]).toEqual(["one needle\n", "mine\n"]);
  });

  it("has its sealed, guarded and watched places as the workspace has, in every mode", async () => {
    const place = await openPlace();
    const lib = await folderBeside(place, files);
    await symlink(join(lib, ".git"), join(lib, "data"));
    const at = (file: string) => join(lib, file);
    const calls = [
      read(at(".git/config")),
      write(at(".git/hooks/post-checkout")),
      write(at("data/hooks/x")),
      write(at("bare/config")),
      write(at(".holdfast/policy.json")),
      read(at(".env")),
      write(at(".github/workflows/ci.yml")),
      write(at("package.json")),
    ];
    expect(await verdicts(place, calls, ["--add-dir", lib, "--mode", "full-auto"])).toEqual([
      ...Array(5).fill("deny sealed"),
      ...Array(2).fill("ask guarded"),
      "ask watched",
    ]);
  });

  it("has its rules: the person's, and what its own project denies or asks; what another project allows is not for it", async () => {
    const place = await openPlace([], {
      ".holdfast/policy.json": JSON.stringify({
        rules: [
          { tool: "write_file", paths: ["src/**"], decision: "allow", why: "ours" },
          { tool: "edit_file", decision: "allow", why: "ours" },
        ],
      }),
    });
    const own = {
      rules: [
        { tool: "*", paths: ["private/**"], decision: "deny", why: "ours" },
        { tool: "write_file", paths: ["gen/**"], decision: "allow", why: "no" },
      ],
    };
    const lib = await folderBeside(place, {
      ...files,
      "private/x": "needle\n",
      ".holdfast/policy.json": JSON.stringify(own),
    });
    const rules = {
      rules: [
        { tool: "write_file", paths: ["docs/**"], decision: "allow", why: "mine" },
        { tool: "*", paths: ["closed/**"], decision: "deny", why: "mine" },
      ],
    };
    await writeFile(join(place.home, "policy.json"), JSON.stringify(rules));
    expect((await place.run(["trust", "--yes"])).code).toBe(0);
    const both = (file: string) => [write(file), write(join(lib, file))];
    const calls = [...both("src/b"), ...both("docs/b"), ...both("closed/b"), ...both("private/b"), ...both("gen/b")];
    expect(await verdicts(place, calls, ["--add-dir", lib])).toEqual([
      "allow project",
      "ask table",
      "allow user",
      "allow user",
      "deny user",
      "deny user",
      "ask table",
      "deny project",
      "ask table",
      "ask table",
    ]);
    const edit: Call = ["edit_file", { file_path: join(lib, "src/a.ts"), old_string: "one", new_string: "1" }];
    expect(await verdicts(place, [edit], ["--add-dir", lib])).toEqual(["ask table"]);

    place.server.push(asks("grep", { pattern: "needle", path: lib }), says("Done."));
    await place.json(["run", "go", "--add-dir", lib]);
    expect(place.heard(-1, 3)).toBe(
      `${join(lib, "src/a.ts")}:1:one needle\n(7 files were not searched: reading them is not allowed unasked)`,
    );
  });

  it.each([
    ["that is not there", (place: Place) => join(place.workspace, "no"), "there is no folder"],
    ["that is a file", (place: Place) => place.path("a.txt"), "is not a folder"],
    ["that is everything", () => "/", "holds your home"],
    ["that is the home", (place: Place) => place.env["HOME"] ?? "", "holds your home"],
    ["that holds the home", (place: Place) => dirname(place.env["HOME"] ?? ""), "holds your home"],
    ["of this program's own", (place: Place) => place.home, "is sealed: this program's own"],
    ["of git's data", (place: Place) => place.path(".git/hooks"), "is sealed: git's own data"],
    ["of git's data under another name", (place: Place) => place.path("bare"), "is sealed: it is git's own data"],
    ["of the kernel", () => "/proc/self", "kernel files"],
  ])("%s is a usage error, in the settings one of configuration", async (_, folder, why) => {
    const place = await openPlace([], { "a.txt": "a", ".git/hooks/x": "", ...bare });
    const named = folder(place);
    const flag = await place.run(["run", "hi", "--add-dir", named]);
    expect(flag).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    await writeFile(join(place.home, "config.json"), JSON.stringify({ addDirs: [named] }));
    const config = await place.run(["run", "hi"]);
    expect(config).toMatchObject({ code: 52, stderr: expect.stringContaining(why) });
    expect(place.server.requests).toEqual([]);
    expect((await place.run(["sessions", "list"])).code).toBe(0);
  });

  it("of the settings counts in every run; a project's settings name none", async () => {
    const place = await openPlace();
    const lib = await folderBeside(place, files);
    await writeFile(join(place.home, "config.json"), JSON.stringify({ addDirs: ["~/lib"] }));
    expect(await verdicts(place, [read(join(lib, "src/a.ts"))], [])).toEqual(["allow table"]);
    await writeFile(join(place.home, "config.json"), "{}");
    await place.write(".holdfast/config.json", JSON.stringify({ addDirs: [lib] }));
    expect(await place.run(["run", "hi"])).toMatchObject({ code: 52, stderr: expect.stringContaining("addDirs") });
  });

  it("is given again at a resume: what waits there is else refused, and says why", async () => {
    const place = await openPlace();
    const lib = await folderBeside(place, files);
    const file = join(lib, "b.ts");
    place.server.push(asks(...write(file)), asks(...write(file)), says("Done."));
    const asked = await place.json(["run", "go", "--add-dir", lib]);
    expect(asked.code).toBe(11);
    const without = await place.json(["resume", asked.session, "--approve", "all"]);
    expect(existsSync(file)).toBe(false);
    expect(place.heard(-1, 3)).toContain(`"${file}" is not inside the workspace`);
    expect(place.heard(-1, 3)).toContain("If its folder was added with --add-dir: give that again.");
    expect(without.end.calls).toMatchObject({ success: 0, cancelled: 1 });
  });

  it("that is exchanged for a link while a call waits gets nothing: the person is asked about what would be written", async () => {
    const place = await openPlace();
    const lib = await folderBeside(place, files);
    const evil = await folderBeside(place, {}, "evil");
    const file = join(lib, "b.ts");
    place.server.push(asks(...write(file)), says("Done."));
    const asked = await place.json(["run", "go", "--add-dir", lib]);
    await rename(lib, `${lib}.away`);
    await symlink(evil, lib);
    const ran = await place.json(["resume", asked.session, "--approve", "all", "--add-dir", lib]);
    expect(ran.code).toBe(11);
    expect(ran.of("approval_requested").at(-1)?.calls[0]?.plan.files?.[0]?.real).toBe(join(evil, "b.ts"));
    expect([existsSync(join(evil, "b.ts")), existsSync(join(`${lib}.away`, "b.ts"))]).toEqual([false, false]);
    await rm(lib);
    await rename(`${lib}.away`, lib);
    expect((await place.json(["resume", asked.session, "--approve", "all", "--add-dir", lib])).code).toBe(11);
    expect((await place.json(["resume", asked.session, "--approve", "all", "--add-dir", lib])).code).toBe(0);
    expect([existsSync(join(evil, "b.ts")), await readFile(file, "utf8")]).toEqual([false, "x\n"]);
  });
});

describe("a command and an added folder", () => {
  const git = { ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n", ".git/hooks/a.sample": "a\n" };
  const evil = `echo x > out; ls > /dev/null
    echo x > .git/hooks/post-commit; echo x >> .git/config; mv .git g
    echo '{}' > .holdfast/config.json; echo x > ../other/x; echo "in $(pwd -P)"; exit 0\n`;
  const libFiles = { ...git, "evil.sh": evil, ".holdfast/note": "", "bin/ls": `#!/bin/sh\n: > ran\n` };

  async function withLib(argv: string[]) {
    const place = await openPlace([asks("shell", { command: "bash evil.sh", cwd: "../lib" }), says("Done.")]);
    const lib = await folderBeside(place, libFiles);
    const other = await folderBeside(place, {}, "other");
    await chmod(join(lib, "bin/ls"), 0o755);
    await mkdir(join(place.workspace, "bin"));
    const PATH = `${join(lib, "bin")}:${join(place.workspace, "bin")}:${place.env["PATH"]}`;
    const ran = await place.json(["run", "go", "--mode", "full-auto", ...argv, "--add-dir", lib], { env: { PATH } });
    const made = (...names: string[]) => names.filter((name) => existsSync(join(lib, name)));
    return { place, lib, other, ran, made };
  }

  itInSandbox(
    "in the sandbox: it runs and writes there, but not what git runs or obeys, nor our own, nor beside it (needs bubblewrap)",
    async () => {
      const { place, lib, other, ran, made } = await withLib([]);
      expect(ran).toMatchObject({ code: 0, end: { calls: { success: 1 } } });
      expect(place.heard(-1, -1)).toContain(`in ${lib}\n`);
      expect(made("out", ".git/hooks/post-commit", "g", ".holdfast/config.json", "ran")).toEqual(["out"]);
      expect(await readFile(join(lib, ".git/config"), "utf8")).toBe("[core]\n");
      expect(existsSync(join(other, "x"))).toBe(false);
      expect(ran.of("notice").find(({ code }) => code === "path")?.text).toContain(
        `${join(lib, "bin")}, ${join(place.workspace, "bin")}`,
      );
    },
  );

  it("without the sandbox: what it did to such places there is named, and nothing goes on before a person has seen it", async () => {
    const { lib, ran, made } = await withLib(["--sandbox", "off"]);
    expect(made("out", "ran")).toEqual(["out"]);
    expect(ran.code).toBe(11);
    const [call] = ran.the("recovery_requested").calls;
    for (const name of [".git/config", ".holdfast"]) expect(call?.known).toContain(join(lib, name));
  });
});
