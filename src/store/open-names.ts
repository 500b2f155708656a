/** The names of sessions and calls alone: whoever completes a word loads nothing else of the store. */
export { type Names, openNames } from "./sqlite/sessions/session-names.ts";
