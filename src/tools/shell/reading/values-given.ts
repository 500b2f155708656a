import type { SyntaxNode, Word } from "unbash";

/** Words of the shell that put into a variable what nobody knows. */
const takers = new Set(
  "read mapfile readarray getopts unset declare local typeset export readonly wait let".split(" "),
);

/** Stands for all names: what the line gives them is not all seen. */
export const anyName = "";
const ofPlaces = "1 2 3 4 5 6 7 8 9 @ *".split(" ");

/** Lists the values that a node gives variables: words, or null for one that is not known. */
export function valuesGiven(node: SyntaxNode): [string, (Word | null)[]][] {
  switch (node.type) {
    case "Assignment": {
      const { value } = node;
      const words =
        value.type === "Word" ? [value] : value.elements.map((one) => (one.text.startsWith("[") ? null : one));
      return [[node.name, node.append === true ? [null, ...words] : words]];
    }
    case "For":
    case "Select":
      return [[node.name.value, node.wordlist === undefined ? [null] : [...node.wordlist]]];
    case "Coproc": {
      const name = node.name?.value ?? "COPROC";
      return [name, `${name}_PID`].map((one) => [one, [null]]);
    }
    case "Command":
      return givenBy(
        node.name?.value ?? "",
        node.args.filter((one) => one.type === "Word"),
      );
    default:
      return [];
  }
}

/** Lists the values that a command gives variables by its words, also where it stands behind `command` or `builtin`. */
function givenBy(name: string, words: readonly Word[]): [string, (Word | null)[]][] {
  const values = [name, ...words.map(({ value }) => value)];
  if (values.includes("eval")) return [[anyName, [null]]];
  if (values.some((value) => takers.has(value)) || (values.includes("printf") && values.some(isStoring)))
    return values.flatMap(namesIn).map((one) => [one, [null]]);
  return values.includes("set") ? ofPlaces.map((one) => [one, [null, ...words]]) : [];
}

/** `printf -v x`. */
const isStoring = (word: string): boolean => word.startsWith("-v");

/** The name of a variable in a word of these: `x`, `x=1`, `x[1]`, `-ax`. */
const namesIn = (word: string): string[] => {
  const [, name] = /^(?:-[^a]*a)?(\w+)/u.exec(word) ?? [];
  return name === undefined ? [] : [name];
};
