/** Signs of models' own templates that servers leave around a reply. */
export const templateSigns: readonly string[] = [
  ...["<|eom_id|>", "<|eot_id|>", "<|im_end|>", "<|end|>", "<|endoftext|>", "</s>", "<｜end▁of▁sentence｜>"],
  ...["<|END_OF_TURN_TOKEN|>", "<|END_THINKING|>", "<|python_start|>", "<|python_end|>"],
];

/** Between these stand thoughts: all of it counts as one such sign where a reply begins with it. */
export const thinking = { mark: "<|START_THINKING|>", end: "<|END_THINKING|>" } as const;

/** The text between them, without blanks around. Linear. */
export function withoutSigns(text: string): string {
  let inside = text.trim();
  for (let sign = first(inside); sign !== undefined; sign = first(inside))
    inside = inside.slice(sign.length).trimStart();
  for (let sign = last(inside); sign !== undefined; sign = last(inside))
    inside = inside.slice(0, -sign.length).trimEnd();
  return inside;
}

const first = (text: string): string | undefined =>
  thoughtsOf(text) ?? templateSigns.find((sign) => text.startsWith(sign));
const last = (text: string): string | undefined => templateSigns.find((sign) => text.endsWith(sign));

function thoughtsOf(text: string): string | undefined {
  const end = text.startsWith(thinking.mark) ? text.indexOf(thinking.end) : -1;
  return end < 0 ? undefined : text.slice(0, end + thinking.end.length);
}
