import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { freely } from "../support/needs.ts";

/** A line, what it runs, and which of these files is another one when the approval comes. The code leaves a file `ran` with its word. */
interface Form {
  line: string;
  files: Record<string, string>;
  /** Default the first of the files, with `old` in it said anew. */
  change?: Record<string, string>;
}

const sh = "echo old > ran\n";
const js = "require('node:fs').writeFileSync('ran', 'old');\n";
const esm = "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', 'old');\n";
const py = "open('ran', 'w').write('old')\n";
const pl = "open(my $f, '>', 'ran'); print $f 'old'; 1;\n";
const mk = "all:\n\techo old > ran\n";
const pkg = (scripts: object, more: object = {}): string => `${JSON.stringify({ scripts, ...more })}\n`;
const form = (line: string, files: Record<string, string>, change?: Record<string, string>): Form => ({
  line,
  files,
  ...(change === undefined ? {} : { change }),
});

const forms: readonly Form[] = [
  form("bash a.sh", { "a.sh": sh }),
  form("./a.sh", { "a.sh": `#!/bin/sh\n${sh}` }),
  form("bash -o errexit a.sh", { "a.sh": sh }),
  form("bash +e -eu a.sh", { "a.sh": sh }),
  form("bash -eo pipefail a.sh", { "a.sh": sh }),
  form("bash < a.sh", { "a.sh": sh }),
  form("cat a.sh | bash", { "a.sh": sh }),
  form("cat a.sh | tee log | sh -s x", { "a.sh": sh }),
  form("bash <(cat a.sh)", { "a.sh": sh }),
  form('eval "$(cat a.sh)"', { "a.sh": sh }),
  form("source ./a.sh", { "a.sh": sh }),
  form(". ./a.sh", { "a.sh": sh }),
  form("BASH_ENV=a.sh bash -c true", { "a.sh": sh }),
  form("env -C sub ./t.sh", { "sub/t.sh": `#!/bin/sh\n${sh}` }),
  form("timeout 20 env --chdir=sub bash t.sh", { "sub/t.sh": sh }),
  form("cd sub; bash t.sh", { "sub/t.sh": sh }),
  form("echo a.sh | xargs -I{} bash a.sh {}", { "a.sh": sh }),
  form("find . -maxdepth 0 -exec bash a.sh ';'", { "a.sh": sh }),
  form("node a.js", { "a.js": js }),
  form("node a", { "a.js": js }),
  form("node a", { "a.js": js }, { a: js.replace("old", "new") }),
  form("node .", { "main.js": js, "package.json": '{"main": "main"}' }),
  form("node .", { "index.js": js }, { "package.json": '{"main": "b.js"}', "b.js": js.replace("old", "new") }),
  form("node --env-file x a.js", { x: "WORD=old\n", "a.js": js.replace("'old'", "process.env.WORD") }),
  form("node -C dev a.js", { "a.js": js }),
  form("node --require ./p a.js", { "p.js": js, "a.js": "" }),
  form("node --require=./p a.js", { "p/index.js": js, "a.js": "" }),
  form("node --import ./p.mjs a.js", { "p.mjs": esm, "a.js": "" }),
  form("node -r p a.js", { "node_modules/p/index.js": js, "a.js": "" }),
  form("node --stack-size=900 --no-such-option=1 a.js || node a.js", { "a.js": js }),
  form("NODE_OPTIONS='--require ./p.js' node a.js", { "p.js": js, "a.js": "" }),
  form("python3 a.py", { "a.py": py }),
  form("python3 -W ignore a.py", { "a.py": py }),
  form("python3 -X dev a.py", { "a.py": py }),
  form("python3 -m mod", { "mod.py": py }),
  form("python3 -m pack.mod", { "pack/mod.py": py, "pack/__init__.py": "" }),
  form(
    "python3 -m pack",
    { "pack/__main__.py": "", "pack/__init__.py": py },
    { "pack/__init__.py": py.replace("old", "new") },
  ),
  form(
    "python3 -m http.server --help; python3 -c 'import http'",
    { "x.py": "" },
    { "http.py": py.replace("old", "new") },
  ),
  form("python3 pkgdir", { "pkgdir/__main__.py": py }),
  form("PYTHONPATH=lib python3 -c 'import mod'", { "lib/mod.py": py }),
  form("python3 < a.py", { "a.py": py }),
  form("perl a.pl", { "a.pl": pl }),
  form("perl -I lib a.pl", { "a.pl": pl, "lib/M.pm": "1;\n" }),
  form("perl -I lib -MM -e 1", { "lib/M.pm": pl }),
  form("perl -MStrict a.pl || perl -Mstrict a.pl", { "a.pl": pl }),
  form("perl -wIlib a.pl", { "lib/M.pm": pl, "a.pl": "use M;\n" }),
  form("sed -n -f x.sed a.txt", { "x.sed": "s/a/old/w ran\n", "a.txt": "a\n" }),
  form("awk -f x.awk", { "x.awk": 'BEGIN { print "old" > "ran" }\n' }),
  form("make", { Makefile: mk }),
  form("make", { Makefile: mk }, { GNUmakefile: mk.replace("old", "new") }),
  form("make -f x.mk", { "x.mk": mk }),
  form("make -C sub", { "sub/Makefile": mk, Makefile: "all:\n" }),
  form("make -fx.mk -I inc", { "inc/y.mk": mk, "x.mk": "include y.mk\n" }),
  form("make SHELL=./s.sh all", { "s.sh": `#!/bin/sh\n${sh}`, Makefile: "all:\n\ttrue a && true\n" }),
  form("npm test", { "package.json": pkg({ test: "echo old > ran" }) }),
  form("npm --prefix sub test", {
    "sub/package.json": pkg({ test: "echo old > ran" }),
    "package.json": pkg({ test: "true" }),
  }),
  form("npm test -C sub", {
    "sub/package.json": pkg({ test: "echo old > ran" }),
    "package.json": pkg({ test: "true" }),
  }),
  form("npm run x -w sub", {
    "sub/package.json": pkg({ x: "echo old > ran" }, { name: "s" }),
    "package.json": pkg({ x: "true" }, { workspaces: ["sub"] }),
  }),
  form("npm -w @a/b run x", {
    "packages/b/package.json": pkg({ x: "echo old > ran" }, { name: "@a/b", version: "1.0.0" }),
    "package.json": pkg({ x: "true" }, { workspaces: ["packages/*"] }),
  }),
  form(
    "npm test",
    { "package.json": pkg({ test: "true" }) },
    { ".npmrc": "script-shell=./s.sh\n", "s.sh": `#!/bin/sh\n${sh}` },
  ),
  form("npm test", {
    "s.sh": `#!/bin/sh\n${sh}`,
    ".npmrc": "script-shell=./s.sh\n",
    "package.json": pkg({ test: "true" }),
  }),
  form("npm --script-shell ./s.sh test", { "s.sh": `#!/bin/sh\n${sh}`, "package.json": pkg({ test: "true" }) }),
  form("frob a.x", { "a.x": sh }),
  form("frob --load=a.x", { "a.x": sh }),
  form("frob -la.x", { "a.x": sh }),
  form("timeout 20 frob a.x", { "a.x": sh }),
  form("git -c core.pager=cat bisect start; git bisect run ./a.sh; ./a.sh", { "a.sh": `#!/bin/sh\n${sh}` }),
  form("npm start", { "server.js": js, "package.json": "{}" }),
];

