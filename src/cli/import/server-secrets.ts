import { withoutSecrets } from "./masked.ts";

/** `${NAME}`, which is no secret itself. */
const variable = /\$\{[A-Za-z_]\w*\}/gu;

/** A name of a secret and, right behind it, its value: in a header, or in JSON. */
const named = /[\w-]*(?:key|token|secret|passw|pwd|auth(?!or)|cred|cookie|session)[\w-]*["']?\s*[:=]\s*["']?[^\s"']/iu;

/**
 * Whether words that start a server, or its address, may hold a secret: by themselves, or by the word before. What another value stands for
 * where a variable is not set may be one, too.
 */
export function mayHoldSecret(words: readonly string[]): boolean {
  const bare = words.map((word) => word.replace(variable, "").replace(/[?&][\w.-]+=(?=&|$)/gu, ""));
  return bare.some((word, at) => {
    const before = bare[at - 1];
    if (/\$\{[A-Za-z_]\w*:-[^}]/u.test(word)) return true;
    if (named.test(word) || isMasked(word) || (/:\/\//u.test(word) && hasLongPart(word))) return true;
    return before !== undefined && word !== "" && !word.startsWith("-") && isMasked(`${before} ${word}`);
  });
}

const isMasked = (text: string): boolean => withoutSecrets(` ${text}`) !== ` ${text}`;

/** A part of an address that is no word: some services have their key in the path. */
const hasLongPart = (address: string): boolean =>
  address
    .replace(/^[\w+.-]*:\/\/[^/]*/u, "")
    .split(/[/?&=#;,]/u)
    .some((part) => part.length >= 20 && /\d/u.test(part) && /[A-Za-z]/u.test(part));
