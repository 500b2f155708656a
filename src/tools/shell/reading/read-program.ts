import type { FileOption } from "../../../core/command.ts";
import type { Access } from "../../../core/path-fact.ts";
import { fileOptionRows, gitOptions, openRows } from "./file-options.ts";
import {
  fileOptionsOf,
  type GivenOption,
  type OptionSpec,
  optionSpec,
  type ReadOptions,
  readOptions,
  type Words,
} from "./options.ts";
import { type Given, of, type Program, programs, type Use } from "./programs.ts";
import { baseName } from "./wrappers.ts";

const fileOptionsOfName = new Map(
  [...fileOptionRows, ...openRows].flatMap((row) => row.names.split(" ").map((name) => [name, row.options] as const)),
);

interface Row extends Program {
  spec: OptionSpec;
  /** The same as others of its name take it. */
  other: OptionSpec;
}

const rowOf = (row: Program, name: string): Row => {
  const options = `${row.options} ${fileOptionsOfName.get(name) ?? ""}`;
  return { ...row, spec: optionSpec(options), other: optionSpec(`${options} ${row.elsewhere ?? ""}`) };
};

const specs = new Map<string, Row>(
  programs.flatMap((row) => row.names.split(" ").map((name) => [name, rowOf(row, name)] as const)),
);

/** Options of a program as the tables have them, and as others of its name take them; one of none, where it is in no table. */
export function optionsListed(name: string): readonly OptionSpec[] {
  const row = specs.get(name);
  return row === undefined ? [new Map()] : [row.spec, row.other];
}

/** Files that options name, judged by their paths; null for one that is not known. */
const optionFiles = (given: Given): (Use | null)[] =>
  given.flatMap(({ means, value }): (Use | null)[] => {
    if (means === undefined || !"rlaw".includes(means)) return [];
    if (typeof value !== "string") return [null];
    if (means === "a")
      return value
        .split(/[@<]/u)
        .slice(1)
        .map((path) => of("read")(path.replace(/[;,].*$/su, "")));
    // `--filter='merge list'`: the name stands behind another word.
    const parts = means === "w" ? [] : value.split(/[\s,]+/u).slice(1);
    return [of(means === "w" ? "write" : "read")(value), ...parts.map(of("read")), ...(means === "l" ? [null] : [])];
  });

export interface ReadProgram {
  uses: Use[];
  /** True if these are all files that its words mean. */
  isKnown: boolean;
  tells?: Access;
  /** It reads files that no word names: those of a list, of an option whose value is not known, or of its text. */
  reachesAny: boolean;
  /** None of its words is a file, whatever they are. */
  namesNoFile?: true;
  fileOptions: FileOption[];
}

function optionsIn(words: Words, name: string, program: Row): ReadOptions {
  if (program.takesText === true) return { options: [], operands: words, isKnown: true, strange: [] };
  return readOptions(name.endsWith("tar") ? dashed(words) : words, program.spec, program.inOrder !== true);
}

const filesIn = ({ files }: Row, { options, operands }: ReadOptions): (Use | null)[] =>
  files?.({ options: new Map(options.map(({ name, value }) => [name, value])), given: options, operands }) ?? [];

/**
 * Files that a program reads with these words in another system: where its first operand ends its options (`head a.txt -n b.txt`, most of BSD's), or
 * where an option takes no word (`sed -l p a.txt`). Which of them a machine has is not known. Of what writes it is told by its own row.
 */
function readElsewhere(words: Words, program: Row, found: readonly Use[]): Use[] {
  if (program.takesText === true || found.some(({ access }) => access === "write")) return [];
  const more = [
    readOptions(words, program.spec, false),
    ...(program.elsewhere === undefined
      ? []
      : [true, false].map((permuted) => readOptions(words, program.other, permuted))),
  ].flatMap((read) => filesIn(program, read));
  const paths = new Set(found.map(({ path }) => path));
  return more.filter((use): use is Use => {
    if (use === null || use.access !== "read" || use.path.startsWith("-") || paths.has(use.path)) return false;
    paths.add(use.path);
    return true;
  });
}

