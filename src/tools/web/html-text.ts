/** Elements whose contents nobody reads. */
const unread = new Set(["script", "style", "noscript", "template", "svg", "head", "iframe", "object"]);

const blocks =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|fieldset|figure|figcaption|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tr|ul)$/u;

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  times: "×",
  euro: "€",
  deg: "°",
};

const entity = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));?/giu;

const unescaped = (text: string): string =>
  text.replace(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "";
  });

/** The words of a page in one pass over it, whatever it holds: time and memory grow with its length alone. */
export function htmlToText(html: string): string {
  const lower = html.toLowerCase();
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open === -1) {
      parts.push(html.slice(at));
      break;
    }
    parts.push(html.slice(at, open));
    const { next, text } = pastTag(html, lower, open);
    parts.push(text);
    at = next;
  }
  return tidied(unescaped(parts.join("")));
}

/**
 * Finds the place where the reading goes on after the part that a `<` began, and the text that stands for it. A part without an end takes
 * the rest away.
 */
function pastTag(html: string, lower: string, open: number): { next: number; text: string } {
  if (lower.startsWith("<!--", open)) return { next: after(html, "-->", open), text: "" };
  const name = /^<\/?([a-z][a-z0-9]{0,15})/u.exec(lower.slice(open, open + 18))?.[1];
  if (name === undefined) {
    const isMark = html[open + 1] === "!" || html[open + 1] === "?";
    return isMark ? { next: after(html, ">", open), text: "" } : { next: open + 1, text: "<" };
  }
  const end = after(html, ">", open);
  if (unread.has(name) && lower[open + 1] !== "/" && html[end - 2] !== "/")
    return { next: after(html, ">", indexOrEnd(lower, `</${name}`, end)), text: "\n" };
  if (name === "td" || name === "th") return { next: end, text: " " };
  return { next: end, text: blocks.test(name) ? "\n" : "" };
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found === -1 ? text.length : found;
}

const after = (text: string, wanted: string, from: number): number =>
  Math.min(text.length, indexOrEnd(text, wanted, from) + wanted.length);

const tidied = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replace(/[ \t\r\f]+/gu, " ").trim())
    .join("\n")
    .replace(/\n{3,}/gu, "\n\n")
    .trim();

/** Returns the page's own title; "" where it has none. */
export function titleOf(html: string): string {
  const [, title = ""] = /<title[^>]{0,200}>([^<]{0,1000})/iu.exec(html.slice(0, 200_000)) ?? [];
  return unescaped(title).replace(/\s+/gu, " ").trim().slice(0, 300);
}
