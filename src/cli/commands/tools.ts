import { jsonLine } from "../../core/json-line.ts";
import { describeTools } from "../../graph/talk/describe-tools.ts";
import type { Composition } from "../composition.ts";
import type { OpenedTools } from "../open-tools.ts";
import { riskStyles } from "../print/colours.ts";
import { pageOf, printRows, span } from "../print/page.ts";
import { tableRows } from "../print/table.ts";

/** `agent tools`: each tool with where it is from, its risk and effect and what it costs, and those that are left out. */
export async function listTools(composition: Composition): Promise<number> {
  const { workspace } = composition;
  const opened = await composition.tools(workspace);
  try {
    await list(composition, opened);
    return 0;
  } finally {
    await opened.close();
  }
}

async function list({ io, flags, workspace, mode, policy }: Composition, opened: OpenedTools): Promise<void> {
  const { risks } = await policy({ session: "", workspace, mode });
  const rows = await describeTools(opened.tools, workspace, { risks, sourceOf: opened.sourceOf });
  if (flags.json === true) {
    for (const row of rows) io.stdout.write(jsonLine(row));
    for (const { name, origin, why } of opened.leftOut) io.stdout.write(jsonLine({ name, source: origin, error: why }));
    return;
  }
  const { width } = pageOf(io);
  const head = ["tool", "source", "risk", "effect", "tokens", "what it does"].map((name) => span(name, { dim: true }));
  const cells = rows.map(({ name, source, risk, effect, tokens, description }) => [
    span(name, { bold: true }),
    span(source),
    span(risk, riskStyles[risk]),
    span(effect),
    span(String(tokens)),
    span(width === undefined ? (description.split("\n", 1)[0] ?? "") : firstSentence(description)),
  ]);
  const left = opened.leftOut.map(({ name, why }) => [span("left out", { dim: true }), span(name), span(why)]);
  await printRows(io, tableRows([head, ...cells], width, "wrap"));
  if (left.length > 0) await printRows(io, tableRows(left, width, "wrap"));
}

/** The rest of it is for the model. */
const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text.split("\n", 1)[0] ?? "";
