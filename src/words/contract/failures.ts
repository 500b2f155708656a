/** The failures that end a session's work, as the `error` event tells them: English, and never another language. */
export const failures = {
  removed: "what it changed stays, and is in no record: look at it, then begin a new session",
  modelUnopened: "the model cannot be opened",
  defect: "the session is saved; please report this",
};
