import { diffText } from "../../files/diff/diff-text.ts";
import { sessionPage as words } from "../../words/en/session-page.ts";
import type { PagePart } from "./page-part.ts";
import type { Visible } from "./visible.ts";

/** A block of code whose fence is longer than any run of backticks in it. */
export function fenced(text: string, language = ""): string {
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}

/** One line as code, in which nothing has a meaning: readers make links and names of plain text. */
export function codeSpan(text: string): string {
  const fence = "`".repeat(longestRun(text) + 1);
  const padded = /^`|`$|^ .* $/u.test(text) ? ` ${text} ` : text;
  return text.trim() === "" ? "" : `${fence}${padded}${fence}`;
}

const quoted = (text: string, quote: string): string =>
  text
    .split("\n")
    .map((one) => (one === "" ? quote.trimEnd() : quote + one))
    .join("\n");

const longestRun = (text: string): number => {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/gu)) longest = Math.max(longest, run.length);
  return longest;
};

/** The page as Markdown, piece by piece: what anybody said stands as code, and what helpers did as a quotation. */
export function* markdownPage(parts: Iterable<PagePart>, visible: Visible): Generator<string> {
  const line = (text: string): string => codeSpan(visible.line(text));
  const block = (text: string, language?: string): string => fenced(visible.block(text), language);
  const opened: Extract<PagePart, { kind: "open" }>["what"][] = [];

  const written = (part: Exclude<PagePart, { kind: "close" }>): string => {
    switch (part.kind) {
      case "title":
        return `# ${line(part.text)}`;
      case "facts":
        return part.rows.map((row) => `- ${line(row)}`).join("\n");
      case "words":
        return `**${words().headSpeakers[part.who]}**\n\n${block(part.text, "markdown")}`;
      case "text":
        return `${part.label}:\n\n${block(part.text)}`;
      case "json":
        return `${part.label}:\n\n${block(JSON.stringify(part.value, null, 2), "json")}`;
      case "change":
        return `${part.label}:\n\n${block(diffText([part.change]), "diff")}`;
      case "open":
        return openedPart(part);
    }
  };

  const openedPart = (part: Extract<PagePart, { kind: "open" }>): string => {
    switch (part.what) {
      case "turn":
        return `## ${part.title}`;
      case "helper":
        return `**${words().helper}** ${line(part.title)}`;
      case "fold":
        return `**${part.title}**`;
      case "call": {
        const decided = part.decided === undefined ? "" : `\n\n${line(part.decided)}`;
        return `### ${part.end} ${line(part.title)} ${line(part.name)}${decided}`;
      }
    }
  };

  for (const part of parts) {
    if (part.kind === "close") {
      // A quotation ends with an empty line: else what follows would be of it.
      if (opened.pop() === "helper") yield "\n";
      continue;
    }
    if (part.kind === "open") opened.push(part.what);
    const quote = "> ".repeat(opened.filter((what) => what === "helper").length);
    yield `${quoted(written(part), quote)}\n${quote.trimEnd()}\n`;
  }
}
