import { dirname, join } from "node:path";
import type { FileOption } from "../../../core/command.ts";
import { withoutEnd } from "../../../core/linear-text.ts";
import type { Access } from "../../../core/path-fact.ts";
import { openRows } from "./file-options.ts";
import type { GivenOption, ReadOptions, Words } from "./options.ts";
import { readSed, sedTexts } from "./sed-script.ts";
import { baseName } from "./wrappers.ts";

/** One file or folder that a word of a command means. */
export interface Use {
  path: string;
  access: "read" | "write";
  /** With all below it; `folder`: where it is one. */
  deep?: true | "folder";
  /** It may be the folder that the file of this name is put into. */
  into?: string;
  /** Nothing is told of it but that it is there, and of what kind: what a list of its folder tells. */
  named?: true;
  /** As in `PathFact`. */
  matched?: number[];
}

export type Given = readonly GivenOption[];
type Meaning = (read: {
  options: Map<string, string | null | undefined>;
  given: Given;
  operands: Words;
}) => (Use | null)[];

export interface Program {
  names: string;
  options: string;
  /** Lists the files that its operands are; null among them for one that is not known. Left out: none of them is a file. */
  files?: Meaning;
  tells?: Access;
  /** Its words may make it read files that lists or texts name: any. */
  reachesAny?: (read: Pick<ReadOptions, "options" | "operands" | "isKnown">) => boolean;
  /** Lists the acts on files of the text that it is given. */
  acts?: (given: Given, operands: Words) => FileOption[];
  /** Its words are text, whatever they look like. */
  takesText?: true;
  /** Its options are not put together: `-ps` is one, and no `-p -s`. */
  apart?: true;
  /** Its first operand ends its options: `xxd a.bin -b` writes a file of that name. */
  inOrder?: true;
  /** Options that some programs of the name take otherwise: for them the next word is no value, but an operand. */
  elsewhere?: string;
}

export const of =
  (access: Use["access"], deep: Use["deep"] | false = false) =>
  (path: string | null): Use | null =>
    path === null ? null : { path, access, ...(deep === false ? {} : { deep }) };
/** `-` is what is piped in, or out. */
const files = (words: Words): Words => words.filter((word) => word !== "-");
const has = (options: Map<string, unknown>, names: string): boolean =>
  names.split(" ").some((name) => options.has(name));
/** Lists the values that each of these options was given: one that stands twice may count twice. */
const givenTo = (given: Given, names: string, access: Use["access"]): (Use | null)[] =>
  given.filter(({ name }) => names.split(" ").includes(name)).map(({ value }) => of(access)(value ?? null));

const named = (path: string | null): Use | null => (path === null ? null : { path, access: "read", named: true });
/** Words that are paths, of those that may be names of programs too. */
const withSlash = (words: Words): Words => words.filter((word) => word === null || word.includes("/"));

/**
 * Tells whether a word is `@file`, also where an option takes it for its value: the content of the file stands in its place before options are read.
 */
const namesWords = (given: Given, operands: Words): boolean =>
  [...operands, ...given.map(({ value }) => value)].some((one) => one?.startsWith("@") === true);

const reads: Meaning = ({ operands }) => files(operands).map(of("read"));
const writes: Meaning = ({ operands }) => files(operands).map(of("write"));
/** A pattern or a program first, unless an option brought it. */
const readsAfterText =
  (brought: string, fromFile: string): Meaning =>
  ({ options, given, operands }) => [
    ...files(has(options, `${brought} ${fromFile}`) ? operands : operands.slice(1)).map(of("read")),
    ...givenTo(given, fromFile, "read"),
  ];
const modeThen =
  (access: Use["access"]): Meaning =>
  ({ options, given, operands }) => {
    const deep = has(options, "-R --recursive");
    return [
      ...operands.slice(has(options, "--reference") ? 0 : 1).map(of(access, deep)),
      ...givenTo(given, "--reference", "read"),
    ];
  };

