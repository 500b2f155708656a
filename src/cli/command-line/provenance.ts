import type { Command } from "commander";
import { helpProvenance as words } from "../../words/en/help-provenance.ts";
import { CliProblem } from "../problem.ts";
import type { Add, Run } from "./program.ts";

/** `agent blame`, `agent log` and `agent attest`: whose a file's lines and changes are, and those of a commit. */
export function addProvenance(program: Command, add: Add, run: Run): void {
  const load = () => import("../commands/file-lines.ts");
  add(program, { usage: "blame <file>", says: words().blame, bears: ["cwd", "json", "utc"] }).action(
    run(
      ([file = ""]) =>
        async (at) =>
          (await load()).blameFile(at, file),
    ),
  );
  add(program, { usage: "log <file>", says: words().log, bears: ["cwd", "json", "utc"] }).action(
    run(
      ([file = ""]) =>
        async (at) =>
          (await load()).logFile(at, file),
    ),
  );
  addAttest(program, add, run);
}

function addAttest(program: Command, add: Add, run: Run): void {
  add(program, { usage: "attest [commit]", says: words().attest, bears: ["cwd"] })
    .option("--key <file>", words().attest.options.key)
    .option("-o, --output <file>", words().attest.options.output)
    .option("--verify <file>", words().attest.options.verify)
    .option("--signers <file>", words().attest.options.signers)
    .action(
      run(([commit = "HEAD"], options) => async (at) => {
        const { key, output, verify, signers } = options as Record<string, string | undefined>;
        const unfit = Object.entries(verify === undefined ? { signers } : { key, output }).find(
          ([, given]) => given !== undefined,
        );
        if (unfit !== undefined)
          throw new CliProblem("usage", words().unfit({ flag: unfit[0], needs: verify === undefined }));
        const { attestCommit, verifyAttest } = await import("../commands/attest.ts");
        return verify === undefined
          ? attestCommit(at, commit, { key, out: output })
          : verifyAttest(at, commit, { file: verify, signers });
      }),
    );
}
