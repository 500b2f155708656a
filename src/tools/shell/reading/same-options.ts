import type { Argv } from "./argv-pattern.ts";
import { baseName } from "./wrappers.ts";

/** Options that are one another's, the last of each the long name that all systems' manuals have; by the manuals of the programs. */
const rows: readonly { programs: string; options: string }[] = [
  {
    programs: "grep egrep fgrep",
    options: `-r --recursive | -R --dereference-recursive | -i -y --ignore-case | -v --invert-match | -l --files-with-matches | -L --files-without-match
      | -f --file | -e --regexp | -c --count | -n --line-number | -o --only-matching | -E --extended-regexp | -F --fixed-strings | -P --perl-regexp
      | -a --text | -w --word-regexp | -x --line-regexp | -m --max-count`,
  },
  { programs: "rm", options: "-r -R --recursive | -f --force | -d --dir | -v --verbose" },
  {
    programs: "cp",
    options: "-r -R --recursive | -f --force | -a --archive | -l --link | -s --symbolic-link | -t --target-directory",
  },
  { programs: "mv", options: "-f --force | -n --no-clobber | -t --target-directory" },
  { programs: "ln", options: "-f --force | -s --symbolic | -t --target-directory" },
  { programs: "chmod chown chgrp", options: "-R --recursive" },
  { programs: "mkdir", options: "-p --parents | -m --mode" },
  {
    programs: "sed gsed",
    options: "-i --in-place | -n --silent --quiet | -E -r --regexp-extended | -f --file | -e --expression",
  },
  { programs: "sort", options: "-o --output | -T --temporary-directory" },
  { programs: "ls", options: "-R --recursive | -a --all" },
  { programs: "diff", options: "-r --recursive" },
  {
    programs: "curl",
    options:
      "-o --output | -O --remote-name | -T --upload-file | -d --data | -F --form | -X --request | -K --config | -k --insecure | -L --location",
  },
  { programs: "wget", options: "-O --output-document | -r --recursive | -i --input-file | -P --directory-prefix" },
  { programs: "npm", options: "-g --global | -f --force" },
  // Of git's commands no other short one means the same in all of them.
  { programs: "git", options: "-f --force | -d --delete" },
];

const longOf = new Map<string, ReadonlyMap<string, string>>();
for (const { programs, options } of rows) {
  const groups = options.split("|").map((group) => group.trim().split(/\s+/u));
  const long = new Map(groups.flatMap((names) => names.map((name) => [name, names.at(-1) ?? name] as const)));
  for (const program of programs.split(" ")) longOf.set(program, long);
}

/** Programs that are another one, called with an option. */
const called = new Map([
  ["egrep", ["grep", "--extended-regexp"]],
  ["fgrep", ["grep", "--fixed-strings"]],
]);

/**
 * The same command by the long names of its options, as far as the table has them, each apart: so two spellings of one become equal. For
 * what denies and asks alone: a value that stands in one word with its option may be taken for options, too.
 */
export function inLongNames(argv: Argv): Argv {
  const [program, ...words] = argv;
  if (typeof program !== "string") return argv;
  const long = longOf.get(baseName(program));
  if (long === undefined) return argv;
  const end = words.indexOf("--");
  const head = end < 0 ? words : words.slice(0, end);
  return [
    ...(called.get(baseName(program)) ?? [program]),
    ...head.flatMap((word) => (word === null ? [null] : named(word, long))),
    ...(end < 0 ? [] : words.slice(end)),
  ];
}

function named(word: string, long: ReadonlyMap<string, string>): string[] {
  const [name = "", ...value] = word.split("=");
  if (word.startsWith("--")) return [[long.get(name) ?? name, ...value].join("=")];
  const [, letters = "", glued = ""] = /^-([A-Za-z]+)([^A-Za-z].*)?$/su.exec(word) ?? [];
  // A value in the word makes it another option than without: it stays, too.
  return [
    ...[...letters].map((letter) => long.get(`-${letter}`) ?? `-${letter}`),
    ...(letters === "" || glued !== "" ? [word] : []),
  ];
}
