import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../../../../src/tools/shell/reading/read-command-line.ts";
import { tempTree } from "../../../temp-tree.ts";

const files: Record<string, string> = {
  "a.js": "a",
  "a.rb": "a",
  "a.php": "a",
  "a.ts": "a",
  "a.go": "package main",
  "b.go": "package main",
  "a.lua": "a",
  "a.sh": "a",
  x: "A=1",
  "pre.rb": "a",
  "lib/m.rb": "a",
  "lib/deep/n.py": "a",
  "cmd/t/main.go": "package main",
  "go.mod": "module x",
  "deno.json": "{}",
  "tsconfig.json": "{}",
  "jest.config.js": "a",
  "runner.js": "a",
  "pytest.ini": "a",
  "tests/conftest.py": "a",
  "tests/a_test.py": "a",
  "Cargo.toml": "a",
  "build.rs": "a",
  "pom.xml": "a",
  "build.gradle": "a",
  gradlew: "#!/bin/sh",
  "init.gradle": "a",
  justfile: "a:",
  "package.json": '{"name": "top", "scripts": {"pretest": "echo pre", "test": "echo top"}, "workspaces": ["sub"]}',
  "sub/package.json": '{"name": "s", "scripts": {"test": "echo sub", "postinstall": "node p.js"}}',
  ".npmrc": "//registry.example.com/:_authToken=secret\nscript-shell=./shell.sh\n",
  "shell.sh": "#!/bin/sh",
  ".yarnrc.yml": "yarnPath: .yarn/releases/yarn.cjs\n",
  ".yarn/releases/yarn.cjs": "a",
  "node_modules/.bin/tool": "a",
};

function project() {
  const workspace = realpathSync(tempTree());
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text, { mode: 0o755 });
  }
  const place = { workspace, cwd: workspace, path: ["/usr/bin", "/bin"] };
  const read = (line: string) => readCommandLine(line, place);
  /** What the line's commands run or read, and `loose` where no grant may last. */
  const bound = async (line: string): Promise<string[]> => {
    const { commands } = await read(line);
    const paths = commands.flatMap(({ scripts = [] }) => scripts.map(({ path }) => path.slice(workspace.length + 1)));
    return [...new Set(paths), ...(commands.some(({ unbound }) => unbound !== undefined) ? ["loose"] : [])].toSorted();
  };
  return { workspace, read, bound };
}