const has = (name: string): boolean => spawnSync("which", [name]).status === 0;
const missing = ["python3", "perl", "make", "awk"].filter((name) => !has(name));
const present = forms.filter(({ line }) => !missing.some((name) => line.includes(name)));

const folder = (index: number): string => `f${String(index).padStart(2, "0")}`;

/** One message with all of them, each in a folder of its own. */
async function asked(list: readonly Form[]): Promise<{ place: Place; session: string }> {
  const calls = list.map(({ line }, index) => ({ name: "shell", args: { command: line, cwd: folder(index) } }));
  const [first, ...more] = calls;
  if (first === undefined) throw new Error("no form");
  const reply = asks(first.name, first.args);
  const place = await openPlace([
    { ...reply, calls: [...(reply.calls ?? []), ...more.flatMap(({ name, args }) => asks(name, args).calls ?? [])] },
    says("Done."),
  ]);
  for (const [index, { files }] of list.entries()) write(place, index, files);
  installFrob(place);
  const ran = await place.json(["run", "go", ...freely]);
  expect(ran.code).toBe(11);
  expect(ran.the("approval_requested").calls).toHaveLength(list.length);
  return { place, session: ran.session };
}

/** A program of which no table tells anything: it runs the file that its last word names. */
function installFrob(place: Place): void {
  const folder = join(place.workspace, "../frob");
  mkdirSync(folder);
  const code = `#!/bin/bash\nword="\${!#}"; word="\${word#--load=}"; exec /bin/sh "\${word#-l}"\n`;
  writeFileSync(join(folder, "frob"), code, { mode: 0o755 });
  place.env["PATH"] = `${folder}:${place.env["PATH"]}`;
}

