/** The output of git; or `none`, there is nothing of the kind; or `failed`, as where there is no such object. */
export type GitSaid = Buffer | "none" | "failed";

/** Each is a git of its own. */
export const mostOperands = 8;

/** The names in an output of `-z`. */
export const fieldsOf = (said: Buffer): string[] =>
  said
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "");
