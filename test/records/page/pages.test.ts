import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/json.ts";
import { escapeHtml } from "../../../src/records/html-text.ts";
import { htmlPage } from "../../../src/records/page/html-page.ts";
import { codeSpan, fenced, markdownPage } from "../../../src/records/page/markdown-page.ts";
import { cleanPart, type PagePart } from "../../../src/records/page/page-part.ts";
import { createRedactor } from "../../../src/records/redact.ts";
import { hostile, markdownKinds, outlineOf, pageWords } from "../../support/page-words.ts";

/** A page of every kind of part, which says this everywhere where somebody's words stand. */
const pageSaying = (said: string): PagePart[] => [
  { kind: "title", text: said },
  { kind: "facts", rows: [said, said] },
  { kind: "text", label: "plan, 0 of 1 done", text: said },
  { kind: "open", what: "turn", title: "turn 1" },
  { kind: "words", who: "person", text: said },
  { kind: "words", who: "steer", text: said },
  { kind: "words", who: "agent", text: said },
  { kind: "open", what: "call", title: said, name: said, end: "denied", mark: "denied", decided: said },
  { kind: "json", label: "as it was done, or would be", value: { [said]: said } as Record<string, Json> },
  {
    kind: "change",
    label: "what it changed",
    change: {
      ...{ name: said, kind: "modify", added: 1, removed: 1 },
      hunks: [
        {
          ...{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, section: said },
          lines: [
            { kind: "-", text: said },
            { kind: "+", text: said, end: "none" },
          ],
        },
      ],
    },
  },
  { kind: "open", what: "helper", title: said },
  { kind: "open", what: "turn", title: "turn 1" },
  { kind: "words", who: "agent", text: said },
  { kind: "close" },
  { kind: "close" },
  { kind: "open", what: "fold", title: "arguments" },
  { kind: "text", label: "as the model wrote them", text: said },
  { kind: "close" },
  { kind: "close" },
  { kind: "words", who: "agent", text: "after the call" },
  { kind: "close" },
];

const html = (parts: Iterable<PagePart>): string => [...htmlPage(parts, pageWords)].join("");
const markdown = (parts: Iterable<PagePart>): string => [...markdownPage(parts, pageWords)].join("");

describe("a page of HTML", () => {
  it("is without scripts and addresses, and lets no style hold but its own", () => {
    const page = html(pageSaying("x"));
    expect(page).not.toMatch(/<script|<link|<a[ >]|href|src=|https?:|url\(|@import| style=/u);
    expect(page).toMatch(
      /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[\w+/=]{44}'; base-uri 'none'; form-action 'none'">/u,
    );
    expect(page).not.toContain("unsafe");
  });

  it("folds calls, helpers and what is long, and closes all that it opens", () => {
    const { tags } = outlineOf(html(pageSaying("x")));
    expect(tags.filter((tag) => tag.startsWith("details"))).toEqual([
      "details class=call denied",
      "details class=helper",
      "details class=fold",
    ]);
    const page = html(pageSaying("x"));
    for (const tag of ["details", "section", "div", "pre", "ul", "span"])
      expect(page.split(`<${tag}`).length).toBe(page.split(`</${tag}>`).length);
    expect(page.trimEnd().endsWith("</section>\n</body>\n</html>")).toBe(true);
  });

  it.each(Object.entries(hostile))("takes no words for more than text: %s", (_, said) => {
    const page = html(pageSaying(said));
    expect(outlineOf(page).tags).toEqual(outlineOf(html(pageSaying("x"))).tags);
    expect(page).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/,
    );
    expect(outlineOf(page).text).toContain(pageWords.block(said).trim());
  });

  it("keeps each line of a text, the first one too", () => {
    const [words] = [...htmlPage([{ kind: "words", who: "agent", text: "\n  two\n" }], pageWords)];
    expect(words).toContain("<pre>\n\n  two\n</pre>");
  });

  it("colours a change by its lines, and a text that nobody reads by how they begin", () => {
    const change = (hunk: PagePart & { kind: "change" }): string => html([hunk]);
    const lines = change({
      ...{ kind: "change", label: "x" },
      change: {
        ...{ name: "a", kind: "modify", added: 1, removed: 2, notes: [{ kind: "bom", now: true }] },
        hunks: [
          {
            ...{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 1 },
            lines: [
              { kind: "-", text: "-- a" },
              { kind: "-", text: "b" },
              { kind: "+", text: "++ b" },
            ],
          },
        ],
      },
    });
    expect(lines).toContain('<span class="removed">--- a\n-b\n</span><span class="added">+++ b\n</span>');
    expect(lines).toContain('<span class="note">\\ byte order mark added\n</span>');
    const text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n c\n";
    expect(change({ kind: "change", label: "x", change: text })).toContain(
      '<span class="head">--- a/x\n+++ b/x\n</span><span class="place">@@ -1 +1 @@\n</span><span class="removed">-a\n</span><span class="added">+b\n</span><span class="same"> c\n</span>',
    );
  });

  it("keeps the tabs of a change, whose other controls are shown by their numbers", () => {
    const line = (kind: "-" | "+", text: string) => ({ kind, text });
    const page = html([
      {
        ...{ kind: "change", label: "x" },
        change: {
          ...{ name: "a", kind: "modify", added: 1, removed: 1 },
          hunks: [
            {
              ...{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1 },
              lines: [line("-", "\tif\t<x>\r"), line("+", " if <x>\u202e\u0008")],
            },
          ],
        },
      },
    ]);
    expect(page).toContain('<span class="removed">-\tif\t&lt;x&gt;‹U+000D›\n</span>');
    expect(page).toContain('<span class="added">+ if &lt;x&gt;‹U+202E›‹U+0008›\n</span>');
  });

  it("escapes what has a meaning between tags and in quotes, and nothing else", () => {
    expect(escapeHtml(`<a href="x" id='y'>&amp;</a> é 👍`)).toBe(
      "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt; é 👍",
    );
  });
});

