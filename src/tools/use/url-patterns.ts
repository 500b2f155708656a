import type { Tool } from "../../core/tool.ts";

/**
 * Whether a tool is offered on this page. One without patterns always is, one with patterns only where one of them matches the
 * whole url; without a url no page is open. In a pattern `*` stands for any characters, none too; the rest stands for itself.
 */
export function isOfferedAt(patterns: Tool["urlPatterns"], url: string | undefined): boolean {
  if (patterns === undefined) return true;
  if (url === undefined) return false;
  const page = URL.canParse(url) ? new URL(url).href : url;
  return patterns.some((pattern) => matches(pattern, page) || matches(pattern, url));
}

/** In linear time: each piece is taken where it is found first, but for the last, which must end the text. */
function matches(pattern: string, text: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
