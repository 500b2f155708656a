import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Redirection, Word } from "unbash";
import type { PlannedRedirect, RedirectKind } from "../../core/command.ts";
import type { PathFact } from "../../core/tool.ts";
import { kernelPath } from "../../files/kernel-path.ts";
import type { Folders } from "./folders.ts";
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

/** What a command has open already, and what swallows all. */
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
  if (asked === null) return { redirect: { kind, asked: target?.text ?? "" }, paths: [], isUnknown: true };
  const paths = pathsOf(asked, kind === "read" ? "read" : "write", folders, workspace);
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
  asked: string,
  access: PathFact["access"],
  folders: Folders,
  workspace: string,
  deep: boolean | "folder" = false,
): PathFact[] {
  const all = asked.startsWith("/") ? ["/"] : (folders ?? [workspace]);
  const facts = all.map((folder): PathFact => {
    const real = kernelPath(kernelPath("/", folder), asked);
    return {
      asked: resolve(folder, asked),
      real,
      access,
      ...(deep === true || (deep === "folder" && isFolder(real)) ? { deep: true } : {}),
    };
  });
  return [...new Map(facts.map((fact) => [`${fact.asked}\0${fact.real}`, fact])).values()];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false; // what is not there is not gone through
  }
}
