/** As English has them. */
export const charactersPerToken = 4;

/** Returns the room that a text takes in a model's window, in characters as English has them: of other scripts one is often a token. */
export const weightOf = (text: string): number =>
  text.length + (text.match(/[\u0300-\uffff]/g)?.length ?? 0) * (charactersPerToken - 1);
