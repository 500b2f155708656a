import { jsonLine } from "../../core/json-line.ts";
import type { ModelRow, UnlistedServer } from "../../model/all-models.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { models as modelWords } from "../../words/en/models.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { Composition } from "../composition.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";
import type { StyledLine } from "../terminal/span.ts";
import { cleanLine } from "../ui/safe-text.ts";

/** `agent models`: the models of the settings, and those that the servers answer. */
export async function listModels({ io, flags, models }: Composition): Promise<number> {
  const { models: rows, unlisted } = await models();
  if (flags.json === true) {
    for (const { extra: _, ...row } of rows) io.stdout.write(jsonLine(row));
    for (const row of unlisted) io.stdout.write(jsonLine(row));
    return 0;
  }
  if (rows.length > 0) await printRows(io, modelRows(rows, pageOf(io).width));
  else io.stderr.write(`${modelWords().noModels}\n`);
  for (const one of unlisted) io.stderr.write(`${cleanLine(unlistedText(one))}\n`);
  return 0;
}

/** A row for each, and one above them; not safe to draw. @param width of the terminal, where it is one */
export function modelRows(rows: readonly ModelRow[], width: number | undefined): StyledLine[] {
  const head = ["model", "window", "tools", modelWords().known].map((name) => span(name, { dim: true }));
  const cells = rows.map(({ model, current, contextWindow, toolFormat, ...row }) => [
    span(model, current ? { bold: true } : {}),
    span(contextWindow?.toLocaleString("en-US") ?? "?"),
    span(toolFormat ?? "native"),
    span(aboutModel({ current, ...row })),
  ]);
  return tableRows([head, ...cells], width, "wrap");
}

export const unlistedText = ({ server, why }: UnlistedServer): string =>
  modelWords().unlisted({ server, why: saidAgain(why) });

/** Returns all that is known of it beside its window, in words. */
export const aboutModel = ({ current, ...row }: Known & Pick<ModelRow, "current">): string =>
  [current ? cellWords().modelInUse : "", ...knownOf(row)].filter((part) => part !== "").join(", ");

type Known = Omit<ModelRow, "model" | "current" | "contextWindow" | "toolFormat">;

const knownOf = ({ configured, vision, price, reasoning, maxOutput }: Known): string[] => [
  configured ? modelWords().configured : "",
  vision === true ? cellWords().seesImages : "",
  maxOutput === undefined ? "" : modelWords().maxOutput({ tokens: maxOutput.toLocaleString("en-US") }),
  reasoning === undefined ? "" : cellWords().effort({ effort: reasoning }),
  price === undefined ? "" : modelWords().price({ input: price.input, output: price.output }),
];
