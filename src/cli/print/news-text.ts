import type { News } from "../../graph/calls/news.ts";

const words = {
  same: "the same as a call that you approved before",
  same_words: "same command, but its folder, options of the call or what it runs changed",
  same_program: "same program, other words",
  first_command: "first command of this kind",
  other_file: "another file in the same folder",
  first_folder: "first change in this folder",
  first_deletion: "first deletion",
  other_arguments: "same tool, other arguments",
  first_of_tool: "first call of this tool",
} as const satisfies Record<Exclude<News["is"], "same_file">, string>;

/** What is new about a call, in words that hold nothing of the call itself. */
export const newsText = (news: News): string =>
  news.is === "same_file" ? `same file, change ${news.nth}` : words[news.is];
