import type { CertainWord } from "../../../core/command.ts";
import { shellReaders } from "../../../words/contract/shell-readers.ts";
import { behindText, onlyPrints } from "./awk-script.ts";
import { beginsPlainly, listsInPip, onlyFinds, onlyTellsTime, onlyWith, showsInLess, without } from "./box-words.ts";
import { changesOwnVariables, isPlainGiven, setsPlainly } from "./line-variables.ts";
import type { Words } from "./options.ts";
import { onlyShows } from "./sed-script.ts";
import { onlyListsArchive } from "./tar-words.ts";

/**
 * Programs that only read where they run in the reading box: nothing there can be written, nothing can be told to another machine, and
 * what is not read without asking is not there. So their words need not all be known, and folders may be gone through. What is meant to
 * write or to run something else still asks, since it would fail there.
 */
export interface BoxRow {
  programs: readonly string[];
  /** In words that can follow "because". */
  why: string;
  /**
   * Tells whether these words make it one, null among them for one that is not known; left out: any do. `certain`: what is sure of those, by their
   * places.
   */
  only?: (words: Words, certain?: readonly CertainWord[]) => boolean;
  /** The difference between its output there and its output outside, as a sentence. */
  differs?: string;
  /** By an option it starts, or loads, what that names: no word that may turn out to be one is left to the box. */
  startsByOption?: true;
  /** Each option must be one that `box-options.ts`, or the tables of meanings, list; else `only` tells of them. */
  listed?: true;
  /** It may be any program: what it does beside is not known. */
  isAnyProgram?: true;
  /** Its first operand is a text, and no file; or which words are no part of that. */
  takesText?: true | ((words: Words) => readonly string[]);
  match: readonly string[];
  notMatch: readonly string[];
}

const split = (text: string): string[] => text.trim().split(/\s+/u);

const own = "in the sandbox: only the processes of this command are seen";
const disks = "in the sandbox: the disks are those that it has";

