import type { Chat } from "./chat.ts";
import { input, questionIn, viewIn } from "./surfaces.ts";

/** Nothing runs, nothing is open over the input, and nothing is written in it. */
export const isFree = ({ view, open, sending }: Chat): boolean =>
  !view.running &&
  sending.length === 0 &&
  questionIn(open) === undefined &&
  viewIn(open) === undefined &&
  input.isBlank(open.input);
