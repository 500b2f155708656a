import type { PlannedCommand } from "../../core/command.ts";

/** Git's own commands that write in its folder. They are named, for any other name may be an alias, which runs anything. */
const writing = new Set(
  `add am apply bisect branch checkout cherry-pick clean commit fetch gc merge mv pull push rebase reset restore revert rm stash
   switch tag update-index worktree`.split(/\s+/),
);

/** Words of the shell that change nothing. */
const beside = new Set("cd echo printf true false test [ : pwd".split(" "));

/** Whether the line is git's own commands and nothing that could do anything else in its folder. */
export function isGitLine(commands: readonly PlannedCommand[]): boolean {
  const names = commands.map(({ argv, assignments, understood }) =>
    understood && assignments.length === 0 ? nameOf(argv) : undefined,
  );
  return names.includes("git") && names.every((name) => name === "git" || (name !== undefined && beside.has(name)));
}

/** The program's name; of git only where what follows is one of its own commands. */
function nameOf([program, ...words]: PlannedCommand["argv"]): string | undefined {
  if (program !== "git") return program ?? undefined;
  const [command] = words;
  return command !== null && command !== undefined && writing.has(command) ? "git" : undefined;
}
