import { ToolRefusal } from "../../core/codes.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../../core/json.ts";
import type { Plan, Tool, ToolContext } from "../../core/tool.ts";
import type { Filled } from "./fill-in.ts";

/** The word that stands in a text in the place of a hidden parameter's value. */
export const concealedWord = "[hidden]";

/** Levels of a hidden value that are looked through. */
const mostLevels = 8;

/** Fewer characters are only taken for the value where they stand by themselves. */
const shortest = 4;

/** Context that the model knows or may know by itself: to hide it would hide the paths of a message. */
const known = ["workspace", "cwd", "goal", "pageUrl", "sessionId"] as const satisfies readonly (keyof ToolContext)[];

/** The texts that are not to be told, the longest first. */
export type Secrets = readonly string[];

/**
 * The texts that the values of a tool's hidden parameters are or are made of.
 * @param sources arguments in which they stand under their names: as they were filled in, and as the schema made them
 */
export function secretsOf(
  { hidden = [] }: Pick<Tool, "hidden">,
  sources: readonly unknown[],
  ctx: ToolContext,
): Secrets {
  const found = new Set<string>();
  for (const source of sources)
    for (const name of hidden) if (isJsonObject(source) && Object.hasOwn(source, name)) gather(source[name], found, 0);
  for (const name of known) found.delete(ctx[name] ?? "");
  return [...found].sort((one, other) => other.length - one.length);
}

function gather(value: unknown, found: Set<string>, level: number): void {
  if (typeof value === "number" || typeof value === "bigint") {
    // A count or a limit of few digits stands in any message.
    if (String(value).length >= shortest) found.add(String(value));
    return;
  }
  if (typeof value === "string") {
    if (value.trim() === "") return;
    for (const form of [value, value.trim(), JSON.stringify(value).slice(1, -1), inUrl(value)]) found.add(form);
    return;
  }
  if (typeof value !== "object" || value === null || level === mostLevels) return;
  const inner = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
  for (const one of inner) gather(one, found, level + 1);
}

/** As a URL has it; half a character, which no URL can have, as the sign for it. */
const inUrl = (text: string): string => encodeURIComponent(Buffer.from(text).toString("utf8"));

/** Makes the pattern of a text that stands by itself, no letter or digit beside it. */
const byItself = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")}(?![\\p{L}\\p{N}])`, "gu");

/** The text without them. */
export function concealed(text: string, secrets: Secrets): string {
  let shown = text;
  for (const secret of secrets) {
    if (!shown.includes(secret)) continue;
    shown = shown.replaceAll(secret.length >= shortest ? secret : byItself(secret), concealedWord);
  }
  return shown;
}

/** Checks whether arguments that would be written down tell a value, where those that the model gave do not. */
export function tells(made: JsonObject, given: Filled, secrets: Secrets): boolean {
  const [after, before] = [canonicalJson(made), canonicalJson(given)];
  return secrets.some((secret) => concealed(after, [secret]) !== after && concealed(before, [secret]) === before);
}

/** By a call's arguments, from when they are parsed: what its plan says is told too. */
const ofArguments = new WeakMap<object, Secrets>();

export function keepSecrets(args: unknown, secrets: Secrets): void {
  if (typeof args === "object" && args !== null && secrets.length > 0) ofArguments.set(args, secrets);
}

/**
 * A tool's plan, or what it threw, without the values of the call's hidden parameters in its words. Paths, hosts and commands stay as they
 * are: they are what the call would touch.
 */
export async function withoutSecrets(args: unknown, plan: () => Promise<Plan | undefined>): Promise<Plan | undefined> {
  const secrets = typeof args === "object" && args !== null ? ofArguments.get(args) : undefined;
  if (secrets === undefined) return plan();
  try {
    const made = await plan();
    return made === undefined ? undefined : inWords(made, secrets);
  } catch (error) {
    throw concealedError(error, secrets);
  }
}

function inWords(plan: Plan, secrets: Secrets): Plan {
  const { summary, confirm, warnings } = plan;
  const clean = (text: string): string => (typeof text === "string" ? concealed(text, secrets) : text);
  return {
    ...plan,
    summary: clean(summary),
    ...(confirm === undefined ? {} : { confirm: clean(confirm) }),
    ...(Array.isArray(warnings) ? { warnings: warnings.map(clean) } : {}),
  };
}

/** The same error where it tells nothing. */
export function concealedError(error: unknown, secrets: Secrets): unknown {
  const message = error instanceof Error ? error.message : String(error);
  const told = concealed(message, secrets);
  if (told === message) return error;
  return error instanceof ToolRefusal ? new ToolRefusal(error.code, told) : new Error(told);
}