describe("a page of Markdown", () => {
  const known = [
    "blockquote",
    "code",
    "codespan",
    "heading",
    "list",
    "list_item",
    "paragraph",
    "space",
    "strong",
    "text",
  ];

  it.each(Object.entries(hostile))("takes no words for more than code: %s", (_, said) => {
    const page = markdown(pageSaying(said));
    expect(markdownKinds(page).filter((kind) => !known.includes(kind))).toEqual([]);
    expect(page.match(/^#+ .*$/gmu)?.filter((line) => !line.startsWith("# I am"))).toHaveLength(3);
    expect(page).not.toMatch(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/,
    );
  });

  it("has fences that are longer than any in the text, and code that may begin with them", () => {
    expect(fenced("a\n```\nb", "diff")).toBe("````diff\na\n```\nb\n````");
    expect(fenced("x `````` y\n")).toBe("```````\nx `````` y\n```````");
    expect(["a", "`a", "a ``b``", " a ", "  "].map(codeSpan)).toEqual([
      "`a`",
      "`` `a ``",
      "``` a ``b`` ```",
      "`  a  `",
      "",
    ]);
  });

  it("quotes what a helper did, all of it and no more", () => {
    const [before, quote, after] = markdown(pageSaying("a\n\nb")).split(/(?<=\n)(?=> \*\*Helper)|(?<=\n>\n\n)/u);
    expect(before).not.toContain("\n>");
    expect(
      quote
        ?.trimEnd()
        .split("\n")
        .every((line) => line.startsWith(">")),
    ).toBe(true);
    expect(after).toMatch(/^\*\*arguments\*\*\n/u);
  });
});

describe("how a page is written", () => {
  it.each([
    ["html", htmlPage],
    ["markdown", markdownPage],
  ])("as it is taken: a part is asked for once the one before was written (%s)", (_, write) => {
    let asked = 0;
    function* long(): Generator<PagePart> {
      for (; asked < 10_000; asked += 1) yield { kind: "words", who: "agent", text: "x".repeat(5_000) };
    }
    let [pieces, length] = [0, 0];
    for (const piece of write(long(), pageWords)) {
      pieces += 1;
      length += piece.length;
      expect(asked).toBeLessThanOrEqual(pieces);
    }
    expect(length).toBeGreaterThan(50_000_000);
  });

  it("a reply of 5 MB is on it whole", () => {
    const text = `<b>&"'\u202e`.repeat(700_000);
    const page = html([{ kind: "words", who: "agent", text }]);
    expect(page).toContain(`<pre>\n${"&lt;b&gt;&amp;&quot;&#39;‹U+202E›".repeat(700_000)}</pre>`);
  });
});

describe("secrets on a page", () => {
  const secret = "s3cr3t<&>\nof two lines";
  const cleaner = (() => {
    const redactor = createRedactor([{ name: "KEY", value: secret }]);
    return { ...redactor, look: createRedactor([{ name: "KEY", value: secret }]).clean };
  })();

  it("are replaced in every part, and counted once", () => {
    const parts = pageSaying(`a ${secret} b`).map((part) => cleanPart(part, cleaner));
    expect(JSON.stringify(parts)).not.toContain("s3cr3t");
    const first = cleaner.replaced()[0]?.count;
    for (const part of parts) cleanPart(part, cleaner);
    expect(cleaner.replaced()).toEqual([{ name: "KEY", count: first }]);
    expect(first).toBe(JSON.stringify(parts).split("‹KEY›").length - 1);
  });

  it("are found over the lines of a change, whose sides then stand one behind the other", () => {
    const change: PagePart = {
      ...{ kind: "change", label: "x" },
      change: {
        ...{ name: "a", kind: "modify", added: 1, removed: 1 },
        hunks: [
          {
            ...{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2 },
            lines: [
              { kind: " ", text: "s3cr3t<&>" },
              { kind: "-", text: "old" },
              { kind: "+", text: "of two lines" },
            ],
          },
        ],
      },
    };
    expect(html([cleanPart(change, cleaner)])).toContain(
      '<span class="removed">-s3cr3t&lt;&amp;&gt;\n-old\n</span><span class="added">+‹KEY›\n</span>',
    );
  });
});
