import { jsonLine } from "../../core/json-line.ts";
import { models as modelWords } from "../../words/en/models.ts";
import type { Composition } from "../composition.ts";
import { modelRows, unlistedText } from "../print/model-rows.ts";
import { pageOf } from "../print/page.ts";
import { printRows } from "../print/rows.ts";
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
