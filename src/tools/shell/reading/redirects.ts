import { statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Redirection, Word } from "unbash";
import type { PlannedRedirect, RedirectKind } from "../../../core/command.ts";
import type { PathFact } from "../../../core/path-fact.ts";
import { isInside } from "../../../files/boundary.ts";
import { kernelPath, longestPath } from "../../../files/kernel-path.ts";
import { isStreamAt } from "../../../files/streams.ts";
import type { Folders } from "./folders.ts";
import { isOfMachine } from "./of-machine.ts";
import { openByName } from "./own-process.ts";
import type { Use } from "./programs.ts";
import { fixedValue } from "./words.ts";

const fileKinds: Record<string, RedirectKind> = {
  "<": "read",
  ">": "write",
  ">|": "write",
  "&>": "write",
  ">>": "append",
  "&>>": "append",
  "<>": "update",
};

/** Names of the files that a command has open already, and of the one that swallows all. */
const openAlready = /^\/dev\/(?:null|stdin|stdout|stderr|fd\/\d+)$/u;
const descriptor = /^(?:\d+-?|-)$/u;

export interface ReadRedirect {
  redirect: PlannedRedirect;
  paths: PathFact[];
  /** The file that it means is not known. */
  isUnknown?: true;
}

/** @param workspace where a path is judged, beside being unknown, where no folder is known. */
export function readRedirect(
  node: Redirection,
  folders: Folders,
  home: string | undefined,
  workspace: string,
): ReadRedirect {
  if (node.type !== "Redirect") return { redirect: { kind: "text" }, paths: [] };
  const { operator, target } = node;
  const asked = target === undefined ? null : fixedValue(target, home);
  if (isOpen(operator, target, asked))
    return { redirect: { kind: "descriptor", asked: asked ?? target?.text ?? "" }, paths: [] };
  const kind = fileKinds[operator] ?? (operator === ">&" ? "write" : "read");
  if (asked === null || asked.length > longestPath)
    return { redirect: { kind, asked: target?.text ?? "" }, paths: [], isUnknown: true };
  const paths = pathsOf({ path: asked, access: kind === "read" ? "read" : "write" }, folders, workspace);
  const [only] = paths;
  const isKnown = paths.length === 1 && (folders !== undefined || asked.startsWith("/"));
  if (!isKnown || only === undefined) return { redirect: { kind, asked }, paths, isUnknown: true };
  return { redirect: { kind, asked, real: only.real }, paths };
}

/** It leads to what is open already, or to a program of its own. */
const isOpen = (operator: string, target: Word | undefined, asked: string | null): boolean =>
  isPipe(target) ||
  (asked !== null && (openAlready.test(asked) || (/^[<>]&$/u.test(operator) && descriptor.test(asked))));

/** `> >(cmd)`: what is behind it is a part of its own. */
const isPipe = (target: Word | undefined): boolean =>
  target?.parts?.length === 1 && target.parts[0]?.type === "ProcessSubstitution";

/** A path in each of the folders that a command may run in; in the workspace, where that may be any. */
export function pathsOf(
  { path, access, deep, into, named, matched }: Use,
  folders: Folders,
  workspace: string,
): PathFact[] {
  const asked = into === undefined ? path : join(path, into);
  const all = asked.startsWith("/") ? ["/"] : (folders ?? [workspace]);
  const facts = all.map((folder): PathFact => {
    const from = kernelPath("/", folder);
    const lexical = resolve(folder, asked);
    // By its name it is what the command has open, whichever process looks.
    if (openByName.test(lexical)) return { asked: lexical, real: lexical, access };
    const real = kernelPath(from, asked);
    const fact: PathFact = {
      ...{ asked: lexical, real, access },
      ...(matched === undefined ? {} : { matched }),
      ...streamed(real, access),
    };
    if (named === true)
      return isListed(fact, from) ? { ...fact, asked: dirname(fact.asked), real: dirname(real) } : fact;
    return deep === true || (deep === "folder" && isFolder(real)) ? { ...fact, deep: true } : installed(fact);
  });
  return [...new Map(facts.map((fact) => [`${fact.asked}\0${fact.real}`, fact])).values()];
}

const streamed = (real: string, access: Use["access"]): Pick<PathFact, "stream"> =>
  access === "read" && isStreamAt(real) ? { stream: true } : {};

const installed = (fact: PathFact): PathFact =>
  fact.access === "read" && fact.asked === fact.real && isOfMachine(fact.real) ? { ...fact, ofMachine: true } : fact;

/**
 * Tells whether a list of its folder tells all that is told of the name: it is no link to a place that such a list says nothing of, nor the folder
 * that the command stands in, or one around that.
 */
const isListed = ({ asked, real }: PathFact, from: string): boolean =>
  !isInside(real, from) && real === join(kernelPath(from, dirname(asked)), basename(asked));

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // what is not there is not gone through
  }
}
