import { join } from "node:path";
import { escapeGlob } from "../../policy/glob.ts";
import type { Decision } from "../../policy/types.ts";
import { importing } from "../../words/en/importing.ts";
import type { Entry, NewRule, Reach, Said, Scope } from "./found.ts";

/** A rule as it is said here, and the things that it is about. */
export type Reading = Pick<Entry, "said" | "reach">;

export const about = (of: Reach["of"], said: Said, head = ""): Reading => ({ said, reach: { of, head } });

/** A command's words, exactly (`open` false) or as a beginning, where they mean one simple command. */
export function commandRule(words: string, open: boolean, decision: Decision): Reading {
  const text = words.trim();
  if (text === "" || text === "*") return everyCommand(decision);
  return about("command", saidOf(text, open, decision), headOf(text.replace(/["'\\]/gu, "")));
}

function saidOf(text: string, open: boolean, decision: Decision): Said {
  if (/[*?]/u.test(text)) return { why: importing().loneStar };
  if (/["'\\;|&$`<>(){}[\]#~!\n]/u.test(text)) return { why: importing().manyCommands };
  if (/^\w+=/u.test(text)) return { why: importing().setsVariable };
  return [{ tool: "shell", command: open ? `${text} *` : text, decision }];
}

/** Returns the text before the first wildcard. */
export const headOf = (pattern: string): string => (pattern.split(/[*?[{]/u, 1)[0] ?? "").trimEnd();

export const everyCommand = (decision: Decision): Reading =>
  about("command", decision === "allow" ? { why: importing().shell } : [{ tool: "shell", decision }]);

/** A rule for one tool of ours that says nothing of paths or hosts. */
export const toolRule = (tool: string, decision: Decision): Said =>
  decision === "allow" ? { why: importing().reads } : [{ tool, decision }];

/** Pages are allowed by their hosts alone. */
export const everyPage = (decision: Decision): Reading =>
  about("page", decision === "allow" ? { why: importing().pages } : [{ tool: "web_fetch", decision }]);

/** Makes the rules for reads. A path that may not be read is closed to every tool: a command could read it too. */
export function readRules(paths: string[] | { why: string }, decision: Decision): Said {
  if (decision === "allow") return { why: importing().reads };
  return "why" in paths ? paths : [{ tool: "*", paths, decision }];
}

/** For the tools that change files. What may not be changed no command may be given either, as far as its words name it. */
export function editRules(paths: string[] | { why: string }, decision: Decision): Said {
  if ("why" in paths) return paths;
  const tools = decision === "allow" ? ["edit_file", "write_file"] : ["edit_file", "write_file", "shell"];
  return tools.map((tool): NewRule => ({ tool, paths, decision }));
}

/** For both tools that change files, whatever the file. */
export const everyEdit = (decision: Decision): NewRule[] =>
  ["edit_file", "write_file"].map((tool) => ({ tool, ...(decision === "allow" ? { paths: ["**"] } : {}), decision }));

export interface PathForm {
  decision: Decision;
  scope: Scope;
  home: string | undefined;
}

/**
 * A path of gitignore's form as patterns of ours. An allow is never given more than it says: a name without a slash, which there means any
 * folder, here means the first one only. A deny or ask reaches all of it, and what is below.
 */
export function pathsOf(spec: string, form: PathForm): string[] | { why: string } {
  if (/[[\]!{}\\]/u.test(spec)) return { why: importing().otherPattern };
  if (spec.split("/").includes("..")) return { why: importing().leadsOut };
  if (spec.split("/").some((part) => part.includes("**") && part !== "**")) return { why: importing().wholePart };
  const path = placeOf(spec, form);
  if (typeof path !== "string") return path;
  if (form.decision === "allow") return [path];
  const anywhere = !spec.replace(/\/$/u, "").includes("/") && !/^(?:\.|~)$/u.test(spec);
  const wide = anywhere && !path.startsWith("**") ? [path, `**/${path}`] : [path];
  return wide.flatMap((one) => (/(?:^|\/)\*\*$/u.test(one) ? [one] : [one, `${one.replace(/\/$/u, "")}/**`]));
}

function placeOf(spec: string, { decision, scope, home }: PathForm): string | { why: string } {
  if (spec === "" || spec === "." || spec === "./") return "**";
  if (/^~(?:\/|$)/u.test(spec)) {
    if (scope === "project") return { why: importing().namesHome };
    if (home === undefined) return { why: importing().noHome };
    return join(escapeGlob(home), spec.slice(1));
  }
  if (spec.startsWith("~")) return { why: importing().othersHome };
  // Two slashes mean the whole path; one, the folder of the settings.
  if (spec.startsWith("//"))
    return scope === "project" && decision === "allow" ? { why: importing().ofMachine } : spec.slice(1);
  if (spec.startsWith("/")) return scope === "project" ? spec.slice(1) : { why: importing().relative };
  return spec.replace(/^(?:[.]\/)+/u, "");
}

/** What a path of gitignore's form begins with below the workspace; "" where it may lie in any folder, or is a whole path. */
export function pathHead(spec: string): string {
  const path = spec.replace(/^(?:[.]\/)+/u, "");
  return /^[/~!]/u.test(path) || !path.replace(/\/$/u, "").includes("/") ? "" : headOf(path);
}
