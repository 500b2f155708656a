import { withoutEnd } from "../core/linear-text.ts";

/** Names of pictures, by their ends. */
const imageEnd = /\.(?:png|jpe?g|gif|webp)$/i;

/** `@path` and `@"path with blanks"` after a blank or at a line's start. */
const mention = /(?<=^|\s)@(?:"([^"\n]+)"|(\S+))/g;

/** The pictures that a message names with `@`, each once; what stands behind a name as in a sentence is none of it. */
export function namedImages(text: string): string[] {
  const names = [...text.matchAll(mention)].map(
    ([, quoted, plain = ""]) => quoted ?? withoutEnd(plain, ".,;:!?)]}'\""),
  );
  return [...new Set(names.filter((name) => imageEnd.test(name)))];
}

/** A picture's name as a message has it. */
export const mentionOf = (path: string): string =>
  /[\s"']/.test(path) ? `@"${path.replaceAll('"', "")}"` : `@${path}`;

/**
 * What is pasted where a file is dropped onto a terminal: one absolute path, quoted or escaped or as a URL.
 * @returns the path of a picture, undefined for any other text.
 */
export function pastedImage(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text.includes("\n") || text.length > 4_096) return undefined;
  const path = plainPath(text);
  return path !== undefined && /^(?:\/|~\/)/.test(path) && imageEnd.test(path) && !path.includes('"')
    ? path
    : undefined;
}

function plainPath(text: string): string | undefined {
  const quoted = /^'([^']*)'$/.exec(text)?.[1] ?? /^"([^"\\]*)"$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  if (text.startsWith("file:///")) return decoded(text.slice("file://".length));
  // Several paths are parted by blanks that are not escaped.
  return /(?<!\\)\s/.test(text) ? undefined : text.replace(/\\(.)/g, "$1");
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
