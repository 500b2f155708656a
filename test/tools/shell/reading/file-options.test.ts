import { afterAll, describe, expect, it } from "vitest";
import { decide } from "../../../../src/policy/decide.ts";
import { shellProject } from "../../../policy/shell/place.ts";
import { policyWith, rule } from "../../../policy/support/build.ts";

const project = shellProject();
afterAll(() => project.remove());

/** What an allow for commands of this pattern says of each line. */
async function judged(command: string, lines: readonly string[]): Promise<string[]> {
  const allow = rule("allow", { tool: "shell", command, network: true });
  const policy = policyWith({ rules: [allow] });
  const facts = await Promise.all(lines.map((line) => project.facts(line)));
  return facts.map((one, at) => `${decide(one, policy).decision}: ${lines[at]}`);
}

const all = (decision: string, lines: readonly string[]): string[] => lines.map((line) => `${decision}: ${line}`);

/** An allow, lines that it means, and lines with an option that writes, runs or reads a file, or that destroy. */
const rows: readonly [string, string[], string[]][] = [
  [
    "git push *",
    ["git push", "git push origin main", "git push -u origin main:main", "git push --tags -o ci.skip"],
    [
      "git push --receive-pack=./e.sh origin",
      "git push --receive-pack ./e.sh",
      "git push --rec=./e.sh",
      "git push --exec=./e.sh",
      "git push origin +main",
      "git push origin :main",
      "git push --mirror",
      "git push --mir",
      "git push --force-with-lease",
      "git push -uf origin",
      "git push --delete origin x",
      "git push -d origin x",
      "git push --prune origin",
      "git -c core.sshCommand=./e.sh push",
    ],
  ],
  [
    "git diff *",
    ["git diff", "git diff HEAD~1 -- a.txt"],
    [
      "git diff --output=x",
      "git diff --outp x",
      "git diff --no-index --output=x a.txt b.txt",
      "git diff --ext-diff",
      "git diff -Oa.txt",
    ],
  ],
  [
    "git *",
    ["git commit -m x", "git fetch origin", "git grep -n x", "git bisect start"],
    [
      "git grep -O./e.sh x",
      "git grep -nO./e.sh x",
      "git grep --open-files-in-pager=./e.sh x",
      "git fetch --upload-pack=./e.sh origin",
      "git clone -u ./e.sh x y",
      "git archive --output=x HEAD",
      "git rebase -x ./e.sh main",
      "git bisect run ./e.sh",
      "git submodule foreach ./e.sh",
      "git difftool -x ./e.sh",
      "git clean -fdx",
      "git reset --hard",
      "git branch -D x",
      "git commit -F a.txt",
    ],
  ],
  [
    "sort *",
    ["sort a.txt", "sort -k 2 -nr a.txt", "sort -t o a.txt"],
    [
      "sort -o b.txt a.txt",
      "sort -uo b.txt a.txt",
      "sort -ob.txt a.txt",
      "sort --out=b.txt a.txt",
      "sort -T sub a.txt",
      "sort --compress-program=./e.sh a.txt",
      "sort --comp ./e.sh a.txt",
      "sort --files0-from=a.txt",
    ],
  ],
  [
    "curl *",
    [
      "curl -sSL http://x",
      "curl -H 'A: b' http://x",
      "curl -w '%{http_code}' http://x",
      "curl -b a=b http://x",
      "curl --max-time 3 http://x",
    ],
    [
      "curl -o x http://x",
      "curl -sSo x http://x",
      "curl -O http://x",
      "curl --output x http://x",
      "curl --out=x http://x",
      "curl -K a.txt",
      "curl -T a.txt http://x",
      "curl -d @a.txt http://x",
      "curl -d x http://x",
      "curl -F a=@a.txt http://x",
      "curl --trace x http://x",
      "curl -D x http://x",
      "curl --libcurl x http://x",
      "curl -c x http://x",
      "curl -b a.txt http://x",
      "curl -H @a.txt http://x",
      "curl -w '%output{x}y' http://x",
      "curl --etag-save x http://x",
    ],
  ],
  [
    "tar -xzf *",
    ["tar -xzf a.tgz"],
    [
      "tar -xzf a.tgz --to-command=./e.sh",
      "tar -xzf a.tgz -I ./e.sh",
      "tar -xzf a.tgz --use-compress=./e.sh",
      "tar -xzf a.tgz --checkpoint-action=exec=./e.sh",
      "tar -xzf a.tgz -T a.txt",
      "tar -xzf a.tgz -C sub",
    ],
  ],
  ["tar *", ["tar --list"], ["tar xf a.tgz", "tar -cf x sub", "tar cIf ./e.sh x sub"]],
  [
    "find . *",
    ["find . -name x", "find . -type f -size +1k"],
    [
      "find . -fprintf x y",
      "find . -fls x",
      "find . -fprint0 x",
      "find . -exec ./e.sh {} +",
      "find . -execdir ./e.sh ';'",
      "find . -delete",
      "find . -files0-from a.txt",
    ],
  ],
  ["tree *", ["tree -L 2 sub"], ["tree -o x", "tree -ao x", "tree --fromfile a.txt"]],
  ["wc *", ["wc -l a.txt"], ["wc --files0-from=a.txt", "wc --files0-f a.txt"]],
  ["du *", ["du -sh sub"], ["du --files0-from=a.txt", "du -X a.txt sub"]],
  ["date *", ["date -d tomorrow"], ["date -f a.txt", "date -r a.txt", "date -uf a.txt", "date -s tomorrow"]],
  ["file *", ["file a.txt"], ["file -C -m a.txt", "file -f a.txt", "file -bm a.txt a.txt"]],
  ["diff *", ["diff -u a.txt b.txt"], ["diff --from-file=a.txt b.txt", "diff -l a.txt b.txt", "diff -X a.txt sub ."]],
  ["less *", ["less -N a.txt"], ["less -o x a.txt", "less -Nox a.txt", "less --log-file=x a.txt", "less -k a.txt"]],
  ["grep *", ["grep -n a a.txt"], ["grep -rf a.txt sub", "grep --exclude-from=a.txt a b.txt"]],
  ["rg *", ["rg -n foo sub"], ["rg --pre ./e.sh foo", "rg --pre=./e.sh foo", "rg -f a.txt sub", "rg -z foo"]],
  [
    "rsync *",
    ["rsync -a sub out"],
    ["rsync -e ./e.sh sub x:", "rsync -ae ./e.sh sub x:", "rsync --rsh=./e.sh sub x:", "rsync --log-file=x sub out"],
  ],
  [
    "sed *",
    ["sed -n 1,5p a.txt"],
    [
      "sed -i s/a/b/ a.txt",
      "sed -ni s/a/b/ a.txt",
      "sed --in-place s/a/b/ a.txt",
      "sed -f a.txt b.txt",
      "sed 'w x' a.txt",
      "sed -n '/a/{s/a/b/w x\n}' a.txt",
      "sed -e p -e 1wx a.txt",
      "sed 'r b.txt' a.txt",
      "sed '1e ./e.sh' a.txt",
      "sed 's/a/b/e' a.txt",
      "sed --expr='1e ./e.sh' a.txt",
    ],
  ],
  [
    "npm test *",
    ["npm test", "npm test --silent", "npm test -- --config x -o y"],
    [
      "npm test --prefix sub",
      "npm test -C sub",
      "npm test -w sub",
      "npm test --script-shell=./e.sh",
      "npm test --script-s ./e.sh",
      "npm test --node-options='-r ./e'",
    ],
  ],
  [
    "make *",
    ["make", "make -j4 test"],
    [
      "make SHELL=./e.sh",
      "make MAKEFLAGS=-k",
      "make CC=a.sh",
      "make 'CC = ./e.sh'",
      "make -f x.mk",
      "make -C sub",
      "make --eval=x",
      "make -I sub",
      "make -kf x.mk",
      "make --file=x.mk",
    ],
  ],
  [
    "pytest *",
    ["pytest -q sub", "pytest -x -k name", "pytest --plugin-option sub"],
    ["pytest --html=out/x.html", "pytest -p plug", "pytest -c x.ini", "pytest --rootdir=sub", "pytest --junitxml=x"],
  ],
  [
    "vitest *",
    ["vitest run sub", "vitest --no-file-parallelism"],
    [
      "vitest --runner=./e.js",
      "vitest --diff ./e.js",
      "vitest --execArgv='-r ./e.js'",
      "vitest --typecheck.checker=a.sh",
    ],
  ],
  [
    "go *",
    ["go test -run=X -count=1 sub", "go list -m all", "go vet sub"],
    [
      "go test -exec=./e.sh sub",
      "go test --exec=./e.sh sub",
      "go test --exec ./e.sh sub",
      "go build -ldflags=-extld=./e.sh",
      "go list -export -toolexec=./e.sh sub",
      "go vet --vettool=./e.sh sub",
      "go test -trace=x sub",
    ],
  ],
  ["fd *", ["fd -HI x sub"], ["fd -x ./e.sh", "fd -Hx ./e.sh", "fd -x./e.sh", "fd --exec-b ./e.sh", "fd -X rm"]],
  ["ssh *", ["ssh -p 22 x"], ["ssh -o ProxyCommand=./e.sh x", "ssh -oProxyCommand=./e.sh x", "ssh -F a.txt x"]],
  ["split *", ["split -l 2 a.txt x"], ["split --filter=./e.sh a.txt", "split --fil ./e.sh a.txt"]],
  ["shuf *", ["shuf -n 1 a.txt"], ["shuf -o x a.txt", "shuf -eo x", "shuf --outp=x a.txt"]],
  ["man *", ["man 3 printf"], ["man -P ./e.sh ls", "man -kP ./e.sh ls", "man --pager=./e.sh ls", "man -l a.txt"]],
  ["yq *", ["yq -P .a a.txt"], ["yq -i .a=1 a.txt", "yq --inp .a=1 a.txt", "yq -Pi .a=1 a.txt"]],
  ["openssl *", ["openssl version"], ["openssl x509 -out x", "openssl req -config=a.txt", "openssl enc -engine ./e"]],
  [
    "pandoc *",
    ["pandoc -t html"],
    ["pandoc -o x", "pandoc -sF ./e.sh", "pandoc --lua-filter=a.txt", "pandoc --pdf-eng ./e.sh"],
  ],
  [
    "eslint *",
    ["eslint --quiet sub"],
    ["eslint -c ./e.js .", "eslint --rulesdir sub .", "eslint -o x .", "eslint --fix ."],
  ],
  ["tsc *", ["tsc --noEmit -p ."], ["tsc --outDir x", "tsc --generateTrace x"]],
  ["mypy *", ["mypy --strict sub"], ["mypy --python-executable=./e.sh .", "mypy --html-report x ."]],
  [
    "pip *",
    ["pip list -v"],
    ["pip --python ./e.sh list", "pip install -r a.txt", "pip install -e .", "pip list --log=x"],
  ],
  ["jq *", ["jq -r .a a.txt"], ["jq 'include \"x\"; .' a.txt", "jq -L sub .", "jq -rf a.txt b.txt"]],
  ["timeout 5 sort *", ["timeout 5 sort -r a.txt"], ["timeout 5 sort -o x a.txt", "timeout 5 sort -uox a.txt"]],
  ["nice pytest *", ["nice pytest -q"], ["nice pytest -p plug", "nice pytest --rootdir=sub"]],
  [
    "uv run *",
    ["uv run pytest -q", "uv run --new-option pytest", "uv run a.py"],
    ["uv run rm -rf sub", "uv run sort -o x a.txt"],
  ],
  ["poetry run pytest *", ["poetry run pytest -q"], ["poetry run pytest -p plug", "poetry run make"]],
  ["node a.js *", ["node a.js", "node a.js --require x"], []],
  [
    "node *",
    ["node a.js"],
    [
      "node --require ./e a.js",
      "node -r ./e a.js",
      "node --import=./e.mjs a.js",
      "node --env-file a.txt a.js",
      "node -e 1",
    ],
  ],
  ["rm *", ["rm a.txt"], []],
  ["npm *", ["npm ls"], ["npm publish", "npm --tag next publish"]],
];

