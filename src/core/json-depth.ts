import { limits } from "./limits.ts";

const [quote, backslash, openList, openObject, closeList, closeObject] = [...'"\\[{]}'].map((sign) =>
  sign.charCodeAt(0),
);

/**
 * `nested deeper than …`, where a JSON text has more levels than a call's arguments may have; undefined where it has not. To be asked
 * before the text is parsed: what walks over the value afterwards is recursive.
 * @param above levels that the text has around the arguments
 */
export function tooDeepWords(json: string, above = 0): string | undefined {
  const { most } = limits.argumentDepth;
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === quote) at = stringEnd(json, at);
    else if (code === openList || code === openObject) depth += 1;
    else if (code === closeList || code === closeObject) depth -= 1;
    if (depth > most + above) return `nested deeper than ${most} levels`;
  }
  return undefined;
}

/** Finds the closing quote of the string that begins at `at`, or the text's end. */
function stringEnd(json: string, at: number): number {
  let end = at + 1;
  while (end < json.length && json.charCodeAt(end) !== quote) end += json.charCodeAt(end) === backslash ? 2 : 1;
  return end;
}
