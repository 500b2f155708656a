import type { PlannedCommand, PlannedScript } from "../../../core/command.ts";
import type { CommandPlace } from "./command-place.ts";
import type { Binder } from "./runners/binder.ts";
import { filesNamed } from "./scripts.ts";

/**
 * Binds every file of the line that may be code of a command of which it is not known what it runs: those that its own words name, and those that
 * the line's commands read (`cat a.sh | bash`, `eval "$(cat a.sh)"`, `bash < a.sh`).
 */
export function bindUnknown(commands: PlannedCommand[], { workspace }: CommandPlace, binder: Binder): void {
  const [first] = commands.filter((command) => !command.understood || command.unbound !== undefined);
  if (first === undefined) return;
  for (const command of commands) {
    if (command.understood) continue;
    const at = command.cwd ?? workspace;
    add(command, filesNamed(command.argv, at, binder));
  }
  const reads = commands.flatMap(({ paths }) =>
    paths.flatMap(({ access, deep, real }) => (access === "read" && deep !== true ? [real] : [])),
  );
  const known = new Set(commands.flatMap(({ scripts = [] }) => scripts.map(({ path }) => path)));
  const files = [...new Set(reads)].map((path) => binder.hashed(path)).filter((one) => one !== undefined);
  add(
    first,
    files.filter(({ path }) => !known.has(path)).map((file) => ({ ...file, how: "reads" })),
  );
}

function add(command: PlannedCommand, more: readonly PlannedScript[]): void {
  const known = new Set(command.scripts?.map(({ path }) => path));
  const added = more.filter(({ path }) => !known.has(path));
  if (added.length > 0) command.scripts = [...(command.scripts ?? []), ...added];
}
