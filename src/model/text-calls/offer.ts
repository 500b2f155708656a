import type { ToolSchema } from "../../tools/use/schema.ts";
import type { OfferedNames } from "../call-names.ts";

/** The tools of a request. */
export interface Offer {
  tools: readonly ToolSchema[];
  names: OfferedNames;
}

/** Signs of the models' own that may end a reply. */
export const ends =
  /\s*(?:<\|im_end\|>|<\|eo[tm]_id\|>|<\|eot\|>|<\|END_OF_TURN_TOKEN\|>|<\/s>|<｜end▁of▁sentence｜>)?\s*$/y;

/** So far behind a sign the name of a tool is looked for. Characters. */
const nearby = 2_000;

/** Whether the name of an offered tool stands in it: prose about how models call tools names none of ours. */
export function namesTool(text: string, { tools }: Pick<Offer, "tools">): boolean {
  const words = new Set(text.slice(0, nearby).match(/[\w-]+/g) ?? []);
  return tools.some(({ name }) => words.has(name));
}
