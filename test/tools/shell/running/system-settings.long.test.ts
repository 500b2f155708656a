import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCommandLine } from "../../../../src/tools/shell/reading/read-command-line.ts";
import { needsLittle } from "../../../../src/tools/shell/running/system-settings.ts";
import { describeInSandbox } from "../../../support/needs.ts";
import { tempTree } from "../../temp-tree.ts";
import { shellStage } from "../support.ts";

/** Lines that need little of the machine's settings. */
const little = `true
pwd; id; whoami; date +%Z
ls -l
ls -la src
ls /usr/share
stat a.txt
cat a.txt src/b.ts
head -n 1 a.txt | sort | uniq -c | awk '{ print $2 }'
find . -name '*.ts' -o -type l
find src -user root -o -name b.ts
grep -rn b .
grep -rFH b src
rg -n b
sed -n 1,2p a.txt
git status -sb
git log --format='%an %s'
git diff --stat
test -f a.txt && echo yes
readlink a.txt
du -s src
awk 'BEGIN { print 1 }'
which ls cat awk`.split("\n");

/** Lines that may need more, or come upon more. */
const more = `cat /etc/hosts
cat hosts | wc -l
cat $(printf /etc/hosts) | wc -l
ls -lL
ls -F
ls /etc/alternatives/awk
ls ~/.cargo
ls /opt
find /opt -maxdepth 1
rg -c x /opt
ls ..
ls /
find -L . -maxdepth 1 -type f
find . -xtype f
find . -readable
find . ! -readable
find . -maxdepth 2 -executable
find . -writable
ls -1 --group-directories-first
tree
grep -Rc localhost src
wc -l *.txt
readlink hosts
git diff --no-index a.txt hosts
rg -c . hosts
rg -c . /etc/hosts
rg -c . ../../etc/hosts
rg -fhosts .
awk "{ n += 1 } END { print n > 0 }" hosts
find folder/ -maxdepth 1 -name hosts
find / -maxdepth 1 -name etc
cat src/../hosts
cat folder/../usr/share/dict/none folder/hosts
grep -c . /etc/os-release
cat release
head -1 folder/hosts
du -L .
tree -l
diff -r src other
file a.txt
cd /etc && cat hosts
wc -l < /etc/hosts
wc -l < hosts
ls -d /etc/h*
test -f /etc/hosts && echo yes
[ -s hosts ] && echo yes
stat -L hosts
realpath hosts release
dpkg -l bash | tail -1
openssl version`.split("\n");

function project(): string {
  const folder = tempTree({ "a.txt": "b\na\n", "src/b.ts": "b\n", "other/b.ts": "c\n" });
  symlinkSync("/etc/hosts", join(folder, "hosts"));
  symlinkSync("/etc/os-release", join(folder, "release"));
  symlinkSync("/etc", join(folder, "folder"));
  symlinkSync("/etc/ssl", join(folder, "zfolder"));
  symlinkSync("/etc/hosts", join(folder, "src/hosts"));
  execFileSync("git", ["init", "-q"], { cwd: folder, stdio: "pipe" });
  const named = ["-c", "user.name=Ada", "-c", "user.email=a@b.c"];
  execFileSync("git", ["add", "."], { cwd: folder, stdio: "pipe" });
  execFileSync("git", [...named, "commit", "-qm", "first"], { cwd: folder, stdio: "pipe" });
  writeFileSync(join(folder, "a.txt"), "b\na\nc\n");
  return folder;
}

test.each([...little.map((line) => [line, true] as const), ...more.map((line) => [line, false] as const)])(
  "%s needs little of the machine's settings: %s",
  async (line, wanted) => {
    const workspace = project();
    const { commands } = await readCommandLine(line, { workspace, cwd: workspace, path: ["/usr/bin", "/bin"] });
    expect(needsLittle(commands, [workspace])).toBe(wanted);
  },
);

describeInSandbox("what is there of the machine's settings (needs bubblewrap)", () => {
  test("changes no answer of a line that needs little of them", async () => {
    const home = tempTree({
      ".gitconfig": "[user]\nname = Ada\n[core]\nexcludesFile = ~/ours\n",
      ".config/git/ignore": "src\n",
    });
    mkdirSync(join(home, "empty"));
    const { run } = shellStage(
      { sandbox: "required", scratch: tempTree(), env: { ...process.env, HOME: home } },
      project(),
    );
    for (const line of [...little, ...more]) {
      const [short, long] = [await run(line), await run(`cat $(printf /dev/null); ${line}`)];
      expect([line, told(short)]).toEqual([line, told(long)]);
    }
  });

  test("is all there where git's settings of the home name a file of it", async () => {
    for (const config of ["[core]\nexcludesFile = ~/.tool-versions\n", "[include]\npath = ~/.gitmessage\n"]) {
      const home = tempTree({
        ".gitconfig": `[user]\nname = Ada\n${config}`,
        ".gitmessage": '[core]\nexcludesFile = "~/.tool-versions"\n',
        ".tool-versions": "src\n",
      });
      const folder = project();
      writeFileSync(join(folder, "new.txt"), "");
      mkdirSync(join(folder, "other/src"));
      writeFileSync(join(folder, "other/src/c.txt"), "");
      const { run } = shellStage(
        { sandbox: "required", scratch: tempTree(), env: { ...process.env, HOME: home } },
        folder,
      );
      for (const line of ["git status -s", "rg --files"]) {
        const [short, long] = [await run(line), await run(`cat $(printf /dev/null); ${line}`)];
        expect([line, told(short)]).toEqual([line, told(long)]);
        // What a file of settings includes, rg does not read.
        if (line.startsWith("git")) expect(short.output).not.toContain("other/src");
      }
    }
  });
});

/** The lines that it printed, which rg tells in any order, without what is told beside it. */
const told = ({ output }: { output: string }): string[] =>
  output
    .replaceAll(/\n*\[[^\]]*\]\s*$/gu, "")
    .split("\n")
    .toSorted();
