import type { News } from "../../graph/calls/news.ts";

const words = {
  same: "the same as a call that you approved before",
  same_words: "same command, but its folder, options of the call or what it runs changed",
  same_program: "same program, other words",
  first_command: "no command of this kind approved before",
  other_file: "another file in the same folder",
  first_folder: "nothing in this folder approved before",
  first_deletion: "no deletion approved before",
  other_arguments: "same tool, other arguments",
  first_of_tool: "no call of this tool approved before",
} as const satisfies Record<Exclude<News["is"], "same_file">, string>;

/** What is new about a call, in words that hold nothing of the call itself. */
export const newsText = (news: News): string =>
  news.is === "same_file"
    ? `same file, ${news.times === 1 ? "a change" : `${news.times} changes`} of it approved before`
    : words[news.is];
