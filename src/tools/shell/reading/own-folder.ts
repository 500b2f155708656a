import type { Command, SyntaxNode } from "unbash";

/** `cd "$PWD"`: bash stays where it is, unless the line gives PWD another meaning. */
export const staysByName = ({ name, args: [word, ...more] }: Command): boolean =>
  name?.text === "cd" && more.length === 0 && word?.type === "Word" && /^"\$(?:PWD|\{PWD\})"$/u.test(word.text);

/** Tells whether PWD stands in a word otherwise than as its value: it may be given another one there. */
export const namesFolderVariable = (node: SyntaxNode): boolean =>
  (node.type === "Word" || node.type === "Assignment") &&
  [node.text, node.type === "Word" ? node.value : ""].some((text) => /(?<!\$|\$\{)\bPWD/u.test(text));
