import { withoutEnd } from "../core/linear-text.ts";

/** Names of pictures, by their ends. */
const imageEnd = /\.(?:png|jpe?g|gif|webp)$/i;

/** `@path` and `@"path with blanks"` after a blank or at a line's start. */
const mention = /(?<=^|\s)@(?:"((?:[^"\\\n]|\\.)+)"|(\S+))/g;

/** The pictures that a message names with `@`. */
export const namedImages = (text: string): string[] => mentionsIn(text).filter((name) => imageEnd.test(name));

/** Lists the names that may be resources of servers, `@server:resource`: whether there is such a server is not looked at. */
export const namedResources = (text: string): string[] =>
  mentionsIn(text).filter((name) => /^[A-Za-z0-9][\w.-]*:./u.test(name));

/** Lists the names that a message has behind `@`, each once; a sign behind one as in a sentence is no part of it. */
function mentionsIn(text: string): string[] {
  const names = [...text.matchAll(mention)].map(([, quoted, plain = ""]) =>
    quoted === undefined ? withoutEnd(plain, ".,;:!?)]}'\"") : unquoted(quoted),
  );
  return [...new Set(names)];
}

/** A file's name as a message has it: in quotes, as JSON writes them, where it would else end too early or be read otherwise. */
export const mentionOf = (path: string): string =>
  /[\s"'\p{Cc}]|[.,;:!?)\]}]$/u.test(path) ? `@${quotedName(path)}` : `@${path}`;

/** No character in it is one that an input drops. */
const quotedName = (path: string): string =>
  JSON.stringify(path).replace(/[\x7f-\x9f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

/** Returns the text that stands in quotes: escapes as in JSON; any other text is meant as it stands. */
export function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}

/**
 * Reads the text that is pasted where a file is dropped onto a terminal: one absolute path, quoted or escaped or as a URL.
 * @returns the path of a picture, undefined for any other text.
 */
export function pastedImage(pasted: string): string | undefined {
  const text = pasted.trim();
  if (text.includes("\n") || text.length > 4_096) return undefined;
  const path = plainPath(text);
  return path !== undefined && /^(?:\/|~\/)/.test(path) && imageEnd.test(path) ? path : undefined;
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