/** Reads the meaning of a command's words, by the known facts of its program; undefined where there are none. */
export function readProgram(argv: Words): ReadProgram | undefined {
  const [name, ...words] = argv;
  const program = typeof name === "string" ? specs.get(baseName(name)) : undefined;
  if (program === undefined) return undefined;
  const read = optionsIn(words, baseName(name ?? ""), program);
  const isMixed =
    program.apart === true && words.some((word) => word?.startsWith("-") === true && !isOne(word, program.spec));
  const given = [...read.options, ...(program.names === "git" ? gitGiven(words) : [])];
  const uses = [...filesIn(program, read), ...optionFiles(given)];
  const sure = uses.filter((use) => use !== null);
  return {
    uses: [...sure, ...readElsewhere(words, program, sure)],
    fileOptions: [...fileOptionsOf(given), ...(program.acts?.(read.options, read.operands) ?? [])],
    reachesAny: given.some(isOpenList) || program.reachesAny?.(read) === true,
    isKnown: read.isKnown && !isMixed && !uses.includes(null) && !words.includes(null),
    ...(program.tells === undefined ? {} : { tells: program.tells }),
    ...(program.files === undefined && !fileOptionsOfName.has(baseName(name ?? ""))
      ? { namesNoFile: true as const }
      : {}),
  };
}

/** Letters of tar that take a value in GNU's tar, and none in the one of BSD; or the other way round. */
const unevenInTar = /^-[BFHKLNVWgs]$/u;

/** The place of a word that is not known. */
export type WordPlace = "behind" | "value" | "joined" | undefined;

/**
 * Finds the place of a word, where each word before it is one word: it stands behind a `--` that ends the options; an option takes it, also behind
 * its equals sign where it only takes a text (`--key=…`); or, where it begins with this head, it is joined to a letter that only takes a text.
 * Undefined where it may be an option itself.
 */
export function placeOf([name, ...words]: Words, at: number, head: string): WordPlace {
  const program = typeof name === "string" ? specs.get(baseName(name)) : undefined;
  if (program === undefined) return undefined;
  const mark = `${head.startsWith("-") ? head : "-"}\0`;
  const { options, operands, strange } = optionsIn([...words.slice(0, at - 1), mark], name ?? "", program);
  const isUneven = name?.endsWith("tar") === true && options.some((option) => unevenInTar.test(option.name));
  if (strange.length > 0 || isUneven) return undefined;
  if (operands.includes(mark)) return "behind";
  if (options.some(({ value }) => value === mark)) return "value";
  return joinedTo(
    options.filter(({ word }) => word === mark),
    program.spec,
  );
}

/** Finds the place of a text that is joined to options in one word, the last of which may take it. */
function joinedTo(options: readonly GivenOption[], spec: OptionSpec): WordPlace {
  const last = options.at(-1);
  const takes = spec.get(last?.name ?? "")?.takes;
  if (last === undefined || options.some(({ means }) => means !== undefined)) return undefined;
  if (last.name.startsWith("--")) return takes === "" ? undefined : "value";
  return takes === "=" ? "joined" : undefined;
}

const isOpenList = ({ means, value }: GivenOption): boolean =>
  means === "l" || ((means === "r" || means === "a") && typeof value !== "string");

/** `tar xzf a.tgz`: the first word is options without a dash, whose values follow it in their order. */
function dashed(words: Words): Words {
  const [first, ...rest] = words;
  if (typeof first !== "string" || !/^[A-Za-z]+$/u.test(first)) return words;
  let taken = 0;
  const options = [...first].flatMap((letter) => {
    if (!"fCTXgIFHVLKNb".includes(letter)) return [`-${letter}`];
    taken += 1;
    return [`-${letter}`, rest[taken - 1] ?? null];
  });
  return [...options, ...rest.slice(taken)];
}

const gitSpecs = new Map(Object.entries(gitOptions).map(([verb, { options }]) => [verb, optionSpec(options)]));

/** The options of git itself, then those of its command. */
function gitGiven(words: Words): GivenOption[] {
  const spec = new Map([...(gitSpecs.get("") ?? []), ["-C", { takes: "=" as const }]]);
  const { options, operands } = readOptions(words, spec, false);
  const [verb, ...rest] = operands;
  const row = typeof verb === "string" && Object.hasOwn(gitOptions, verb) ? gitOptions[verb] : undefined;
  if (row === undefined) return options;
  const known = gitSpecs.get(verb ?? "");
  const more = known === undefined ? [] : readOptions(rest, known, true).options;
  const named = rest.filter((word) => row.words?.split(" ").includes(word ?? "") === true);
  return [...options, ...more, ...named.map((word) => ({ name: word ?? "", word: word ?? "", means: "x" as const }))];
}

const isOne = (word: string, spec: OptionSpec): boolean => word === "-" || word === "--" || spec.has(word);