export const boxReaders: readonly BoxRow[] = [
  {
    programs: split(`
      cat tac nl rev head tail wc cut paste fold fmt column expand unexpand comm join od hexdump hd strings file md5sum sha1sum
      sha224sum sha256sum sha384sum sha512sum b2sum cksum sum uniq diff cmp colordiff tr zcat bzcat xzcat zgrep
      look pr numfmt jq grep egrep fgrep ls stat readlink realpath base64 base32`),
    why: shellReaders.shows_files,
    listed: true,
    match: [
      "cat *.txt",
      "cat $x",
      "cat $(ls)",
      "grep -r foo .",
      "ls -R",
      "diff -r sub .",
      "head -n 5 sub/*.txt",
      "jq . package.json",
      "jq -r --arg x y .a package.json",
      "base64 -d a.txt",
    ],
    notMatch: [
      "cat *.txt > b.txt",
      "cat /etc/hosts",
      "./cat a.txt",
      "head -n 5 ../*",
      "base64 -o x a.txt",
      "ls --new *",
      "diff -r --new sub .",
    ],
  },
  {
    programs: split("sort diff3"),
    why: shellReaders.orders_files,
    startsByOption: true,
    listed: true,
    match: ["sort -r *", "sort sub/*.txt", "sort -- $(ls)", 'sort -k "$(cat a.txt)" a.txt', "sort $x"],
    notMatch: ["sort -o a.txt *", "sort --new *", "sort $(ls)", "ls | xargs sort", 'sort "$(ls)"'],
  },
  {
    programs: ["less"],
    why: shellReaders.shows_files,
    startsByOption: true,
    only: (words) => beginsPlainly(words) && showsInLess(words),
    match: ["less a.txt", "less -N +10 a.txt", "less -RSx4 a.txt", "cat a.txt | less"],
    notMatch: ["less -o x a.txt", "less +!id a.txt", "less -x4k keys a.txt", "less -p x a.txt", "less --new a.txt"],
  },
  {
    programs: ["more"],
    why: shellReaders.shows_files,
    startsByOption: true,
    // Where less has its name, `-p` does what a text says.
    only: (words) => beginsPlainly(words) && onlyWith(/^-(?:[dlfcsu]+|n?\d*|-)$/u)(words),
    match: ["more +/foo *.txt", "more -n 5 a.txt", "more -20 a.txt"],
    notMatch: ["more +:e%x a.txt", "more -p !id a.txt", "more -t x a.txt"],
  },
  {
    programs: ["readelf"],
    why: shellReaders.shows_files,
    listed: true,
    only: without(/^@/u),
    match: ["readelf -h a.o", "readelf -Wa *.o"],
    notMatch: ["readelf --new a.o", "readelf @a.txt"],
  },
  {
    programs: split("nm size objdump"),
    why: shellReaders.shows_files,
    startsByOption: true,
    listed: true,
    // `@file`: the words in it are words of the line.
    only: without(/^@/u),
    match: ["nm a.o", "nm -gC a.o", "objdump -d a.o", "objdump -d -M intel a.o"],
    notMatch: ["nm --plugin ./x.so a.o", "nm --new x a.o", "objdump --new a.o", "nm $(ls)", "nm @a.txt", "nm -- $(ls)"],
  },
  {
    programs: split("rg ag ack"),
    why: shellReaders.shows_folders,
    startsByOption: true,
    takesText: true,
    listed: true,
    only: without(/^(?:--pre(?!tty$|-glob(?:=|$))|--pager|--hostname-bin|--output)/u),
    match: [
      "rg foo",
      "rg --pretty foo",
      "rg -o foo sub",
      "rg -n foo sub",
      "rg foo -g '*.ts'",
      "rg /api/users",
      "rg foo $x",
    ],
    notMatch: [
      "rg --pre cat foo",
      "rg --new foo",
      "ag --new foo",
      "ack --new foo",
      "rg foo /etc",
      "rg foo ../x",
      "rg foo > x",
      "rg foo -f /etc/passwd",
    ],
  },
  {
    programs: split("tree du"),
    why: shellReaders.tells_folders,
    listed: true,
    match: ["tree -L 2", "du -sh sub", "du -sh *"],
    notMatch: ["tree -o x", "tree --new", "tree /etc", "du -sh ..", "du -sh > x"],
  },
  {
    programs: ["find"],
    why: shellReaders.finds_names,
    only: onlyFinds,
    match: ["find . -name '*.ts'", "find . -name x | wc -l", "find . -name '*.txt' | xargs grep foo"],
    notMatch: [
      "find . -delete",
      "find . -new x",
      "find . -exec rm {} ;",
      "find . -fprint x",
      "find / -name x",
      "find .. -name x",
    ],
  },
  {
    programs: ["sed"],
    why: shellReaders.shows_lines,
    startsByOption: true,
    takesText: true,
    only: onlyShows,
    match: [
      "sed -n '1,20p;30,40p' a.txt",
      "sed 's/a/b/;s/c/d/' a.txt",
      "sed -n '/a/,/b/p' *.txt",
      "sed -n 5p $x",
      'for n in 1 5; do sed -n "$n p" a.txt; done',
    ],
    notMatch: [
      "sed -i s/a/b/ a.txt",
      "sed -n 'w x' a.txt",
      "sed 's/a/id/e' a.txt",
      "sed -ni p a.txt",
      "sed -f x.sed a.txt",
      'sed "$x" a.txt',
      "sed $x 5p a.txt",
      "sed ':a,b\n1e id' a.txt",
      'x=p; read x < a.txt; sed "$x" a.txt',
      "for x in p '1e id'; do sed \"$x\" a.txt; done",
    ],
  },
  {
    programs: split("awk gawk mawk nawk"),
    why: shellReaders.prints,
    takesText: behindText,
    only: onlyPrints,
    match: [
      "awk '{print $1}' a.txt",
      "awk -F: '$3 > 5 {print $1}' a.txt",
      "awk 'NR==2' sub/*.txt",
      "ls -l | awk '{s+=$5} END {print s}'",
      `awk -v n="$n" 'NR==n' a.txt`,
    ],
    notMatch: [
      `awk '{print > "x"}' a.txt`,
      `awk '{print | "sh"}' a.txt`,
      `awk '{system($0)}' a.txt`,
      "awk -f x.awk a.txt",
      "awk -i inplace 1 a.txt",
      `awk 'BEGIN {"id" | getline x}'`,
      `awk '{printf "%s", $1 >> "x"}' a.txt`,
      `awk "$x" a.txt`,
      "awk -v $x '{print}' a.txt",
      `awk -v "$x" '{print}' a.txt`,
      `awk -F"$x" '{print}' 'BEGIN{system("id")}'`,
      `awk '{print $1,\n$2 > "x"}' a.txt`,
      `awk '{print $1 \\\n > "x"}' a.txt`,
      `awk '{print a /b > "x"/ 1}' a.txt`,
    ],
  },
  {
    programs: split("tar bsdtar gtar"),
    why: shellReaders.lists_archive,
    startsByOption: true,
    only: onlyListsArchive,
    match: ["tar tf a.tar", "tar -tzf a.tgz", "tar --list -f a.tar", "tar -tvf a.tar sub"],
    notMatch: [
      "tar xf a.tar",
      "tar -czf a.tgz sub",
      "tar -tf a.tar --to-command=sh",
      "tar -tf a.tar -I sh",
      "tar -tf a.tar -M",
      "tar -tf a.tar --multi-volume",
      "tar -tf host:a.tar",
      "tar tf /etc/a.tar",
    ],
  },
  {
    programs: split("unzip zipinfo"),
    why: shellReaders.lists_archive,
    only: ([first, ...more]) =>
      typeof first === "string" && /^-(?:l|v|Z\w*|lv|vl|lq|t)$/u.test(first) && onlyWith(/^-[lvqtzCU12smhx]*$/u)(more),
    match: ["unzip -l a.zip", "unzip -Z1 a.zip"],
    notMatch: ["unzip a.zip", "unzip -o a.zip", "unzip -d x -l a.zip", "unzip -l a.zip --new", "unzip -l /etc/a.zip"],
  },
  {
    programs: split("ps pgrep free vmstat"),
    why: shellReaders.tells_processes,
    differs: own,
    listed: true,
    match: ["ps aux", "ps -ef | grep node", "free -m"],
    notMatch: ["pkill node", "ps --new", "ps aux > x"],
  },
  {
    programs: split("df findmnt lsblk"),
    why: shellReaders.tells_disks,
    differs: disks,
    listed: true,
    match: ["df -h", "df -h ."],
    notMatch: ["mount", "df --new", "df -h > x"],
  },
  {
    programs: split("uptime lscpu locale getconf printenv groups users who w nproc hostid"),
    why: shellReaders.tells_machine,
    listed: true,
    match: ["uptime", "printenv PATH", "lscpu"],
    // Of another kind of system a program tells.
    notMatch: ["printenv > x", "getconf -v ../x PATH"],
  },
  {
    programs: split("env hostname arch"),
    why: shellReaders.tells_variables,
    only: (words) => words.length === 0,
    match: ["env", "env | sort", "hostname"],
    notMatch: ["hostname x", "env > x", "arch ls"],
  },
  {
    programs: split("echo printf pwd true false : type sleep test [ [[ exit return break continue shift"),
    why: shellReaders.keeps_to_variables,
    match: ["echo $HOME", "echo *", 'echo "--- x"', "printf '%s\\n' *.txt"],
    notMatch: ["echo x > y.txt", "echo $x >> y.txt", "source a.sh", "eval $x"],
  },
  {
    programs: split("basename dirname seq which"),
    why: shellReaders.changes_nothing,
    listed: true,
    match: ["which -a node", "seq 10 -1 1", 'basename "$x" .ts'],
    notMatch: ["which ../x", "which --new x", "seq --new 5"],
  },
  {
    programs: ["read"],
    why: shellReaders.keeps_to_variables,
    only: (words) => changesOwnVariables(words),
    match: ['ls | while read -r f; do echo "$f"; done', "read -r -d '' x < a.txt"],
    notMatch: ["read PATH < a.txt", "read -raPATH", "read -r PS4 < a.txt", "read $x", "read LC_ALL < a.txt"],
  },
  {
    programs: ["unset"],
    why: shellReaders.keeps_to_variables,
    only: (words) => changesOwnVariables(words, { value: "" }),
    match: ["unset x", "unset LC_ALL"],
    notMatch: ["unset PATH", "unset -v GIT_DIR"],
  },
  {
    programs: ["set"],
    why: shellReaders.steers_line,
    only: setsPlainly,
    match: ["set -e; ls", "set -euo pipefail; ls", "set -- *.txt", "set a b", "set +H"],
    notMatch: ["set -k", "set -o keyword", "set -a", "set $x", "set -m", "set +o pipefail -k"],
  },
  {
    programs: split("cd pushd popd dirs"),
    why: shellReaders.moves_line,
    match: ['cd "$PWD" && ls', "cd $x && cat a.txt"],
    notMatch: ["cd .. && rm a.txt", "cd /etc && ls", "cd $x && ./a.sh"],
  },
  {
    programs: ["date"],
    why: shellReaders.tells_time,
    only: (words) => onlyTellsTime(words),
    match: ["date", "TZ=UTC date +%F", "date -d yesterday +%F", "date --date='2 days ago'"],
    notMatch: ["date -s tomorrow", "date --set=x", "date 11220304", "date -f x", "date $x"],
  },
  {
    programs: split("export local readonly declare typeset"),
    why: shellReaders.keeps_to_variables,
    only: (words) =>
      words.length > 0 &&
      words.every((word) => {
        const [, name, , value] = /^(\w+)(=|$)(.*)$/su.exec(word ?? "") ?? [];
        // A text in brackets is a list to `declare`, and what is a substitution in it runs.
        return name !== undefined && value?.includes("(") === false && isPlainGiven({ name, value });
      }),
    match: ["export LC_ALL=C; sort a.txt", "export a=1", "export TERM=dumb; ls", "declare a=1", "readonly a=1; ls"],
    notMatch: [
      "export TERM=../x",
      "export LANG=../x",
      "export PATH=x",
      "export LD_PRELOAD=x",
      "export -n a",
      "export GIT_DIR=x",
      "export $x",
      "export PIP_PYTHON=x",
      "local PATH=x",
      "readonly PATH=x",
      "declare -i a=b",
      "declare a='($(ls))'",
      "typeset LD_PRELOAD=x",
    ],
  },
  {
    programs: ["xargs"],
    why: shellReaders.starts_another,
    only: (words) => !words.includes(null),
    match: ["ls | xargs wc -l", "find . | xargs -n 1 basename"],
    notMatch: ["ls | xargs rm", "ls | xargs sh -c x", "xargs $x"],
  },
  {
    programs: split("npm"),
    why: shellReaders.lists_versions,
    only: ([verb, ...more]) =>
      (verb === "-v" && more.length === 0) ||
      (/^(?:ls|list|ll|la)$/u.test(verb ?? "") &&
        more.every((word) =>
          /^(?:[^-].*|-[agpl]|--(?:all|long|json|parseable|global|link|depth(?:=\d+)?|(?:omit|include)=\w+|prod|production|dev))$/su.test(
            word ?? "",
          ),
        )),
    match: ["npm ls", "npm ls --depth=0", "npm list react", "npm ls -g --depth 0", "npm -v"],
    notMatch: [
      "npm install",
      "npm -v install",
      "npm run ls",
      "npm exec ls",
      "npm $x",
      "npm ls --prefix x",
      "npm ls --logs-dir=x",
    ],
  },
  {
    programs: ["cargo"],
    why: shellReaders.tells_version,
    only: ([verb, ...more]) => verb === "version" && more.length === 0,
    match: ["cargo version"],
    notMatch: ["cargo version x", "cargo run"],
  },
  {
    programs: ["go"],
    why: shellReaders.tells_settings,
    only: ([verb, ...more]) =>
      (verb === "version" && more.length === 0) || (verb === "env" && more.every((word) => /^\w+$/u.test(word ?? ""))),
    match: ["go version", "go env", "go env GOPATH"],
    notMatch: ["go version a.out", "go env -w A=b", "go run .", "go $x"],
  },
  {
    programs: split("pip pip3"),
    why: shellReaders.lists_installed,
    startsByOption: true,
    only: ([verb, ...more]) => /^(?:list|show|freeze)$/u.test(verb ?? "") && listsInPip(more),
    match: ["pip list", "pip show requests", "pip3 freeze"],
    notMatch: ["pip install x", "pip --python x list", "pip list --log x", "pip list --new x", "pip config list"],
  },
  {
    programs: ["dpkg"],
    why: shellReaders.lists_installed,
    only: ([verb, ...more]) =>
      /^(?:-l|-L|-s|-S|--list|--listfiles|--status|--search)$/u.test(verb ?? "") && onlyWith(/^--$/u)(more),
    match: ["dpkg -l", "dpkg -L bash"],
    notMatch: ["dpkg -i a.deb", "dpkg --configure -a", "dpkg -l --log=x"],
  },
];
