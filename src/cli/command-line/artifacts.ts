import type { Command } from "commander";
import { helpArtifacts as words } from "../../words/en/help-artifacts.ts";
import type { Add, Run } from "./program.ts";

/** `agent artifacts`: the texts that sessions keep. */
export function addArtifacts(program: Command, add: Add, run: Run): void {
  const artifacts = add(program, { usage: "artifacts", says: words().artifacts, bears: ["cwd", "json", "utc"] });
  const list = run((ids, options) => async (at) => (await load()).listArtifacts(at, ids[0], options["all"] === true));
  artifacts.option("--all", words().artifacts.options.all).action(list);
  addReading(artifacts, add, run, list);
  addKeeping(artifacts, add, run);
}

const load = () => import("../commands/artifacts.ts");

function addReading(artifacts: Command, add: Add, run: Run, list: ReturnType<Run>): void {
  add(artifacts, { usage: "list [session]", says: words().artifactsList, bears: ["cwd", "json", "utc"] })
    .option("--all", words().artifactsList.options.all)
    .action(list);
  add(artifacts, { usage: "show <artifact>", says: words().artifactsShow, bears: ["cwd", "json", "utc"] }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).showArtifact(at, name),
    ),
  );
  add(artifacts, { usage: "diff <artifact> [other]", says: words().artifactsDiff, bears: ["cwd", "json"] }).action(
    run(
      ([name = "", other]) =>
        async (at) =>
          (await load()).diffArtifact(at, name, other),
    ),
  );
}

function addKeeping(artifacts: Command, add: Add, run: Run): void {
  add(artifacts, { usage: "export <artifact> <file>", says: words().artifactsExport, bears: ["cwd"] })
    .option("--force", words().artifactsExport.options.force)
    .action(
      run(
        ([name = "", file = ""], { force }) =>
          async (at) =>
            (await load()).exportArtifact(at, name, file, force === true),
      ),
    );
  add(artifacts, { usage: "rm <artifact>", says: words().artifactsRm, bears: ["cwd", "json"] })
    .option("--yes", words().artifactsRm.options.yes)
    .action(
      run(
        ([name = ""], { yes }) =>
          async (at) =>
            (await load()).removeArtifact(at, name, yes === true),
      ),
    );
}
