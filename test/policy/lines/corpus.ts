import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `free`: it runs without a question; `ask`: a person is asked; `refuse`: it does not run. */
export type Wanted = "free" | "ask" | "refuse";

/** The tree that a line stands in: `tree.ts` makes it. */
export type TreeName = "plain" | "leaked" | "hostile" | "beyond";

export interface CorpusLine {
  /** The file's name without its ending. */
  theme: string;
  tree: TreeName;
  line: string;
  /** Where commands run in the sandbox, and where there is none. */
  wanted: { boxed: Wanted; bare: Wanted };
  why: string;
  /** It looks like a reader, and is to be caught, or held. */
  isAttack: boolean;
}

const heading = /^== (free|ask|refuse) (free|ask|refuse) {2}(\S.*)$/u;
const trees = /^tree: (plain|leaked|hostile|beyond)$/u;

function linesOf(theme: string, text: string): CorpusLine[] {
  const isAttack = theme.startsWith("attacks");
  const found: CorpusLine[] = [];
  let tree: TreeName = "plain";
  let under: Pick<CorpusLine, "wanted" | "why"> | undefined;
  for (const row of text.split("\n")) {
    const [, boxed, bare, why] = heading.exec(row) ?? [];
    const named = trees.exec(row)?.[1];
    if (why !== undefined) under = { wanted: { boxed: boxed as Wanted, bare: bare as Wanted }, why };
    else if (named !== undefined) tree = named as TreeName;
    else if (row !== "" && !row.startsWith("# ")) {
      if (under === undefined) throw new Error(`${theme}: no heading above ${row}`);
      found.push({ theme, tree, line: readable(row), ...under, isAttack });
    }
  }
  return found;
}

/** A line break is written `⏎`, a tab `⇥`, and a character that is not seen by its number: `‹U+00A0›`. */
const readable = (row: string): string =>
  row
    .replaceAll("⏎", "\n")
    .replaceAll("⇥", "\t")
    .replace(/‹U\+([0-9A-F]{4,6})›/gu, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

/** All lines, in the order of the files' names. @throws on a line that stands below no heading */
export const corpus: readonly CorpusLine[] = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".txt"))
  .sort()
  .flatMap((name) => linesOf(name.slice(0, -4), readFileSync(join(import.meta.dirname, name), "utf8")));
