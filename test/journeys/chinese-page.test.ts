import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const edit = (old: string, by: string) =>
  asks("edit_file", { file_path: "a.txt", old_string: old, new_string: by }, { text: "I change it." });

/** Three words of English in a row. */
const sentence = /[A-Za-z']{2,} [a-z']{2,} [a-z']{2,}/u;

/** What the two talked about, and what the tools told the model: it stays as it is. */
const talked = [
  /mend the file a/u,
  /I change it/u,
  /All done/u,
  /Edited |Taken back at|Took back |denied by the person|replaced text at/u,
];

it.each(["talk.html", "talk.md"])(
  "a page %s is Chinese but for what was said, in the record's own words",
  async (name) => {
    const place = await openPlace(
      [
        asks("goal", { action: "add", text: "one" }, { text: "I change it." }),
        edit("one", "1"),
        edit("two", "2"),
        edit("none", "2"),
        says("All done."),
      ],
      { "a.txt": "one\ntwo\n" },
    );
    const { session } = await place.json(["run", "mend the file a"]);
    await place.json(["resume", session, "--approve", "c2"]);
    await place.json(["resume", session, "--deny", "c3", "--reason", "nein"]);
    await place.json(["undo", session, "c2"]);
    await place.json(["resume", session, "--approve", "all"]);
    const zh = { env: { LANG: "zh_CN.UTF-8" } };
    const ran = await place.spawn(["sessions", "export", session, "-o", name], zh).done;
    expect(ran.code).toBe(0);
    const page = await place.read(name);
    if (name.endsWith("html")) expect(page).toContain('<html lang="zh-CN">');
    for (const text of ["回合 1", "风险 medium", "批准", "撤销调用 c2", "经过", "由策略允许", "已拒绝"])
      expect(page).toContain(text);
    // The style and the digests are for the browser, and what a model read is what it read.
    const lines = page
      .replace(/<style>[\s\S]*?<\/style>|content="[^"]*"|class="[^"]*"|<[^>]*>/gu, "")
      .split("\n")
      .filter((line) => sentence.test(line) && !talked.some((own) => own.test(line)));
    expect(lines).toEqual([]);
    const english = await place.spawn(["sessions", "export", session]).done;
    expect(english.stdout).not.toMatch(/[\u4e00-\u9fff]/u);
  },
);
