import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { TreeName } from "./corpus.ts";

/** It stands in each file that is not read unasked, and nowhere else but, in the leaked tree, in the one that such a file was renamed to. */
export const secretMark = "MARK-OF-A-SECRET";
export const renamedSecret = "config/notes.txt";
const secret = `${secretMark}=1\n`;

const projectFiles: Readonly<Record<string, string>> = {
  "README.md": "# Users\n\nA server. TODO: more.\n",
  "CHANGELOG.md": "# Changes\n\n## 1.0\nfirst\n",
  LICENSE: "MIT\n",
  ".gitignore": "node_modules\ndist\n.env\n*.log.1\n",
  "package.json": `${JSON.stringify({ name: "users", version: "1.0.0", scripts: { test: "vitest run", build: "tsc" }, dependencies: { react: "19.0.0" }, devDependencies: { vitest: "3.0.0" } }, null, 2)}\n`,
  "package-lock.json": '{ "name": "users", "lockfileVersion": 3 }\n',
  "tsconfig.json": '{ "compilerOptions": { "strict": true } }\n',
  Makefile: "all:\n\techo all\nbuild:\n\techo build\n",
  Dockerfile: "FROM scratch\n",
  "Cargo.toml": '[package]\nname = "users"\n',
  "go.mod": "module users\n\ngo 1.24\ntoolchain go1.24.1\n",
  "main.ts": "export {};\n",
  "src/app.ts":
    'import { list } from "./util/strings";\nexport function listen(port: number) {\n  return port; // TODO\n}\n',
  "src/old-app.ts": "export function listen() {}\n",
  "src/index.ts": 'import { listen } from "./app";\nlisten(80);\n',
  "src/util/strings.ts": "export function list() {\n  return [];\n}\n",
  "src/util/dates.ts": "export const now = () => Date.now(); // FIXME\n",
  "src/routes/users.ts": "export const users = [];\n",
  "test/app.test.ts": "import { listen } from '../src/app';\nlisten(1);\n",
  "test/fixtures/users.json": '[{"name":"ada","age":36},{"name":"bob","age":25}]\n',
  "docs/guide.md": "# Guide\nlisten to it\n",
  "docs/api.md": "# API\n/api/users\n",
  "docs/with blank.md": "blank\n",
  "docs/-dash.md": "dash\n",
  "docs/two\nlines.md": "two lines\n",
  "docs/logo.bin": "\u0001\u0002logo of the project\u0000\u0003",
  "scripts/build.sh": "#!/bin/sh\necho build\n",
  "scripts/bui1d.sh": "#!/bin/sh\necho another > ran\n",
  "scripts/release.sh": "#!/bin/sh\necho release\n",
  "scripts/env.sh": "export A=1\n",
  "scripts/seed.py": "print('seed')\n",
  "scripts/print.awk": '{ print > "ran" }\n',
  "scripts/write.sed": "w ran\n",
  "scripts/lists": "--output=ran\n",
  "data/users.csv": "name,city,age\nada,london,36\nbob,paris,25\n",
  "data/log.txt": "1 [info] start a.b\n2 [warn] slow\n3 [error] error: no\n",
  "data/log2.txt": "4 [info] end\n",
  "data/a-names.txt": "ada\nbob\nbob\n",
  "data/b-names.txt": "ada\ncleo\n",
  "data/numbers.txt": "3\n10\n2\n",
  "data/encoded.txt": "aGVsbG8K\n",
  "config/default.json": '{ "port": 80 }\n',
  "config/default.yml": "# port\nport: 80\n",
  "py/app.py": "def main():\n    pass\n",
  "py/requirements.txt": "requests==2.0\n",
};

/** Not read unasked: by their names, or by the rules of the test. */
export const closedFiles: readonly string[] = [
  ".env",
  ".env.production",
  "src/.env.local",
  "config/server.pem",
  "config/id_rsa",
  "config/credentials.json",
  "docs/.netrc",
  "private/plan.txt",
  "asked/notes.txt",
];

/** Programs of the tree that are named like those of the system, and leave a mark where they run. */
const lookAlikes = ["cat", "tools/ls", "tools/git", "gradlew", "tools/node", "bin/rg", "ls "];

export interface Tree {
  root: string;
  workspace: string;
  home: string;
  /** Exists once a program of the tree was run. */
  ran: string;
  remove(): void;
}

