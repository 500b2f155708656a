import { jsonLine } from "../../core/json-line.ts";
import { nearestName } from "../../core/nearest-name.ts";
import type { ToolRow } from "../../graph/talk/describe-tools.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { lists } from "../../words/en/lists.ts";
import { purposeAgain, saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import type { OpenedTools } from "../open-tools.ts";
import { riskStyles } from "../print/colours.ts";
import { pageOf } from "../print/page.ts";
import { linesOf, printRows, span, wrapped } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";
import { CliProblem } from "../problem.ts";
import { rowsOf } from "../services/tool-rows.ts";

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

/** `agent tools NAME`: what the model is told of one tool. @throws CliProblem usage where there is none of this name. */
export async function showTool(composition: Composition, name: string): Promise<number> {
  const { io, flags, workspace } = composition;
  const opened = await composition.tools(workspace);
  try {
    const rows = await allRows(composition, opened);
    const row = rows.find((one) => one.name === name);
    if (row === undefined)
      throw noTool(
        name,
        rows.map((one) => one.name),
        opened,
      );
    if (flags.json === true) io.stdout.write(jsonLine(row));
    else await printRows(io, rowsOfOne(row, await shownAs(composition, opened, name), pageOf(io).width));
    return 0;
  } finally {
    await opened.close();
  }
}

/** Makes the problem of a name without a tool; a tool that was left out under this name says why. */
function noTool(name: string, names: readonly string[], { leftOut }: OpenedTools): CliProblem {
  const left = leftOut.find((one) => one.name.split(" of ", 1)[0] === name);
  const near = nearestName(name, names);
  const hint = left?.why ?? (near === undefined ? lists().toolsHint : lists().near({ near }));
  return new CliProblem("usage", lists().noTool({ name }), { hint });
}

/** Lists the names that the chat shows in the place of the tool's, and those that it does not show. */
async function shownAs({ lang }: Composition, { tools, taken }: OpenedTools, name: string) {
  if (tools.find((tool) => tool.name === name)?.display === undefined) return [];
  const { labelsOf } = await import("../ui/view/labels.ts");
  const label = labelsOf(tools, lang, taken).get(name);
  const params = [...(label?.params ?? [])].map(([param, text]) => cellWords().shownAs({ name: param, label: text }));
  return [...(label?.name === undefined ? [] : [label.name]), ...params, ...(label?.left ?? [])];
}

function rowsOfOne(
  { name, source, category, risk, effect, tokens, description, schema }: ToolRow,
  shown: readonly string[],
  width: number | undefined,
) {
  const heads = lists().toolHeads;
  const facts = [
    [heads.source, span(source)],
    ...(category === undefined ? [] : [[heads.category, span(category)] as const]),
    [heads.risk, span(risk, riskStyles[risk])],
    [heads.effect, span(effect)],
    ...shown.map((text) => [heads.shownAs, span(text)] as const),
    [heads.tokens, span(lists().tokens({ tokens }))],
  ] as const;
  return [
    [span(name, { bold: true })],
    ...tableRows(
      facts.map(([word, said]) => [span(word, { dim: true }), said]),
      width,
      "wrap",
    ),
    [],
    ...linesOf(description).flatMap((line) => wrapped([span(line)], width)),
    [],
    ...linesOf(JSON.stringify(schema, null, 2)).map((line) => [span(line)]),
  ];
}

/** With the tool that finds others, which is offered where these take too much of a model's window. */
async function allRows(composition: Composition, opened: OpenedTools): Promise<ToolRow[]> {
  if (!opened.tools.some(({ searchable }) => searchable === true)) return rowsOf(composition, opened);
  const { createSearchTool } = await import("../../tools/offering/search-tools.ts");
  return rowsOf(composition, { ...opened, tools: [...opened.tools, createSearchTool(() => opened.tools)] });
}

/** Of a tool of the agent's own in the person's language; of all others in their authors'. */
function purposeOf({ name, source, description }: Pick<ToolRow, "name" | "source" | "description">, isShort: boolean) {
  const text = source === "builtin" ? purposeAgain(name, description) : description;
  return isShort ? firstSentence(text) : (text.split("\n", 1)[0] ?? "");
}

async function list(composition: Composition, opened: OpenedTools): Promise<void> {
  const { io, flags } = composition;
  const rows = await allRows(composition, opened);
  if (flags.json === true) {
    for (const row of rows) io.stdout.write(jsonLine(row));
    for (const { name, origin, why } of opened.leftOut) io.stdout.write(jsonLine({ name, source: origin, error: why }));
    for (const error of opened.unused) io.stdout.write(jsonLine({ error }));
    return;
  }
  const { width } = pageOf(io);
  const { tool, source, risk, effect, tokens } = lists().toolHeads;
  const head = [tool, source, risk, effect, tokens, lists().heads.does].map((name) => span(name, { dim: true }));
  const cells = rows.map(({ name, source, risk, effect, tokens, description }) => [
    span(name, { bold: true }),
    span(source),
    span(risk, riskStyles[risk]),
    span(effect),
    span(String(tokens)),
    span(purposeOf({ name, source, description }, width !== undefined)),
  ]);
  const left = opened.leftOut.map(({ name, why }) => [
    span(cellWords().leftOut, { dim: true }),
    span(name),
    span(saidAgain(why)),
  ]);
  await printRows(io, tableRows([head, ...cells], width, "wrap"));
  if (left.length > 0) await printRows(io, tableRows(left, width, "wrap"));
  await printRows(
    io,
    opened.unused.flatMap((text) => wrapped([span(saidAgain(text))], width)),
  );
}

/** The rest of it is for the model. */
const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text.split("\n", 1)[0] ?? "";
