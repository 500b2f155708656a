import type { ParsedScript, SyntaxNode, Word, WordPart } from "unbash";
import { countBraces } from "../../../core/braces.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";
import type { LineState } from "./line-state.ts";
import { isOfDigits } from "./one-word.ts";

type ForEachChild = (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void;

/** Programs in expansions of a node, and what of it bash may take for code when it runs, in words. */
export interface Hidden {
  scripts: ParsedScript[];
  troubles: string[];
}

/** Operators of `${name@X}` that only quote, change case or tell of the variable. `P` expands a prompt, which runs commands. */
const plainTransforms = /^[QEULuAaKk]$/u;
const comparesNumbers = /^-(?:eq|ne|lt|le|gt|ge)$/u;
const isNumber = (word: { value: string } | undefined): boolean => word === undefined || /^\s*-?\d+$/u.test(word.value);

/**
 * Goes through the expansions of a node, whose places are those of the source, not into the programs that it finds there. Arithmetic evaluates the values of variables, and
 * an index in one may hold a command: so only numbers are plain, and sums of variables that the line gives digits alone.
 */
export function hiddenIn(
  node: SyntaxNode,
  source: string,
  forEachChild: ForEachChild,
  variables: LineState["variables"],
): Hidden {
  const found: Hidden = { scripts: [], troubles: [] };
  const isTest = node.type === "TestCommand";
  const digits = new Map<string, boolean>();
  const isDigits = (name: string): boolean => {
    const known = digits.get(name) ?? isOfDigits(name, variables);
    digits.set(name, known);
    return known;
  };
  const visit = (one: SyntaxNode): void => {
    if (one.type === "ArithmeticExpansion" && isPlainSum(one, isDigits)) return;
    const trouble = troubleOf(one, source, isTest);
    if (trouble !== undefined) found.troubles.push(trouble);
    switch (one.type) {
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        if (one.script === undefined) found.troubles.push(shellDoubts.unread_substitution);
        else found.scripts.push(one.script);
        return;
      default:
        forEachChild(one, visit);
    }
  };
  visit(node);
  return found;
}

type NodeOf<T extends SyntaxNode["type"]> = Extract<SyntaxNode, { type: T }>;

/** `$((n + 1))`, which sets nothing: a minus that joins another one would. */
function isPlainSum({ text }: NodeOf<"ArithmeticExpansion">, isDigits: (name: string) => boolean): boolean {
  const [, sum] = /^\$\(\(((?:[ \w+*/%-]|\$(?=[A-Za-z_]))*)\)\)$/u.exec(text) ?? [];
  if (sum === undefined || /\+ *\+|- *-|\w\$/u.test(sum)) return false;
  return (sum.match(/\w+/gu) ?? []).every((word) => /^\d+$/u.test(word) || isDigits(word));
}

/** Tells whether a word stands right behind what comes before it: `a<(ls)b` is one word to bash, and three here. */
const isJoined = (nodes: readonly SyntaxNode[], source: string): boolean =>
  nodes.some((node, at) => {
    const before = nodes[at - 1];
    return node.type === "Word" && before !== undefined && /^(?:\\\n)*$/u.test(source.slice(before.end, node.pos));
  });

/** Tells whether a process substitution is a word by itself to bash, too, wherever it stands: right behind one `#` begins no comment. */
function isWhole({ pos, end }: NodeOf<"ProcessSubstitution">, source: string): boolean {
  let [from, to] = [pos, end];
  while (source.endsWith("\\\n", from) && from >= 2) from -= 2;
  while (source.startsWith("\\\n", to)) to += 2;
  const [sign = "", before = ""] = [source.charAt(from - 1), source.charAt(from - 2)];
  return (
    before !== "\\" &&
    (sign === "" || " \t\n;&|(<>".includes(sign)) &&
    /^(?:[\s;&|)]|[<>](?!\()|$)/u.test(source.slice(to, to + 2))
  );
}

/** `1<(ls)`, `{x}>(ls)`: bash takes no number of a descriptor there, and runs what stands in it. */
const holdsSubstitution = ({ text, value, parts }: NodeOf<"Word">): boolean =>
  (parts ?? [{ type: "Literal" as const, text, value }]).some(
    (part) => part.type === "Literal" && /[<>]\(/u.test(part.text.replace(/\\[\s\S]/gu, "")),
  );

/** In `$'…'`: a line break that stays, `\x{2e}`, `\cJ`, and what needs another sign behind it. */
const holdsOddEscape = (text: string): boolean =>
  text.replace(/\\(?:[^\ncxuU]|[xuU](?=[\dA-Fa-f]))/gu, "").includes("\\");

/** `{a}b,c}`: to bash such a brace ends at a later one, and stands for several words. */
const holdsOddBrace = ({ text, value, parts }: NodeOf<"Word">): boolean =>
  (parts ?? [{ type: "Literal" as const, text, value }]).some(
    (part) => part.type === "Literal" && part.text.replace(/\\[\s\S]/gu, "").includes("{"),
  ) && /\{[\s\S]*,[\s\S]*\}/u.test(text);

/** In a here-document and in double quotes, bash takes some quotes within `${…}` for plain signs, so that what stands between them is expanded. */
const holdsOddQuotes = (parts: readonly SyntaxNode[] | undefined, isBody: boolean): boolean =>
  parts?.some((part) => {
    if (part.type !== "ParameterExpansion") return false;
    if (isBody) return /['"\\]/u.test(part.text);
    return /\$['"]/u.test(part.text) && (part.operation?.type === "Default" || part.text.includes("${", 2));
  }) === true;

/** By which bash and this grammar end a here-document at the same line. */
const isPlainEnd = /^(?:\\?[\w.@%+:=!,-]+|'[^'\\`$\t\n]+'|"[^"\\`$\t\n]+")$/u;

/** `a=(b)x`: to bash one word, whatever it holds. */
const isNoList = ({ value }: NodeOf<"Assignment">): boolean =>
  value.type === "Word" && /^(?:\\\n)*\(/u.test(value.text);

/** `a=(b)$(ls)`: between the words of a list, and behind them, stands something else than blanks and comments. */
function holdsMore({ pos, end, elements }: NodeOf<"ArrayValue">, source: string): boolean {
  const ends = [pos + 1, ...elements.map((one) => one.end)];
  const begins = [...elements.map((one) => one.pos), end - 1];
  return ends.some((from, at) => !/^(?:[ \t\n]|\\\n|#[^\n]*\n)*$/u.test(source.slice(from, begins[at])));
}

const oddEscape = shellDoubts.odd_escape;
const oddBrace = shellDoubts.odd_brace;
const oddQuotes = shellDoubts.odd_quotes;
const oddEnd = shellDoubts.odd_end;
const joined = shellDoubts.joined;
const noList = shellDoubts.no_list;
/** Bash expands the name behind `>&` once more. */
const isPlainName = /^[\w.,:@%+/-]*$/u;
const expandedTwice = shellDoubts.expanded_twice;
const closesFirst = shellDoubts.closes_first;
const arithmetic = shellDoubts.arithmetic;
const workedOutIndex = shellDoubts.index;

/** So many words braces may stand for: bash makes all of them before the program begins, whatever memory that takes. */
const mostWords = 100_000;

/** Characters that a word may have as one; a longer one counts as several. */
const wordLength = 100;

/** The number of words that bash makes of the braces of these words. */
const wordsMade = (words: readonly NodeOf<"Word">[]): number =>
  words.reduce((sum, { parts = [], text: whole }) => {
    const groups = parts.filter((part) => part.type === "BraceExpansion");
    const made = groups.reduce((product, { text }) => product * countBraces(text), 1);
    return sum + (made > 1 ? made * Math.ceil(whole.length / wordLength) : made);
  }, 0);

type Trouble<T extends SyntaxNode["type"]> = (node: NodeOf<T>, source: string, isTest: boolean) => string | false;

const troubles: { readonly [T in SyntaxNode["type"]]?: Trouble<T> } = {
  Command: ({ prefix, name, suffix }, source) => {
    const words = [...(name === undefined ? [] : [name]), ...suffix];
    if (isJoined([...prefix, ...words], source)) return joined;
    return wordsMade(words.filter((word) => word.type === "Word")) > mostWords && shellDoubts.many_words;
  },
  // `{a[i]}<f`: bash works the index out.
  Word: (word, _, isTest) =>
    (holdsSubstitution(word) && joined) ||
    (!isTest && holdsOddBrace(word) && oddBrace) ||
    (!isTest && wordsMade([word]) > mostWords && shellDoubts.many_words) ||
    (/^\{\w+\[/u.test(word.text.replace(/\\\n/gu, "")) && workedOutIndex),
  ProcessSubstitution: (node, source) => !isWhole(node, source) && joined,
  DoubleQuoted: ({ parts }) => holdsOddQuotes(parts, false) && oddQuotes,
  LocaleString: ({ parts }) => holdsOddQuotes(parts, false) && oddQuotes,
  HereDocBody: ({ parts }) => holdsOddQuotes(parts, true) && oddQuotes,
  AnsiCQuoted: ({ text }) => holdsOddEscape(text) && oddEscape,
  HereDoc: ({ delimiter }) => delimiter !== undefined && !isPlainEnd.test(delimiter.text) && oddEnd,
  // Behind `<&-` bash begins another word.
  Redirect: ({ operator, target }) => {
    if (!operator.endsWith("&") || target === undefined || target.text === "-") return false;
    if (target.text.startsWith("-")) return closesFirst;
    return !isPlainName.test(target.value) && expandedTwice;
  },
  ParameterExpansion: ({ prefix, index, operation }) =>
    prefix === "!" && operation?.type !== "Names"
      ? shellDoubts.indirect
      : index !== undefined && !/^(?:\d+|[@*])$/u.test(index.text) && workedOutIndex,
  Slice: ({ offset, length }) => !(isNumber(offset) && isNumber(length)) && arithmetic,
  Default: ({ operator }) => operator.endsWith("=") && shellDoubts.sets_variable,
  Transform: ({ operand }) => !plainTransforms.test(operand.text) && shellDoubts.prompt,
  Unknown: () => shellDoubts.unknown_expansion,
  ArithmeticWord: (word) => !isNumber(word) && arithmetic,
  ExtendedGlob: () => shellDoubts.extended_pattern,
  // `[i]=` in a list is an index too, with blanks in it where it is so written.
  ArrayValue: (list, source) =>
    (holdsMore(list, source) && noList) ||
    (list.elements.some(({ text }) => text.startsWith("[") && !/^\[\d+\]\+?=/u.test(text)) && workedOutIndex),
  Assignment: (node) =>
    (isNoList(node) && noList) || (node.index !== undefined && !isNumber(node.index) && workedOutIndex),
  TestUnary: ({ operator }) => /^-[vR]$/u.test(operator) && shellDoubts.variable_test,
  TestBinary: ({ operator, left, right }) =>
    comparesNumbers.test(operator) && !(isNumber(left) && isNumber(right)) && arithmetic,
};

const troubleOf = <T extends SyntaxNode["type"]>(
  node: NodeOf<T>,
  source: string,
  isTest: boolean,
): string | undefined => (troubles as { [U in T]?: Trouble<U> })[node.type as T]?.(node, source, isTest) || undefined;

const isFixed = (part: WordPart): boolean => {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
      return true;
    // What bytes such an escape stands for hangs on the locale.
    case "AnsiCQuoted":
      return /^[\n\t -~]*$/u.test(part.value);
    case "DoubleQuoted":
      return part.parts.every(isFixed);
    default:
      return false;
  }
};

/** `A=~/x` as an argument: bash looks for tildes after `=` and `:` too. */
const mayHoldTilde = /^[A-Za-z_]\w*\+?=.*~/su;

/**
 * Returns the value of a word after unquoting, where that is the same whenever it runs; null where it is not.
 * @param home what `~` stands for; undefined where that is not known.
 */
export function fixedValue(word: Word, home: string | undefined): string | null {
  if (word.parts?.every(isFixed) === false || mayHoldTilde.test(word.text)) return null;
  if (!word.text.startsWith("~")) return word.value;
  const rest = word.text.slice(1);
  if (home === undefined || (rest !== "" && !rest.startsWith("/"))) return null;
  return home + word.value.slice(1);
}
