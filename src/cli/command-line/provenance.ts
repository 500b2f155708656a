import type { Command } from "commander";
import { CliProblem } from "../problem.ts";
import type { Add, Run } from "./program.ts";

/** `agent blame`, `agent log` and `agent attest`: whose a file's lines and changes are, and those of a commit. */
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
  addAttest(program, add, run);
}

function addAttest(program: Command, add: Add, run: Run): void {
  add(program, {
    usage: "attest [commit]",
    text: "a statement of which lines of a commit are approved calls' bytes",
    bears: ["cwd"],
    note: "It is an in-toto statement about the lines that the commit added; signed, it is sealed as\nDSSE by ssh-keygen. What it says of approvals is the signer's word, as the record has it.",
    examples: [
      ["agent attest --key ~/.ssh/id_ed25519 -o attest.json", "of HEAD, signed"],
      [
        "agent attest --verify attest.json --signers .github/signers HEAD",
        "for CI: exits with 1 where anything differs",
      ],
    ],
  })
    .option("--key <file>", "sign with this key; with a passphrase by its .pub file through the agent")
    .option("-o, --output <file>", "into a new file (default: stdout)")
    .option("--verify <file>", "check this statement against the commit")
    .option("--signers <file>", "with --verify: whose signatures count, as ssh-keygen's allowed signers")
    .action(
      run(([commit = "HEAD"], options) => async (at) => {
        const { key, output, verify, signers } = options as Record<string, string | undefined>;
        const unfit = Object.entries(verify === undefined ? { signers } : { key, output }).find(
          ([, given]) => given !== undefined,
        );
        if (unfit !== undefined)
          throw new CliProblem(
            "usage",
            `--${unfit[0]} ${verify === undefined ? "needs" : "does not go with"} --verify`,
          );
        const { attestCommit, verifyAttest } = await import("../commands/attest.ts");
        return verify === undefined
          ? attestCommit(at, commit, { key, out: output })
          : verifyAttest(at, commit, { file: verify, signers });
      }),
    );
}
