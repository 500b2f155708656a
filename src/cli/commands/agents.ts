import { jsonLine } from "../../core/json-line.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { lists } from "../../words/en/lists.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";

/** `agent agents`: who can be handed work in this folder, where each was read and what it may have, and those that are left out. */
export async function listAgents(composition: Composition): Promise<number> {
  const { io, flags, workspace } = composition;
  const opened = await composition.tools(workspace);
  const { agents, leftOut, unused } = opened.agents;
  const unusedOf = (source: string) => unused.find((one) => one.source === source)?.keys ?? [];
  await opened.close();
  if (flags.json === true) {
    for (const { prompt: _, ...agent } of agents) {
      const keys = unusedOf(agent.source);
      io.stdout.write(jsonLine({ ...agent, ...(keys.length === 0 ? {} : { unused: keys }) }));
    }
    for (const { name, why } of leftOut) io.stdout.write(jsonLine({ name, error: why }));
    return 0;
  }
  const head = [lists().heads.agent, lists().heads.source, lists().heads.tools, lists().heads.isFor].map((word) =>
    span(word, { dim: true }),
  );
  const cells = agents.map(({ name, source, tools = [], description, model, maxSteps, maxCost }) => [
    span(name, { bold: true }),
    span(source),
    span(toolsText(tools)),
    span(
      cellWords().several({
        what: [
          description,
          ...(model === undefined ? [] : [cellWords().model({ model })]),
          ...(maxSteps === undefined ? [] : [lists().mostSteps({ steps: maxSteps })]),
          ...(maxCost === undefined ? [] : [lists().mostCost({ cost: maxCost })]),
          ...(unusedOf(source).length === 0 ? [] : [cellWords().notHeeded({ keys: unusedOf(source) })]),
        ],
      }),
    ),
  ]);
  const left = leftOut.map(({ name, why }) => [
    span(cellWords().leftOut, { dim: true }),
    span(name),
    span(saidAgain(why)),
  ]);
  const { width } = pageOf(io);
  if (agents.length > 0) await printRows(io, tableRows([head, ...cells], width, "wrap"));
  else await printRows(io, [[span(lists().noAgents)]]);
  if (left.length > 0) await printRows(io, tableRows(left, width, "wrap"));
  return 0;
}

const toolsText = (tools: readonly string[]): string =>
  tools.length === 0 ? cellWords().allTools : tools.join() === "!*" ? cellWords().noTools : tools.join(" ");