/** Sources, then where they go; `-t` names that first. A source that is moved is taken away. */
const transfers =
  (source: Use["access"], target: "write"): Meaning =>
  ({ options, operands }) => {
    const given = options.get("-t") ?? options.get("--target-directory");
    const sources = given === undefined ? operands.slice(0, -1) : operands;
    const to = given === undefined ? operands.at(-1) : given;
    const deep = source === "write" || has(options, "-r -R -a --recursive --archive");
    const out = sources.map(of(source, deep));
    if (typeof to !== "string") return [...out, null];
    const into = sources.map((path): Use | null =>
      path === null ? null : { path: to, access: target, into: baseName(withoutEnd(path, "/")) },
    );
    return [...out, { path: to, access: target }, ...into];
  };

/** With a suffix the old file is kept beside it, or where a suffix with a star or a folder in it says. */
const inPlace = (found: (Use | null)[], suffix: string | null | undefined): (Use | null)[] =>
  found.flatMap((use): (Use | null)[] => {
    if (use === null) return [null];
    const written = { ...use, access: "write" as const };
    if (!suffix) return [written];
    const kept = suffix.includes("*") ? suffix.replaceAll("*", baseName(use.path)) : `${baseName(use.path)}${suffix}`;
    return [written, { path: kept.includes("/") ? kept : join(dirname(use.path), kept), access: "write" }];
  });

/** The files that sed's own text names; null among them where not all of it was read. */
function sedFiles(texts: Words): (Use | null)[] {
  const { reads, writes, runsLines, isKnown } = readSed(texts.join("\n"));
  const open = isKnown && !runsLines && !texts.includes(null) ? [] : [null];
  return [...reads.map(of("read")), ...writes.map(of("write")), ...open];
}

/** Of each text by itself: it is the word that a rule must name. */
const sedActs = (texts: Words): FileOption[] =>
  texts.flatMap((word): FileOption[] => {
    if (word === null) return [];
    const { reads, writes, runs, runsLines } = readSed(word);
    const done = { reads: reads.length > 0, writes: writes.length > 0, runs: runs.length > 0 || runsLines };
    return (["reads", "writes", "runs"] as const).flatMap((does) => (done[does] ? [{ word, name: word, does }] : []));
  });

const grepOptions = `-c --count -E -F -G -P --extended-regexp --fixed-strings --basic-regexp --perl-regexp -i --ignore-case -v
  --invert-match -w --word-regexp -x --line-regexp -l --files-with-matches -L --files-without-match -m= --max-count= -o
  --only-matching -q --quiet --silent -s --no-messages -b -H --with-filename -h --no-filename -n --line-number -A= -B= -C=
  --after-context= --before-context= --context? --color? -a --text -I -Z --null -e= --regexp= -f= --file= -y -T -u`;

/**
 * The meaning of the words of programs, for those of which it is known. A program that has an option which is not listed is as one that is not
 * listed: its operands are not known.
 */
