import ts from "typescript";

/** A literal that reads as a sentence: where it stands, from 1, and its source. */
export interface FoundSentence {
  line: number;
  source: string;
}

/** Words follow each other in a sentence; a name with a dot, a number or a sign in it is none. */
const word = /^[("'“‘*`]*\p{L}[\p{L}'’-]*[.,;:!?…)"'”’*`]*$/u;

const isSentence = (text: string): boolean => text.split(/\s+/u).filter((part) => word.test(part)).length >= 3;

/** The text of a literal, with a sign for each value in it. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join("\0");
}

/** What no person reads: other modules' names, types, names in a list, words of a text that is split, names of a fault point, and what only a defect of the calling code throws. */
function isApart(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return true;
  if (ts.isCallExpression(node)) return /^(?:(?:listed|faultPoint)|["(].*[.]split)$/su.test(node.expression.getText());
  return ts.isNewExpression(node) && /^(?:Type|Range)Error$/u.test(node.expression.getText());
}

/** The sentences in the literals of a module: three words or more, one behind the other. */
export function sentencesIn(
  source: string,
  name = "module.tsx",
  isLeft: (node: ts.Node) => boolean = () => false,
): FoundSentence[] {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const found: FoundSentence[] = [];
  const visit = (node: ts.Node): void => {
    if (isApart(node) || isLeft(node)) return;
    const text = textOf(node);
    if (text !== undefined && isSentence(text))
      found.push({ line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1, source: node.getText() });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** What of a table is made of words, and tells nobody anything: names, options, shapes of commands, where it comes from. */
const ofTables =
  /^(?:names|options|verbs|idle|ends|reads(?:Above)?|source|sources|patterns|match|notMatch|words|programs|takes|fed|elsewhere)$/u;

/** It stands in a table, in a list of words that is split, or among sets of them. */
function isOfTable(node: ts.Node): boolean {
  if (ts.isPropertyAssignment(node)) return ofTables.test(node.name.getText());
  return ts.isCallExpression(node) && /(?:^|[.])split$/u.test(node.expression.getText());
}

/** The sentences of a module of tables that stand beside these. */
export const sentencesBesideTables = (source: string, name = "module.ts"): FoundSentence[] =>
  sentencesIn(source, name, isOfTable);
