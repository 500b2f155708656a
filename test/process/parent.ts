import { writeFileSync } from "node:fs";
import { runChild } from "../../src/process/run-child.ts";

/** A process that runs a shell script as its child, and may be killed meanwhile. It writes down whom it started, then lets it go. */
const [cwd = "", script = "", note = "", hold = ""] = process.argv.slice(2);
const end = await runChild(
  { program: "sh", args: ["-c", script], cwd, env: { PATH: process.env["PATH"] ?? "" } },
  {
    signal: new AbortController().signal,
    noteChild: async (child) => {
      writeFileSync(note, JSON.stringify(child));
      if (hold === "hold") await new Promise((resolve) => setTimeout(resolve, 60_000));
    },
  },
);
process.stdout.write(`${end.how} ${end.code}\n`);
