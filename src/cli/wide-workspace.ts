import { realpathSync } from "node:fs";
import { isInside } from "../files/boundary.ts";
import type { Mode } from "../policy/types.ts";
import { notices } from "../words/en/notices.ts";
import { CliProblem } from "./problem.ts";

const unasked: ReadonlySet<Mode> = new Set(["accept-edits", "full-auto"]);

/**
 * Tells why a mode that changes files unasked cannot be had in this workspace, or returns undefined: one that holds the person's home
 * holds all that starts with their session.
 * @param workspace real path. @param home as the environment names it.
 */
export function refusesMode(mode: Mode, workspace: string, home: string | undefined): string | undefined {
  if (!unasked.has(mode)) return undefined;
  const isWide = workspace === "/" || (home !== undefined && home !== "" && isInside(workspace, realOf(home)));
  return isWide ? notices().wideMode({ mode, workspace }) : undefined;
}

/** @throws CliProblem usage */
export function checkMode(mode: Mode, workspace: string, home: string | undefined): void {
  const why = refusesMode(mode, workspace, home);
  if (why !== undefined) throw new CliProblem("usage", why, { hint: notices().wideHint });
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