export const programs: readonly Program[] = [
  {
    names: "cat",
    options: "-A -b -e -E -n -s -t -T -u -v --show-all --number --number-nonblank --squeeze-blank --show-ends",
    files: reads,
  },
  { names: "tac", options: "-b -r -s= --before --regex --separator=", files: reads },
  { names: "nl", options: "-b= -n= -w= -s=", files: reads },
  { names: "rev", options: "", files: reads },
  { names: "head tail", options: "-n= --lines= -c= --bytes= -q --quiet -v --verbose -z -0", files: reads },
  { names: "wc", options: "-c -m -l -L -w --bytes --chars --lines --words --max-line-length", files: reads },
  {
    names: "sort",
    options: `-b -d -f -g -i -M -h -n -R -r -V -c -C -k= -m -s -t= -u -z -o=:w --output=:w --numeric-sort --reverse --unique --key=
      --field-separator= --stable --human-numeric-sort --version-sort --check? --ignore-leading-blanks --dictionary-order --ignore-case
      --general-numeric-sort --ignore-nonprinting --month-sort --random-sort --sort= --batch-size= --merge --zero-terminated`,
    // NetBSD's.
    elsewhere: "-S",
    files: ({ given, operands }) => [...files(operands).map(of("read")), ...givenTo(given, "-o --output", "write")],
  },
  {
    names: "uniq",
    // Those of BSD read so: an option behind the file is the one that is written, and so is a `-`.
    inOrder: true,
    options:
      "-c -d -D -f= -i -s= -u -z -w= --count --repeated --unique --ignore-case --skip-fields= --skip-chars= --check-chars=",
    files: ({ operands }) => [...files(operands.slice(0, 1)).map(of("read")), ...operands.slice(1).map(of("write"))],
  },
  {
    names: "cut",
    options:
      "-b= -c= -d= -f= -n -s -z --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=",
    files: reads,
  },
  { names: "paste", options: "-d= -s -z --delimiters= --serial", files: reads },
  { names: "fold", options: "-b -s -w= --bytes --spaces --width=", files: reads },
  { names: "fmt", options: "-c -s -t -u -w= --width=", files: reads },
  { names: "column", options: "-t -x -c= -s= --table", files: reads },
  { names: "expand unexpand", options: "-a -i -t= --tabs= --initial --all", files: reads },
  { names: "comm", options: "-1 -2 -3 -z --check-order --nocheck-order --total", files: reads },
  {
    names: "join",
    options: "-1= -2= -j= -t= -a= -v= -e= -o= -i -z --check-order --nocheck-order",
    // BSD's, where no number follows.
    elsewhere: "-a",
    files: reads,
  },
  {
    names: "cmp",
    options: "-b -l -s -i= -n= --print-bytes --verbose --quiet --silent --bytes= --ignore-initial=",
    files: reads,
  },
  {
    names: "diff",
    options: `-q --brief -s -u -U= --unified? -c -C= -y -W= -i -w -b -B -E -Z -a -N -p -r --recursive --color? -l -n --ignore-all-space
      --ignore-space-change --ignore-blank-lines --side-by-side --strip-trailing-cr --minimal`,
    files: ({ options, operands }) => operands.map(of("read", has(options, "-r --recursive") || "folder")),
  },
  {
    names: "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum",
    options: "-b -t --tag -z",
    files: reads,
  },
  { names: "od", options: "-A= -t= -j= -N= -a -b -c -d -o -s -x -v", files: reads },
  { names: "hexdump", options: "-b -c -C -d -o -x -v -n= -s=", files: reads },
  {
    names: "strings",
    options: "-a -n= -t=",
    // The words in a file that is named with @ are words of the line: which files they name is not known.
    files: (read) => (namesWords(read.given, read.operands) ? [of("read", true)("/")] : reads(read)),
    reachesAny: ({ options, operands }) => namesWords(options, operands),
  },
  {
    names: "xxd",
    apart: true,
    inOrder: true,
    options: "-b -c= -g= -l= -s= -p -u",
    files: ({ operands }) => [...files(operands.slice(0, 1)).map(of("read")), ...operands.slice(1).map(of("write"))],
  },
  {
    names: "ls",
    tells: "names",
    options: `-a -A -b -B -c -C -d -F -f -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 --all
      --almost-all --color? --directory --human-readable --recursive --reverse --sort= --time= --full-time --group-directories-first --classify`,
    files: ({ options, operands }) =>
      (operands.length === 0 ? ["."] : operands).map(of("read", has(options, "-R --recursive"))),
  },
  { names: "stat", tells: "names", options: "-L -f -c= -t --format= --printf= --dereference --terse", files: reads },
  // It tells what is in a file by its first bytes.
  { names: "file", options: "-b -i -k -L -h --brief --mime --mime-type", files: reads },
  {
    names: "readlink realpath",
    tells: "names",
    options: "-f -e -m -n -q -s -z --canonicalize --no-newline",
    files: reads,
  },
  {
    names: "du",
    tells: "names",
    options: "-a -b -c -d= -h -k -m -s -S -x --max-depth= --human-readable --summarize --apparent-size",
    files: ({ operands }) => (operands.length === 0 ? ["."] : operands).map(of("read", true)),
  },
  {
    names: "tree",
    tells: "names",
    options: "-a -d -f -i -L= -I= -P= --dirsfirst --noreport -h -s",
    files: ({ operands }) => (operands.length === 0 ? ["."] : operands).map(of("read", true)),
  },
  {
    names: "grep egrep fgrep",
    options: `${grepOptions} -r -R --recursive --dereference-recursive --include= --exclude= --exclude-dir=`,
    // OpenBSD's, and older ones of other BSD.
    elsewhere: "-C?",
    files: (read) => {
      const deep = has(read.options, "-r -R --recursive --dereference-recursive");
      const found = readsAfterText("-e --regexp", "-f --file")(read);
      return (deep && found.length === 0 ? [of("read")(".")] : found).map((use) =>
        use === null || !deep ? use : { ...use, deep: true },
      );
    },
  },
  {
    names: "jq",
    options:
      "-r -c -n -e -s -S -M -a -j --raw-output --compact-output --null-input --slurp --sort-keys --exit-status --tab",
    files: readsAfterText("", ""),
    // A filter reads modules and data of the folders that it names itself.
    reachesAny: ({ operands }) => operands.some((word) => word === null || /\b(?:import|include)\b/u.test(word)),
    acts: (_, operands) =>
      operands.flatMap((word) =>
        word !== null && /\b(?:import|include)\b/u.test(word) ? [{ word, name: word, does: "reads" }] : [],
      ),
  },
  { names: "basename dirname", options: "-a -s= -z" },
  { names: "pwd", options: "-L -P" },
  { names: "echo printf", options: "", takesText: true },
  { names: "true false : exit return break continue", options: "" },
  { names: "seq", options: "-w -s= -f=" },
  { names: "sleep whoami id groups uname arch nproc uptime tty logname", options: "-a -r -s -m -n -u -g -G -p --all" },
  { names: "date", options: "-u -I? -R --utc --iso-8601? --rfc-3339= --universal -d= --date=" },
  { names: "type which", tells: "names", options: "-a -t -p", files: ({ operands }) => withSlash(operands).map(named) },
  { names: "tr", options: "-c -C -d -s -t --delete --squeeze-repeats --complement" },
  { names: "expr", options: "" },
  {
    names: "cd pushd popd dirs",
    tells: "names",
    options: "-L -P -e",
    files: ({ operands }) => files(operands).map(named),
  },
  // Of `[[` and `((` the grammar tells the files.
  { names: "[[ ((", tells: "names", options: "" },
  {
    names: "test [",
    tells: "names",
    apart: true,
    options: `-e= -f= -d= -r= -w= -x= -s= -L= -h= -p= -S= -b= -c= -g= -u= -k= -O= -G= -N= -nt= -ot= -ef= -z -n -eq -ne -lt -le -gt -ge
      -a -o -t`,
    // What stands before -nt and its like is no option's value, but a word among others; so is what stands behind -a, which may mean "and".
    files: ({ options, given, operands }) => [
      ...given.flatMap(({ value }) => (value === undefined ? [] : [named(value)])),
      ...(has(options, "-nt -ot -ef -a") ? operands.map(named) : []),
    ],
  },
  {
    names: "xargs",
    options: "-a= --arg-file= -0 -r -t -x -I= -L= -n= -P= -d= -E= -s=",
    files: ({ given }) => givenTo(given, "-a --arg-file", "read"),
  },
  // It goes by the settings of the folder that it is in, or is sent to.
  { names: "git", options: "-C=", files: ({ given }) => [of("read")("."), ...givenTo(given, "-C", "read"), null] },
  // What their operands mean is not known.
  ...openRows.map(({ names }): Program => ({ names, options: "", files: () => [null] })),
  // What changes files.
  { names: "tee", options: "-a -i -p --append --ignore-interrupts", files: writes },
  {
    names: "touch",
    options: "-a -c -m -h -d= -t= -r= --no-create --date= --reference=",
    files: (read) => [...writes(read), ...givenTo(read.given, "-r --reference", "read")],
  },
  { names: "mkdir", options: "-p -v -m= --parents --verbose --mode=", files: writes },
  { names: "rmdir", options: "-p -v --parents --verbose --ignore-fail-on-non-empty", files: writes },
  {
    names: "rm",
    options:
      "-f -i -I -r -R -d -v --force --recursive --dir --verbose --interactive? --preserve-root --no-preserve-root --one-file-system",
    files: ({ options, operands }) => operands.map(of("write", has(options, "-r -R --recursive"))),
  },
  { names: "unlink shred", options: "-u -z -f -v -n= --remove? --zero", files: writes },
  {
    names: "truncate",
    options: "-c -s= -r= --no-create --size= --reference=",
    files: (read) => [...writes(read), ...givenTo(read.given, "-r --reference", "read")],
  },
  {
    names: "cp",
    options: `-a -b -d -f -H -i -l -L -n -P -p -r -R -s -t= -T -u -v -x --archive --force --interactive --link --dereference --no-clobber
      --preserve? --recursive --symbolic-link --target-directory= --no-target-directory --update? --verbose --parents --reflink?`,
    files: transfers("read", "write"),
  },
  {
    names: "mv",
    options:
      "-b -f -i -n -t= -T -u -v --force --interactive --no-clobber --target-directory= --no-target-directory --update --verbose",
    files: transfers("write", "write"),
  },
  {
    names: "ln",
    options:
      "-b -f -i -L -n -P -r -s -t= -T -v --force --symbolic --no-dereference --relative --target-directory= --verbose",
    files: transfers("write", "write"),
  },
  {
    names: "install",
    options: "-b -c -C -d -D -g= -m= -o= -p -s -t= -T -v --mode= --directory --target-directory=",
    files: (read) => (has(read.options, "-d --directory") ? writes(read) : transfers("read", "write")(read)),
  },
  { names: "scp", options: "-r -p -q -v -C -P= -3 -4 -6 -A -B -O -R -s -T", files: transfers("read", "write") },
  {
    names: "rsync",
    options:
      "-a -v -r -l -p -t -g -o -D -z -h -n -q -u -x -c -P --archive --verbose --recursive --delete --dry-run --progress --exclude= --include= --stats",
    files: transfers("read", "write"),
  },
  {
    names: "chmod chown chgrp",
    options: "-c -f -v -R -h --recursive --verbose --changes --silent --reference=",
    files: modeThen("write"),
  },
  {
    names: "sed gsed",
    options: `-n -E -r -s -u -z -i? -e= -f= -l= --quiet --silent --expression= --file= --line-length= --regexp-extended --in-place? --separate
      --unbuffered --null-data --posix --sandbox --debug --follow-symlinks`,
    // BSD's, macOS's among them.
    elsewhere: "-l",
    files: (read) => {
      const found = readsAfterText("-e --expression", "-f --file")(read);
      const isInPlace = has(read.options, "-i --in-place");
      const suffix = read.options.get("-i") ?? read.options.get("--in-place");
      return [...(isInPlace ? inPlace(found, suffix) : found), ...sedFiles(sedTexts(read.given, read.operands))];
    },
    reachesAny: ({ options, operands, isKnown }) => !isKnown || sedFiles(sedTexts(options, operands)).includes(null),
    acts: (given, operands) => sedActs(sedTexts(given, operands)),
  },
  {
    names: "dd",
    options: "",
    files: ({ operands }) =>
      operands.flatMap((word): (Use | null)[] => {
        const [, key, path = ""] = /^(if|of)=(.*)$/su.exec(word ?? "") ?? [];
        return word === null ? [null] : key === undefined ? [] : [{ path, access: key === "if" ? "read" : "write" }];
      }),
  },
];