describe("what a command runs", () => {
  it.each([
    ["ruby a.rb", ["a.rb"]],
    ["bundle exec ruby a.rb", ["a.rb"]],
    ["uv run --with y a.sh", ["a.sh"]],
    ["poetry run pytest -q tests/a_test.py", ["pytest.ini", "tests/a_test.py"]],
    ["ruby -r ./pre.rb a.rb", ["a.rb", "pre.rb"]],
    ["ruby -Ilib a.rb", ["a.rb", "lib", "loose"]],
    ["php -f a.php", ["a.php"]],
    ["php -d auto_prepend_file=x a.php", ["a.php", "loose", "x"]],
    ["lua a.lua", ["a.lua"]],
    ["deno run -A a.ts", ["a.ts", "deno.json", "package.json"]],
    ["deno eval 1", ["deno.json", "loose", "package.json"]],
    ["tsx a.ts", ["a.ts", "package.json", "tsconfig.json"]],
    ["tsx watch --tsconfig x a.ts", ["a.ts", "package.json", "tsconfig.json", "x"]],
    ["bun run test", [".npmrc", "package.json", "shell.sh", "tsconfig.json"]],
    ["bun a.ts", [".npmrc", "a.ts", "package.json", "shell.sh", "tsconfig.json"]],
    ["go run .", ["a.go", "b.go", "go.mod"]],
    ["go run ./cmd/t -v", ["cmd/t/main.go", "go.mod"]],
    ["go test -exec ./a.sh ./cmd/t", ["a.sh", "cmd/t/main.go", "go.mod", "loose"]],
    ["go version", []],
    ["cargo test", ["Cargo.toml", "build.rs"]],
    ["cargo build --config x", ["Cargo.toml", "build.rs", "loose", "x"]],
    ["mvn -q test", ["pom.xml"]],
    ["./gradlew test", ["build.gradle", "gradlew"]],
    ["gradle -I init.gradle test", ["build.gradle", "init.gradle"]],
    ["just a", ["justfile"]],
    ["pytest -q tests/a_test.py::x", ["pytest.ini", "tests/a_test.py"]],
    ["cd tests && pytest", ["pytest.ini", "tests/conftest.py"]],
    ["pytest -p no.such", ["loose", "pytest.ini"]],
    ["jest --runner ./runner.js", ["jest.config.js", "package.json", "runner.js"]],
    ["npm test", [".npmrc", "package.json", "shell.sh"]],
    ["npm test --prefix sub", [".npmrc", "shell.sh", "sub/package.json"]],
    ["npm -w s test", [".npmrc", "package.json", "shell.sh", "sub/package.json"]],
    ["npm -w none test", [".npmrc", "loose", "package.json", "shell.sh"]],
    ["npm exec tool", [".npmrc", "loose", "node_modules/.bin/tool", "package.json", "shell.sh"]],
    ["npx tool", [".npmrc", "node_modules/.bin/tool", "package.json", "shell.sh"]],
    [
      "yarn tool",
      [".npmrc", ".yarn/releases/yarn.cjs", ".yarnrc.yml", "node_modules/.bin/tool", "package.json", "shell.sh"],
    ],
    ["pnpm --no-such x test", [".npmrc", "loose", "package.json", "shell.sh", "x"]],
    ["node --no-such=x a.js", ["a.js", "loose", "x"]],
    ["node missing", ["loose"]],
    ["node $X a.js", ["a.js", "loose"]],
    ["python3 -I -c 1", []],
    ["bash a.sh x", ["a.sh"]],
    ["zsh -o err_exit a.sh", ["a.sh"]],
    ["flock x ./a.sh", ["a.sh", "x"]],
    ["cd sub; bash ../a.sh", ["a.sh", "loose"]],
    ["ruby -rjson a.rb", ["a.rb", "loose"]],
    ["perl -Mstrict a.pl a.sh", ["a.sh", "loose"]],
    ["perl -w a.sh", ["a.sh"]],
    ["export BASH_ENV=a.sh && ls", ["a.sh"]],
    ["node -v", []],
    ["cat x | wc -l", []],
  ])("%s", async (line, expected) => {
    expect(await project().bound(line)).toEqual(expected);
  });

  it("is the script of the folder that npm goes to, with those before and after it, and what its settings name, without tokens", async () => {
    const { read, workspace } = project();
    const texts = async (line: string) =>
      (await read(line)).commands.flatMap(({ scripts = [] }) =>
        scripts.flatMap(({ path, name, text }) =>
          text === undefined ? [] : [[path.slice(workspace.length + 1), name, text]],
        ),
      );
    const settings = [".npmrc", undefined, "script-shell=./shell.sh"];
    expect(await texts("npm test -C sub")).toEqual([["sub/package.json", "test", "echo sub"], settings]);
    expect(await texts("npm t")).toEqual([
      ["package.json", "pretest", "echo pre"],
      ["package.json", "test", "echo top"],
      settings,
    ]);
    expect(await texts("npm ci --prefix sub")).toEqual([["sub/package.json", "postinstall", "node p.js"], settings]);
  });

  it("is said not to be bound where a folder holds too much, and where it may be anywhere", async () => {
    const { read, workspace } = project();
    for (let at = 0; at < 500; at += 1) {
      mkdirSync(join(workspace, "much"), { recursive: true });
      writeFileSync(join(workspace, "much", `${at}.py`), "");
    }
    expect((await read("python3 -c 1; perl -I much a.sh")).warnings).toEqual([
      expect.stringContaining("-I takes code from a folder"),
    ]);
    expect((await read('cd "$x" && node a.js')).warnings).toEqual([
      expect.stringContaining("is not known before it runs"),
    ]);
    expect((await read("perl -I lib a.sh; node a.js; npm test")).warnings).toEqual([]);
  });
});
