/** The parts that end where nothing ends them. */
const unterminated = {
  open_single: "unterminated single quote",
  open_ansi: "unterminated ANSI-C quote",
  open_double: "unterminated double quote",
  open_backtick: "unterminated backtick",
  open_substitution: "unterminated command substitution",
  open_process: "unterminated process substitution",
  open_parameter: "unterminated parameter expansion",
  open_arithmetic: "unterminated arithmetic expansion",
  open_arithmetic_command: "unterminated arithmetic command",
  open_for: "unterminated arithmetic for header",
  open_index: "unterminated array subscript",
  open_pattern: "unterminated extended glob",
};

/** The parts that are deeper than it reads. */
const deep = {
  deep_substitution: "maximum substitution nesting depth exceeded",
  deep_command_substitution: "maximum command substitution nesting depth exceeded",
  deep_arithmetic: "maximum arithmetic expansion nesting depth exceeded",
  deep_expression: "maximum arithmetic expression nesting depth exceeded",
  deep_parameter: "maximum parameter expansion nesting depth exceeded",
  deep_word: "maximum word nesting depth exceeded",
  deep_subshell: "maximum subshell nesting depth exceeded",
  deep_group: "maximum brace group nesting depth exceeded",
  deep_test: "maximum test group nesting depth exceeded",
  deep: ({ word }: { word: string }) => `maximum ${word} nesting depth exceeded`,
};

/** The words that it looked for, and those that it found. */
const expected = {
  no_subshell_end: "expected ')' to close subshell",
  no_test_end: "expected ')' to close test group",
  no_group_end: "expected '}' to close brace group",
  no_end: ({ end, begin }: { end: string; begin: string }) => `expected '${end}' to close '${begin}'`,
  no_in: "expected 'in' after 'case' word",
  no_word: ({ sign }: { sign: string }) => `expected '${sign}'`,
  no_command: ({ sign }: { sign: string }) => `expected command after '${sign}'`,
  empty_group: "expected command in brace group",
  empty_subshell: "expected command in subshell",
  no_body: "expected compound command as function body",
  no_operand: "expected operand after unary test operator",
  no_target: "expected redirect target",
  no_name: ({ sign }: { sign: string }) => `expected word after '${sign}'`,
  no_header: "expected three arithmetic expressions in for header",
  odd_argument: ({ sign }: { sign: string }) => `unexpected argument '${sign}' to conditional operator`,
  odd_token: ({ sign }: { sign: string }) => `unexpected token '${sign}'`,
  odd_element: ({ sign }: { sign: string }) => `unexpected '${sign}' in array assignment`,
};

// Keeps words 6.
/**
 * The errors of the grammar of the shell (unbash) on a text that it cannot read, in its own words: they stand in the reason why a line is
 * refused.
 */
export const shellGrammar = { ...unterminated, ...deep, ...expected };
