import type { Limit } from "./limit-text.ts";

/** Of patterns that come from a model or a repository. */
export const patternLimits = {
  globPattern: {
    what: "pattern of glob",
    most: 1_000,
    unit: "characters",
    why: "it is compared with every name; a longer one is INVALID_ARGUMENT",
  },
  grepPattern: {
    what: "pattern of grep",
    most: 10_000,
    unit: "characters",
    why: "it is compiled before anything is searched; a longer one is INVALID_ARGUMENT",
  },
  braces: {
    what: "what the braces of one pattern stand for",
    most: 500,
    unit: "patterns",
    why: "each doubles them; a pattern of more is INVALID_ARGUMENT",
  },
  ignorePatterns: {
    what: "patterns of one ignore file",
    most: 100_000,
    unit: "characters",
    why: "each of them may be compared with each character of a path; the rest is not heeded",
  },
  rulePatterns: {
    what: "patterns of one policy file, with all that their braces stand for",
    most: 100_000,
    unit: "characters",
    why: "each of them may be compared with each character of every path that is searched; a file with more is refused",
  },
  ruleExamples: {
    what: "examples of one policy file, each times the patterns that it tries",
    most: 20_000_000,
    unit: "characters",
    why: "all are tried at the start, and a hundred rules with ten examples each come to less; a file with more is refused",
  },
} as const satisfies Record<string, Limit>;
