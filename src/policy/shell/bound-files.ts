import type { PlannedCommand } from "../../core/command.ts";
import type { GrantedScript } from "../types.ts";

/** The files that say what a command does, each once. */
export const boundFiles = ({ scripts = [] }: PlannedCommand): GrantedScript[] => [
  ...new Map(scripts.map(({ path, sha }) => [path, { path, sha }])).values(),
];

/** Tells whether these are just the files that were granted, as they were. */
export function areAsGranted(granted: readonly GrantedScript[], command: PlannedCommand): boolean {
  const found = boundFiles(command);
  return (
    command.unbound === undefined &&
    found.length === granted.length &&
    found.every(({ path, sha }) => granted.some((one) => one.path === path && one.sha === sha))
  );
}
