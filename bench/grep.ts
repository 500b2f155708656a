import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rgPath } from "@vscode/ripgrep";
import { interleave, runToEnd } from "./measure.ts";
import { type Row, ratioRow } from "./row.ts";
import { agentPath, makeTree, type World } from "./world.ts";

type Sdk = typeof import("../src/index.ts");

/** The grep tool of the built SDK, in a process that runs already, beside plain ripgrep. */
export async function benchGrep({ folder }: World): Promise<Row[]> {
  const tree = makeTree(join(folder, "tree"), 50_000);
  const sdk = (await import(pathToFileURL(join(agentPath, "../../dist/index.js")).href)) as Sdk;
  const grep = sdk.createDefaultTools({ workspace: tree }).find((tool) => tool.name === "grep");
  if (grep === undefined) throw new Error("there is no grep tool");
  const spread = await interleave(
    {
      rg: async () => (await runToEnd(rgPath, ["--line-number", "needle", tree])).ms,
      tool: async () => {
        const started = performance.now();
        const result = await sdk.executeTool(grep, { pattern: "needle" }, { workspace: tree });
        if (result.error !== undefined || !result.output.includes("needle"))
          throw new Error(`grep said: ${result.output}`);
        return performance.now() - started;
      },
    },
    7,
  );
  const rg = { what: "ripgrep", spread: spread.rg };
  return [ratioRow("grep tool over 50,000 files", spread.tool, rg, 2)];
}
