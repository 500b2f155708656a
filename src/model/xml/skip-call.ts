/** A tag that opens one may have attributes: it is known by what follows its name. */
const opening = [">", " ", "\n", "\t", "\r"].map((next) => `<tool_call${next}`);
const tags: readonly string[] = [...opening, "</tool_call>", "<![CDATA["];

/**
 * Goes past a call that cannot be read, to its end. What stands in CDATA is passed over, and so is a whole call within it: it may
 * be what a value says, and must not run.
 */
export function skipCall(): {
  /** Takes a character, and tells whether the call ends with it. */ take(char: string): boolean;
} {
  let depth = 1;
  let held = "";
  let brackets: number | undefined;

  const takeCdata = (seen: number, char: string): void => {
    if (char === "]") brackets = seen + 1;
    else brackets = char === ">" && seen >= 2 ? undefined : 0;
  };

  return {
    take(char) {
      if (brackets !== undefined) {
        takeCdata(brackets, char);
        return false;
      }
      held = tags.some((tag) => tag.startsWith(held + char)) ? held + char : char === "<" ? char : "";
      const tag = tags.find((one) => one === held);
      if (tag === undefined) return false;
      held = "";
      if (tag === "<![CDATA[") brackets = 0;
      else depth += opening.includes(tag) ? 1 : -1;
      return depth === 0;
    },
  };
}
