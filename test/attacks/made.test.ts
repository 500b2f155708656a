import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { rule, madeStage as stage } from "../support/made-stage.ts";
import { describeInSandbox } from "../support/needs.ts";
import { tempTree } from "../tools/temp-tree.ts";

const shown = "(of the workspace only files that this session wrote were there, and could only be read)";

const linkAt = (at: string): void => {
  renameSync(at, `${at}.old`);
  symlinkSync(`${at}.old`, at);
};
const folderAt = (at: string): void => {
  rmSync(at);
  mkdirSync(at);
};

const others = [
  "node --import ./src/theirs.mjs x.mjs",
  "node --require ./y.cjs x.mjs",
  "node -r ./y.cjs x.mjs",
  "node --env-file=data.csv x.mjs",
  "node --experimental-loader ./x.mjs x.mjs",
  "node -e 1 x.mjs",
  "node --test",
  "node .",
  "node x",
  "node -- x.mjs",
  "node x.mjs < data.csv",
  "node < x.mjs",
  "cat x.mjs | node",
  "node x.mjs > out.txt",
  "node x.mjs >> x.sh",
  "node x.mjs data.csv",
  "node x.mjs --file=data.csv",
  "node x.mjs src",
  "node x.mjs $HOME",
  "node x.mjs $(cat data.csv)",
  "node x.mjs *.csv",
  "node x.mjs; npm test",
  "node x.mjs && git status",
  "node x.mjs; ls",
  "cat data.csv | node x.mjs",
  "grep -r x . ; node x.mjs",
  "find . -exec node x.mjs \\;",
  "echo a | xargs node x.mjs",
  "NODE_OPTIONS=--import=./src/theirs.mjs node x.mjs",
  "export NODE_OPTIONS=--require=./y.cjs; node x.mjs",
  "env node x.mjs",
  "BASH_ENV=./lib.sh bash x.sh",
  "bash --rcfile ./lib.sh x.sh",
  "bash --init-file ./lib.sh -i x.sh",
  "bash -c 'source lib.sh' x.sh",
  "bash -O extglob x.sh",
  "bash -s x.sh",
  "source ./x.sh",
  ". ./x.sh",
  "exec ./x.sh; ./lib.sh",
  "zsh x.sh",
  "python3 -m x",
  "python3 -c 1",
  "PYTHONPATH=src python3 x.py",
  "python3 -X importtime x.py",
  "perl -I src x.pl",
  "./node_modules/.bin/node x.mjs",
  "src/../x.sh/../lib.sh",
  "PATH=./node_modules/.bin:$PATH node x.mjs",
  "sudo bash x.sh",
  "cd src && bash ../x.sh",
  "cd / && bash x.sh",
  "x() { bash lib.sh; }; x x.sh",
  "alias bash=./lib.sh; bash x.sh",
  "hash -p ./lib.sh bash; bash x.sh",
  "bash x.sh & bash lib.sh",
  "while read l; do bash x.sh; done < data.csv",
];

