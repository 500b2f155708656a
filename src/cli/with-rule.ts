import { type Node, type ParseOptions, parseTree, visit } from "jsonc-parser";

const byHand: ParseOptions = { allowTrailingComma: true, disallowComments: false };

/**
 * The text of a policy file with one more rule behind its last one: what is there stays byte for byte, comments and the way it is laid out.
 * @param text a policy that can be read
 */
export function withRule(text: string, rule: object): string {
  const root = parseTree(text, [], byHand);
  const list = (root?.children ?? []).find(({ children }) => children?.[0]?.value === "rules")?.children?.[1];
  if (root === undefined) return text;
  if (list === undefined) {
    const isEmpty = (root.children ?? []).length === 0;
    const made = `\n  "rules": [\n${laidOut(rule, "    ")}\n  ]${isEmpty ? "\n" : ","}`;
    return text.slice(0, root.offset + 1) + made + text.slice(root.offset + 1);
  }
  const last = list.children?.at(-1);
  const from = last === undefined ? list.offset + 1 : last.offset + last.length;
  const close = list.offset + list.length - 1;
  const { end, hasComma } = behind(text, from, close);
  const comma = last === undefined || hasComma ? "" : ",";
  const added = `\n${laidOut(rule, last === undefined ? "    " : indentOf(text, last))}${hasComma ? "," : ""}`;
  const rest = text.slice(end, close);
  const closing = rest.includes("\n") ? rest : `${rest.trimEnd()}\n  `;
  return text.slice(0, from) + comma + text.slice(from, end) + added + closing + text.slice(close);
}

/** Finds the end of the text that follows the last item, its comma and comments; blanks before the bracket are not of it. */
function behind(text: string, from: number, close: number): { end: number; hasComma: boolean } {
  let [end, hasComma] = [from, false];
  const take = (offset: number, length: number): boolean => {
    if (offset < from || offset >= close) return false;
    end = Math.max(end, offset + length);
    return true;
  };
  visit(
    text,
    {
      onComment: (offset, length) => void take(offset, length),
      onSeparator: (_, offset, length) => {
        hasComma = take(offset, length) || hasComma;
      },
    },
    byHand,
  );
  return { end, hasComma };
}

const laidOut = (rule: object, indent: string): string =>
  JSON.stringify(rule, null, 2)
    .split("\n")
    .map((line) => indent + line)
    .join("\n");

/** As the item itself stands, where it begins its line. */
function indentOf(text: string, { offset }: Node): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(start, offset);
  return /^[ \t]*$/u.test(before) ? before : "    ";
}
