import { foldCase } from "../../../core/fold-case.ts";
import type { Argv } from "./argv-pattern.ts";
import { alikeOptions, type Names } from "./option-names.ts";
import { baseName } from "./wrappers.ts";

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
  // As `touchesArgv` compares it: a file system that ignores case starts `GREP`, too.
  const name = foldCase(baseName(program));
  const long = alikeOptions(name);
  if (long === undefined) return argv;
  const end = words.indexOf("--");
  const head = end < 0 ? words : words.slice(0, end);
  return [
    ...(called.get(name) ?? [program]),
    ...head.flatMap((word) => (word === null ? [null] : named(word, long))),
    ...(end < 0 ? [] : words.slice(end)),
  ];
}

function named(word: string, long: Names): string[] {
  const [name = "", ...value] = word.split("=");
  if (word.startsWith("--")) return [[long.get(name) ?? name, ...value].join("=")];
  const [, letters = "", glued = ""] = /^-([A-Za-z]+)([^A-Za-z].*)?$/su.exec(word) ?? [];
  // A value in the word makes it another option than without: it stays, too.
  return [
    ...[...letters].map((letter) => long.get(`-${letter}`) ?? `-${letter}`),
    ...(letters === "" || glued !== "" ? [word] : []),
  ];
}