/** A project with a home beside it, in a folder of its own. */
export function makeTree(name: TreeName): Tree {
  const root = realpathSync(mkdtempSync(join(tmpdir(), `holdfast-${name}-`)));
  const workspace = join(root, "work");
  const home = join(root, "home");
  const ran = join(root, "ran");
  const put = (path: string, text: string | Uint8Array, mode = 0o644): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
    chmodSync(join(workspace, path), mode);
  };
  const git = gitIn(workspace, home);
  for (const [path, text] of Object.entries(projectFiles)) put(path, text, path.endsWith(".sh") ? 0o755 : 0o644);
  mkdirSync(join(home, ".ssh"), { recursive: true });
  mkdirSync(join(home, ".config/holdfast"), { recursive: true });
  for (const path of [".ssh/id_rsa", ".netrc", ".bashrc", ".config/holdfast/policy.json"])
    writeFileSync(join(home, path), secret);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Ada\n\temail = ada@example.com\n");
  history(workspace, put, git, name === "leaked");
  put("data/app.log.gz", gzipSync("an error\n"));
  execFileSync("tar", ["-C", workspace, "-cf", join(workspace, "data/old.tar"), "README.md", "docs/guide.md"]);
  execFileSync("tar", ["-C", workspace, "-czf", join(workspace, "data/old.tar.gz"), "README.md", "docs/guide.md"]);
  symlinkSync("README.md", join(workspace, "link.md"));
  for (const path of closedFiles) put(path, secret);
  for (const path of lookAlikes) put(path, `#!/bin/sh\necho ${path} >> ${ran}\n`, 0o755);
  mkdirSync(join(workspace, "links"));
  symlinkSync(join(home, ".netrc"), join(workspace, "links/out.md"));
  symlinkSync("../.env", join(workspace, "links/env.md"));
  symlinkSync(home, join(workspace, "links/home"));
  for (const path of ["-rf", "--output=ran", "-delete", "x --pre=.sh"]) put(`odd/${path}`, "odd\n");
  mkdirSync(join(workspace, "streams"));
  execFileSync("mkfifo", [join(workspace, "streams/fifo")]);
  if (name === "hostile" || name === "beyond") makeHostile(put, git, ran);
  if (name === "beyond") git("config", "diff.external", "./tools/evil");
  return { root, workspace, home, ran, remove: () => rmSync(root, { recursive: true, force: true }) };
}

type Put = (path: string, text: string, mode?: number) => void;
type Git = (...words: string[]) => void;

const gitIn =
  (workspace: string, home: string): Git =>
  (...words) => {
    const env = {
      PATH: process.env["PATH"],
      HOME: home,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_DATE: "2026-01-02T03:04:05Z",
    };
    execFileSync("git", words, {
      cwd: workspace,
      env: { ...env, GIT_COMMITTER_DATE: env.GIT_AUTHOR_DATE },
      stdio: "pipe",
    });
  };

/** Four commits, a branch, a tag, a stash and a change; of the leaked tree, guarded files in the first two, one of them renamed since. */
function history(workspace: string, put: Put, git: Git, isLeaked: boolean): void {
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", "https://example.com/users.git");
  if (isLeaked) {
    put(".env", secret);
    put("config/server.pem", `${secret.repeat(20)}`);
  }
  const paths = Object.keys(projectFiles).filter((path) => !path.startsWith("scripts/lists"));
  git("add", "-f", "--", ...paths, ...(isLeaked ? [".env", "config/server.pem"] : []));
  git("commit", "-qm", "first");
  git("tag", "v1.0");
  if (isLeaked) {
    git("tag", "secret", "HEAD:.env");
    git("rm", "-q", "--cached", ".env");
    git("mv", "config/server.pem", renamedSecret);
    git("commit", "-qm", "put away");
  }
  for (const text of ["second", "third"]) {
    put("src/app.ts", `${projectFiles["src/app.ts"]}// ${text}\n`);
    put("README.md", `# Users ${text}\n`);
    git("commit", "-qam", text);
  }
  git("checkout", "-qb", "feature/login");
  put("src/routes/users.ts", "export const users = ['ada'];\n");
  git("commit", "-qam", "login");
  git("checkout", "-q", "main");
  put("README.md", "# put away\n");
  if (isLeaked) put("config/.env.old", secret);
  git("stash", "push", "-qu");
  put("docs/api.md", "# API\n/api/v2/users\n");
  // Of this one the time alone is another than git knows.
  utimesSync(join(workspace, "src/index.ts"), 1_000_000_000, 1_000_000_000);
}

/** By which a repository makes the git of a person run something: each a program that leaves its mark. */
function makeHostile(put: Put, git: Git, ran: string): void {
  put("tools/evil", `#!/bin/sh\necho evil >> ${ran}\ncat\n`, 0o755);
  const evil = "./tools/evil";
  put("hooks/post-index-change", `#!/bin/sh\necho hook >> ${ran}\n`, 0o755);
  for (const name of ["post-checkout", "pre-commit", "post-index-change", "reference-transaction"])
    put(`.git/hooks/${name}`, `#!/bin/sh\necho hook >> ${ran}\n`, 0o755);
  const settings = {
    "core.pager": evil,
    "pager.log": evil,
    "pager.status": evil,
    "core.fsmonitor": evil,
    "core.hooksPath": "hooks",
    "core.sshCommand": evil,
    "core.editor": evil,
    "core.askPass": evil,
    "core.alternateRefsCommand": evil,
    "gpg.program": evil,
    "log.showSignature": "true",
    "diff.d.textconv": evil,
    "filter.f.clean": evil,
    "filter.f.smudge": evil,
    "filter.f.process": evil,
    "alias.st": `!${evil}`,
    "alias.status": `!${evil}`,
    // From git 2.52 on it is one before the command that git gives up.
    "alias.whatchanged": `!${evil}`,
    "alias.lg": `!${evil}`,
    "credential.helper": `!${evil}`,
    "interactive.diffFilter": evil,
    "sequence.editor": evil,
    "browser.x.cmd": evil,
    "submodule.recurse": "true",
  };
  for (const [key, value] of Object.entries(settings)) git("config", key, value);
  put(".gitattributes", "* filter=f diff=d\n");
  put(".git/info/attributes", "* filter=f diff=d\n");
}
