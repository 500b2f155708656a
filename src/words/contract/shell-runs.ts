import type { Clause } from "../coded.ts";

/** The reasons why not all that a command runs is bound to its approval. */
const unbound = {
  folder_unknown: "the folder that it runs in is not known before it runs",
  text_runs: ({ word }: { word: string }) => `${word} makes it run what a text or a file says`,
  way_unknown: "which folder it goes to is not known",
  no_tasks: "no file that says what it does was found there",
  odd_words: ({ word }: { word: string }) => `an option or a word of ${word} is not known`,
  unnamed: ({ word }: { word: string }) => `${word} may make it run what the line does not name`,
  named_unknown: ({ word }: { word: string }) => `what ${word} names is not known`,
  not_loaded: ({ word }: { word: string }) => `what ${word} loads was not found in the workspace`,
  code_folder: ({ word }: { word: string }) => `${word} takes code from a folder`,
  too_much: "it runs more than can be looked at",
  fed: "it runs what comes to it as its input",
  no_script: "the script that it runs was not found",
  not_found: "what it runs was not found",
  no_makefile: "no makefile was found there",
  set_variables: "variables are set for it, which may name programs",
  which_script: "which script it runs is not known before it runs",
  which_package: "which package of the workspace it means was not found",
  no_package: "no package.json was found there",
  loads_package: "it may load and run a package",
};

// Keeps words 6.
/** The parts of a command that an approval cannot hold fast, as `tools/shell/` finds them, and the warnings of a plan because of that. */
export const shellRuns = {
  ...unbound,
  may_differ: ({ word, because }: { word: string; because: Clause }) =>
    `${word}: ${because}; what runs may be something else than what you see now`,
  large_folder: ({ word }: { word: string }) => `${word}: a folder that it names holds more than is looked at`,
  wide_pattern:
    "a pattern in it stands for more files than are looked at, 500 of a pattern and 1,000 of a line: the others are not judged by their names",
};
