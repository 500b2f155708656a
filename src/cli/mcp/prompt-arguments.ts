import { argumentsText, type PromptDefinition } from "../../tools/mcp/prompts.ts";
import { mcpNamed as words } from "../../words/en/mcp-named.ts";

/** `name=value`, of which the value may be empty, or a value alone; what stands in quotes is one word. */
const word = /(?:([^\s"'=]+)=)?(?:"([^"]*)"|'([^']*)'|(\S+))/gu;
const emptyNamed = /^([^\s"'=]+)=$/u;

/**
 * Reads the text that was typed behind a prompt's name as its arguments: by their names, and the rest one after another in the order in
 * which it has them.
 * @throws Error that says which is missing, or is too much
 */
export function promptArguments(prompt: Pick<PromptDefinition, "arguments">, typed: string): Record<string, string> {
  const names = prompt.arguments.map(({ name }) => name);
  const { given, bare } = wordsOf(typed, names);
  const free = names.filter((name) => !given.has(name));
  if (bare.length > free.length) throw new Error(tooMany(prompt, bare.length - free.length));
  for (const [at, value] of bare.entries()) given.set(free[at] ?? "", value);
  const missing = prompt.arguments.filter(({ name, isRequired }) => isRequired && !given.has(name));
  if (missing.length > 0) {
    throw new Error(words().missing({ names: missing.map(({ name }) => name), takes: argumentsText(prompt) }));
  }
  return Object.fromEntries(given);
}

/** The words that name one of these, and the others in their order. */
function wordsOf(typed: string, names: readonly string[]): { given: Map<string, string>; bare: string[] } {
  const given = new Map<string, string>();
  const bare: string[] = [];
  for (const [, named, double, single, plain] of typed.matchAll(word)) {
    const empty = named === undefined && plain !== undefined ? emptyNamed.exec(plain)?.[1] : undefined;
    const name = named ?? empty;
    const value = empty === undefined ? (double ?? single ?? plain ?? "") : "";
    if (name === undefined) bare.push(value);
    else if (!names.includes(name)) bare.push(`${name}=${value}`);
    else if (given.has(name)) throw new Error(words().twice({ name }));
    else given.set(name, value);
  }
  return { given, bare };
}

const tooMany = (prompt: Pick<PromptDefinition, "arguments">, more: number): string =>
  prompt.arguments.length === 0 ? words().noArguments : words().tooManyWords({ more, takes: argumentsText(prompt) });
