import type { Command } from "commander";
import type { Add, Run } from "./program.ts";

/** `agent blame` and `agent log`: whose a file's lines and changes are. */
export function addProvenance(program: Command, add: Add, run: Run): void {
  const load = () => import("../commands/file-lines.ts");
  add(program, {
    usage: "blame <file>",
    text: "which call wrote each line of a file, and who approved it",
    bears: ["cwd", "json", "utc"],
    note: "A line is a call's where the record and the bytes show it: through later edits, undo and\nmoves. All else is not the agent's.",
    examples: [
      ["agent blame src/app.ts", "each line with its call, model and approval"],
      ["agent blame src/app.ts --json", "an object for each run of lines"],
    ],
  }).action(
    run(
      ([file = ""]) =>
        async (at) =>
          (await load()).blameFile(at, file),
    ),
  );
  add(program, {
    usage: "log <file>",
    text: "what calls did in a file, newest first",
    bears: ["cwd", "json", "utc"],
    examples: [
      ["agent log src/app.ts", "each change with its call, model and approval"],
      ["agent log gone.ts --json", "also of a file that is not there any more"],
    ],
  }).action(
    run(
      ([file = ""]) =>
        async (at) =>
          (await load()).logFile(at, file),
    ),
  );
}