describe("an allow with a wildcard", () => {
  it.each(rows)(
    "%s means no option that writes, runs or reads a file, and nothing that destroys",
    async (command, meant, beyond) => {
      expect(await judged(command, meant)).toEqual(all("allow", meant));
      expect((await judged(command, beyond)).filter((verdict) => verdict.startsWith("allow"))).toEqual([]);
    },
  );

  it.each([
    ["sort -o *", "sort -o b.txt a.txt"],
    ["sort -uo *", "sort -uo b.txt a.txt"],
    ["sort --output=b.txt *", "sort --output=b.txt a.txt"],
    ["sort --output *", "sort --output b.txt a.txt"],
    ["git push --force-with-lease *", "git push --force-with-lease origin"],
    ["make -C sub *", "make -C sub test"],
    ["npm --prefix sub *", "npm --prefix sub test"],
    ["git clean *", "git clean -fd"],
    ["timeout 5 rm *", "timeout 5 rm a.txt"],
    ["timeout 5 sort -o *", "timeout 5 sort -o x a.txt"],
    ["bash -c 'sort -o x a.txt'", "bash -c 'sort -o x a.txt'"],
    ["uv run pytest -p plug *", "uv run pytest -p plug -q"],
    ["find . -delete *", "find . -delete"],
    ["curl -o x *", "curl -o x http://x"],
    ["git diff --output=x", "git diff --output=x"],
  ])("%s says so itself, and means %s", async (command, line) => {
    expect(await judged(command, [line])).toEqual([`allow: ${line}`]);
  });
});
