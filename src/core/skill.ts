import type { Sha } from "./json.ts";

/** A skill: instructions for one kind of task, in a folder of files. Its name and description are told, the rest is read when it is needed. */
export interface Skill {
  readonly name: string;
  /** The cases in which it is to be used, in one line for the model. */
  readonly description: string;
  /** The place that it was read from, as it is shown to a person. */
  readonly source: string;
  /** Absolute, links resolved: its SKILL.md lies there, and what else it has. */
  readonly folder: string;
  /** Its files that count only with these bytes, by their paths in the folder. Without it the skill is the person's own. */
  readonly bound?: Readonly<Record<string, Sha>>;
  /** It lies in a place of the program's own, of which calls read nothing: the files that count are those of `bound`. */
  readonly sealed?: true;
}

/** The file that makes a folder a skill. */
export const skillFile = "SKILL.md";

/** Bytes; a larger one nobody reads, nor a model as a whole. */
export const largestSkill = 64_000;

/** agentskills.io: 1 to 64 of a-z 0-9 -. */
export const isSkillName = (name: string): boolean => /^[a-z0-9-]{1,64}$/u.test(name);

/** Returns the text below the description of a file that may begin with one, between two lines of `---`. */
export const bodyOf = (text: string): string => frontOf(text)?.body ?? text;

/** The two parts of a file that begins with a description between two lines of `---`. */
export function frontOf(text: string): { front: string; body: string } | undefined {
  const begun = /^\uFEFF?---[ \t]*\r?\n/u.exec(text)?.[0].length;
  if (begun === undefined) return undefined;
  // The body may be long, and is not looked at.
  const closing = /---[ \t]*(?:\r?\n|$)/uy;
  for (let at = text.indexOf("\n---", begun - 1); at >= 0; at = text.indexOf("\n---", at + 1)) {
    closing.lastIndex = at + 1;
    if (closing.test(text)) return { front: text.slice(begun, at + 1), body: text.slice(closing.lastIndex) };
  }
  return undefined;
}
