import type { SyntaxNode, Word } from "unbash";

/** Words of the shell that put into a variable what nobody knows. */
const takers = new Set("read mapfile readarray getopts printf unset declare local typeset".split(" "));

/** What a node gives variables: words, or null for what is not known. */
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
    case "Command":
      if (!takers.has(node.name?.value ?? "")) return [];
      return node.args.flatMap((one) => (one.type === "Word" ? [[one.value, [null]] as [string, null[]]] : []));
    default:
      return [];
  }
}
