import { room } from "../room.ts";

/** The faults of a pattern of paths. */
export const patterns = room("patterns", {
  empty: "the pattern is empty",
  tooLong: ({ most }: { most: number }) => `the pattern is longer than ${most} characters`,
  nul: "the pattern has a NUL character",
  negated: "a pattern cannot be negated with '!': write a deny rule",
  tilde: "'~' is not expanded in patterns: write the full path",
  unbalanced: "a '{' or '}' has no partner",
  tooManyWays: ({ most }: { most: number }) => `the braces stand for more than ${most} patterns`,
  halfAbsolute: "the pattern is absolute in one brace and relative in another",
  parent: "'..' is not allowed in a pattern",
});
