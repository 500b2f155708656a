export const isBlank = (char: string): boolean => char === " " || char === "\n" || char === "\t" || char === "\r";

/** Finds one tag in characters that come one by one. */
export interface Matcher {
  /**
   * "whole" as the tag ends with this character, "more" as long as it may yet; else what was held and is no such tag, after
   * which it begins anew.
   */
  take(char: string): "whole" | "more" | (string & {});
  /** Returns the held text; none is held any more. */
  reset(): string;
}

/** Blanks and attributes between a tag's name and its `>`. */
const attributes = /^(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*$/;
const longestAttributes = 300;

/**
 * Matches a tag from its `<` to its `>`; blanks may stand before the `>`.
 * @param opening the tag without its `>`; it has no other `<` than the first.
 * @param isOpen attributes may stand there, too.
 */
export function createMatcher(opening: string, isOpen = false): Matcher {
  let held = "";
  const reset = (): string => {
    const was = held;
    held = "";
    return was;
  };
  const goesOn = (char: string): boolean => {
    if (held.length < opening.length) return char === opening[held.length];
    if (char === ">") return attributes.test(held.slice(opening.length));
    if (isBlank(char)) return true;
    return isOpen && char !== "<" && held.length > opening.length && held.length < opening.length + longestAttributes;
  };
  return {
    reset,
    take(char) {
      if (goesOn(char)) {
        held += char;
        return char === ">" && held.length > opening.length ? "whole" : "more";
      }
      const given = reset();
      if (char !== "<") return given + char;
      held = char;
      return given;
    },
  };
}
