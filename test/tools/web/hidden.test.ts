import { expect, test } from "vitest";
import { sends, startWebServer } from "../../support/web-server.ts";
import { fetcher } from "./support.ts";

const unseen = [
  "<p hidden>UNSEEN</p><p>seen</p>",
  '<div aria-hidden="true">a <b>UNSEEN</b></div>',
  "<!-- UNSEEN -->",
  ...[
    "display: none",
    "DISPLAY:NONE !important",
    "visibility:hidden",
    "opacity:0",
    "opacity: .0",
    "font-size:0px",
    "font: 0/0 a",
    "width:0;height:0;overflow:hidden",
    "max-height:0; overflow:hidden",
    "position:absolute; left:-9999px",
    "position:fixed;top:-100em;top:-1000em",
    "text-indent:-9999px",
    "position:absolute;clip:rect(0,0,0,0)",
    "clip-path: inset(50%)",
    "transform: scale(0)",
    "color:#fff;background:#FFFFFF",
    "color:white;background-color:rgb(255, 255, 255)",
    "color: transparent",
    "color: rgba(0,0,0,0)",
    "/* x */ display/**/:none",
  ].map((style) => `<div style="${style}"><p>UNSEEN <span>UNSEEN</span></p></div>`),
  '<table><tr bgcolor="#ffffff"><td><span style="color:#fff">UNSEEN</span></td></tr></table>',
];

const seen = [
  "opacity:0.5",
  "font-size:0.8em",
  "width:0;height:0",
  "left:-9999px",
  "position:absolute;left:10px",
  "color:#fff;background:#000",
  "color:white",
  "overflow:hidden;width:100px",
  "display:none-such",
  "background:display none",
];

test.each(["markdown", "text"])(
  "as %s a page is without what its elements hide from a reader, and whole else",
  async (format) => {
    const body = [
      ...unseen.map((one, at) => `<p>before ${at}.</p>${one}<p>after ${at}.</p>`),
      ...seen.map((style, at) => `<p style="${style}">shown ${at}.</p>`),
    ].join("\n");
    const server = await startWebServer({ "/": sends(`<body><main>${body}</main></body>`) });
    const { output } = await fetcher()({ url: server.url, format });
    expect(output).not.toContain("UNSEEN");
    const all = [
      ...unseen.flatMap((_, at) => [`before ${at}.`, `after ${at}.`]),
      ...seen.map((_, at) => `shown ${at}.`),
    ];
    expect(all.filter((words) => !output.includes(words))).toEqual([]);
  },
);

test("its source has what it hides, and says so", async () => {
  const server = await startWebServer({ "/": sends("<main><p hidden>UNSEEN</p></main>") });
  const { output } = await fetcher()({ url: server.url, format: "html" });
  expect(output).toContain("the page's source, with what it hides from a reader\n");
  expect(output).toContain("UNSEEN");
});
