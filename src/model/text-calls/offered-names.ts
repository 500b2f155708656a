import type { ToolSchema } from "../../tools/use/schema.ts";
import { OfferedNames } from "../call-names.ts";
import type { Cursor } from "./cursor.ts";

/** The tools of a request. */
export interface Offer {
  tools: readonly ToolSchema[];
  names: OfferedNames;
}

/** Made once a request. */
export const offerOf = (tools: readonly ToolSchema[]): Offer => ({
  tools,
  names: new OfferedNames(tools.map(({ name }) => name)),
});

/** So far behind a sign the name of a tool is looked for. Characters. */
const nearby = 2_000;

/** Tells whether the name of an offered tool stands in it: prose about how models call tools names none of ours. */
export function namesTool(text: string, { names }: Offer): boolean {
  return (text.slice(0, nearby).match(/[\w-]+/g) ?? []).some((word) => names.has(word));
}

const sign = /<\|im_end\|>|<\|eot_id\|>|<\/s>|<｜end▁of▁sentence｜>/y;

/** Tells whether nothing but blanks, and a sign of the model's own that ends a reply, is left. It is passed then. Linear. */
export function takesEnd(at: Cursor): boolean {
  const { at: before } = at;
  at.match(/\s*/y);
  at.match(sign);
  at.match(/\s*/y);
  if (!at.isAtEnd) at.at = before;
  return at.isAtEnd;
}
