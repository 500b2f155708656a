import type { Command } from "commander";
import type { Add, Run } from "./program.ts";

/** `agent artifacts`: the texts that sessions keep. */
export function addArtifacts(program: Command, add: Add, run: Run): void {
  const artifacts = add(program, {
    usage: "artifacts",
    text: "list, show, compare, export or take back the texts that sessions keep",
    bears: ["cwd", "json", "utc"],
    note: "An artifact is named SESSION:a1, one of its versions SESSION:a1@2. Without a session it is\none of this folder's newest session that has any.",
    examples: [
      ["agent artifacts", "those of this folder's sessions, newest session first"],
      ["agent artifacts export brisk-otter:a1 report.md", "its text as a file"],
    ],
  });
  const list = run((ids, options) => async (at) => (await load()).listArtifacts(at, ids[0], options["all"] === true));
  artifacts.option("--all", "include other folders").action(list);
  addReading(artifacts, add, run, list);
  addKeeping(artifacts, add, run);
}

const load = () => import("../commands/artifacts.ts");

function addReading(artifacts: Command, add: Add, run: Run, list: ReturnType<Run>): void {
  add(artifacts, {
    usage: "list [session]",
    text: "those of this folder's sessions, or of one and its helpers",
    bears: ["cwd", "json", "utc"],
    examples: [
      ["agent artifacts list brisk-otter", "of one session"],
      ["agent artifacts list --all --json", "an object a line, with all versions and the calls that made them"],
    ],
  })
    .option("--all", "include other folders")
    .action(list);
  add(artifacts, {
    usage: "show <artifact>",
    text: "the text of its last version, or of another",
    bears: ["cwd", "json", "utc"],
    examples: [
      ["agent artifacts show a1", "of this folder's newest session that has any"],
      ["agent artifacts show brisk-otter:a1@2", "its second version"],
    ],
  }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).showArtifact(at, name),
    ),
  );
  add(artifacts, {
    usage: "diff <artifact> [other]",
    text: "what its last version changed, or another; or from one to the other",
    bears: ["cwd", "json"],
    examples: [
      ["agent artifacts diff a1", "what the last version changed"],
      ["agent artifacts diff a1@1 a1@4", "from the first to the fourth"],
    ],
  }).action(
    run(
      ([name = "", other]) =>
        async (at) =>
          (await load()).diffArtifact(at, name, other),
    ),
  );
}

function addKeeping(artifacts: Command, add: Add, run: Run): void {
  add(artifacts, {
    usage: "export <artifact> <file>",
    text: "write its text to a new file; into a folder under its name; - is stdout",
    bears: ["cwd"],
    examples: [
      ["agent artifacts export a1 report.md", "never over a file that is there"],
      ["agent artifacts export brisk-otter:a1@2 drafts --force", "into a folder; a file of its name is replaced"],
    ],
  })
    .option("--force", "replace a file that is there")
    .action(
      run(
        ([name = "", file = ""], { force }) =>
          async (at) =>
            (await load()).exportArtifact(at, name, file, force === true),
      ),
    );
  add(artifacts, {
    usage: "rm <artifact>",
    text: "take all its versions back; agent undo puts them again",
    bears: ["cwd", "json"],
    note: "The calls that made it stay in the record of the session: agent sessions rm removes these, too.",
    examples: [["agent artifacts rm brisk-otter:a1", "asks first; --yes does not"]],
  })
    .option("--yes", "approve what is printed, without asking")
    .action(
      run(
        ([name = ""], { yes }) =>
          async (at) =>
            (await load()).removeArtifact(at, name, yes === true),
      ),
    );
}
