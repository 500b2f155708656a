import { createHash } from "node:crypto";
import {
  type Change,
  endText,
  headOf,
  hunkHead,
  isStructured,
  type NamedDiff,
  notesOf,
} from "../../files/diff/diff-text.ts";
import { sessionPage as words } from "../../words/en/session-page.ts";
import { titleAgain } from "../../words/said-again.ts";
import { escapeHtml } from "../html-text.ts";
import type { PagePart } from "./page-part.ts";
import { pageStyle } from "./page-style.ts";
import type { Visible } from "./visible.ts";

/** Nothing is loaded, run or sent, and no style holds but this one. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(pageStyle).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const headIn = (lang: string): string =>
  [
    "<!doctype html>",
    `<html lang="${lang}">`,
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer">',
    '<meta name="viewport" content="width=device-width">',
  ].join("\n");

/** One page of HTML, piece by piece: no script, no address, and no element but those of this file. */
export function* htmlPage(parts: Iterable<PagePart>, visible: Visible): Generator<string> {
  const line = (text: string): string => escapeHtml(visible.line(text));
  const block = (text: string): string => escapeHtml(visible.block(text));
  const withTabs = (text: string): string => text.split("\t").map(line).join("\t");
  // A line end right behind the tag is not shown: one that is the text's own stays.
  const pre = (text: string): string => `<pre>\n${block(text)}</pre>\n`;
  const labelled = (label: string, content: string): string => `<p class="label">${line(label)}</p>\n${content}`;
  const opened: string[] = [];
  const open = (tag: string, begins: string): string => {
    opened.push(`</${tag}>\n`);
    return begins;
  };
  const folding = (name: string, summary: string): string =>
    open("details", `<details class="${name}">\n<summary>${summary}</summary>\n`);

  const written = (part: PagePart): string => {
    switch (part.kind) {
      case "title":
        return `${headIn(words().lang)}\n<title>${line(part.text)}</title>\n<style>${pageStyle}</style>\n</head>\n<body>\n<h1>${line(part.text)}</h1>\n`;
      case "facts":
        return `<ul>\n${part.rows.map((row) => `<li>${line(row)}</li>\n`).join("")}</ul>\n`;
      case "words":
        return `<div class="words ${part.who}">\n<p class="label">${words().speakers[part.who]}</p>\n${pre(part.text)}</div>\n`;
      case "text":
        return labelled(part.label, pre(part.text));
      case "json":
        return labelled(part.label, pre(JSON.stringify(part.value, null, 2)));
      case "change":
        return labelled(part.label, `<pre class="diff">${changeRuns(part.change).map(runHtml).join("")}</pre>\n`);
      case "open":
        return openedPart(part);
      case "close":
        return opened.pop() ?? "";
    }
  };

  const runHtml = ({ kind, lines }: Run): string =>
    `<span class="${kind}">${lines.map((one) => `${withTabs(one)}\n`).join("")}</span>`;

  const openedPart = (part: Extract<PagePart, { kind: "open" }>): string => {
    const title = line(part.title);
    if (part.what === "turn") return open("section", `<section>\n<h2>${title}</h2>\n`);
    if (part.what !== "call") return folding(part.what, `<span>${title}</span>`);
    const decided = part.decided === undefined ? "" : ` <small>${line(part.decided)}</small>`;
    const said = `<b>${line(part.end)}</b> <span>${title}</span> <code>${line(part.name)}</code>${decided}`;
    return folding(`call ${part.mark}`, said);
  };

  for (const part of parts) yield written(part);
  yield "</body>\n</html>\n";
}

/** Lines of one kind that stand together: their class on the page. */
interface Run {
  kind: "head" | "place" | "same" | "removed" | "added" | "note";
  lines: string[];
}

const lineKinds = { " ": "same", "-": "removed", "+": "added" } as const;

function changeRuns(change: Change): Run[] {
  const runs: Run[] = [];
  for (const [kind, text] of isStructured(change) ? diffLines(change) : textLines(change)) {
    const last = runs.at(-1);
    if (last?.kind === kind) last.lines.push(text);
    else runs.push({ kind, lines: [text] });
  }
  return runs;
}

type Line = [kind: Run["kind"], text: string];

function* diffLines(diff: NamedDiff): Generator<Line> {
  for (const text of headOf(diff)) yield ["head", text];
  for (const text of notesOf(diff)) yield ["note", titleAgain("a change", text)];
  for (const hunk of diff.hunks) {
    yield ["place", [hunkHead(hunk), hunk.section ?? ""].filter(Boolean).join(" ")];
    for (const { kind, text, end } of hunk.lines) {
      yield [lineKinds[kind], kind + text];
      if (end !== undefined) yield ["note", titleAgain("a change", endText(end))];
    }
  }
}

/** Nobody knows of a text what its lines are but by how they begin. */
const textLines = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => [beginnings.find(([begin]) => begin.test(line))?.[1] ?? "same", line]);

const beginnings: readonly [RegExp, Run["kind"]][] = [
  [/^(---|\+\+\+) /u, "head"],
  [/^@@/u, "place"],
  [/^\\/u, "note"],
  [/^-/u, "removed"],
  [/^\+/u, "added"],
];
