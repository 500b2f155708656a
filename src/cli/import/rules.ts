import { join } from "node:path";
import { escapeGlob } from "../../policy/glob.ts";
import type { Decision } from "../../policy/types.ts";
import { type Found, hidesSomething, type NewRule, type Scope, sayings } from "./found.ts";

/** What rules say, or why they cannot be said here. */
export type Said = NewRule[] | { why: string };

/** Where a rule stands, and what it was there. */
export interface Origin {
  scope: Scope;
  from: string;
  was: string;
}

export function noted({ scope, from, was }: Origin, said: Said): Found[] {
  if (hidesSomething(was)) return [{ kind: "left_out", scope, from, what: was, why: sayings.unseen }];
  if ("why" in said) return [{ kind: "left_out", scope, from, what: was, why: said.why }];
  return said.map((rule) => ({ kind: "rule", scope, from, was, rule }));
}

/** A command's words, exactly (`open` false) or as a beginning, where they mean one simple command. */
export function commandRule(words: string, open: boolean, decision: Decision): Said {
  const text = words.trim();
  if (text === "" || text === "*") return everyCommand(decision);
  if (/[*?]/u.test(text)) return { why: "'*' may only stand by itself, as the last word" };
  if (/["'\\;|&$`<>(){}[\]#~!\n]/u.test(text)) return { why: "it is more than the plain words of one command" };
  if (/^\w+=/u.test(text)) return { why: "it sets a variable before its command" };
  return [{ tool: "shell", command: open ? `${text} *` : text, decision }];
}

export const everyCommand = (decision: Decision): Said =>
  decision === "allow" ? { why: sayings.shell } : [{ tool: "shell", decision }];

/** Rules for both tools that change files. */
export const editRules = (paths: string[] | undefined, decision: Decision): NewRule[] =>
  ["edit_file", "write_file"].map((tool) => ({ tool, ...(paths === undefined ? {} : { paths }), decision }));

export interface PathForm {
  decision: Decision;
  scope: Scope;
  home: string | undefined;
}

/**
 * A path of gitignore's form as patterns of ours. An allow is never given more than it says: a name without a slash, which there means any
 * folder, here means the first one only. A deny or ask reaches all of it, and what is below.
 */
export function pathsOf(spec: string, { decision, scope, home }: PathForm): string[] | { why: string } {
  if (/[[\]!{}\\]/u.test(spec)) return { why: "its pattern has what patterns here have not: [ ] { } ! or \\" };
  if (spec.split("/").includes("..")) return { why: "it leads out of its folder by .." };
  if (spec.split("/").some((part) => part.includes("**") && part !== "**"))
    return { why: "'**' may only be a whole part of a path" };
  const path = placeOf(spec, scope, home);
  if (typeof path !== "string") return path;
  if (decision === "allow") return [path];
  const anywhere = !spec.replace(/\/$/u, "").includes("/") && !spec.startsWith("./");
  const wide = anywhere && !path.startsWith("**/") ? [path, `**/${path}`] : [path];
  return wide.flatMap((one) => (/(?:^|\/)\*\*$/u.test(one) ? [one] : [one, `${one.replace(/\/$/u, "")}/**`]));
}

function placeOf(spec: string, scope: Scope, home: string | undefined): string | { why: string } {
  if (spec === "" || spec === "." || spec === "./") return "**";
  if (spec.startsWith("~/")) {
    if (home === undefined) return { why: "no home is known for its ~" };
    return join(escapeGlob(home), spec.slice(2));
  }
  if (spec.startsWith("~")) return { why: "it names the home of another user" };
  // Two slashes mean the whole path; one, the folder of the settings.
  if (spec.startsWith("//")) return spec.slice(1);
  if (spec.startsWith("/"))
    return scope === "project" ? spec.slice(1) : { why: "it is relative to the folder of that program's settings" };
  return spec.replace(/^(?:[.]\/)+/u, "");
}
