import { relative } from "node:path";
import type { FilePlan, Plan } from "./tool.ts";

/** A word with letters that look like Latin ones among Latin ones, or that hides its letters. */
export interface LookAlike {
  word: string;
  /** Its fault, e.g. "а is U+0430". */
  why: string;
}

/**
 * Letters of other scripts that are drawn as a Latin one: Cyrillic, Greek, Armenian, then Cherokee as a whole. A letter that only
 * resembles one, such as a Greek alpha or mu, stands beside Latin letters in honest formulas.
 */
const drawnAsLatin = /^[асԁеһіјӏорԛѕԝхуѵүАВЕНІЈКМОРЅТХУҮԚԜӀονϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹօսոհցԱՏՕ\p{Script=Cherokee}]+$/u;

/** Latin letters in disguise: full-width and mathematical ones, which languages such as Python read as the plain letter. */
const disguised = /^[\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7cb}]+$/u;

const words = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}-]*/gu;
/** Runs of letters that are not plain Latin ones, within a word. */
const foreignRuns =
  /(?:(?!\p{Script=Latin})\p{L}|[\uff21-\uff3a\uff41-\uff5a])\p{M}*(?:(?:(?!\p{Script=Latin})\p{L}|[\uff21-\uff3a\uff41-\uff5a])\p{M}*)*/gu;
const plainLatin = /(?![\uff21-\uff3a\uff41-\uff5a])\p{Script=Latin}/u;
/** Beyond one or two such letters it is no symbol of a formula. */
const longestSymbol = 2;

/** Words of a text that could be taken for others; honest words of any script are none. Pure, linear in the text's length. */
export function lookAlikes(text: string): LookAlike[] {
  if (!/[^\x00-\x7f]|xn--/i.test(text)) return [];
  return [...text.matchAll(words)].flatMap(([word]) => {
    if (/^xn--/i.test(word)) return [{ word, why: "it is punycode for other letters" }];
    return word.split("-").flatMap(oneWord);
  });
}

function oneWord(word: string): LookAlike[] {
  const runs = word.match(foreignRuns) ?? [];
  const isMixed = plainLatin.test(word);
  const found = runs.find((run) =>
    isMixed ? drawnAsLatin.test(run) || disguised.test(run) : disguised.test(run) && isLongMath(run),
  );
  if (found === undefined) return [];
  const [letter = ""] = found;
  return [{ word, why: `${letter} is U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}` }];
}

/** Full-width letters alone are how they are written among Chinese and Japanese ones. */
const isLongMath = (run: string): boolean => /^[\u{1d400}-\u{1d7cb}]+$/u.test(run) && [...run].length > longestSymbol;

/** More words than these are only counted. */
const mostNamed = 3;

/**
 * The plan with a warning for each place where letters look like others: paths, hosts, the command, and lines that come new into
 * a file. Warnings are for the eyes, so no digest changes by them. Pure.
 */
export function pointedAt(plan: Plan): Plan {
  const { files = [], hosts = [], command = "", cwd } = plan;
  const paths = files.flatMap(({ asked, real }) => [asked, relative(cwd, real)]);
  const names = hosts.map(({ host }) => host);
  const warnings = [
    ...warningOf("a path", paths.flatMap(lookAlikes)),
    ...warningOf("a host", names.flatMap(lookAlikes)),
    ...warningOf("the command", lookAlikes(command)),
    ...files.flatMap((file) => warningOf(relative(cwd, file.real), newWords(file))),
  ];
  return warnings.length === 0 ? plan : { ...plan, warnings: [...(plan.warnings ?? []), ...warnings] };
}

/** Words that the file did not have in the lines that go. */
function newWords({ hunks }: FilePlan): LookAlike[] {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const found = lines.filter(({ kind }) => kind === "+").flatMap(({ text }) => lookAlikes(text));
  if (found.length === 0) return [];
  const old = new Set(
    lines.filter(({ kind }) => kind === "-").flatMap(({ text }) => lookAlikes(text).map(({ word }) => word)),
  );
  return found.filter(({ word }) => !old.has(word));
}

function warningOf(where: string, found: readonly LookAlike[]): string[] {
  const byWord = [...new Map(found.map((one) => [one.word, one])).values()];
  if (byWord.length === 0) return [];
  const named = byWord.slice(0, mostNamed).map(({ word, why }) => `“${word.slice(0, 80)}” (${why})`);
  const more = byWord.length > named.length ? [`${byWord.length - named.length} more`] : [];
  return [`letters that look like others in ${where}: ${[...named, ...more].join(", ")}`];
}
