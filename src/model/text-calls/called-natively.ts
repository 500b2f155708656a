import { commandMark, type ModelMessage, textCallsMark } from "../port.ts";

/** A message with calls that did not come as text. The person's own commands are nobody's way of calling. */
export const calledNatively = ({ tool_calls: calls = [], additional_kwargs: marks }: ModelMessage): boolean =>
  calls.length > 0 && marks[textCallsMark] === undefined && marks[commandMark] === undefined;
