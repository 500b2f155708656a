import type { Clause } from "../coded.ts";

/** The reasons why a line is refused: nobody can say what bash would make of it. */
const refused = {
  is_empty: "the command is empty",
  too_long: ({ kilobytes }: { kilobytes: number }) => `the command is longer than ${kilobytes} kB`,
  odd_character: ({ code }: { code: string }) =>
    `the command holds the character U+${code}, which bash and a reader may take for different things`,
  odd_blank: ({ code }: { code: string }) =>
    `the command holds the character U+${code} outside of quotes, which bash takes for a letter and a reader for a blank or nothing: put it in quotes, or write a plain blank`,
  not_unicode: "the command is not well-formed Unicode",
  own_process:
    "it leads to /proc/self, which is another process when the command runs than when it is looked at: name the file itself, or a process by its number",
  no_command: "there is no command in it",
  too_nested: "the command is nested too deeply",
  not_parsed: ({ because }: { because: Clause }) => `bash would not read the command: ${because}`,
  odd_node: ({ node }: { node: string }) => `it holds a ${node}`,
  deep_starts: ({ most }: { most: number }) => `programs start each other more than ${most} levels deep in it`,
  many_parts:
    "braces and variables in it stand for words with more than 50,000 parts that may be files: put them into a file or a script",
  many_files: "braces and variables in it stand for more than 5,000 files: put them into a file or a script",
  long_list: ({ most }: { most: number }) => `it holds more than ${most} words: put them into a file or a script`,
  many_starts: ({ most }: { most: number }) => `it holds more than ${most} programs: put them into a script`,
};

/** The parts of its words that bash may take for something else, or for code. */
const words = {
  unread_substitution: "a substitution in it could not be read",
  odd_escape: "an escape in it may stand for something else to bash",
  odd_brace: "a brace in it may end elsewhere to bash",
  many_words: "braces in it stand for more than 100,000 words, which bash makes all of before it runs",
  odd_quotes: "a quote in an expansion may be none to bash, which may run what stands in it",
  odd_end: "a here-document may end elsewhere to bash",
  joined: "a substitution in it is a part of a word",
  no_list: "a list in it goes on behind its end",
  expanded_twice: "bash expands the name of the file twice, which may run commands",
  closes_first: "behind what closes a descriptor a word begins",
  arithmetic: "arithmetic with variables may run commands that their values hold",
  index: "an index is worked out, which may run commands",
  indirect: "an indirect variable may name anything",
  sets_variable: "an expansion sets a variable",
  prompt: "a value is expanded as a prompt, which may run commands",
  unknown_expansion: "an expansion is not known",
  extended_pattern: "an extended pattern is read in two ways",
  variable_test: "a test of a variable by its name may run commands",
  odd_parts: "bash may part its words otherwise than it looks",
  read_otherwise: ({ part }: { part: Clause }) => `bash may read ${part} otherwise than it looks`,
  other_shell: ({ word }: { word: string }) => `${word} may read this text in another way than bash`,
};

/** The things that it starts or names that are not known. */
const unknown = {
  redirect: "where it is redirected to is not known before it runs",
  redirect_variable: "a redirection sets a variable",
  program: "which program it runs is not known before it runs",
  own_name: "the line itself says what that name means",
  strange_repository: "settings or hooks of the repository there may run programs",
  inner_repository: "settings or hooks of a repository inside of it may run programs",
  long_path: "a path in it is longer than any that can be opened",
  by_text: ({ word }: { word: string }) => `${word} may run or redefine commands by text`,
  own_way: ({ word }: { word: string }) => `${word} starts other programs in a way that is not read`,
  odd_option: ({ word }: { word: string }) => `an option of ${word} is not known`,
  odd_setting: "a word with an equals sign may be a setting or what is started",
  starts: ({ word }: { word: string }) => `what ${word} starts is not known before it runs`,
  runs: ({ word }: { word: string }) => `what ${word} runs is not known before it runs`,
  by_input: ({ word }: { word: string }) => `${word} reads its commands from its input`,
  code: ({ word }: { word: string }) => `the code that ${word} runs is not known before it runs`,
  xargs_option: "an option or the program of xargs is not known",
  into_code: "what it comes upon becomes a part of the text that a shell runs",
  find: "what find does is not known before it runs",
  git_verb: "what git is to do is not known before it runs",
  git_settings: "settings that are given to git may run commands",
  git_alias: ({ word }: { word: string }) => `${word} may be an alias of git, which may run commands`,
  printf_count: "printf sets the variable that %n names",
  index_by: ({ word }: { word: string }) => `${word} may work out an index, which may run commands`,
  sed_runs: "sed's command e runs what it comes upon",
};

// Keeps words 6.
/** The reasons why a line is not understood, or not even read, as `tools/shell/` finds them; the journal and models have them in these words. */
export const shellDoubts = { ...refused, ...words, ...unknown };

/** The parts that bash may read otherwise than they look, as the object of that sentence; by themselves they are no sentences. */
export const shellParts = {
  too_deep: "what is so deep in it",
  ended_comment: "a comment that ends in a backslash",
  inner_comment: "a comment in a substitution",
  comment: "a comment",
  broken_word: "a line break in a word",
  broken_quote: "a line break in a quote",
  broken_document: "a line break in a here-document",
  late_document: "a line break before a here-document",
  between: "a sign between commands",
  behind_command: "what stands behind a command",
  behind_descriptor: "what stands behind a descriptor",
  behind: ({ sign }: { sign: string }) => `what stands behind ${sign}`,
  inner_document: "a here-document in a substitution",
  endless_document: "a here-document without an end",
  document_end: "the end of a here-document",
  document: "a here-document",
  reserved: "a word of the shell",
  command: "a command of the shell",
  empty_block: "a block without a command",
  two_parentheses: "a parenthesis behind another one",
  parenthesis: "a parenthesis in a word",
  begin: "what stands where a command begins",
  first_word: "a word where a command begins",
  number: "a number before a substitution",
  before_redirection: "what stands before a redirection",
  redirection: "a redirection",
  no_word: "what stands where a word is looked for",
  joined: "a substitution that is joined to a word",
  endless: "a substitution without an end",
  backticks: "a substitution in backticks",
  substitution: "a substitution",
  timed: "time where a substitution begins",
  last_backslash: "a backslash at its end",
  endless_quote: "a quote without an end",
  dollar_quote: "a quote behind a dollar",
  ansi_escape: "an escape in $'…'",
  brace: "a brace",
  expansion: "an expansion",
  arithmetic: "arithmetic",
  index: "an index",
  list: "a list",
  loop: "a loop",
  case: "a case",
  test: "a test",
};
