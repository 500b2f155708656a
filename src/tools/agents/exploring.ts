const reading = ["read_file", "grep", "glob", "ls", "goal", "read_artifact", "web_fetch"];

/** Lists the tools of a helper that only looks. @param canSearch whether the session has web_search */
export const exploringTools = (canSearch: boolean): readonly string[] =>
  canSearch ? [...reading, "web_search"] : reading;
