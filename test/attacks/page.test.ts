import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { hostile, markdownKinds, outlineOf } from "../support/page-words.ts";

const texts = (...names: string[]): string[] => names.map((name) => hostile[name] ?? "");

/** A session in which a model says this wherever it may say something, and the pages of it. */
async function pagesOf(all: readonly string[]): Promise<{ html: string; markdown: string }> {
  const said = all.join("\n");
  const name = all.map((one) => one.slice(0, 30).replace(/[/\0\n]/gu, "_")).join("");
  const place = await openPlace([
    asks("goal", { action: "add", text: said }, { text: said }),
    asks("write_file", { file_path: `x${name}.txt`, content: `${said}\n${said}` }),
    asks(`tool ${name}`, { [said]: said }),
    asks("read_file", said),
    asks("shell", { command: `echo '${said.replaceAll("'", "")}'`, description: said }),
    says(said),
  ]);
  const { session } = await place.json(["run", said]);
  for (let more = 0; more < 2; more += 1) await place.run(["resume", session, "--deny", "all", "--reason", said]);
  const page = async (form: string) => (await place.run(["sessions", "export", session, form])).stdout;
  return { html: await page("--html"), markdown: await page("--md") };
}

const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/;

it("what a model says, names and asks for stays text on a page", async () => {
  const honest = await pagesOf(["honest"]);
  // Whether a call could be done at all differs.
  const shape = (page: string): string[] =>
    outlineOf(page)
      .tags.filter((tag) => /^(details|section|h1|h2|div)/u.test(tag))
      .map((tag) => tag.replace(/call \w+$/u, "call"));
  const tags = (page: string): string[] => [...new Set(outlineOf(page).tags)];
  for (const all of [
    texts("script", "handler", "quotes", "details", "style", "cdata", "comment"),
    texts("entity", "link", "markdown", "ticks"),
    texts("sequences", "bidi", "hidden", "surrogates"),
  ]) {
    const { html, markdown } = await pagesOf(all);
    expect(shape(html)).toEqual(shape(honest.html));
    const others = tags(html).filter((tag) => !tags(honest.html).includes(tag));
    expect(others.filter((tag) => !/^(details class=call|span class=)/u.test(tag))).toEqual([]);
    expect([html, markdown].filter((page) => hidden.test(page))).toEqual([]);
    const kinds = markdownKinds(honest.markdown);
    expect(markdownKinds(markdown).filter((kind) => !kinds.includes(kind))).toEqual([]);
  }
});
