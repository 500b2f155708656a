import { room } from "../room.ts";

/** The news of a call, beside those that were approved before. */
export const news = room("news", {
  same: "the same as a call that you approved before",
  same_words: "same command, but its folder, options of the call or what it runs changed",
  same_program: "same program, other words",
  first_command: "no command of this kind approved before",
  same_file: ({ times }: { times: number }) =>
    `same file, ${times === 1 ? "a change" : `${times} changes`} of it approved before`,
  other_file: "another file in the same folder",
  first_folder: "nothing in this folder approved before",
  first_deletion: "no deletion approved before",
  other_arguments: "same tool, other arguments",
  first_of_tool: "no call of this tool approved before",
});
