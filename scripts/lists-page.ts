/**
 * Writes the lists of protected names into docs/security.md, from the data that the policy works with.
 * usage: npm run docs:lists
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { guardedList } from "../src/policy/lists/guarded.ts";
import type { ListRow } from "../src/policy/lists/row.ts";
import { sealedList } from "../src/policy/lists/sealed.ts";
import { secretsList } from "../src/policy/lists/secrets.ts";
import { watchedList } from "../src/policy/lists/watched.ts";
import { policyReasons } from "../src/words/contract/policy-reasons.ts";

export const page = join(import.meta.dirname, "..", "docs", "security.md");
const [begin, end] = ["<!-- lists -->\n", "\n<!-- /lists -->"];

const lists: readonly [title: string, rows: readonly ListRow[]][] = [
  ["Sealed: nobody's call touches them", sealedList],
  ["Guarded: a person decides about each call that reads or writes them", secretsList],
  ["Guarded: a person decides about each call that writes them", guardedList],
  ["Watched: each change is asked about, unless a rule or a grant names the file", watchedList],
];

const inCode = (names: readonly string[]): string =>
  names.map((name) => (name.endsWith("$") ? `\`${name.slice(0, -1)}\` (the file)` : `\`${name}\``)).join(", ");

function rowText({ names, except = [], why }: ListRow): string {
  const apart = except.length === 0 ? "" : ` Not meant: ${inCode(except)}.`;
  return `- ${policyReasons[why]}: ${inCode(names)}.${apart}`;
}

const listsText = (): string =>
  lists.map(([title, rows]) => `### ${title}\n\n${rows.map(rowText).join("\n")}`).join("\n\n");

/** The page's text with the lists as they are now. @throws where the page has no place for them */
export function withLists(text: string): string {
  const [before, rest = ""] = text.split(begin);
  const after = rest.split(end)[1];
  if (after === undefined) throw new Error("docs/security.md has no place for the lists");
  return `${before}${begin}${listsText()}${end}${after}`;
}

if (process.argv[1] === import.meta.filename) writeFileSync(page, withLists(readFileSync(page, "utf8")));
