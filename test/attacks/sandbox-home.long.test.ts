import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectConfig, userConfig } from "../../src/cli/settings/config-schema.ts";
import type { ShellSettings } from "../../src/tools/shell/running/surroundings.ts";
import { describeInSandbox } from "../support/needs.ts";
import { shellStage } from "../tools/shell/support.ts";
import { tempTree } from "../tools/temp-tree.ts";
import { secretPlaces } from "./places-of-home.ts";

/** A home that a sandbox would show if nothing were done: /tmp is one of its own, /var/tmp is the machine's. */
function aHome(files: Record<string, string> = {}): string {
  const home = realpathSync(mkdtempSync("/var/tmp/holdfast-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  put(home, files);
  return home;
}

function put(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const program = (text: string, path: string): string => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
};

const boxed = (home: string, more: Partial<ShellSettings> = {}, folder = tempTree()) =>
  shellStage(
    { sandbox: "required", scratch: tempTree(), ...more, env: { ...process.env, HOME: home, ...more.env } },
    folder,
  );

const secretsOf = (places: readonly string[]): Record<string, string> =>
  Object.fromEntries(places.map((place) => [place, `secret of ${place}\n`]));

const everyFile = (home: string) =>
  `grep -rah 'secret of' '${home}' 2>/dev/null; for f in ${secretPlaces
    .map((place) => `'${home}/${place}'`)
    .join(" ")}; do cat "$f" 2>/dev/null; done; true`;

describeInSandbox("secrets of a home, from a command in the sandbox (needs bubblewrap)", () => {
  test("none of the places where programs keep them can be read, wherever the workspace is", async () => {
    expect(secretPlaces.length).toBeGreaterThan(200);
    const home = aHome(secretsOf(secretPlaces));
    put(home, { "proj/a.txt": "a\n" });
    for (const folder of [tempTree(), join(home, "proj")]) {
      const { output } = await boxed(home, {}, folder).run(everyFile(home));
      expect(output).toBe("(exit code 0)");
    }
    // So it would be without.
    expect(spawnSync("bash", ["-c", everyFile(home)], { encoding: "utf8" }).stdout).toContain("secret of .netrc");
  });

  test("that HOME names another folder changes nothing for the home that the system knows", async () => {
    const other = aHome({ ".netrc": "secret of .netrc\n" });
    const { run } = boxed(other);
    const { output } = await run(
      `ls -A '${homedir()}' /root /home/* 2>/dev/null | grep -v : | grep -c .; cat '${other}/.netrc'`,
    );
    const there = Number.parseInt(output, 10);
    expect(there).toBeLessThan(15);
    expect(output).not.toContain("secret");
    const { output: keys } = await run(`cat '${homedir()}/.netrc' '${homedir()}/.npmrc' '${homedir()}/.ssh/config'`);
    expect(keys.match(/No such file/g)).toHaveLength(3);
  });

  test("beside what tool chains need their tokens are not there", async () => {
    const home = aHome({
      ".cargo/bin/tool": "",
      ".cargo/config.toml": "[build]\n",
      ".cargo/credentials.toml": "secret of cargo\n",
      ".m2/repository/a.jar": "jar\n",
      ".m2/settings.xml": "secret of maven\n",
      ".gradle/caches/a": "cache\n",
      ".gradle/gradle.properties": "secret of gradle\n",
      ".nvm/versions/a": "node\n",
      ".nvm/.npmrc": "secret of nvm\n",
      ".config/git/ignore": "*.log\n",
      ".config/git/credentials": "secret of git\n",
      ".local/bin/id_rsa": "secret of bin\n",
      ".pub-cache/hosted/a": "dart\n",
      ".pub-cache/credentials.json": "secret of dart\n",
    });
    symlinkSync(join(home, ".m2/settings.xml"), join(home, ".local/bin/settings"));
    const { run } = boxed(home);
    const { output } = await run(
      "cd; grep -rh . .cargo .m2 .gradle .nvm .config .local .pub-cache 2>/dev/null; cat .local/bin/settings 2>&1 | tail -c 30; true",
    );
    expect(output).not.toContain("secret");
    expect(output.match(/^(?:\[build\]|jar|cache|node|\*\.log|dart)$/gm)).toHaveLength(6);
  });

  test("git's settings come without tokens, and with the person's name", async () => {
    const home = aHome({
      ".gitconfig":
        '[user]\n\tname = Ada\n\temail = ada@example.com\n[url "https://ada:secret-1@git.example.com/"]\n\tinsteadOf = ex:\n[http]\n\textraheader = Authorization: secret-2\n[github]\n\ttoken = secret-3\n[include]\n\tpath = ~/work.gitconfig\n[init]\n\tdefaultBranch = trunk\n',
      "work.gitconfig": "[http]\n\tproxy = http://ada:secret-4@proxy:3128\n[alias]\n\tst = status\n",
    });
    const { run } = boxed(home);
    const { output } = await run(
      "cat ~/.gitconfig ~/work.gitconfig; git init -q && git config user.name; git config alias.st; git branch --show-current",
    );
    expect(output).not.toContain("secret");
    expect(output).toContain("Ada\nstatus\ntrunk\n(exit code 0)");
    const first = boxed(home);
    spawnSync("git", ["init", "-q"], { cwd: first.workspace });
    writeFileSync(first.path("a.txt"), "a\n");
    expect((await first.run("git add a.txt && git commit -qm first")).output).toBe("(exit code 0)");
    expect((await first.run("git log --format='%an %ae'")).output).toBe("Ada ada@example.com\n(exit code 0)");
    expect(readFileSync(join(home, ".gitconfig"), "utf8")).toContain("secret-1");
  });

  test("a workspace that is the home, or a folder of its settings, holds none of them either", async () => {
    const guarded = [
      ".ssh/id_ed25519",
      ".netrc",
      ".aws/credentials",
      ".config/gh/hosts.yml",
      ".cargo/credentials.toml",
      ".local/share/keyrings/a",
    ];
    const home = aHome({ ...secretsOf(guarded), "notes.txt": "plain\n", ".config/htop/htoprc": "plain\n" });
    symlinkSync(".netrc", join(home, "link"));
    const all = "grep -rh . . 2>/dev/null; cat link; echo x > new && cat new";
    const whole = await boxed(home, {}, home).run(all);
    expect(whole.output).not.toContain("secret");
    expect(whole.output.match(/^plain$/gm)).toHaveLength(2);
    expect(readFileSync(join(home, "new"), "utf8")).toBe("x\n");
    const settings = await boxed(home, {}, join(home, ".config")).run("grep -rh . . 2>/dev/null");
    expect(settings.output).toBe("plain\n(exit code 2)\n(1 place that is not read without asking was left out)");
    const added = boxed(home);
    const both = await added.run(`grep -rh . '${home}/.config' 2>/dev/null`, {}, { addDirs: [join(home, ".config")] });
    expect(both.output).toContain("plain\n");
    expect(both.output).not.toContain("secret");
  });

  test("a socket in a home, below /var or anywhere else is not reached, with the network or without", async () => {
    const home = aHome({ ".nvm/a": "" });
    const elsewhere = aHome();
    const places = [
      join(home, ".1password/agent.sock"),
      join(home, ".nvm/agent.sock"),
      join(elsewhere, "service.sock"),
    ];
    for (const place of places) await listen(place);
    const { run, path } = boxed(home);
    await listen(path("own.sock"));
    const ask = (place: string) =>
      `node -e 'require("net").connect(process.argv[1]).on("error",(e)=>console.log("no")).on("data",(d)=>console.log(String(d)))' '${place}'`;
    for (const network of [false, true])
      expect((await run([...places, path("own.sock")].map(ask).join("; "), { network })).output).toBe(
        "no\nno\nno\nreached\n(exit code 0)",
      );
    const whole = await boxed(home, {}, home).run(`${ask(".1password/agent.sock")}`);
    expect(whole.output).toBe("no\n(exit code 0)");
  });

  test("the kernel's keyrings are not there", async () => {
    const { run } = boxed(aHome());
    // keyctl(KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1), add_key and request_key by their numbers, for each kind of machine.
    const numbers = process.arch === "x64" ? "248 249 250" : "217 218 219";
    const ask = `import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for n in map(int, "${numbers}".split()):
    ctypes.set_errno(0)
    libc.syscall(n, 0, -4, 1, 0, 0)
    print(os.strerror(ctypes.get_errno()))`;
    expect((await run(`/usr/bin/python3 -c '${ask}'`)).output).toBe(
      `${"Function not implemented\n".repeat(3)}(exit code 0)`,
    );
    expect(spawnSync("/usr/bin/python3", ["-c", ask], { encoding: "utf8" }).stdout).not.toContain("not implemented");
  });

  test("no socket is made to the machine below a virtual one, nor a ring by which sockets are made", async () => {
    const { run } = boxed(aHome());
    const ask = `import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
for family in (1, 2, 40):
    ctypes.set_errno(0)
    libc.socket(family, 1, 0)
    print(family, ctypes.get_errno())
print(libc.syscall(425, 1, 0), os.strerror(ctypes.get_errno()))`;
    expect((await run(`/usr/bin/python3 -c '${ask}'`)).output).toBe(
      "1 0\n2 0\n40 97\n-1 Function not implemented\n(exit code 0)",
    );
  });
});

async function listen(place: string): Promise<void> {
  mkdirSync(dirname(place), { recursive: true });
  const server = createServer((socket) => socket.end("reached"));
  await new Promise<void>((resolve) => server.listen(place, resolve));
  onTestFinished(() => void server.close());
}

describeInSandbox("honest use of a home, by a command in the sandbox (needs bubblewrap)", () => {
  test("programs of the person run: in a folder of PATH, behind a link, beside their libraries", async () => {
    const home = aHome({ ".local/share/tool/lib/words": "from its library\n", "apps/other/words": "beside it\n" });
    program("#!/bin/sh\necho mine\n", join(home, "bin/mine"));
    program(
      '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/../lib/words"\n',
      join(home, ".local/share/tool/bin/tool"),
    );
    program('#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")/words"\n', join(home, "apps/other/run"));
    program("#!/bin/sh\necho by its path\n", join(home, "scripts/once"));
    mkdirSync(join(home, ".local/bin"), { recursive: true });
    symlinkSync(join(home, ".local/share/tool/bin/tool"), join(home, ".local/bin/tool"));
    symlinkSync("../../apps/other/run", join(home, ".local/bin/other"));
    const env = { PATH: `${home}/bin:${home}/.local/bin:${process.env["PATH"]}` };
    const { run } = boxed(home, { env });
    expect((await run(`mine; tool; other; ${home}/scripts/once`)).output).toBe(
      "mine\nfrom its library\nbeside it\nby its path\n(exit code 0)",
    );
  });

  test("what is in the way of a workspace in the home is there: its repository, and a linked worktree's", async () => {
    const home = aHome({ "mono/packages/a/x.txt": "x\n", "mono/tsconfig.base.json": "{}\n" });
    const git = (cwd: string, ...args: string[]) =>
      spawnSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], { cwd });
    git(join(home, "mono"), "init", "-q");
    git(join(home, "mono"), "add", ".");
    git(join(home, "mono"), "commit", "-qm", "first");
    git(join(home, "mono"), "worktree", "add", "-q", join(home, "trees/b"));
    const inside = boxed(home, {}, join(home, "mono/packages/a"));
    expect((await inside.run("cat ../../tsconfig.base.json; git log --format=%s; git status --short")).output).toBe(
      "{}\nfirst\n(exit code 0)",
    );
    const linked = boxed(home, {}, join(home, "trees/b"));
    const own = "git -c user.name=T -c user.email=t@example.com";
    expect((await linked.run("git log --format=%s")).output).toBe("first\n(exit code 0)");
    expect((await linked.run(`echo y > y; git add y; ${own} status --short`)).output).toContain("(exit code 0)");
  });

  test("tool chains of the machine run as outside", async () => {
    const { run, path } = boxed(homedir());
    writeFileSync(path("a.c"), "int main(void) { return 0; }\n");
    writeFileSync(path("package.json"), '{"name":"a","version":"1.0.0","scripts":{"t":"node -p 6*7"}}');
    const { output } = await run(
      "node -p 1+1 && npm run -s t && npm ls && npm install --offline --no-audit 2>&1 | tail -1 && python3 -c 'print(3)' && cc a.c -o a && ./a && (! command -v cargo >/dev/null || cargo --version)",
    );
    expect(output).toMatch(/^2\n42\na@1\.0\.0 .*\n(.*\n)*3\n(cargo .*\n)?\(exit code 0\)$/);
  });

  test("what the person adds is read, without what is guarded in it, and is no more written than before", async () => {
    const home = aHome({
      "data/deep/in/words": "words\n",
      "data/.env": "secret\n",
      "data/deep/server.pem": "secret\n",
      ".aws/config": "secret\n",
      "out/x": "",
    });
    const { run } = boxed(home, {
      sandboxRead: [join(home, "data"), join(home, ".aws"), home],
      sandboxWrite: [join(home, "out")],
    });
    const { output } = await run(
      `cd; cat data/deep/in/words; cat data/.env data/deep/server.pem .aws/config; echo x > data/new; echo x > ~/new; echo y > out/x; cat out/x`,
    );
    expect(output).not.toContain("secret");
    expect(output).toMatch(/^words\n/);
    expect(output).toMatch(/data\/new: Read-only file system(.*\n)+.*new: Read-only file system\n/);
    expect(readFileSync(join(home, "out/x"), "utf8")).toBe("y\n");
  });

  test("nothing is shown of a folder with what is guarded below a name that is no text, and why is said", async () => {
    const home = aHome({ "data/words": "words\n", "plain/words": "words\n" });
    const named = Buffer.concat([Buffer.from(join(home, "data/")), Buffer.from([0xff])]);
    mkdirSync(named);
    writeFileSync(Buffer.concat([named, Buffer.from("/.env")]), "secret\n");
    mkdirSync(Buffer.concat([Buffer.from(join(home, "plain/")), Buffer.from([0xff])]));
    const { run } = boxed(home, { sandboxRead: [join(home, "data"), join(home, "plain")] });
    const { output } = await run(
      `cd; cat plain/words; cat "$(printf 'data/\\377/.env')"; f=$(printf %s ${home}/data/words); cat "$f"`,
    );
    expect(output).not.toContain("secret");
    expect(output).toMatch(/^words\n/);
    expect(output).toContain(`sandboxRead does not show ${home}/data: it holds a name that is no text`);
  });

  test("only the person's own settings add to what is shown", () => {
    const adds = { sandboxRead: ["~/data"] };
    expect([userConfig.safeParse(adds).success, projectConfig.safeParse(adds).success]).toEqual([true, false]);
    expect(userConfig.safeParse({ sandboxRead: ["data"] }).success).toBe(false);
  });

  test("a command that fails for what is not there says so, and only then", async () => {
    const home = aHome({ "data/x": "x\n", "tools/go": "", ".aws/config": "x\n" });
    const { run, call } = boxed(home, { sandboxRead: [home] });
    const told = await run(`f=$(printf %s ${home}/data/x); cat "$f"`);
    expect(told.output).toContain(
      `the home is empty but for what tool chains need: ${home}/data/x is there outside of it`,
    );
    expect(told.output).toContain("sandboxRead in config.json");
    expect(told.output).toContain(`sandboxRead does not show ${home}: it is a whole home`);
    expect(told.display).toContain("sandboxRead in config.json");
    expect((await run(`f=$(printf %s ${home}/.aws); ls "$f/config"`)).output).toContain(
      `${home}/.aws/config is guarded`,
    );
    expect((await run(`ls ${home}/not-there; echo "see ~/nothing" >&2; exit 3`)).output).not.toContain("sandboxRead");
    expect((await run(`echo ${home}/data/x`)).output).toBe(`${home}/data/x\n(exit code 0)`);
    expect((await run("exit 4")).output).toBe("(exit code 4)");
    expect((await call("shell", { command: "cd ~/data" })).output).toContain("sandboxRead");
  });
});
