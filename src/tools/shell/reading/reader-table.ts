import { shellReaders } from "../../../words/contract/shell-readers.ts";
import { onlyTellsTime } from "./box-words.ts";
import { readGit } from "./git-words.ts";

/** Programs of which it is known that they only read, in the shapes that are known. */
export interface ReaderRow {
  programs: readonly string[];
  /** In words that can follow "because". */
  why: string;
  /** Tells whether these words make it one; left out: any do, as long as it is known of each whether it names a file. */
  only?: (words: readonly string[]) => boolean;
  /** `only` knows all its words, and no word is a file. */
  namesNoFile?: true;
  match: readonly string[];
  notMatch: readonly string[];
}

const split = (text: string): string[] => text.trim().split(/\s+/u);

const startsOnly = shellReaders.starts_another;

/** `s/a/b/g`, without flags that write or run, and what prints lines by number. */
const plainSed =
  /^(?:\d+|\$)?(?:,(?:\d+|\$))?[pd]$|^s\/(?:[^\\/\n]|\\[.sSwWbB()+?|{}*[\]^$&\d])*\/(?:[^\\/\n]|\\[&\d])*\/[gIip\d]*$/u;

export const readers: readonly ReaderRow[] = [
  {
    programs: split(
      "cat tac nl rev head tail wc cut paste fold fmt column expand unexpand comm join od hexdump strings xxd file md5sum sha256sum cksum",
    ),
    why: shellReaders.shows_files,
    match: [
      "cat a.txt",
      "head -n 20 a.txt",
      "head -20 a.txt sub/b.txt",
      "wc -l a.txt",
      "cut -d: -f1 a.txt",
      "cat -- -n",
      "file a.txt",
      "cat",
    ],
    notMatch: [
      "cat *.txt",
      "cat $x",
      "cat > b.txt",
      "tail -f a.txt",
      "xxd a.txt b.bin",
      "cat /etc/hosts",
      "cat ../x",
      "head -n",
      "./cat a.txt",
      "file -m magic a.txt",
      "strings @a.txt",
    ],
  },
  {
    programs: split("sort uniq diff cmp"),
    why: shellReaders.compares_files,
    match: ["sort a.txt", "sort -k 2 -n a.txt", "uniq -c a.txt", "diff -u a.txt sub/b.txt", "diff a.txt b.txt --brief"],
    notMatch: [
      "sort -o a.txt a.txt",
      "sort --compress-program=sh a.txt",
      "uniq a.txt b.txt",
      "diff -r sub .",
      "sort --out=x a.txt",
      "sort -T /tmp a.txt",
    ],
  },
  {
    programs: split("grep egrep fgrep"),
    why: shellReaders.searches_files,
    match: ["grep -n foo a.txt", "grep -e foo -i a.txt sub/b.txt", "grep foo", "egrep -c 'a|b' a.txt"],
    notMatch: [
      "grep -r foo .",
      "grep -R foo sub",
      "grep foo *.txt",
      "grep --recursive foo",
      "grep foo /etc/passwd",
      "rg foo",
    ],
  },
  {
    programs: ["sed"],
    why: shellReaders.shows_lines,
    only: (words) =>
      plainSed.test(words.find((word) => !word.startsWith("-")) ?? "") &&
      !words.some((word) => /^-.*[ef]/u.test(word) || word.startsWith("--")),
    match: ["sed -n 1,20p a.txt", "sed 's/a/b/g' a.txt", "sed -n '5p' a.txt", "sed -E 's/(a)/\\1b/' a.txt"],
    notMatch: [
      "sed -i s/a/b/ a.txt",
      "sed 's/a/b/w out' a.txt",
      "sed 's/a/id/e' a.txt",
      "sed e a.txt",
      "sed -n 'w x' a.txt",
      "sed -f x.sed a.txt",
      "sed '1r /etc/passwd' a.txt",
      "sed -e p -e 'w x' a.txt",
      "sed 's/a/b/;w x' a.txt",
    ],
  },
  {
    programs: split("ls stat readlink realpath"),
    why: shellReaders.tells_names,
    match: ["ls", "ls -la", "ls -l sub", "stat a.txt", "realpath a.txt"],
    notMatch: ["ls -R", "ls /", "ls ..", "ls $x", "ls --hyperlink", "ls ~"],
  },
  {
    programs: split(
      "pwd echo printf true false : basename dirname seq whoami id groups uname nproc type which sleep tr test [ [[ (( exit return break continue",
    ),
    why: shellReaders.changes_nothing,
    match: [
      "pwd",
      "echo hello world",
      "echo 'rm -rf /'",
      "printf '%s\\n' a",
      "basename a/b",
      "which node",
      "sleep 1",
      "test -f a.txt",
      "[ -d sub ]",
      "[[ -f a.txt && -n $x ]]",
      "test a.txt -nt sub/b.txt",
      "(( 1 ))",
      "tr a-z A-Z",
    ],
    notMatch: [
      "echo $HOME",
      "echo x > y.txt",
      "a=([b]=1)",
      "a=([ b ]=1)",
      "b='x[$(id)]'; a=([b]=1)",
      "echo *",
      "printf -v x y",
      "echo $(id -u)x",
      "test -v x",
      "test -f /etc/passwd",
      "[[ -f ../x ]]",
      "test -a /x",
      "[ /x -ot a.txt ]",
      "[[ -e $x ]]",
      "(( x ))",
      "which ../x",
    ],
  },
  {
    // With words macOS's starts another program.
    programs: ["arch"],
    why: shellReaders.changes_nothing,
    only: (words) => words.length === 0,
    match: ["arch"],
    notMatch: ["arch a.sh", "arch ls", "arch -arm64 ls"],
  },
  {
    programs: ["cd"],
    why: shellReaders.moves_line,
    match: ["cd sub", "cd sub/..", "cd"],
    notMatch: ["cd $x", "cd ..", "cd /etc", "pushd sub", "cd sub > x"],
  },
  {
    programs: ["date"],
    why: shellReaders.tells_time,
    only: onlyTellsTime,
    match: ["date", "date +%s", "date -u +%FT%TZ", "date -d yesterday"],
    notMatch: ["date 11220304", "date -s tomorrow", "date --set=x", "date -f x"],
  },
  {
    programs: ["command"],
    why: shellReaders.tells_program,
    only: ([option = "", ...names]) => /^-[vV]$/u.test(option) && !names.some((name) => name.includes("/")),
    namesNoFile: true,
    match: ["command -v node"],
    notMatch: ["command rm a.txt", "command $x", "command -v ../x"],
  },
  {
    programs: split("timeout nice nohup time command builtin stdbuf ionice"),
    why: startsOnly,
    only: ([option]) => option !== undefined && !/^-[vV]$/u.test(option),
    namesNoFile: true,
    match: ["timeout 5 ls", "nice -n 5 cat a.txt", "nohup sleep 1", "command cat a.txt"],
    notMatch: ["env A=1 ls", "timeout 5 rm a.txt", "setsid ls", "time -o x ls", "nice $x"],
  },
  {
    programs: split("bash sh"),
    why: startsOnly,
    only: ([option = "", , ...more]) => /^-[eux]*c$/u.test(option) && more.length === 0,
    namesNoFile: true,
    match: ["bash -c 'ls sub'", "sh -c 'cat a.txt | wc -l'"],
    notMatch: ["bash a.sh", "bash -c 'rm a.txt'", "bash -lc ls", 'sh -c "$x"', "bash", "zsh -c ls", "bash -c ls x"],
  },
  {
    programs: ["git"],
    why: shellReaders.tells_no_content,
    only: (words) => readGit(words)?.tells === "names",
    namesNoFile: true,
    match: [
      "git status",
      "git status --short",
      "git log --oneline -n 5",
      "git log --oneline -20",
      "git log --format='%h %ad %s' --date=short",
      "git log --pretty=oneline",
      "git branch",
      "git branch -a",
      "git diff --stat",
      "git rev-parse HEAD",
      "git ls-files",
      "git stash list",
    ],
    notMatch: [
      "git diff",
      "git show HEAD",
      "git log -p",
      "git branch new",
      "git branch -D main",
      "git -c core.pager=x status",
      "git diff --output=x",
      "git log --output=x",
      "git log --format=%GG",
      "git log --pretty=%+GS",
      "git log --pretty=name",
      "git stash",
      "git tag v1",
      "git -C / status",
      "git grep foo",
      "git config -l",
    ],
  },
  {
    // Not those which a file of the project tells to run another version of themselves (yarn, pnpm, cargo, rustc, go), nor what a JVM runs,
    // which keeps a file of figures in /tmp.
    programs: split("node npm python python3 tsc gcc clang make ruby git bash"),
    why: shellReaders.tells_version,
    only: (words) => words.length === 1 && words[0] === "--version",
    namesNoFile: true,
    match: ["node --version", "npm --version", "python3 --version"],
    notMatch: [
      "node --version a.js",
      "node -v -e 1",
      "node -e 1",
      "./node --version",
      "sub/node --version",
      "yarn --version",
      "cargo --version",
      "java --version",
    ],
  },
  {
    programs: split("node npm tsc"),
    why: shellReaders.tells_version,
    only: (words) => words.length === 1 && words[0] === "-v",
    namesNoFile: true,
    match: ["node -v", "npm -v", "tsc -v"],
    notMatch: ["node -v a.js", "node -V", "python3 -v", "./node -v", "yarn -v", "node -p v"],
  },
  {
    programs: split("python python3"),
    why: shellReaders.tells_version,
    only: ([word, another]) => another === undefined && word === "-V",
    namesNoFile: true,
    match: ["python3 -V", "python -V"],
    notMatch: ["python3 -V a.py", "python3 -v", "perl -V", "python3"],
  },
];
