import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { holdsUnseen } from "../../../core/unseen.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";

/** Blanks that are none to bash, and what is not drawn: Unicode's White_Space and Default_Ignorable_Code_Point, and fillers beside them. */
const letterBlank = /(?![\t\n ])[\p{White_Space}\p{Default_Ignorable_Code_Point}]/u;
const beyondAscii = /[^\0-\u007f]/gu;

const isTaken = (char: string): boolean => letterBlank.test(char) || holdsUnseen(char);

/**
 * Bash takes such a character for a letter, and a reader for a blank or for nothing: `./bin/tool␣--version` runs another file than it shows.
 * In quotes and in the text of a here-document it is data, and is shown by name.
 * @returns why the program is refused, in words.
 */
export function findUnquotedBlank(script: ParsedScript, source: string): string | undefined {
  const places = [...source.matchAll(beyondAscii)].filter(([char]) => isTaken(char));
  if (places.length === 0) return undefined;
  const { ranges, apart } = rangesIn(script, source);
  for (const { 0: char, index } of places) {
    const around = ranges.filter(({ from, to }) => from <= index && index < to);
    const inner = around.toSorted((one, other) => one.to - one.from - (other.to - other.from))[0];
    if (inner === undefined || inner.kind === "code") return refusal(char);
  }
  for (const one of apart) {
    const why = one.source === undefined ? undefined : findUnquotedBlank(one, one.source);
    if (why !== undefined) return why;
  }
  return undefined;
}

function refusal(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return shellDoubts.odd_blank({ code });
}

interface Range {
  from: number;
  to: number;
  /** `apart`: a program whose text is written in another way there, and is looked through by itself. */
  kind: "quoted" | "code" | "apart";
}

function rangesIn(script: ParsedScript, source: string): { ranges: Range[]; apart: ParsedScript[] } {
  const ranges: Range[] = [];
  const apart: ParsedScript[] = [];
  const add = ({ pos, end }: { pos: number; end: number }, kind: Range["kind"]): void => {
    ranges.push({ from: pos, to: end, kind });
  };
  const visit = (node: SyntaxNode): void => {
    switch (node.type) {
      case "SingleQuoted":
      case "AnsiCQuoted":
      case "DoubleQuoted":
      case "LocaleString":
      case "HereDocBody":
        add(node, "quoted");
        break;
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion": {
        const inner = node.script;
        const isApart = inner?.source !== undefined && inner.source !== source;
        add(node, isApart ? "apart" : "code");
        if (isApart) {
          apart.push(inner);
          return;
        }
        break;
      }
      case "ParameterExpansion":
      case "SimpleExpansion":
      case "ArithmeticExpansion":
        add(node, "code");
        break;
      default:
    }
    forEachChild(node, visit);
  };
  visit(script);
  return { ranges, apart };
}
