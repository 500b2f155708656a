import { jsonLine } from "../../core/json-line.ts";
import type { Composition } from "../composition.ts";
import { pageOf } from "../print/page.ts";
import { printRows, span } from "../print/rows.ts";
import { tableRows } from "../print/table.ts";
import { cleanLine } from "../ui/safe-text.ts";

/** `agent models`: the models of the settings, and those that the servers answer. */
export async function listModels({ io, flags, models }: Composition): Promise<number> {
  const { models: rows, unlisted } = await models();
  if (flags.json === true) {
    for (const { extra: _, ...row } of rows) io.stdout.write(jsonLine(row));
    for (const row of unlisted) io.stdout.write(jsonLine(row));
    return 0;
  }
  const head = ["model", "window", "tools", "what is known of it"].map((name) => span(name, { dim: true }));
  const cells = rows.map(({ model, current, contextWindow, toolFormat, ...row }) => [
    span(model, current ? { bold: true } : {}),
    span(contextWindow?.toLocaleString("en-US") ?? "?"),
    span(toolFormat ?? "native"),
    span([current ? "in use" : "", ...knownOf(row)].filter((part) => part !== "").join(", ")),
  ]);
  await printRows(io, tableRows([head, ...cells], pageOf(io).width, "wrap"));
  for (const { server, why } of unlisted) io.stderr.write(`${server} gave no list of its models: ${cleanLine(why)}\n`);
  return 0;
}

type Known = Omit<
  Awaited<ReturnType<Composition["models"]>>["models"][number],
  "model" | "current" | "contextWindow" | "toolFormat"
>;

const knownOf = ({ configured, vision, price, reasoning, maxOutput }: Known): string[] => [
  configured ? "in config.json" : "",
  vision === true ? "sees images" : "",
  maxOutput === undefined ? "" : `says up to ${maxOutput.toLocaleString("en-US")} tokens`,
  reasoning === undefined ? "" : `effort ${reasoning}`,
  price === undefined ? "" : `${price.input} in, ${price.output} out for a million tokens`,
];
