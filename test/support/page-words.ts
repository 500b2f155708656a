import { parseHTML } from "linkedom";
import { marked } from "marked";
import { pageBlock, pageLine } from "../../src/cli/print/page-text.ts";
import { endWord } from "../../src/cli/print/plain-printer.ts";

/** What the command gives a page; times are numbers. */
export const pageWords = {
  moment: String,
  instant: String,
  end: endWord,
  event: (line: string) => line,
  block: pageBlock,
  line: pageLine,
};

/** What somebody may say or name to be more than text on a page. */
export const hostile: Readonly<Record<string, string>> = {
  script: "<script>alert(1)</script>",
  handler: '<img src=x onerror="alert(1)">',
  quotes: `" onload="alert(1)" x='`,
  details: "</summary></details></section></body></html><h1>I am the page</h1>",
  style: "</style></title></textarea></pre><style>* { display: none }</style>",
  cdata: "<![CDATA[ x ]]><!-- --><?php ?>",
  comment: "<!-- never closed",
  entity: "&lt;b&gt; &#60;i&#62; &amp",
  link: "[x](javascript:alert(1)) <javascript:alert(1)> https://evil.example www.evil.example a@evil.example",
  markdown:
    "\n\n# I am a title\n\n````\n~~~\n> quoted\n- item\n| a | b |\n|---|---|\n![x](https://evil.example/x.png)\n",
  ticks: "`` ` ``` ````` `",
  sequences: "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007x \u009b2J \u0000 \u0008 \r over",
  bidi: "a\u202eb\u2066c\u200fd\u061ce",
  hidden: "x\u200by\ufeffz\u00ad\u2060\u{e0041}",
  surrogates: "\ud800 and \udfff",
};

export interface Outline {
  /** Tags with their attributes, in their order, without texts. */
  tags: string[];
  text: string;
}

/** What a parser makes of a page. */
export function outlineOf(html: string): Outline {
  const { document } = parseHTML(html);
  const tags = [...document.querySelectorAll("*")].map((one) =>
    [one.tagName.toLowerCase(), ...[...one.attributes].map(({ name, value }) => `${name}=${value}`)].join(" "),
  );
  return { tags, text: document.body?.textContent ?? "" };
}

/** The kinds of all that a Markdown reader finds, each once. */
export function markdownKinds(text: string): string[] {
  const kinds: string[] = [];
  void marked.walkTokens(marked.lexer(text, { gfm: true }), ({ type }) => {
    kinds.push(type);
  });
  return [...new Set(kinds)].toSorted();
}