function write(place: Place, index: number, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(place.workspace, folder(index), name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o755 });
  }
}

/** What each form left behind, wherever in its folder. */
const ranOf = (place: Place, list: readonly Form[]): (string | undefined)[] =>
  list.map((_, index) => {
    const found = readdirSync(place.path(folder(index)), { recursive: true, encoding: "utf8" }).find((path) =>
      /(?:^|\/)ran$/.test(path),
    );
    return found === undefined ? undefined : readFileSync(place.path(join(folder(index), found)), "utf8").trim();
  });

const changeOf = ({ files, change }: Form): Record<string, string> =>
  change ??
  Object.fromEntries(
    Object.entries(files)
      .slice(0, 1)
      .map(([name, text]) => [name, text.replaceAll("old", "new")]),
  );

describe("what runs is what was shown", () => {
  it("where nothing changed: each form of a command runs what was asked about", async () => {
    const npm = present.filter(({ line }) => line.includes("npm"));
    const list = present.filter((one) => one.change === undefined && !npm.slice(3).includes(one));
    const { place, session } = await asked(list);
    const over = await place.spawn(["resume", session, "--approve", "all", "--json", ...freely]).done;
    expect(over.stderr).toBe("");
    expect(ranOf(place, list).map((word, index) => [list[index]?.line, word])).toEqual(
      list.map(({ line }) => [line, "old"]),
    );
  });

  it("where a file that it runs became another one: nothing runs, and it is asked about anew", async () => {
    const { place, session } = await asked(present);
    for (const [index, one] of present.entries()) write(place, index, changeOf(one));
    const again = await place.spawn(["resume", session, "--approve", "all", "--json", ...freely]).done;
    const lines = again.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; calls?: { arguments: { cwd: string }; changed?: object }[] });
    const changed = lines.findLast(({ type }) => type === "approval_requested")?.calls ?? [];
    const told = new Set(changed.filter((call) => call.changed !== undefined).map((call) => call.arguments.cwd));
    expect(present.flatMap(({ line }, index) => (told.has(folder(index)) ? [] : [line]))).toEqual([]);
    expect(ranOf(place, present).flatMap((word, index) => (word === undefined ? [] : [present[index]?.line]))).toEqual(
      [],
    );
    expect(again.code).toBe(11);
  });
});

describe("a line with blanks that bash takes for letters", () => {
  const blanks = ["\u00a0", "\u1680", "\u2003", "\u2009", "\u202f", "\u205f", "\u3000", "\u200b", "\u3164", "\u2800"];

  it("does not run the file that such a name means", async () => {
    const lines = blanks.map((blank) => `./tool${blank}--version`);
    const place = await openPlace([...lines.map((command) => asks("shell", { command })), says("Ok.")], {
      tool: "#!/bin/sh\necho shown\n",
    });
    for (const line of lines) writeFileSync(place.path(line.slice(2)), "#!/bin/sh\n: > ran\n", { mode: 0o755 });
    const ran = await place.json(["run", "go", "--mode", "full-auto", ...freely]);
    expect(ran).toMatchObject({ code: 10, end: { calls: { cancelled: lines.length } } });
    expect(place.has("ran")).toBe(false);
    expect(place.heard(1, -1)).toContain("U+00A0 outside of quotes");
  });

  it("works in quotes, and shows them by name", async () => {
    const name = "Screenshot 10.41.07\u202fAM.txt";
    const place = await openPlace(
      [
        asks("shell", { command: `cat '${name}'` }),
        asks("shell", { command: `cp '${name}' "\u4f60\u597d\u3000\u4e16\u754c.txt"` }),
        says("Ok."),
      ],
      { [name]: "seen" },
    );
    const asked = await place.run(["run", "go"]);
    expect(asked.stderr).toContain("$ cp 'Screenshot 10.41.07‹U+202F›AM.txt' \"\u4f60\u597d‹U+3000›\u4e16\u754c.txt\"");
    expect(place.heard(1, -1)).toContain("seen");
    const { stdout } = await place.run(["sessions", "--json"]);
    const { id } = JSON.parse(stdout.split("\n")[0] ?? "") as { id: string };
    expect(await place.run(["resume", id, "--approve", "all", ...freely])).toMatchObject({ code: 0 });
    expect(place.has("\u4f60\u597d\u3000\u4e16\u754c.txt")).toBe(true);
  });
});

