import { jsonLine } from "../../core/json-line.ts";
import { describeTools } from "../../graph/talk/describe-tools.ts";
import type { Composition } from "../composition.ts";
import { riskStyles } from "../print/colours.ts";
import { pageOf, printRows, span } from "../print/page.ts";
import { tableRows } from "../print/table.ts";

/** `agent tools`: each tool with its risk and effect. */
export async function listTools({ io, flags, tools, workspace }: Composition): Promise<number> {
  const rows = await describeTools(await tools(workspace), workspace);
  if (flags.json === true) {
    for (const row of rows) io.stdout.write(jsonLine(row));
    return 0;
  }
  const { width } = pageOf(io);
  const head = ["tool", "risk", "effect", "what it does"].map((name) => span(name, { dim: true }));
  const cells = rows.map(({ name, risk, effect, description }) => [
    span(name, { bold: true }),
    span(risk, riskStyles[risk]),
    span(effect),
    span(width === undefined ? (description.split("\n", 1)[0] ?? "") : firstSentence(description)),
  ]);
  await printRows(io, tableRows([head, ...cells], width, "wrap"));
  return 0;
}

/** The rest of it is for the model. */
const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text.split("\n", 1)[0] ?? "";
