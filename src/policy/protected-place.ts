import { shownPath } from "../core/shown-path.ts";
import type { Reason } from "../words/contract/policy-reasons.ts";
import { type JudgedPath, segmentsBelow } from "./names.ts";
import { guardedReason, sealedReason, watchedReason } from "./protected.ts";
import type { CallFacts, Policy } from "./types.ts";

/**
 * Finds the folder below which protected names are looked for: the repository that the workspace is a part of, else the person's
 * home, where it lies in that, else the workspace itself.
 */
export function projectIn({ project, workspace }: CallFacts, { home }: Policy): string {
  if (project !== undefined) return project;
  return home !== undefined && segmentsBelow(home, workspace) !== undefined ? home : workspace;
}

export function nameOf(path: string, workspace: string): Reason {
  return path === workspace ? { code: "workspace_folder" } : shownPath(workspace, path);
}

/** A secret's name is all that a list of names shows of it. */
export const toldBy = ({ access }: CallFacts): "read" | "names" =>
  access === undefined || access === "content" ? "read" : "names";

/** Gives the reason why the call may not do that there unasked, by the name of the place, or undefined. */
export function protectedReason({ path, access }: JudgedPath, facts: CallFacts, policy: Policy): Reason | undefined {
  const project = projectIn(facts, policy);
  return (
    sealedReason(path, project, policy.sealed) ??
    guardedReason(path, project, access === "read" ? toldBy(facts) : access, false, policy.linked) ??
    (access === "write" ? watchedReason(path, project) : undefined)
  );
}

/** The file for which a call that would else run apart does not, and why it is protected. */
export function keptFromApart(facts: CallFacts, policy: Policy): Reason | undefined {
  for (const path of facts.made ?? []) {
    const because = protectedReason({ path, access: "write" }, facts, policy);
    if (because !== undefined) return { code: "kept_from_apart", place: nameOf(path, facts.workspace), because };
  }
  return undefined;
}
