import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

/** Three words of English in a row: what is typed (commands, flags) and what stands in quotes is none. */
const sentence = /[A-Za-z']{2,} [a-z']{2,} [a-z']{2,}/u;
const typed = /(?<![a-z])(?:agent|npm|node)(?: [^\s，。：；、）]+)*/gu;

/** What other programs say: node, git, ripgrep. */
const theirs = /ENOENT: .*|fatal: .*|regex parse error.*|Unexpected token.*|^" is not valid JSON$/u;

const edit = (file: string, old: string) => asks("edit_file", { file_path: file, old_string: old, new_string: "two" });

it("no sentence that commands print is English on a Chinese screen, whatever is wrong with them", async () => {
  const place = await openPlace(
    [
      edit("none.txt", "one"),
      edit("a.txt", "zzz"),
      asks("read_file", { file_path: "../out.txt" }),
      asks("grep", { pattern: "(", path: "." }),
      edit("a.txt", "one"),
      says("Fertig."),
    ],
    { "a.txt": "one\n" },
  );
  const run = async (...argv: string[]) => {
    const { stdout, stderr } = await place.spawn(argv, { env: { LANG: "zh_CN.UTF-8" } }).done;
    return { argv: argv.join(" "), lines: `${stdout}\n${stderr}`.split("\n") };
  };
  const { session: id } = await place.json(["run", "los"]);
  const said = [
    await run("answer", id, "--deny", "c5"),
    await run("resume", id),
    ...(await Promise.all(
      [
        ["sessions"],
        ["sessions", "show", id],
        ["sessions", "show", id, "--calls"],
        ["sessions", "show", "nope"],
        ["sessions", "verify", id],
        ["sessions", "prune"],
        ["sessions", "export", id, "-o", "/nonexist/x"],
        ["sessions", "nope"],
        ["log", "a.txt"],
        ["blame", "none.txt"],
        ["undo", id, "c1"],
        ["stop", id],
        ["doctor"],
        ["doctor", "--limits"],
        ["policy", "check", "--history", "edit_file"],
        ["tools"],
        ["mcp", "list"],
        ["mcp", "add", "bad/name", "--", "x"],
        ["secrets", "set", "1A"],
        ["policy", "check", "read_file", '{"path":"a"}'],
        ["policy", "check", "nope", "{}"],
        ["run", "--allow", "shell(*)", "x"],
        ["run", "--allow", "shell(a; b)", "x"],
        ["run", "-m", "nope", "x"],
        ["run", "-m", "nope:x", "x"],
        ["run", "-m", "script:none.jsonl", "x"],
        ["run", "--output-schema", "a.txt", "x"],
        ["run", "-i", "a.txt", "x"],
        ["run", "--session", "nope", "x"],
        ["memories", "rm", "1"],
        ["attest", "HEAD"],
        ["help"],
      ].map((argv) => run(...argv)),
    )),
  ];
  const own = (line: string) =>
    line
      .replace(theirs, "")
      .replace(typed, "")
      .replace(/["“'`][^"”'`]*["”'`]/gu, "");
  const english = said.flatMap(({ argv, lines }) =>
    lines.filter((line) => sentence.test(own(line))).map((line) => `${argv}: ${line}`),
  );
  expect(english).toEqual([]);
  const all = said.flatMap(({ lines }) => lines).join("\n");
  expect(all).toContain("none.txt 不存在");
  expect(all).toContain("由策略询问，风险表");
}, 120_000);
