import { strikethrough, tables } from "@joplin/turndown-plugin-gfm";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import TurndownService from "turndown";
import { inOneLine } from "../../core/linear-text.ts";
import { removeHidden } from "./hidden.ts";

/** The part of an element that is used, whoever's document it is in. */
interface Element {
  nodeName: string;
  textContent: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): Element | null;
}

/** Characters of a page above which its main part is not looked for by weighing all of it: that takes three times as long. */
const longestWeighed = 600_000;

/** A main part that says less than this share of the page is none. */
const leastShare = 0.2;

/** Runs in the worker: a page may be written to make this run without an end. */
export function htmlToMarkdown(html: string, base: string): string {
  return turndown(base).turndown(mainPart(html)).trim();
}

/** The page's source without what is not drawn for a person. */
export function withoutHidden(html: string): string {
  const { document } = parseHTML(html);
  removeHidden(document as never);
  return String(document);
}

/** The part that a reader came for, as HTML: what the page marks as such, else what weighs most, else all of it. */
function mainPart(html: string): string {
  const { document } = parseHTML(html);
  removeHidden(document as never);
  const marked = document.querySelector("main, [role=main]") ?? only(document.querySelectorAll("article"));
  const body = document.body?.innerHTML || html;
  if (marked !== null && marked.textContent.trim() !== "") return marked.outerHTML;
  if (html.length > longestWeighed) return body;
  const whole = wordsOf(document.body?.textContent ?? "");
  const weighed = new Readability(document as never, { charThreshold: 200 }).parse();
  const isEnough = weighed?.content != null && wordsOf(weighed.textContent ?? "") > whole * leastShare;
  return isEnough ? (weighed?.content ?? body) : body;
}

const only = <T>(found: ArrayLike<T>): T | null => (found.length === 1 ? (found[0] ?? null) : null);

const wordsOf = (text: string): number => text.replace(/\s+/gu, " ").length;

const dropped = new Set(
  "SCRIPT STYLE NOSCRIPT TEMPLATE IFRAME OBJECT SVG CANVAS NAV BUTTON SELECT INPUT TEXTAREA DIALOG HEAD TITLE LINK META".split(
    " ",
  ),
);

function turndown(base: string): TurndownService {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  service.use([tables, strikethrough]);
  service.addRule("code", { filter: "pre", replacement: (_, node) => fenced(node as unknown as Element) });
  service.addRule("link", {
    filter: (node) => node.nodeName === "A",
    replacement: (content, node) => link(content, absolute((node as unknown as Element).getAttribute("href"), base)),
  });
  service.addRule("image", {
    filter: "img",
    replacement: (_, node) => image(node as unknown as Element, base),
  });
  service.addRule("dropped", {
    filter: (node) => dropped.has(node.nodeName.toUpperCase()),
    replacement: () => "",
  });
  return service;
}

/** The very text, between fences longer than any inside. */
function fenced(node: Element): string {
  const text = node.textContent.replace(/\n$/u, "");
  const marks = `${node.getAttribute("class") ?? ""} ${node.querySelector("code")?.getAttribute("class") ?? ""}`;
  const language = /\blang(?:uage)?-([\w+#-]+)/u.exec(marks)?.[1] ?? "";
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/gu)].map(([one]) => one.length));
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}${language}\n${text}\n${fence}\n\n`;
}

const link = (content: string, href: string | undefined): string => {
  const text = inOneLine(content).trim();
  return text === "" || href === undefined ? text : `[${text}](${href})`;
};

function image(node: Element, base: string): string {
  const alt = (node.getAttribute("alt") ?? "").replace(/\s+/gu, " ").trim();
  const source = absolute(node.getAttribute("src"), base);
  return alt === "" || source === undefined ? "" : `![${alt}](${source})`;
}

/** Of the page's links those that can be asked for again, whole. */
function absolute(href: string | null, base: string): string | undefined {
  if (href === null || href === "" || href.startsWith("#") || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return /^(?:https?|mailto):$/u.test(url.protocol)
    ? url.href.replaceAll("(", "%28").replaceAll(")", "%29")
    : undefined;
}
