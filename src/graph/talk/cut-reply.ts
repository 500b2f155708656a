import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { noticeMark } from "../../model/port.ts";
import { isWordless } from "./no-words.ts";

/** In the place of the words of a reply that was cut before the first of them. */
export const nothingCame = "(cut off before a word of it came)";

/** What the model reads of a reply of its that was cut: the text as far as it came, and that it is not whole. */
export function shownCut(message: AIMessage, why: string): BaseMessage[] {
  const shown = isWordless(message) ? new AIMessage({ ...idOf(message), content: nothingCame }) : message;
  const content = `(This is from the agent, not from the person.) Your last message is not whole. ${why}. None of its calls was run. Go on where it ended; if it was too long, go on in smaller parts.`;
  const notice = new HumanMessage({ id: `cut-${message.id}`, content, additional_kwargs: { [noticeMark]: true } });
  return [shown, notice];
}

const idOf = ({ id }: BaseMessage): { id?: string } => (id === undefined ? {} : { id });