describeInSandbox("a script that the session itself made whole (needs bubblewrap)", () => {
  test("runs without a question, with what else the session made and nothing else of the workspace", async () => {
    const { run, write, workspace } = stage();
    write("x.mjs", "import { one } from './one.mjs';\nconsole.log(one, process.argv[2]);\n");
    write("one.mjs", "export const one = 1;\n");
    write("tools/t.sh", "#!/bin/bash\nls -A; echo in $PWD\n", 0o755);
    expect((await run("node x.mjs hello | head -5")).output).toBe(`1 hello\n(exit code 0)\n${shown}`);
    expect((await run("./tools/t.sh")).output).toContain(`one.mjs\ntools\nx.mjs\nin ${workspace}\n`);
    expect((await run(`cd ${workspace} && timeout 9 bash -eu tools/t.sh 2>&1`)).output).toContain("in ");
    expect(await run("python3 -c 1; node x.mjs").catch((error: Error) => error.message)).toContain("python3 -c 1");
  });

  test("can change nothing, reach nobody, and finds nothing that a command kept before", async () => {
    const server = createServer((socket) => socket.end());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { run, write, workspace, scratch } = stage({
      shell: { env: { ...process.env, TOKEN: "SECRET" }, shellEnv: ["TOKEN"] },
    });
    write(
      "x.sh",
      `for at in . src /etc ~ /usr/bin; do (echo evil > $at/evil) 2>/dev/null && echo "wrote $at"; done
echo "$TOKEN" "$(ls -A ~)"; cat .e* pack*; (exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached) 2>&1 | head -1
find ${scratch} "$TMPDIR" -type f 2>/dev/null; printf x >> x.sh
`,
    );
    mkdirSync(join(scratch, "sandbox", "tmp"), { recursive: true });
    writeFileSync(join(scratch, "sandbox", "tmp", "kept.sh"), "echo THEIRS\n");
    const { output } = await run("bash x.sh");
    expect(output).not.toMatch(/kept\.sh|SECRET|"name"|wrote (?:\.|src)/u);
    expect(output).toContain("Connection refused");
    expect(output).toContain("x.sh: Read-only file system");
    expect(["evil", "src/evil"].filter((name) => existsSync(join(workspace, name)))).toEqual([]);
    expect(["/etc/evil", "/usr/bin/evil"].filter(existsSync)).toEqual([]);
  });

  test.each([
    ["bash x.sh", "x.sh", 'f=lib; source "./$f.sh"; . ./li?.sh; bash lib.s*'],
    ["node x.mjs", "x.mjs", "const at = ['.', 'src', 'theirs.mjs'].join('/'); await import(at);"],
    ["node x.cjs", "x.cjs", "const f = 'le' + 'ft'; require(f);"],
    ["./x.sh", "x.sh", "#!./node_modules/.bin/node\necho THEIRS\n"],
    ["python3 x.py", "x.py", "import subprocess; subprocess.run(['bash', 'li' + 'b.sh'])"],
  ])("%s: code of the repository is not there for it, however it is named", async (line, name, text) => {
    const { run, write } = stage();
    write(name, text, 0o755);
    expect((await run(line)).output).not.toContain("THEIRS\n");
  });

  test("is asked about at once where its text names what else lies in the workspace, or a package of it", async () => {
    const { judge, write } = stage();
    write("a.mjs", "import './src/theirs.mjs';\n");
    write("b.cjs", "require('left');\n");
    write("sub/c.sh", "source ../lib.sh\n");
    write("d.mjs", "readFileSync('data.csv')\n");
    write("e.mjs", "import './f.mjs';\n");
    write("f.mjs", "1;\n");
    writeFileSync(join(dirname(write("g.py", "import lib2\n")), "lib2.py"), "print('THEIRS')\n");
    expect(await judge("node e.mjs")).toBe("apart allow");
    for (const line of ["node a.mjs", "node b.cjs", "bash sub/c.sh", "node d.mjs", "python3 g.py"])
      expect([line, await judge(line)]).toEqual([line, "ask"]);
  });

  test("runs with 40 such files, also in a folder of its own; with more it is asked about, and the question says why", async () => {
    const { prepare, run, write } = stage();
    write("sub/x.sh", "cd ..; cat many/*.txt | wc -l\n");
    write("sub/y.sh", "cat many/*.txt | wc -l\n");
    for (let at = 1; at < 39; at += 1) {
      write(`many/${at}.txt`, `${at}\n`);
      if (![1, 15, 24, 28, 33, 38].includes(at)) continue;
      expect((await run("bash x.sh", { cwd: "sub" })).output).toBe(`${at}\n(exit code 0)\n${shown}`);
      expect((await run("bash sub/y.sh")).output).toBe(`${at}\n(exit code 0)\n${shown}`);
    }
    write("many/39.txt", "39\n");
    expect(await prepare("bash sub/x.sh")).toMatchObject({
      verdict: { decision: "ask", why: expect.stringContaining("more than the 40 files, or 4 MB") },
    });
  });

  test("is asked about where one byte is another one, before it is planned", async () => {
    const { judge, write, workspace } = stage();
    write("x.sh", "echo one\n");
    expect(await judge("bash x.sh")).toBe("apart allow");
    writeFileSync(join(workspace, "x.sh"), "echo onf\n");
    expect(await judge("bash x.sh")).toBe("ask");
    rmSync(join(workspace, "x.sh"));
    expect(await judge("bash x.sh")).toBe("ask");
  });

  test.each([
    ["one byte", (at: string) => writeFileSync(at, "echo onf\n")],
    ["a link to the same bytes", linkAt],
    ["another name of its own", (at: string) => linkSync(at, `${at}.too`)],
    ["its owner's rights", (at: string) => chmodSync(at, 0o4755)],
    ["a folder", folderAt],
  ])("is not run where it got %s between plan and run", async (_, change) => {
    const { prepare, write } = stage();
    const at = write("x.sh", "echo one\n");
    const prepared = await prepare("bash x.sh");
    if (prepared.kind !== "ready") throw new Error(prepared.kind);
    change(at);
    expect(await prepared.run(AbortSignal.timeout(9_000))).toMatchObject({ kind: "failed", code: "STALE" });
  });

  test("is asked about under a folder that is a link, with another name beside its own, and by its link", async () => {
    const { judge, write, made, workspace } = stage();
    const real = write("real/x.sh", "echo one\n");
    symlinkSync("real", join(workspace, "way"));
    symlinkSync("real/x.sh", join(workspace, "link.sh"));
    made.set(join(workspace, "way/x.sh"), made.get(real) ?? "");
    made.set(join(workspace, "link.sh"), made.get(real) ?? "");
    for (const line of ["bash way/x.sh", "bash link.sh", "./way/x.sh"])
      expect([line, await judge(line)]).toEqual([line, "ask"]);
    linkSync(real, join(workspace, "twin.sh"));
    expect(await judge("bash real/x.sh")).toBe("ask");
  });

  test("is asked about as before where the line does more, sets something, or loads other code", async () => {
    const { judge, write } = stage();
    write("x.mjs", "console.log(1);\n");
    write("x.sh", "echo 1\n", 0o755);
    write("x.py", "print(1)\n");
    write("x.pl", "print 1;\n");
    for (const line of ["node x.mjs", "bash x.sh", "./x.sh", "python3 x.py", "perl x.pl"])
      expect([line, await judge(line)]).toEqual([line, "apart allow"]);
    for (const line of others) expect([line, await judge(line)]).toEqual([line, "ask"]);
  });

  test("is asked about with the network, in the background, and where it says that it needs the workspace", async () => {
    const { judge, write } = stage();
    write("x.sh", "echo 1\n");
    expect(await judge("bash x.sh")).toBe("apart allow");
    for (const more of [{ network: true }, { background: true }, { workspace: true }])
      expect([more, await judge("bash x.sh", more)]).toEqual([more, "ask"]);
  });

  test("is asked about by an interpreter that lies in the workspace, though the person put its folder into the PATH", async () => {
    const workspace = tempTree({ "data.csv": "1,2\n" });
    const { judge, write } = stage({ workspace, shell: { shellPath: [join(workspace, "bin")] } });
    write("x.sh", "echo 1\n");
    expect(await judge("bash x.sh")).toBe("apart allow");
    write("bin/bash", "#!/bin/sh\necho THEIRS\n", 0o755);
    expect(await judge("bash x.sh")).toBe("ask");
  });

  test("never where it is guarded, watched, sealed, or under a rule; a deny and an ask rule for the command count", async () => {
    const open = stage({ policy: { rules: [rule(["private/**"], "deny"), rule(["asked/**"], "ask")] } });
    for (const name of ["private/x.sh", "asked/x.sh", ".husky/pre-commit", "Makefile", ".env.local"])
      open.write(name, "echo 1\n");
    for (const name of ["private/x.sh", "asked/x.sh", ".husky/pre-commit", "Makefile", ".env.local"])
      expect([name, await open.judge(`bash ${name}`)]).toEqual([name, "ask"]);
    for (const [decision, wanted] of [
      ["ask", "ask"],
      ["deny", "denied"],
    ] as const) {
      const { paths: _, ...about } = rule([], decision);
      const { judge, write } = stage({ policy: { rules: [{ ...about, tool: "shell", command: "bash *" }] } });
      write("x.sh", "echo 1\n");
      expect(await judge("bash x.sh")).toBe(wanted);
    }
  });

  test("not in the mode read-only, not without the setting, and not without the sandbox", async () => {
    const readOnly = stage({ policy: { mode: "read-only" } });
    readOnly.write("x.sh", "echo 1\n");
    expect(await readOnly.judge("bash x.sh")).toBe("denied");
    const without = stage({ isOn: false });
    without.write("x.sh", "echo 1\n");
    expect(await without.judge("bash x.sh")).toBe("ask");
    const bare = stage({ shell: { sandbox: "off" } });
    bare.write("x.sh", "echo 1\n");
    expect(await bare.judge("bash x.sh")).toBe("ask");
  });

  test("writes in folders that the person named, but nothing guarded there, and in none that holds the workspace", async () => {
    const named = tempTree({ ".env": "SECRET\n", "old.txt": "old\n", ".git/HEAD": "x\n" });
    const { run, write, workspace } = stage({ shell: { sandboxWrite: [named] } });
    write("x.sh", `echo new > ${named}/new.txt; cat ${named}/.env ${named}/.git/HEAD; echo evil > ${named}/.env\n`);
    const { output } = await run("bash x.sh");
    expect(output).not.toContain("SECRET");
    expect(readFileSync(join(named, "new.txt"), "utf8")).toBe("new\n");
    expect(readFileSync(join(named, ".env"), "utf8")).toBe("SECRET\n");
    for (const at of [workspace, dirname(workspace)]) {
      const wide = stage({ shell: { sandboxWrite: [at] } });
      wide.write("x.sh", "ls; echo evil > evil.txt\n");
      const { output: told } = await wide.run("bash x.sh");
      expect(told).not.toContain("package.json");
      expect(existsSync(join(wide.workspace, "evil.txt"))).toBe(false);
    }
  });

  test("moves no folder of those with what is guarded, or a repository, in it: what it made anew there would run later", async () => {
    const named = tempTree({
      "repo/.git/HEAD": "x\n",
      "repo/a.txt": "a\n",
      "deep/er/.env": "SECRET\n",
      "plain/a.txt": "a\n",
    });
    const { run, write } = stage({ shell: { sandboxWrite: [named] } });
    write(
      "x.sh",
      `cd ${named}; for at in repo deep deep/er plain; do mv $at $at.old && mkdir -p $at/.git/hooks && echo evil > $at/.git/hooks/pre-commit; done
rm -rf repo deep; echo b > repo/b.txt; ls -A . repo deep
`,
    );
    const { output } = await run("bash x.sh");
    expect(output.match(/Device or resource busy/gu)?.length).toBeGreaterThanOrEqual(5);
    expect(readFileSync(join(named, "repo/.git/HEAD"), "utf8")).toBe("x\n");
    expect(existsSync(join(named, "repo/.git/hooks"))).toBe(false);
    expect(readFileSync(join(named, "deep/er/.env"), "utf8")).toBe("SECRET\n");
    expect(readFileSync(join(named, "repo/b.txt"), "utf8")).toBe("b\n");
    expect(existsSync(join(named, "plain.old/a.txt"))).toBe(true);
  });
});
