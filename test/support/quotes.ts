/* The ways in which a file, a page or a mail holds what it quotes. */

const lines = (text: string, made: (line: string, at: number) => string): string =>
  text.split("\n").map(made).join("\n");

const inHtml = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** As programs write JSON that may stand in HTML. */
const inSafeJson = (text: string): string =>
  JSON.stringify(text).replace(/[<>&'=]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);

const inColours = (text: string): string => inHtml(text).replace(/[a-z]{4,}/g, "<span class='s'>$&</span>");

const wrapped = (text: string): string => lines(text, (line) => line.replace(/.{40}/g, "$&\n"));

const numbered = (text: string): string => lines(text, (line, at) => `${String(at + 1).padStart(6)}\t${line}`);

const mailed = (text: string): string => lines(text, (line) => `> ${line}`);

const curly: Readonly<Record<string, string>> = { '"': "“", "'": "’" };

/** How it stands there, and the text. */
export const quotesOf = (written: string): [how: string, said: string][] => [
  ["as it stands", written],
  ["with line numbers", numbered(written)],
  ["line by line, each with its place", lines(written, (line, at) => `src/a.txt:${at + 1}:${line}`)],
  ["as a string of JSON", JSON.stringify({ text: written })],
  ["with other blanks", written.replace(/ /g, "   ")],
  ["with blanks that do not break", written.replace(/ /g, "\u00a0")],
  ["in the middle of much else", `${"x ".repeat(5_000)}${written}${"y ".repeat(5_000)}`],
  ["as the lines of a comment", lines(written, (line) => ` * ${line}`)],
  ["as what was added", lines(written, (line) => `+${line}`)],
  ["in a diff", `@@ -1 +1,9 @@\n a\n${lines(written, (line) => `+ ${line}`)}\n-b`],
  ["as a list", lines(written, (line) => `- ${line}`)],
  ["in one line", written.replace(/\s*\n\s*/g, " ")],
  ["in HTML", `<pre><code>${inHtml(written)}</code></pre>`],
  ["in HTML with colours", `<pre>${inColours(written)}</pre>`],
  ["in HTML, by numbers", written.replace(/[^\w\s]/g, (sign) => `&#${sign.codePointAt(0)};`)],
  ["in HTML of HTML", inHtml(inHtml(written))],
  ["in JSON without signs", `{"text": ${inSafeJson(written)}}`],
  ["in JSON of JSON without signs", JSON.stringify({ text: inSafeJson(written) })],
  ["in HTML in JSON", inSafeJson(inHtml(written))],
  ["in code", written.replace(/[^\w\s]/g, (sign) => `\\u{${sign.codePointAt(0)?.toString(16).padStart(6, "0")}}`)],
  ["in an address", `https://example.org/?q=${encodeURIComponent(written)}`],
  ["in Markdown with its signs escaped", written.replace(/[_*[\]()<>#`|]/g, "\\$&")],
  ["with quotes of a book", written.replace(/["']/g, (sign) => curly[sign] ?? sign)],
  ["in letters of full width", written.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0))],
  ["with signs that nobody sees", written.replace(/\w/g, "$&\u200b")],
  ["with letters that nobody sees", written.replace(/\w/g, "$&\u3164\u034f")],
  ["with accents on its letters", written.replace(/[a-z]/g, "$&\u0301")],
  ["in HTML with colours, in JSON", inSafeJson(inColours(written))],
  ["in HTML with colours, in HTML", inHtml(inColours(written))],
  ["in the colours of a terminal", written.replace(/[a-z]{4,}/g, "\u001b[31m$&\u001b[0m")],
  ["in lines of 40", wrapped(written)],
  ["in numbered lines of 40", numbered(wrapped(written))],
  ["in a mail", mailed(written)],
  ["in a mail of lines of 40", mailed(wrapped(written))],
  ["in a mail that a mail quotes", numbered(mailed(mailed(wrapped(written))))],
];
