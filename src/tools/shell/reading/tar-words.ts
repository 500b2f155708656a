import type { Words } from "./options.ts";

/** The first word of a listing. */
const lists = /^(?:-?[zjJavf]*t[zjJavf]*|--list)$/u;

const long = `list|file|verbose|gzip|gunzip|ungzip|bzip2|xz|lzma|lzip|lzop|zstd|compress|uncompress|(?:no-)?auto-compress
  |(?:ex|in)clude|exclude-vcs|(?:no-)?(?:wildcards(?:-match-slash)?|ignore-case|anchored|recursion)|full-time|numeric-owner|utc|totals
  |ignore-zeros|block-number|quoting-style|strip-components|occurrence|warning|format|show-(?:stored|transformed)-names|null`;

/**
 * Options of tar's manuals (GNU's and BSD's) that start nothing beside a listing. Any other asks: of an archive of several volumes (`-M`, `-L`) GNU's
 * tar asks its input for the next one, and runs a shell where that says so.
 */
const startsNothing = new RegExp(
  `^-(?:|-|[tvzjJZapP]+|[tvzjJZapP]*f.*|-(?:${long.replaceAll(/\s/gu, "")})(?:=.*)?)$`,
  "su",
);

/** Tells whether tar only lists an archive of this machine with these words, and starts nothing but the programs that take it apart. */
export const onlyListsArchive = ([first, ...more]: Words): boolean =>
  typeof first === "string" &&
  lists.test(first) &&
  more.every((word) => word?.startsWith("-") !== true || startsNothing.test(word)) &&
  // GNU's tar takes what stands before a colon for another machine.
  ![first, ...more].some((word) => word !== null && /^[^/]*:/u.test(word));
