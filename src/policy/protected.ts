import { basename } from "node:path";
import { isSecretFile } from "../core/secret-files.ts";
import { foldProtected, isWithinFolded, segmentsBelow, segmentsOf } from "./names.ts";
import type { Sealed } from "./types.ts";

/** Folders whose content decides what this program and git do: sealed at any depth, whether they exist or not. */
const sealedFolders = new Map([
  [".git", "git's own data can hold hooks and settings that run commands"],
  [".holdfast", "the project's policy, agents and tools are changed by people only"],
]);

/** @returns why nobody's call may touch the path, or undefined. `path` absolute. */
export function sealedReason(path: string, workspace: string, sealed: Sealed): string | undefined {
  if (sealed.roots.some((root) => isWithinFolded(root, path)))
    return "this program's own state, settings and policy are kept there";
  return protectedSegments(path, workspace)
    .map((segment) => sealedFolders.get(segment))
    .find((reason) => reason !== undefined);
}

interface GuardRow {
  /** Folded segments that follow each other anywhere below the workspace; the last may begin or end with `*`. */
  names: string[];
  access: "write" | "any";
  why: string;
}

const rows = (access: GuardRow["access"], why: string, names: string[]): GuardRow[] =>
  names.map((name) => ({ names: name.split("/"), access, why }));

/** What steers agents, runs by itself or holds secrets: a person looks at each such call. A folder means all below it. */
const guardTable: readonly GuardRow[] = [
  ...rows("write", "it instructs agents that work here", [
    "agents.md",
    "agents.override.md",
    "context.md",
    "claude.md",
    "claude.local.md",
    "gemini.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".github/copilot-instructions.md",
    ".github/instructions",
  ]),
  ...rows("write", "it tells agents and editors which programs to start", [
    ".mcp.json",
    ".claude",
    ".codex",
    ".cursor",
    ".gemini",
    ".vscode/mcp.json",
    ".vscode/settings.json",
    ".vscode/tasks.json",
    ".vscode/launch.json",
  ]),
  ...rows("write", "it is a hook, which runs by itself", [
    ".husky",
    ".githooks",
    "lefthook.yml",
    "lefthook.yaml",
    ".lefthook.yml",
    ".lefthook.yaml",
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
  ]),
  ...rows("write", "it is run by continuous integration", [
    ".github/workflows",
    ".github/actions",
    ".gitlab-ci.yml",
    ".gitlab-ci.yaml",
    ".circleci",
    ".buildkite",
    ".ci",
    ".travis.yml",
    ".drone.yml",
    "azure-pipelines.yml",
    "azure-pipelines.yaml",
    "bitbucket-pipelines.yml",
    "jenkinsfile",
  ]),
  ...rows("any", "files of this name hold secrets", [".env*", "*.env"]),
];

/** @returns why a person must look at the call, or undefined. `path` absolute; `names`: nothing of what is in the file is told. */
export function guardedReason(path: string, workspace: string, access: "read" | "write" | "names"): string | undefined {
  const segments = protectedSegments(path, workspace);
  const row = guardTable.find(
    (candidate) =>
      (access === "write" || (candidate.access === "any" && access === "read")) &&
      segments.some((_, at) => standsAt(candidate.names, segments, at)),
  );
  return row?.why;
}

/**
 * Whether a place of that name, in a folder that is not protected, may be protected itself. False for nearly all names, and quick: who
 * judges many places asks for the reasons only where it is true.
 */
export function protectedNames(sealed: Sealed): (name: string) => boolean {
  const exact = new Set([...sealedFolders.keys(), ...sealed.roots.map((root) => foldProtected(basename(root)))]);
  const starred: string[] = [];
  for (const { names } of guardTable) {
    const last = names.at(-1) ?? "";
    if (last.includes("*")) starred.push(last);
    else exact.add(last);
  }
  return (name) => {
    const folded = foldProtected(name);
    return exact.has(folded) || starred.some((pattern) => fitsStar(pattern, folded));
  };
}

function standsAt(names: string[], segments: string[], at: number): boolean {
  return names.every((name, index) => {
    const segment = segments[at + index];
    if (segment === undefined) return false;
    return name.includes("*") ? fitsStar(name, segment) && isSecretFile(segment) : segment === name;
  });
}

const fitsStar = (pattern: string, segment: string): boolean =>
  pattern.startsWith("*") ? segment.endsWith(pattern.slice(1)) : segment.startsWith(pattern.slice(0, -1));

/** Below the workspace what leads to it does not count (it may lie in somebody's `.ci` folder); elsewhere all of it does. */
const protectedSegments = (path: string, workspace: string): string[] =>
  (segmentsBelow(workspace, path) ?? segmentsOf(path)).map(foldProtected);
