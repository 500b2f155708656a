import { countText } from "../../core/count-text.ts";
import type { ModelRow, UnlistedServer } from "../../model/all-models.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { models as modelWords } from "../../words/en/models.ts";
import { saidAgain } from "../../words/said-again.ts";
import type { StyledLine } from "../terminal/span.ts";
import { span } from "./rows.ts";
import { tableRows } from "./table.ts";

/** Returns a row for each, and one above them; not safe to draw. @param width of the terminal, where it is one */
export function modelRows(rows: readonly ModelRow[], width: number | undefined): StyledLine[] {
  const head = ["model", "window", "tools", modelWords().known].map((name) => span(name, { dim: true }));
  const cells = rows.map(({ model, current, contextWindow, toolFormat, ...row }) => [
    span(model, current ? { bold: true } : {}),
    span(contextWindow === undefined ? "?" : countText(contextWindow)),
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
  maxOutput === undefined ? "" : modelWords().maxOutput({ tokens: countText(maxOutput) }),
  reasoning === undefined ? "" : cellWords().effort({ effort: reasoning }),
  price === undefined ? "" : modelWords().price({ input: price.input, output: price.output }),
];
