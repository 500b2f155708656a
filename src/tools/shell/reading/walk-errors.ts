import type { ParsedScript } from "unbash";

/** The text is no program for bash: it must not run. */
export class NotParsed extends Error {
  override readonly name = "NotParsed";
}

/** It would take longer to judge than anybody reads. */
export class TooMuch extends Error {
  override readonly name = "TooMuch";
}

/** @throws NotParsed where the grammar could not read all of it. */
export function checkErrors({ errors = [] }: ParsedScript): void {
  const [error] = errors;
  if (error !== undefined) throw new NotParsed(error.message);
}
