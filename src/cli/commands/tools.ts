import { jsonLine } from "../../core/json-line.ts";
import { describeTools } from "../../graph/talk/describe-tools.ts";
import type { Composition } from "../composition.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** `agent tools`: each tool with its risk and effect. */
export async function listTools(composition: Composition): Promise<number> {
  const rows = await describeTools(await composition.tools(composition.workspace), composition.workspace);
  const { stdout } = composition.io;
  if (composition.flags.json === true) {
    for (const row of rows) stdout.write(jsonLine(row));
    return 0;
  }
  const width = Math.max(...rows.map((row) => row.name.length));
  stdout.write(`${"tool".padEnd(width)}  risk    effect  what it does\n`);
  for (const row of rows) {
    const [line = ""] = row.description.split("\n", 1);
    stdout.write(cleanText(`${row.name.padEnd(width)}  ${row.risk.padEnd(6)}  ${row.effect.padEnd(6)}  ${line}`));
    stdout.write("\n");
  }
  return 0;
}
