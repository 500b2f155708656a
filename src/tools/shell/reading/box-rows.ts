import type { CertainWord, PlannedCommand } from "../../../core/command.ts";
import { shellReaders } from "../../../words/contract/shell-readers.ts";
import { hasListedOptions } from "./box-options.ts";
import { type BoxRow, boxReaders } from "./box-readers.ts";
import type { Words } from "./options.ts";

const split = (text: string): string[] => text.trim().split(/\s+/u);

/** Of any program: it is asked for its version or its help and for nothing else. */
const asked: BoxRow = {
  programs: [],
  isAnyProgram: true,
  why: shellReaders.asked_for_help,
  only: ([word, ...more]) => more.length === 0 && /^(?:--version|--help|-V)$/u.test(word ?? ""),
  match: ["yarn --version", "cargo --version", "rustc -V", "frob --help"],
  notMatch: ["yarn --version x", "./frob --version", "cargo -h --version", "sudo --version rm"],
};
/** These start another program, or give it rights, whatever stands behind them. */
const carriers = new Set(
  split("sudo doas su pkexec source . eval exec trap alias command builtin bash sh zsh dash env xargs git"),
);

/** Of the rows' programs those that start what they find by PATH, beside what their words name, or tell what is found so. */
const goingByPath = new Set(split("tar bsdtar gtar npm cargo go pip pip3 type which"));

const rowsOf = new Map<string, BoxRow[]>();
for (const row of boxReaders)
  for (const program of row.programs) rowsOf.set(program, [...(rowsOf.get(program) ?? []), row]);

/** Tells whether a row says that a program with these words only reads in the box. */
export const isOfRow = (row: BoxRow, program: string, words: Words, certain?: readonly CertainWord[]): boolean =>
  (row.only?.(words, certain) ?? true) && (row.listed !== true || hasListedOptions(program, words));

/** The row that says that a program with these words only reads in the box. */
export const boxRowOf = (program: string, words: Words, certain?: readonly CertainWord[]): BoxRow | undefined =>
  rowsOf.get(program)?.find((row) => isOfRow(row, program, words, certain)) ??
  (!carriers.has(program) && asked.only?.(words) === true ? asked : undefined);

/** Tells whether a command starts nothing that it finds by PATH, as far as the tables tell, but what its words name. */
export function needsNoOther({ argv: [program, ...words], certain }: PlannedCommand): boolean {
  if (program === undefined) return true;
  const row = program === null || goingByPath.has(program) ? undefined : boxRowOf(program, words, certain);
  return row !== undefined && row.isAnyProgram !== true;
}

/** Tells whether there are rows of the program, whatever its words are. */
export const isOfBoxRows = (program: string): boolean => rowsOf.has(program);

/** Rows of the box, with those of any program. */
export const allBoxRows: readonly BoxRow[] = [...boxReaders, asked];

/** Its own folder for temporaries, and what the machine tells of itself. */
export const isOfBox = (path: string): boolean => path === "/dev/null" || path === "/dev/stdin";

/**
 * Programs of which no table of meanings tells all that their words name, and that show nothing of a file that none of them does: not one of another
 * ending (`zcat a` of `a.gz`), nor one that what they read names (`objdump -S` of the sources of a program).
 */
const namedAlone = new Set(
  `hd look pr numfmt base64 base32 less more find awk gawk mawk nawk tar bsdtar gtar ps pgrep free vmstat df findmnt lsblk uptime lscpu locale
  getconf printenv groups users who w nproc hostid env hostname arch echo printf pwd true false : type sleep test [ [[ exit return break continue
  shift basename dirname seq which read unset set cd pushd popd dirs date export local readonly declare typeset xargs npm cargo go pip pip3
  dpkg`.split(/\s+/u),
);

/** Tells whether a program of these rows shows nothing of a file but of those that its words name, though it is not known which words do. */
export const showsNamedAlone = (program: string | null | undefined): boolean =>
  typeof program === "string" && namedAlone.has(program);