it("a line that names /proc/self is refused, with words; a descriptor by its name is no such place", async () => {
  const place = await openPlace([
    asks("shell", { command: "cat /proc/self/environ" }),
    asks("shell", { command: "ls /proc/thread-self/fd" }),
    asks("shell", { command: "echo seen | cat /dev/stdin > out" }),
    says("Ok."),
  ]);
  const asked = await place.json(["run", "go", ...freely]);
  expect(asked.code).toBe(11);
  expect([place.heard(1, -1), place.heard(2, -1)]).toEqual([
    expect.stringContaining("it leads to /proc/self"),
    expect.stringContaining("it leads to /proc/self"),
  ]);
  const over = await place.spawn(["resume", asked.session, "--approve", "all", "--json", ...freely]).done;
  expect(over.code).toBe(10);
  expect(await place.read("out")).toBe("seen\n");
});

it("an allow with a wildcard starts no program that an option names, and writes no file: they are asked about; what it means runs", async () => {
  const beyond = [
    "git push --receive-pack=./e.sh origin main",
    "git push --rec ./e.sh origin main",
    "git push origin +main",
    "git grep -O./e.sh word",
    "git diff --output=out --no-index a.txt b.txt",
    "sort --compress-program=./e.sh -S 1k a.txt",
    "sort -uo out a.txt",
    "tar -tf a.tar --to-command=./e.sh",
    "tar -tf a.tar --checkpoint=1 --checkpoint-action=exec=./e.sh",
    "find . -fprintf out x",
    "find . -maxdepth 0 -exec ./e.sh ';'",
    "date -f a.txt",
    "timeout 5 sort -o out a.txt",
    "sed -n '1w out' a.txt",
    "sed '1e ./e.sh' a.txt",
    "split --filter=./e.sh a.txt",
  ];
  const meant = ["git push origin main", "git push origin main:main", "sort -r a.txt", "tar -tf a.tar"];
  const place = await openPlace([...[...meant, ...beyond].map((command) => asks("shell", { command })), says("Ok.")], {
    "a.txt": "word\n",
    "b.txt": "other\n",
    "e.sh": "#!/bin/sh\n: > ran\n",
  });
  spawnSync("chmod", ["755", place.path("e.sh")]);
  const env = place.env as NodeJS.ProcessEnv;
  const setUp = `git init -q -b main && git init -q --bare ../remote.git && git remote add origin ../remote.git && git add -A &&
    git -c user.name=T -c user.email=t@example.com commit -qm one && tar -cf a.tar a.txt`;
  expect(spawnSync("bash", ["-c", setUp], { cwd: place.workspace, env }).status).toBe(0);
  const commands = [
    "git push *",
    "git grep *",
    "git diff *",
    "sort *",
    "tar -tf *",
    "date *",
    "timeout 5 sort *",
    "sed *",
    "split *",
  ];
  const rules = commands.map((command) => ({ tool: "shell", command, network: true, decision: "allow" }));
  await place.write("../home/policy.json", JSON.stringify({ rules }));
  const verdicts: string[] = [];
  for (const command of [...meant, ...beyond]) {
    const told = await place.run(["policy", "check", "shell", JSON.stringify({ command })]);
    expect(told.stderr).toBe("");
    verdicts.push((JSON.parse(told.stdout) as { decision: string }).decision);
  }
  expect(verdicts).toEqual([...meant.map(() => "allow"), ...beyond.map(() => "ask")]);
  const first = await place.json(["run", "go", "--sandbox", "off"]);
  // It stops at the first that is asked about: all before it ran.
  expect(first).toMatchObject({ code: 11, end: { calls: { success: meant.length } } });
  let { code } = first;
  for (const _ of beyond) ({ code } = await place.json(["resume", first.session, "--deny", "all", "--sandbox", "off"]));
  expect(code).toBe(10);
  expect([place.has("ran"), place.has("out")]).toEqual([false, false]);
  expect(
    spawnSync("git", ["log", "--format=%s", "main"], { cwd: place.path("../remote.git"), env, encoding: "utf8" })
      .stdout,
  ).toBe("one\n");
});

it("what undo can bring back is of the same risk to `agent policy check` as to a session", async () => {
  const line = { command: "rm -rf docs" };
  const place = await openPlace([asks("shell", line), says("Ok.")], { "docs/a.md": "a" });
  const told = await place.run(["policy", "check", "shell", JSON.stringify(line)]);
  const asked = await place.json(["run", "go"]);
  const [call] = asked.the("approval_requested").calls;
  expect(JSON.parse(told.stdout)).toMatchObject({ decision: "ask", risk: "medium", why: call?.verdict.why });
  expect(call?.risk).toBe("medium");
  const outside = await place.run(["policy", "check", "shell", JSON.stringify({ command: "rm -rf ../x" })]);
  expect(JSON.parse(outside.stdout)).toMatchObject({ decision: "ask", risk: "high" });
});
